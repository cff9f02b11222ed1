//! Bodies under water: what must hold whatever their numbers are, and the BlueROV2 Heavy.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::submersible::{Buoyancy, Hydrodynamics, Submersible};
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle, Water};
use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3, Vector6};

use super::accelerations::accelerations;
use super::integrate::Flight;

fn sea(current: Vector3<f64>) -> Surroundings {
    let still = Surroundings::default().water;
    Surroundings { water: Water { surface: 0.0, current, ..still }, ..Surroundings::default() }
}

fn deep() -> RigidMotion {
    RigidMotion { position: Vector3::new(0.0, 0.0, 30.0), ..RigidMotion::default() }
}

/// A matrix that is symmetric and positive, and far from diagonal.
fn added() -> Matrix6<f64> {
    let mut root = Matrix6::from_diagonal(&Vector6::new(1.2, 1.9, 2.1, 0.4, 0.5, 0.6));
    root[(1, 5)] = 0.7;
    root[(2, 4)] = -0.5;
    root[(0, 3)] = 0.2;
    root * root.transpose()
}

fn ideal(origin: Vector3<f64>, added: Matrix6<f64>, volume: f64) -> Submersible {
    let inertia = Inertia {
        mass: 10.0,
        tensor: Matrix3::new(0.3, 0.02, 0.0, 0.02, 0.4, 0.01, 0.0, 0.01, 0.5),
        added: None,
    };
    let hydrodynamics =
        Hydrodynamics { added, linear: Matrix6::zeros(), quadratic: Matrix6::zeros(), origin };
    let buoyancy = Buoyancy { volume, centre: Vector3::zeros(), height: 0.3 };
    Submersible::new(inertia, hydrodynamics, buoyancy, Vec::new()).unwrap()
}

/// ½ (v, ω) (M + added) (v, ω)
fn energy(vehicle: &Submersible, motion: &RigidMotion, current: Vector3<f64>) -> f64 {
    let inertia = vehicle.inertia();
    let velocity = motion.to_body(&(motion.velocity - current));
    let nu = Vector6::new(
        velocity.x,
        velocity.y,
        velocity.z,
        motion.rates.x,
        motion.rates.y,
        motion.rates.z,
    );
    let body =
        inertia.mass * velocity.norm_squared() + motion.rates.dot(&(inertia.tensor * motion.rates));
    0.5 * (body + nu.dot(&(**inertia.added.as_ref().unwrap() * nu)))
}

/// A body as heavy as its water, in a steady current, about a point that is not its centre of mass.
#[test]
fn in_an_ideal_fluid_energy_relative_to_the_current_stays() {
    let current = Vector3::new(0.7, -0.2, 0.1);
    let vehicle = ideal(Vector3::new(0.1, -0.05, 0.2), added(), 10.0 / 1025.0);
    let start = RigidMotion {
        velocity: Vector3::new(1.0, 0.5, -0.4),
        rates: Vector3::new(0.6, -0.8, 0.5),
        attitude: UnitQuaternion::from_euler_angles(0.3, 0.2, -1.0),
        ..deep()
    };
    let mut flight = Flight::new(&vehicle, start);
    let before = energy(&vehicle, &flight.motion, current);
    let water = sea(current);
    for _ in 0..10_000 {
        flight.step(1e-3, &[], |_| water);
    }
    let after = energy(&vehicle, &flight.motion, current);
    assert!((after / before - 1.0).abs() < 1e-9, "{before} {after}");
    assert!((flight.motion.velocity - start.velocity).norm() > 0.1, "it has been turned");
}

#[test]
fn a_body_as_heavy_as_its_water_goes_with_it() {
    let vehicle = ideal(Vector3::zeros(), added(), 10.0 / 1025.0);
    let flight = Flight::new(&vehicle, deep());
    let mut water = sea(Vector3::zeros());
    water.water.current_acceleration = Vector3::new(0.2, 0.1, -0.05);
    let (acceleration, angular) = accelerations(&flight, &[], &water);
    assert!((acceleration - water.water.current_acceleration).norm() < 1e-12, "{acceleration}");
    assert!(angular.norm() < 1e-12, "{angular}");
}

#[test]
fn where_matrices_refer_to_does_not_matter_for_a_point_like_added_mass() {
    // 3 kg of water at one point: about the centre of mass, or about the point, it is the same.
    let point = Vector3::new(0.2, -0.1, 0.3);
    let mut at_point = Matrix6::zeros();
    at_point.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * 3.0));
    let mut h = Matrix6::identity();
    h.fixed_view_mut::<3, 3>(0, 3).copy_from(&-point.cross_matrix());
    let one = ideal(point, at_point, 0.01);
    let other = ideal(Vector3::zeros(), h.transpose() * at_point * h, 0.01);
    let motion = RigidMotion {
        velocity: Vector3::new(1.0, 0.5, -0.4),
        rates: Vector3::new(0.6, -0.8, 0.5),
        ..deep()
    };
    let water = sea(Vector3::new(0.3, 0.0, 0.0));
    let rates = |vehicle| accelerations(&Flight::new(vehicle, motion), &[], &water);
    let ((a, b), (c, d)) = (rates(&one), rates(&other));
    assert!((a - c).norm() < 1e-12 && (b - d).norm() < 1e-12, "{a} {c} {b} {d}");
}

#[test]
fn derivatives_of_gazebo_become_matrices() {
    let mut added = Matrix6::from_diagonal(&Vector6::new(-1.0, -2.0, -3.0, -0.1, -0.2, -0.3));
    added[(1, 5)] = -0.5;
    added[(0, 4)] = -0.25;
    let linear = Matrix6::from_diagonal_element(-4.0);
    let taken =
        Hydrodynamics::from_derivatives(&added, &linear, &Matrix6::zeros(), Vector3::zeros());
    // Port to starboard and up to down: both or none of y and yaw change their sign, one of x and pitch.
    assert_eq!(taken.added[(1, 5)], 0.5);
    assert_eq!(taken.added[(0, 4)], -0.25);
    assert_eq!(taken.added[(2, 2)], 3.0);
    assert_eq!(taken.linear, Matrix6::from_diagonal_element(4.0));
}

#[test]
fn the_bluerov_settles_at_the_speed_at_which_drag_balances_its_thrust() {
    let vehicle = Submersible::bluerov2_heavy().unwrap();
    let current = Vector3::new(0.0, 0.5, 0.0);
    let mut flight = Flight::new(&vehicle, RigidMotion { velocity: current, ..deep() });
    let water = sea(current);
    // The front thrusters push backwards, the rear ones forward.
    let commands = [-0.1, -0.1, 0.1, 0.1, 0.0, 0.0, 0.0, 0.0];
    for _ in 0..20_000 {
        flight.step(1e-3, &commands, |_| water);
    }
    let motion = &flight.motion;
    let speed = motion.to_body(&(motion.velocity - current)).x;
    let thrust = 0.1 * (2.0 * 45.3 + 2.0 * 35.2) * 0.5_f64.sqrt();
    let drag = 13.7 * speed + 14.1 * speed * speed;
    // It pitches, as its thrusters are below its centre, and what it is lighter than water helps a little.
    assert!((drag / thrust - 1.0).abs() < 0.05, "{speed} m/s: {drag} N, {thrust} N");
    assert!((motion.velocity.y - 0.5).abs() < 1e-6, "it goes with the current");
}

#[test]
fn the_bluerov_floats_at_the_surface_and_rights_itself() {
    let vehicle = Submersible::bluerov2_heavy().unwrap();
    let tilted = RigidMotion {
        position: Vector3::new(0.0, 0.0, 0.3),
        attitude: UnitQuaternion::from_euler_angles(0.6, 0.0, 0.0),
        ..RigidMotion::default()
    };
    let mut flight = Flight::new(&vehicle, tilted);
    let water = sea(Vector3::zeros());
    for _ in 0..60_000 {
        flight.step(1e-3, &[0.0; 8], |_| water);
    }
    // 99.5 % of it is under water: the centre of buoyancy 0.2488 m · (0.995 - 0.5) deep.
    let depth = flight.motion.position.z - 0.02;
    assert!((depth - 0.25 * (13.0 / (1025.0 * 0.012_746) - 0.5)).abs() < 1e-3, "{depth}");
    let (roll, ..) = flight.motion.attitude.euler_angles();
    assert!(roll.abs() < 0.02, "{roll}");
}
