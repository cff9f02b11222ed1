//! An Ultra Stick 25e in flight.

use std::path::Path;

use ironbird_control::fixed_wing::{FlightGuidance, FlightLoop, FlightTuning};
use ironbird_plant::aircraft::{AircraftFile, AircraftVehicle, Wanted};
use ironbird_plant::vehicle::Surroundings;

use super::closed::Closed;
use super::integrate::Flight;

fn fly(guidance: FlightGuidance, check: impl FnOnce(&mut Closed<'_>)) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fixed-wing/aircraft");
    let file = Path::new(folder).join("ultra-stick-25e.toml");
    let craft = AircraftFile::read(&file, "").unwrap();
    let around = Surroundings::default();
    let wanted = Wanted {
        airspeed: 17.0,
        height: 100.0,
        path_angle: 0.0,
        gravity: around.gravity.z,
        charge: 1.0,
    };
    let (vehicle, motion, commands) = AircraftVehicle::trimmed(craft, &wanted).unwrap();
    let (_, pitch, _) = motion.attitude.euler_angles();
    let tuning =
        FlightTuning { trim: [pitch, commands[1], commands[4]], ..FlightTuning::default() };
    let steers = FlightLoop::new(guidance, tuning);
    let mut closed = Closed::new(Flight::new(&vehicle, motion), &steers, 20);
    check(&mut closed);
}

#[test]
fn it_holds_height_heading_and_airspeed() {
    let around = Surroundings::default();
    fly(FlightGuidance::Height, |closed| {
        closed.run(60.0, &[130.0, 2.5, 19.0], |_| around);
        let motion = closed.flight.motion;
        assert!((-motion.position.z - 130.0).abs() < 0.5, "{} m", -motion.position.z);
        let (roll, _, heading) = closed.angles();
        assert!((heading - 2.5).abs() < 0.02, "{heading} rad");
        assert!(roll.abs() < 0.02, "{roll} rad");
        let speed = motion.velocity.norm();
        assert!((speed - 19.0).abs() < 0.2, "{speed} m/s");
    });
}

#[test]
fn it_holds_roll_and_pitch() {
    let around = Surroundings::default();
    fly(FlightGuidance::Attitude, |closed| {
        closed.run(8.0, &[0.5, 0.1, 0.6], |_| around);
        let (roll, pitch, _) = closed.angles();
        assert!((roll - 0.5).abs() < 0.02, "{roll} rad");
        assert!((pitch - 0.1).abs() < 0.02, "{pitch} rad");
        // A coordinated turn: the turning rate is g/V tan φ.
        let motion = &closed.flight.motion;
        let turning = motion.to_ned(&motion.rates).z;
        let expected = 9.80665 / motion.velocity.norm() * libm::tan(roll);
        assert!((turning / expected - 1.0).abs() < 0.1, "{turning} {expected}");
    });
}
