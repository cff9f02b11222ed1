//! Stops and speed limits at 1 kHz.

use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, JointLaw, LinkInertia, NoForces, TreePlan, TreeState,
};
use nalgebra::{Isometry3, Vector3};

use super::gravity;

const H: f64 = 1e-3;

fn energy(dynamics: &mut Dynamics, state: &TreeState) -> f64 {
    let motions = dynamics.place(state).clone();
    let tree = dynamics.tree();
    motions.kinetic_energy(tree) + motions.potential_energy(tree, &state.positions, &gravity())
}

/// Three rods that hang from each other, each with stops.
fn chain(base: Base) -> Dynamics {
    let mut plan = TreePlan::new(base, "base", LinkInertia::principal(1.0, [0.1, 0.1, 0.1]));
    let law = JointLaw { lower: -0.4, upper: 0.6, ..JointLaw::default() };
    let mut parent = 0;
    for name in ["first", "second", "third"] {
        let joint = Joint::new(JointKind::Revolute(Vector3::y())).with(law);
        let rod = LinkInertia {
            centre: Vector3::new(0.0, 0.0, 0.25),
            ..LinkInertia::principal(0.5, [0.01; 3])
        };
        parent = plan.add(parent, name, Isometry3::translation(0.0, 0.0, 0.5), joint, rod);
    }
    Dynamics::new(plan.build().unwrap())
}

#[test]
fn stops_hold_a_swinging_chain_and_never_give_energy() {
    for implicit in [false, true] {
        let mut dynamics = chain(Base::Fixed);
        let mut state = TreeState::at_rest(dynamics.tree());
        state.velocities = vec![14.0, -9.0, 20.0];
        let mut before = energy(&mut dynamics, &state);
        let start = before;
        let mut touched = 0;
        for _ in 0..10_000 {
            if implicit {
                dynamics.kick(&mut state, &gravity(), H, &mut NoForces);
                dynamics.drift(&mut state, H);
            } else {
                dynamics.step(&mut state, &gravity(), H, &mut NoForces);
            }
            for position in &state.positions {
                assert!((-0.4..=0.6).contains(position), "{position}");
                touched += usize::from(*position == -0.4 || *position == 0.6);
            }
            let now = energy(&mut dynamics, &state);
            // The fourth-order step itself is good to 1e-9; the semi-implicit one swings about the true energy.
            let gain = if implicit { 0.02 * before.abs().max(1.0) } else { 1e-7 };
            assert!(now <= before + gain, "{now} {before}");
            before = now;
        }
        assert!(touched > 3);
        assert!(before < start - 1.0, "the blows took energy");
    }
}

#[test]
fn a_link_that_lies_on_its_stop_stays_there() {
    // A rod that points north and would fall: its stop carries it, and the base feels its weight.
    let mut plan = TreePlan::new(Base::Fixed, "wall", LinkInertia::massless());
    let law = JointLaw { lower: 0.0, upper: 1.0, ..JointLaw::default() };
    let joint = Joint::new(JointKind::Revolute(-Vector3::y())).with(law);
    let rod = LinkInertia {
        centre: Vector3::new(1.0, 0.0, 0.0),
        ..LinkInertia::principal(2.0, [0.1; 3])
    };
    plan.add(0, "rod", Isometry3::identity(), joint, rod);
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.positions[0] = 0.5;
    // It falls towards 1.
    for step in 0..2000 {
        if step < 1000 {
            dynamics.step(&mut state, &gravity(), H, &mut NoForces);
        } else {
            dynamics.kick(&mut state, &gravity(), H, &mut NoForces);
            dynamics.drift(&mut state, H);
        }
        if step > 900 {
            assert_eq!((state.positions[0], state.velocities[0]), (1.0, 0.0), "{step}");
        }
    }
}

#[test]
fn a_blow_on_a_stop_keeps_the_momentum_of_a_free_body() {
    let mut dynamics = chain(Base::Floating);
    let mut state = TreeState::at_rest(dynamics.tree());
    state.velocities = vec![5.0, 8.0, -3.0];
    for _ in 0..1000 {
        dynamics.kick(&mut state, &Vector3::zeros(), H, &mut NoForces);
        let swinging = dynamics.place(&state).clone().momentum(dynamics.tree());
        let speeds = state.velocities.clone();
        dynamics.hold_stops(&mut state, H);
        let held = dynamics.place(&state).clone().momentum(dynamics.tree());
        assert!((held.linear - swinging.linear).norm() < 1e-12);
        assert!((held.angular - swinging.angular).norm() < 1e-12);
        assert!(
            speeds.iter().zip(&state.velocities).all(|(a, b)| (a - b).abs() < 1e-9),
            "a second call finds nothing"
        );
        dynamics.drift(&mut state, H);
    }
}

#[test]
fn a_speed_limit_is_kept_under_any_torque() {
    let mut plan = TreePlan::new(Base::Fixed, "stand", LinkInertia::massless());
    let joint = Joint::new(JointKind::Prismatic(Vector3::z()))
        .with(JointLaw { speed: 3.0, ..JointLaw::default() });
    plan.add(0, "slide", Isometry3::identity(), joint, LinkInertia::point(1.0, Vector3::zeros()));
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    for _ in 0..1000 {
        dynamics.step(&mut state, &gravity(), H, &mut NoForces);
    }
    assert_eq!(state.velocities[0], 3.0);
}
