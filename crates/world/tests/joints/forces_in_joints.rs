//! Damping, friction, springs, screws, drives.

use std::f64::consts::PI;

use ironbird_kinematics::Wrench;
use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, JointLaw, LinkInertia, LinkMotions, NoForces, SpeedLag, Tree,
    TreePlan, TreeState,
};
use nalgebra::{Isometry3, Vector3};

use super::gravity;

const H: f64 = 1e-3;
const INERTIA: f64 = 1.67604e-4;

/// A rotor on a fixed stand.
fn stand(law: JointLaw) -> (Dynamics, TreeState) {
    let mut plan = TreePlan::new(Base::Fixed, "stand", LinkInertia::massless());
    let joint = Joint::new(JointKind::Revolute(Vector3::z())).with(law);
    plan.add(
        0,
        "rotor",
        Isometry3::identity(),
        joint,
        LinkInertia::principal(0.025, [1e-4, 1e-4, INERTIA]),
    );
    let tree = plan.build().unwrap();
    let state = TreeState::at_rest(&tree);
    (Dynamics::new(tree), state)
}

#[test]
fn damping_has_its_time_constant() {
    let damping = 0.004;
    let (mut dynamics, mut state) = stand(JointLaw { damping, ..JointLaw::default() });
    let mut implicit = state.clone();
    state.velocities[0] = 800.0;
    implicit.velocities[0] = 800.0;
    for _ in 0..42 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
        dynamics.kick(&mut implicit, &gravity(), H, &mut NoForces);
        dynamics.drift(&mut implicit, H);
    }
    let wanted = 800.0 * libm::exp(-damping / INERTIA * 0.042);
    assert!((state.velocities[0] / wanted - 1.0).abs() < 1e-6);
    // Implicit Euler: 1/(1 + h d/I) a step.
    let mut euler = 800.0;
    for _ in 0..42 {
        euler /= 1.0 + H * damping / INERTIA;
    }
    assert!((implicit.velocities[0] / euler - 1.0).abs() < 1e-12);
    assert!((dynamics.fastest_rate() - damping / (INERTIA + H * damping)).abs() < 1e-9);
}

#[test]
fn damping_far_beyond_the_step_only_stops_the_joint() {
    let (mut dynamics, mut state) =
        stand(JointLaw { damping: 10.0, stiffness: 1e5, ..JointLaw::default() });
    state.velocities[0] = 800.0;
    for _ in 0..10 {
        dynamics.kick(&mut state, &gravity(), H, &mut NoForces);
        dynamics.drift(&mut state, H);
        assert!(state.velocities[0].abs() < 2.0 && state.positions[0].abs() < 2e-3);
    }
}

#[test]
fn friction_stops_a_joint_when_it_should_and_holds_it() {
    let friction = 0.02;
    for implicit in [false, true] {
        let (mut dynamics, mut state) = stand(JointLaw { friction, ..JointLaw::default() });
        let mut push = 0.0;
        let mut advance = |state: &mut TreeState, push: f64| {
            let mut drive = |_: &Tree,
                             _: &TreeState,
                             _: &LinkMotions,
                             _: &mut [Wrench],
                             torques: &mut [f64]| torques[0] = push;
            if implicit {
                dynamics.kick(state, &gravity(), H, &mut drive);
                dynamics.drift(state, H);
            } else {
                dynamics.step(state, &gravity(), H, &mut drive);
            }
        };
        state.velocities[0] = 50.0;
        let deceleration = friction / INERTIA;
        // Some way before standstill: 50 - 119.3 t.
        for _ in 0..400 {
            advance(&mut state, push);
        }
        assert!(
            (state.velocities[0] - (50.0 - deceleration * 0.4)).abs() < 0.05,
            "{}",
            state.velocities[0]
        );
        for _ in 0..200 {
            advance(&mut state, push);
        }
        assert!(state.velocities[0].abs() < 1e-3, "{}", state.velocities[0]);
        // Half of what it takes to break loose does not turn it, beyond a creep.
        push = friction / 2.0;
        for _ in 0..200 {
            advance(&mut state, push);
        }
        assert!(state.velocities[0].abs() < 0.2, "{}", state.velocities[0]);
        push = friction * 2.0;
        for _ in 0..100 {
            advance(&mut state, push);
        }
        assert!((state.velocities[0] - deceleration * 0.1).abs() < 0.5, "{}", state.velocities[0]);
    }
}

#[test]
fn a_spring_swings_about_its_reference() {
    let law = JointLaw { stiffness: 0.5, reference: 0.2, ..JointLaw::default() };
    let (mut dynamics, mut state) = stand(law);
    let period = 2.0 * PI * (INERTIA / 0.5_f64).sqrt();
    let steps = 10_000;
    for _ in 0..steps {
        dynamics.step(&mut state, &gravity(), period / f64::from(steps), &mut NoForces);
    }
    assert!(state.positions[0].abs() < 1e-9 && state.velocities[0].abs() < 1e-7);
    for _ in 0..steps / 2 {
        dynamics.step(&mut state, &gravity(), period / f64::from(steps), &mut NoForces);
    }
    assert!((state.positions[0] - 0.4).abs() < 1e-9);
}

#[test]
fn effort_is_limited() {
    let (mut dynamics, state) = stand(JointLaw { effort: 2.5, ..JointLaw::default() });
    let mut drive =
        |_: &Tree, _: &TreeState, _: &LinkMotions, _: &mut [Wrench], torques: &mut [f64]| {
            torques[0] = 9.0
        };
    dynamics.evaluate(&state, &gravity(), &mut drive);
    assert!((dynamics.joint_accelerations()[0] - 2.5 / INERTIA).abs() < 1e-6);
}

#[test]
fn a_nut_runs_down_its_screw() {
    let (mass, inertia, pitch) = (0.3, 2e-3, 0.05);
    let mut plan = TreePlan::new(Base::Fixed, "screw", LinkInertia::massless());
    let joint = Joint::new(JointKind::Screw { axis: Vector3::z(), pitch });
    plan.add(
        0,
        "nut",
        Isometry3::identity(),
        joint,
        LinkInertia::principal(mass, [1.0, 1.0, inertia]),
    );
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    for _ in 0..1000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
    }
    let turning = mass * 9.81 * pitch / (inertia + mass * pitch * pitch);
    assert!((state.velocities[0] - turning).abs() < 1e-9);
    assert!((dynamics.place(&state)[1].position.z - pitch * turning / 2.0).abs() < 1e-9);
}

#[test]
fn a_prescribed_rotor_turns_its_carrier_back() {
    let mut plan =
        TreePlan::new(Base::Floating, "body", LinkInertia::principal(1.0, [0.01, 0.01, 0.02]));
    let rotor = LinkInertia::principal(0.02, [1e-4, 1e-4, INERTIA]);
    let joint = Joint::new(JointKind::Revolute(Vector3::z()));
    plan.add(0, "rotor", Isometry3::identity(), joint, rotor);
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    let lag = SpeedLag { rise: 0.0125, fall: 0.025, range: (0.0, 1000.0) };
    for _ in 0..1000 {
        let acceleration = lag.acceleration(900.0, state.velocities[0], H);
        dynamics.prescribe(1, Some(acceleration));
        dynamics.step(&mut state, &Vector3::zeros(), H, &mut NoForces);
    }
    assert!((state.velocities[0] - 900.0).abs() < 1e-9);
    // (0.02 + J) r + J Ω = 0
    assert!((state.base.rates.z + INERTIA * 900.0 / (0.02 + INERTIA)).abs() < 1e-9);

    // A blow does not change the speed of such a rotor against its carrier; both turn as one.
    dynamics.place(&state);
    let (mut row, mut response) = (vec![0.0; 7], vec![0.0; 7]);
    dynamics.motions().clone().spin_row(dynamics.tree(), 1, &Vector3::z(), &mut row);
    let softness = dynamics.factorise(0.0).unwrap().response(&row, &mut response);
    assert!((softness - 1.0 / (0.02 + INERTIA)).abs() < 1e-9, "{softness}");
    assert_eq!(response[6], 0.0);
}
