//! Simpler stand-ins for vehicles.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::fidelity::{KinematicVehicle, PointMass, PointMassParts, VelocityFrame};
use ironbird_plant::vehicle::{Inertia, Surroundings};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::accelerations::accelerations;
use super::integrate::Flight;

const GRAVITY: f64 = 9.80665;

fn inertia() -> Inertia {
    let tensor = Matrix3::new(0.02, 0.001, 0.0, 0.001, 0.03, 0.0, 0.0, 0.0, 0.04);
    Inertia { mass: 2.0, tensor, added: None }
}

#[test]
fn a_kinematic_vehicle_follows_its_velocity_as_a_lag() {
    let vehicle =
        KinematicVehicle::new(inertia(), VelocityFrame::Ned, [0.5, 0.3], [20.0, 2.0]).unwrap();
    let mut flight = Flight::new(&vehicle, RigidMotion::default());
    let around = Surroundings::default();
    for _ in 0..500 {
        flight.step(1e-3, &[3.0, -2.0, 1.0, 0.5], |_| around);
    }
    let share = 1.0 - libm::exp(-1.0);
    let wanted = Vector3::new(3.0, -2.0, 1.0) * share;
    assert!((flight.motion.velocity - wanted).norm() < 1e-9, "{}", flight.motion.velocity);
    let turning = 0.5 * (1.0 - libm::exp(-0.5 / 0.3));
    assert!((flight.motion.rates.z - turning).abs() < 1e-9, "{}", flight.motion.rates);
}

#[test]
fn a_kinematic_vehicle_goes_along_its_heading_where_told_so() {
    let vehicle =
        KinematicVehicle::new(inertia(), VelocityFrame::Heading, [0.2, 0.2], [20.0, 2.0]).unwrap();
    let attitude = UnitQuaternion::from_euler_angles(0.0, 0.0, 2.0);
    let mut flight = Flight::new(&vehicle, RigidMotion { attitude, ..RigidMotion::default() });
    for _ in 0..5000 {
        flight.step(1e-3, &[2.0, 0.0, 0.0, 0.0], |_| Surroundings::default());
    }
    let (sine, cosine) = libm::sincos(2.0);
    let wanted = Vector3::new(cosine, sine, 0.0) * 2.0;
    assert!((flight.motion.velocity - wanted).norm() < 1e-6, "{}", flight.motion.velocity);
}

#[test]
fn a_kinematic_vehicle_that_was_pushed_over_comes_back_to_level() {
    let vehicle =
        KinematicVehicle::new(inertia(), VelocityFrame::Ned, [0.5, 0.1], [20.0, 2.0]).unwrap();
    let attitude = UnitQuaternion::from_euler_angles(1.0, -0.7, 0.3);
    let rates = Vector3::new(2.0, -1.0, 3.0);
    let start = RigidMotion { attitude, rates, ..RigidMotion::default() };
    let mut flight = Flight::new(&vehicle, start);
    for _ in 0..3000 {
        flight.step(1e-3, &[0.0; 4], |_| Surroundings::default());
    }
    let down = flight.motion.to_body(&Vector3::z());
    assert!((down - Vector3::z()).norm() < 1e-6, "{down}");
    assert!(flight.motion.velocity.norm() < 1e-9);
}

#[test]
fn impossible_lags_are_refused() {
    let error = KinematicVehicle::new(inertia(), VelocityFrame::Ned, [0.0, 0.1], [1.0, 1.0]);
    assert_eq!(error.unwrap_err(), "the lag of the velocity is 0: it must be above zero");
}

fn point_mass() -> PointMass {
    PointMass::new(PointMassParts {
        inertia: inertia(),
        thrust: 40.0,
        thrust_lag: 0.05,
        attitude_lag: 0.1,
        linear_drag: 0.2,
        quadratic_drag: 0.05,
        tilt: 0.8,
        yaw_rate: 3.0,
    })
    .unwrap()
}

/// Tilted by 0.2 rad with the thrust that carries it, it goes as fast as drag lets it.
#[test]
fn a_tilted_point_mass_settles_where_drag_balances_its_thrust() {
    let vehicle = point_mass();
    let heading = UnitQuaternion::from_euler_angles(0.0, 0.0, 1.0);
    let start = RigidMotion { attitude: heading, ..RigidMotion::default() };
    let mut flight = Flight::new(&vehicle, start);
    let wind = Vector3::new(1.0, 2.0, 0.0);
    let around = Surroundings { wind, ..Surroundings::default() };
    let (sine, cosine) = libm::sincos(0.2);
    let thrust = 2.0 * GRAVITY / cosine;
    for _ in 0..60_000 {
        flight.step(1e-3, &[thrust, 0.0, -0.2, 0.0], |_| around);
    }
    let (roll, pitch, yaw) = flight.motion.attitude.euler_angles();
    assert!(roll.abs() < 1e-6 && (pitch + 0.2).abs() < 1e-6, "{roll} {pitch}");
    assert!((yaw - 1.0).abs() < 1e-3, "{yaw}");
    let through_air = flight.motion.velocity - wind;
    let speed = through_air.norm();
    let push = thrust * sine;
    assert!((0.2 * speed + 0.05 * speed * speed - push).abs() < 1e-3, "{speed} m/s, {push} N");
    let (east, north) = libm::sincos(1.0);
    let ahead = Vector3::new(north, east, 0.0);
    assert!((through_air.dot(&ahead) / speed - 1.0).abs() < 1e-5, "{through_air}");
}

#[test]
fn a_point_mass_without_thrust_falls() {
    let vehicle = point_mass();
    let flight = Flight::new(&vehicle, RigidMotion::default());
    let (acceleration, _) = accelerations(&flight, &[0.0; 4], &Surroundings::default());
    assert_eq!(acceleration, Vector3::new(0.0, 0.0, GRAVITY));
}
