//! Bodies that nothing holds: momentum and energy.

use std::f64::consts::PI;

use ironbird_kinematics::Wrench;
use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, LinkInertia, LinkMotions, NoForces, SpeedPid, Tree, TreePlan,
    TreeState,
};
use nalgebra::{Isometry3, Matrix3, Vector3};

use super::random_tree::RandomTree;
use super::{agm, crossing, gravity};

const H: f64 = 1e-3;

#[test]
fn a_body_with_a_spinning_joint_keeps_its_momentum() {
    let mut plan =
        TreePlan::new(Base::Floating, "body", LinkInertia::principal(1.5, [0.008, 0.015, 0.017]));
    let rotor = LinkInertia {
        mass: 0.025,
        centre: Vector3::new(0.002, 0.0, 0.0),
        tensor: Matrix3::from_diagonal(&Vector3::new(9.75e-6, 1.66704e-4, 1.67604e-4)),
    };
    let joint = Joint::new(JointKind::Revolute(Vector3::z()));
    plan.add(0, "rotor", Isometry3::translation(0.13, 0.22, -0.023), joint, rotor);
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.base.velocity = Vector3::new(1.0, -2.0, 0.5);
    state.base.rates = Vector3::new(0.3, 0.2, -0.1);
    let before = dynamics.place(&state).clone().momentum(dynamics.tree());
    let mut pid = SpeedPid::new(0.2, 0.0, 0.0);
    pid.command_range = (-0.05, 0.05);
    for _ in 0..20_000 {
        let torque = pid.force(300.0, state.velocities[0], H / 10.0);
        let mut motor =
            |_: &Tree, _: &TreeState, _: &LinkMotions, _: &mut [Wrench], torques: &mut [f64]| {
                torques[0] = torque
            };
        dynamics.step(&mut state, &Vector3::zeros(), H / 10.0, &mut motor);
    }
    assert!((state.velocities[0] - 300.0).abs() < 1.0, "the rotor turns: {}", state.velocities[0]);
    let after = dynamics.place(&state).clone().momentum(dynamics.tree());
    println!(
        "spinning joint, 2 s: {:e} kg m/s, {:e} kg m²/s",
        (after.linear - before.linear).norm(),
        (after.angular - before.angular).norm()
    );
    assert!((after.linear - before.linear).norm() < 1e-9);
    assert!((after.angular - before.angular).norm() < 1e-9);
}

#[test]
fn trees_of_all_joints_keep_momentum_and_energy() {
    for seed in 0..20 {
        let RandomTree { tree, mut state, .. } = RandomTree::new(seed, Base::Floating, 8);
        let mut dynamics = Dynamics::new(tree);
        let measure = |dynamics: &mut Dynamics, state: &TreeState| {
            let motions = dynamics.place(state).clone();
            (motions.momentum(dynamics.tree()), motions.kinetic_energy(dynamics.tree()))
        };
        let (momentum, energy) = measure(&mut dynamics, &state);
        for _ in 0..1000 {
            dynamics.step(&mut state, &Vector3::zeros(), H / 4.0, &mut NoForces);
        }
        let (later, left) = measure(&mut dynamics, &state);
        let scale = momentum.linear.norm() + momentum.angular.norm();
        assert!((later.linear - momentum.linear).norm() < 1e-8 * scale, "{seed}");
        assert!((later.angular - momentum.angular).norm() < 1e-8 * scale, "{seed}");
        assert!((left / energy - 1.0).abs() < 1e-8, "{seed}: {left} {energy}");
    }
}

#[test]
fn a_body_turning_about_its_middle_axis_flips_with_its_period() {
    // L. D. Landau, E. M. Lifshitz, Mechanics, section 37: ω₂ is an elliptic sine of period 4 K/n.
    let [i1, i2, i3] = [1.0, 2.0, 3.0];
    let plan = TreePlan::new(Base::Floating, "body", LinkInertia::principal(1.0, [i1, i2, i3]));
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.base.rates = Vector3::new(0.02, 3.0, 0.05);
    let w = state.base.rates.component_mul(&state.base.rates);
    let twice_energy = i1 * w.x + i2 * w.y + i3 * w.z;
    let momentum = i1 * i1 * w.x + i2 * i2 * w.y + i3 * i3 * w.z;
    assert!(momentum > twice_energy * i2);
    let n = ((i3 - i2) * (momentum - twice_energy * i1) / (i1 * i2 * i3)).sqrt();
    let k2 =
        (i2 - i1) * (twice_energy * i3 - momentum) / ((i3 - i2) * (momentum - twice_energy * i1));
    let wanted = 4.0 * PI / (2.0 * agm(1.0, (1.0 - k2).sqrt())) / n;

    let before = dynamics.place(&state).clone().momentum(dynamics.tree()).angular;
    let mut crossings = Vec::new();
    let mut step = 0;
    while crossings.len() < 6 {
        let old = state.base.rates.y;
        dynamics.step(&mut state, &Vector3::zeros(), H, &mut NoForces);
        if old > 0.0 && state.base.rates.y <= 0.0 {
            crossings.push(crossing(step as f64 * H, H, old, state.base.rates.y));
        }
        step += 1;
    }
    let found = (crossings[5] - crossings[0]) / 5.0;
    assert!((found / wanted - 1.0).abs() < 1e-7, "{found} {wanted}");
    let motions = dynamics.place(&state).clone();
    assert!((motions.momentum(dynamics.tree()).angular - before).norm() < 1e-9 * before.norm());
    assert!((motions.kinetic_energy(dynamics.tree()) * 2.0 / twice_energy - 1.0).abs() < 1e-9);
}

#[test]
fn a_thrown_tree_falls_on_a_parabola() {
    let RandomTree { tree, mut state, .. } = RandomTree::new(7, Base::Floating, 6);
    let mut dynamics = Dynamics::new(tree);
    let motions = dynamics.place(&state).clone();
    let start = motions.centre_of_mass(dynamics.tree()).unwrap();
    let velocity = motions.momentum(dynamics.tree()).linear / dynamics.tree().mass();
    for _ in 0..1000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
    }
    let end = dynamics.place(&state).clone().centre_of_mass(dynamics.tree()).unwrap();
    assert!((end - start - velocity - gravity() / 2.0).norm() < 1e-7);
    // Its accelerometers do not feel the weight: at the centre of a body alone they show nothing.
    let plan = TreePlan::new(Base::Floating, "body", LinkInertia::principal(1.0, [1.0; 3]));
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let state = TreeState::at_rest(dynamics.tree());
    let motions = dynamics.evaluate(&state, &gravity(), &mut NoForces);
    assert!(motions[0].specific_force(&Vector3::zeros()).norm() < 1e-15);
    assert_eq!(motions[0].acceleration_ned(&Vector3::zeros(), &gravity()), gravity());
}

#[test]
fn a_spinning_rotor_that_is_turned_pushes_sideways() {
    // A gimbal turned about y carries a frame that is free about x, with a rotor about z: I_x q'' = -J Ω w.
    let mut plan = TreePlan::new(Base::Fixed, "stand", LinkInertia::massless());
    let axis = |axis| Joint::new(JointKind::Revolute(axis));
    let place = Isometry3::identity;
    let gimbal =
        plan.add(0, "gimbal", place(), axis(Vector3::y()), LinkInertia::principal(1.0, [0.1; 3]));
    let frame = plan.add(
        gimbal,
        "frame",
        place(),
        axis(Vector3::x()),
        LinkInertia::principal(1.0, [0.02; 3]),
    );
    plan.add(
        frame,
        "rotor",
        place(),
        axis(Vector3::z()),
        LinkInertia::principal(0.1, [0.003, 0.003, 0.005]),
    );
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.velocities = vec![2.0, 0.0, 500.0];
    dynamics.prescribe(1, Some(0.0));
    dynamics.evaluate(&state, &gravity(), &mut NoForces);
    let found = dynamics.joint_accelerations();
    assert!((found[1] + 0.005 * 500.0 * 2.0 / 0.023).abs() < 1e-9, "{found:?}");
    assert_eq!(found[0], 0.0);
}

/// What an iris with rotors at 838 rad/s loses in 10 s without forces: of the momentum of its body, and of its energy.
fn losses(rotor: &LinkInertia, h: f64) -> (f64, f64) {
    let mut plan =
        TreePlan::new(Base::Floating, "base", LinkInertia::principal(1.65, [0.008, 0.015, 0.017]));
    for (x, y) in [(0.13, 0.22), (-0.13, -0.20), (0.13, -0.22), (-0.13, 0.20)] {
        let joint = Joint::new(JointKind::Revolute(Vector3::z()));
        plan.add(0, "rotor", Isometry3::translation(x, y, -0.023), joint, *rotor);
    }
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.base.rates = Vector3::new(1.0, 0.5, 0.2);
    state.velocities = vec![838.0, 838.0, -838.0, -838.0];
    let measure = |dynamics: &mut Dynamics, state: &TreeState| {
        let motions = dynamics.place(state).clone();
        (motions.momentum(dynamics.tree()).angular, motions.kinetic_energy(dynamics.tree()))
    };
    let (momentum, energy) = measure(&mut dynamics, &state);
    for _ in 0..(10.0 / h) as usize {
        dynamics.step(&mut state, &Vector3::zeros(), h, &mut NoForces);
    }
    let (later, left) = measure(&mut dynamics, &state);
    let (turned, lost) = ((later - momentum).norm() / momentum.norm(), (left / energy - 1.0).abs());
    println!("iris at 838 rad/s, 10 s in steps of {h} s: momentum {turned:e}, energy {lost:e}");
    (turned, lost)
}

#[test]
fn rotors_at_full_speed_do_not_shake_their_carrier() {
    // At 1 kHz a rotor turns by 0.84 rad a step. A two-bladed one is far from round, and its inertia swings twice a
    // turn: too fast for the step, which turns the body by some per cent in 10 s. Averaged over a turn it is exact.
    let rotor = LinkInertia::principal(0.025, [9.75e-6, 1.66704e-4, 1.67604e-4]);
    let (turned, lost) = losses(&rotor, H);
    assert!(turned < 0.05 && lost < 1e-7);
    let (turned, lost) = losses(&rotor, H / 4.0);
    assert!(turned < 1e-3 && lost < 1e-9);
    let (turned, lost) = losses(&rotor.averaged_about(&Vector3::z()), H);
    assert!(turned < 1e-6 && lost < 1e-10);
}
