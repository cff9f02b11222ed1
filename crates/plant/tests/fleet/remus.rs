//! The REMUS 100 as forces beside its own equations.

use ironbird_kinematics::{RigidMotion, Wrench};
use ironbird_plant::remus::{
    ATTITUDE, Hull, Inputs, POSITION, RemusVehicle, State, VELOCITY, advance, attitude,
};
use ironbird_plant::vehicle::{Surroundings, Vehicle, Water};
use nalgebra::{UnitQuaternion, Vector3};

use super::accelerations::accelerations;
use super::integrate::Flight;

fn current() -> Vector3<f64> {
    Vector3::new(0.4, -0.3, 0.05)
}

fn sea() -> Surroundings {
    Surroundings {
        // What the published weight is for.
        gravity: Vector3::new(0.0, 0.0, 9.81),
        water: Water {
            surface: 0.0,
            density: 1025.0,
            current: current(),
            current_acceleration: Vector3::new(0.003, 0.0, -0.002),
        },
        ..Surroundings::default()
    }
}

#[test]
fn a_turn_in_a_current_is_that_of_its_own_equations() {
    let vehicle = RemusVehicle::default();
    let buoyancy = vehicle.centre_of_buoyancy();
    let (rudder, stern, propeller) = (0.1, 0.03, 1525.0);
    let mut state = State::zeros();
    state[POSITION + 2] = 20.0;
    state[ATTITUDE] = 1.0;
    state[VELOCITY] = 1.6;
    state[VELOCITY + 3] = 0.1;
    let rates = Vector3::new(0.1, 0.0, 0.0);
    let mut flight = Flight::new(
        &vehicle,
        RigidMotion {
            position: Vector3::new(0.0, 0.0, 20.0) - buoyancy,
            velocity: Vector3::new(1.6, 0.0, 0.0) - rates.cross(&buoyancy),
            attitude: UnitQuaternion::identity(),
            rates,
        },
    );
    let mut water = sea();
    let step = 2e-3;
    for n in 0..30_000 {
        // The same current held over each step.
        let time = step * f64::from(n);
        water.water.current = current() + water.water.current_acceleration * time;
        let inputs = Inputs {
            rudder,
            stern,
            propeller,
            current: water.water.current,
            current_acceleration: water.water.current_acceleration,
            ..Inputs::default()
        };
        state = advance(&Hull::default(), state, &inputs, step, 1);
        flight.step(step, &[rudder, stern, propeller], |_| water);
    }
    let motion = &flight.motion;
    let place: Vector3<f64> = state.fixed_rows::<3>(POSITION).into();
    let at_buoyancy = motion.position + motion.to_ned(&buoyancy);
    assert!((at_buoyancy - place).norm() < 1e-6, "{at_buoyancy} {place}");
    let turned = UnitQuaternion::new_unchecked(attitude(&state));
    assert!(turned.angle_to(&motion.attitude) < 1e-6);
    let velocity: Vector3<f64> = state.fixed_rows::<3>(VELOCITY).into();
    let at_buoyancy = motion.to_body(&motion.velocity) + motion.rates.cross(&buoyancy);
    assert!((at_buoyancy - velocity).norm() < 1e-6, "{at_buoyancy} {velocity}");
    // It has turned: more than a full circle in a minute.
    assert!(motion.rates.z < -0.1, "{}", motion.rates);
}

#[test]
fn it_floats_up_in_sea_water_and_sinks_in_fresh_water() {
    let vehicle = RemusVehicle::default();
    let deep = RigidMotion { position: Vector3::new(0.0, 0.0, 50.0), ..RigidMotion::default() };
    let flight = Flight::new(&vehicle, deep);
    let downwards = |density: f64| {
        let still = Water {
            density,
            current: Vector3::zeros(),
            current_acceleration: Vector3::zeros(),
            ..sea().water
        };
        accelerations(&flight, &[0.0; 3], &Surroundings { water: still, ..sea() }).0.z
    };
    // B - W is 7 N in sea water, and -0.46 N where B is by 1000 / 1025 smaller; it moves 35.5 kg of water, and
    // pitches a little.
    let mass = 299.0 / 9.81 + 35.5;
    assert!((downwards(1025.0) * mass / -7.0 - 1.0).abs() < 0.01, "{}", downwards(1025.0));
    assert!((downwards(1000.0) * mass / 0.4634 - 1.0).abs() < 0.01, "{}", downwards(1000.0));
}

#[test]
fn where_there_is_no_water_nothing_acts() {
    let vehicle = RemusVehicle::default();
    let moving = RigidMotion { velocity: Vector3::new(3.0, 1.0, 0.0), ..RigidMotion::default() };
    let air = Surroundings::default();
    let wrench = vehicle.forces(&moving, &[], &[0.1, 0.1, 1525.0], &air, &mut []);
    assert_eq!(wrench, Wrench::default());
}
