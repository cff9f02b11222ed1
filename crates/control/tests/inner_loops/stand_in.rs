//! Stand-ins that go to a place.

use ironbird_control::stand_in::{KinematicLoop, PointMassLoop, PointMassTuning};
use ironbird_kinematics::RigidMotion;
use ironbird_plant::fidelity::{KinematicVehicle, PointMass, PointMassParts, VelocityFrame};
use ironbird_plant::vehicle::{Inertia, Surroundings};
use nalgebra::{Matrix3, Vector3};

use super::closed::Closed;
use super::integrate::Flight;

fn inertia() -> Inertia {
    let tensor = Matrix3::from_diagonal(&Vector3::new(0.02, 0.02, 0.04));
    Inertia { mass: 2.0, tensor, added: None }
}

#[test]
fn a_kinematic_vehicle_reaches_its_place_no_faster_than_allowed() {
    let vehicle =
        KinematicVehicle::new(inertia(), VelocityFrame::Ned, [0.3, 0.3], [10.0, 2.0]).unwrap();
    let steers = KinematicLoop::new(0.8, 3.0);
    let flight = Flight::new(&vehicle, RigidMotion::default());
    let mut closed = Closed::new(flight, &steers, 10);
    let around = Surroundings::default();
    closed.run(3.0, &[30.0, -20.0, -10.0, 1.0], |_| around);
    assert!((closed.flight.motion.velocity.norm() - 3.0).abs() < 0.01);
    closed.run(27.0, &[30.0, -20.0, -10.0, 1.0], |_| around);
    let off = closed.flight.motion.position - Vector3::new(30.0, -20.0, -10.0);
    assert!(off.norm() < 1e-3, "{off}");
    assert!((closed.angles().2 - 1.0).abs() < 1e-3);
}

#[test]
fn a_point_mass_reaches_its_place_against_the_wind() {
    let vehicle = PointMass::new(PointMassParts {
        inertia: inertia(),
        thrust: 40.0,
        thrust_lag: 0.05,
        attitude_lag: 0.08,
        linear_drag: 0.3,
        quadratic_drag: 0.02,
        tilt: 0.7,
        yaw_rate: 2.0,
    })
    .unwrap();
    let steers = PointMassLoop::new(PointMassTuning {
        mass: 2.0,
        place: 0.8,
        velocity: 2.0,
        integral: 0.8,
        speed: 4.0,
        acceleration: 4.0,
        heading: 1.5,
    });
    let flight = Flight::new(&vehicle, RigidMotion::default());
    let mut closed = Closed::new(flight, &steers, 10);
    let wind = Vector3::new(-4.0, 3.0, 0.0);
    let around = Surroundings { wind, ..Surroundings::default() };
    closed.run(40.0, &[20.0, 10.0, -15.0, -2.0], |_| around);
    let off = closed.flight.motion.position - Vector3::new(20.0, 10.0, -15.0);
    assert!(off.norm() < 0.05, "{off}");
    assert!((closed.angles().2 + 2.0).abs() < 0.01, "{}", closed.angles().2);
}
