//! The REMUS 100 on its way through a current.

use ironbird_control::autopilot::AuvLoop;
use ironbird_kinematics::RigidMotion;
use ironbird_plant::remus::RemusVehicle;
use ironbird_plant::vehicle::{Surroundings, Water};
use nalgebra::Vector3;

use super::closed::Closed;
use super::integrate::Flight;

#[test]
fn it_dives_turns_and_holds_both_in_a_current() {
    let current = Vector3::new(0.2, -0.3, 0.0);
    let water = Water { surface: 0.0, current, ..Surroundings::default().water };
    let around = Surroundings { water, ..Surroundings::default() };
    let (vehicle, steers) = (RemusVehicle::default(), AuvLoop::default());
    let start = RigidMotion {
        position: Vector3::new(0.0, 0.0, 2.0),
        velocity: Vector3::new(1.54, 0.0, 0.0) + current,
        ..RigidMotion::default()
    };
    let mut closed = Closed::new(Flight::new(&vehicle, start), &steers, 100);
    closed.run(180.0, &[10.0, -2.0, 1.54], |_| around);
    let motion = closed.flight.motion;
    assert!((motion.position.z - 10.0).abs() < 0.1, "{} m", motion.position.z);
    let (_, _, heading) = closed.angles();
    assert!((heading + 2.0).abs() < 0.01, "{heading} rad");
    let speed = (motion.velocity - current).norm();
    assert!((speed - 1.54).abs() < 0.1, "{speed} m/s");
}
