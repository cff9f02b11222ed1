//! Pendulums: periods and energy.

use std::f64::consts::PI;

use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, LinkInertia, NoForces, Tree, TreePlan, TreeState,
};
use nalgebra::{Isometry3, Matrix3, Vector3};

use super::{agm, crossing, gravity};

const H: f64 = 1e-3;

fn pendulum(kind: JointKind, bob: LinkInertia) -> Tree {
    let mut plan = TreePlan::new(Base::Fixed, "ceiling", LinkInertia::massless());
    plan.add(0, "bob", Isometry3::translation(1.0, 2.0, 3.0), Joint::new(kind), bob);
    plan.build().unwrap()
}

fn energy(dynamics: &mut Dynamics, state: &TreeState) -> f64 {
    let motions = dynamics.place(state).clone();
    let tree = dynamics.tree();
    motions.kinetic_energy(tree) + motions.potential_energy(tree, &state.positions, &gravity())
}

/// The mean period over ten swings from an angle, released at rest.
fn period(dynamics: &mut Dynamics, angle: f64) -> f64 {
    let mut state = TreeState::at_rest(dynamics.tree());
    state.positions[0] = angle;
    let mut crossings = Vec::new();
    let mut step = 0;
    while crossings.len() < 11 {
        let before = state.positions[0];
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
        if before > 0.0 && state.positions[0] <= 0.0 {
            crossings.push(crossing(step as f64 * H, H, before, state.positions[0]));
        }
        step += 1;
    }
    (crossings[10] - crossings[0]) / 10.0
}

#[test]
fn a_pendulum_has_the_period_of_its_amplitude() {
    let bob = LinkInertia::point(0.7, Vector3::new(0.0, 0.0, 1.3));
    let mut dynamics = Dynamics::new(pendulum(JointKind::Revolute(Vector3::y() * 2.0), bob));
    for angle in [0.01, 1.0, 2.5, 3.0] {
        let wanted = 2.0 * PI * (1.3_f64 / 9.81).sqrt() / agm(1.0, libm::cos(angle / 2.0));
        let found = period(&mut dynamics, angle);
        assert!((found / wanted - 1.0).abs() < 1e-8, "{angle}: {found} {wanted}");
    }
}

#[test]
fn a_physical_pendulum_swings_by_its_inertia_about_the_pivot() {
    let (mass, centre, inertia) = (2.0, 0.4, 0.15);
    let rod = LinkInertia {
        mass,
        centre: Vector3::new(0.0, 0.0, centre),
        tensor: Matrix3::from_diagonal(&Vector3::new(0.2, inertia, 0.05)),
    };
    let mut dynamics = Dynamics::new(pendulum(JointKind::Revolute(Vector3::y()), rod));
    let about = inertia + mass * centre * centre;
    let wanted = 2.0 * PI * (about / (mass * 9.81 * centre)).sqrt() / agm(1.0, libm::cos(0.6));
    assert!((period(&mut dynamics, 1.2) / wanted - 1.0).abs() < 1e-8);
}

#[test]
fn a_pendulum_keeps_its_energy_for_100_seconds() {
    let bob = LinkInertia::point(0.7, Vector3::new(0.0, 0.0, 1.3));
    let mut dynamics = Dynamics::new(pendulum(JointKind::Revolute(Vector3::y()), bob));
    let mut state = TreeState::at_rest(dynamics.tree());
    state.positions[0] = 2.5;
    let before = energy(&mut dynamics, &state);
    for _ in 0..100_000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
    }
    let swing = 2.0 * 0.7 * 9.81 * 1.3;
    let lost = (energy(&mut dynamics, &state) - before).abs() / swing;
    println!("pendulum, 100 s: {lost:e} of the energy of a full swing");
    assert!(lost < 1e-9);
}

#[test]
fn a_double_pendulum_keeps_its_energy_while_it_tumbles() {
    let mut plan = TreePlan::new(Base::Fixed, "ceiling", LinkInertia::massless());
    let bob = LinkInertia::point(1.0, Vector3::new(0.0, 0.0, 1.0));
    let joint = || Joint::new(JointKind::Revolute(Vector3::y()));
    let upper = plan.add(0, "upper", Isometry3::identity(), joint(), bob);
    plan.add(upper, "lower", Isometry3::translation(0.0, 0.0, 1.0), joint(), bob);
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.positions = vec![2.0, 1.0];
    // T = ½ |v₁|² + ½ |v₂|² and θ₁'' by the textbook equations of motion at rest (unit masses and lengths):
    // 2 a + b cos d = -2 g sin θ₁, b + a cos d = -g sin θ₂, with d the angle between the rods.
    dynamics.evaluate(&state, &gravity(), &mut NoForces);
    let (first, second, d) = (libm::sin(2.0), libm::sin(3.0), libm::cos(1.0));
    let a = (-2.0 * 9.81 * first + 9.81 * second * d) / (2.0 - d * d);
    let b = -9.81 * second - a * d;
    assert!((dynamics.joint_accelerations()[0] - a).abs() < 1e-12);
    assert!((dynamics.joint_accelerations()[1] - (b - a)).abs() < 1e-12);
    let before = energy(&mut dynamics, &state);
    for _ in 0..20_000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
    }
    assert!((energy(&mut dynamics, &state) - before).abs() < 1e-7);
}

#[test]
fn a_spherical_pendulum_keeps_angular_momentum_about_the_vertical() {
    let bob = LinkInertia {
        mass: 1.0,
        centre: Vector3::new(0.0, 0.0, 0.8),
        tensor: Matrix3::from_diagonal(&Vector3::new(0.02, 0.03, 0.01)),
    };
    let mut dynamics = Dynamics::new(pendulum(JointKind::Ball, bob));
    let mut state = TreeState::at_rest(dynamics.tree());
    let tilt = nalgebra::UnitQuaternion::from_euler_angles(0.9, 0.2, 0.0);
    state.positions = vec![tilt.w, tilt.i, tilt.j, tilt.k];
    state.velocities = vec![0.3, 1.5, 2.0];
    let pivot = Vector3::new(1.0, 2.0, 3.0);
    let about = |dynamics: &mut Dynamics, state: &TreeState| {
        let motions = dynamics.place(state).clone();
        let momentum = motions.momentum(dynamics.tree());
        (momentum.angular - pivot.cross(&momentum.linear)).z
    };
    let (spin, before) = (about(&mut dynamics, &state), energy(&mut dynamics, &state));
    for _ in 0..20_000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
    }
    assert!((about(&mut dynamics, &state) / spin - 1.0).abs() < 1e-9);
    assert!((energy(&mut dynamics, &state) - before).abs() < 1e-9);
}

#[test]
fn a_conical_pendulum_stays_on_its_cone() {
    // On a universal joint, which lets it turn about both horizontal axes: ω² = g/(l cos θ).
    let (length, angle) = (1.0, 0.5);
    let kind = JointKind::Universal(Vector3::x(), Vector3::y());
    let mut dynamics =
        Dynamics::new(pendulum(kind, LinkInertia::point(1.0, Vector3::new(0.0, 0.0, length))));
    let mut state = TreeState::at_rest(dynamics.tree());
    // Tilted about y, moving along y: the first axis turns it with the tangential speed over the depth.
    let rate = (9.81 / (length * libm::cos(angle))).sqrt();
    state.positions[1] = angle;
    state.velocities[0] = -rate * libm::tan(angle);
    for _ in 0..5_000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
        let at = dynamics.place(&state)[2].point(&Vector3::new(0.0, 0.0, length));
        assert!((at.z - 3.0 - length * libm::cos(angle)).abs() < 1e-9, "{at}");
    }
}
