//! How long a step of an articulated body takes: a base with four rotors on joints.
//!
//! `cargo run --release -p ironbird-world --example joint_speed`

use std::hint::black_box;
use std::time::Instant;

use ironbird_kinematics::Wrench;
use ironbird_world::aero::{AeroError, BladeRotor, LiftDrag, Surface};
use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, JointLaw, LinkInertia, LinkMotions, Tree, TreePlan, TreeState,
};
use nalgebra::{Isometry3, Vector3};

const PLACES: [(f64, f64); 4] = [(0.13, 0.22), (-0.13, -0.20), (0.13, -0.22), (-0.13, 0.20)];

/// Rotors that turn against their drag, and push up.
fn rotors(
    _: &Tree,
    state: &TreeState,
    _: &LinkMotions,
    wrenches: &mut [Wrench],
    torques: &mut [f64],
) {
    for rotor in 0..4 {
        let speed = state.velocities[rotor];
        wrenches[rotor + 1].force.z = -1.3e-5 * speed * speed;
        wrenches[rotor + 1].moment.z = -2e-7 * speed * speed.abs();
        torques[rotor] = 0.05 * (500.0 - speed);
    }
}

/// The blades of ArduPilot's iris on the same rotors, in still air.
fn blades() -> Result<[LiftDrag; 2], AeroError> {
    let blade = |side: f64| {
        LiftDrag::new(&Surface {
            a0: 0.3,
            cla: 4.25,
            cda: 0.1,
            alpha_stall: 1.4,
            area: 0.002,
            cp: Vector3::new(0.084 * side, 0.0, 0.0),
            forward: Vector3::new(0.0, side, 0.0),
            upward: -Vector3::z(),
            ..Surface::default()
        })
    };
    Ok([blade(1.0)?, blade(-1.0)?])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut plan =
        TreePlan::new(Base::Floating, "base", LinkInertia::principal(1.65, [0.008, 0.015, 0.017]));
    for (number, (x, y)) in PLACES.into_iter().enumerate() {
        let law = JointLaw { damping: 0.004, ..JointLaw::default() };
        let joint = Joint::new(JointKind::Revolute(Vector3::z())).with(law);
        let rotor = LinkInertia::principal(0.025, [9.75e-6, 1.66704e-4, 1.67604e-4]);
        plan.add(0, &format!("rotor_{number}"), Isometry3::translation(x, y, -0.023), joint, rotor);
    }
    let tree = plan.build()?;
    let blades = blades()?;
    let mut turning = |_: &Tree,
                       state: &TreeState,
                       motions: &LinkMotions,
                       wrenches: &mut [Wrench],
                       torques: &mut [f64]| {
        for rotor in 0..4 {
            for blade in &blades {
                let cp = &blade.surface().cp;
                let velocity = motions[rotor + 1].velocity_of(cp);
                wrenches[rotor + 1].push(blade.force(&velocity, 1.2041, 0.0), cp);
            }
            torques[rotor] = 0.05 * (500.0 - state.velocities[rotor]);
        }
    };
    let reduced = BladeRotor::new(&Vector3::z(), &blades)?;
    let gravity = Vector3::new(0.0, 0.0, 9.81);
    let start = TreeState::at_rest(&tree);
    let mut dynamics = Dynamics::new(tree);
    let best = |name: &str, advance: &mut dyn FnMut(&mut TreeState)| {
        let mut shortest = f64::INFINITY;
        for _ in 0..500 {
            let (mut state, steps) = (start.clone(), 500);
            let begin = Instant::now();
            for _ in 0..steps {
                advance(&mut state);
            }
            shortest = shortest.min(begin.elapsed().as_secs_f64() / f64::from(steps));
            black_box(&state);
        }
        println!("{name}: {:.3} µs", shortest * 1e6);
    };
    best("fourth-order step", &mut |state| dynamics.step(state, &gravity, 1e-3, &mut rotors));
    best("fourth-order step with eight blades", &mut |state| {
        dynamics.step(state, &gravity, 1e-3, &mut turning)
    });
    best("one averaged rotor in forward flight, once", &mut |state| {
        let velocity = Vector3::new(5.0, state.base.rates.x, 0.0);
        black_box(reduced.loads(black_box(500.0), &velocity, &Vector3::zeros(), 1.2041));
    });
    best("kick and drift", &mut |state| {
        dynamics.kick(state, &gravity, 1e-3, &mut rotors);
        dynamics.drift(state, 1e-3);
    });
    best("mass matrix, factors and one response", &mut |state| {
        let mut row = [0.0; 10];
        let mut response = [0.0; 10];
        let point = Vector3::new(0.1, 0.2, 0.1);
        dynamics.place(state);
        dynamics.motions().point_row(dynamics.tree(), 1, &point, &Vector3::z(), &mut row);
        if let Some(matrix) = dynamics.factorise(0.0) {
            black_box(matrix.response(&row, &mut response));
        }
    });
    Ok(())
}
