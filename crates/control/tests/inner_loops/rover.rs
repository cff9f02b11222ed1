//! Rovers that hold a heading and go to places.

use std::f64::consts::FRAC_PI_6;

use ironbird_control::rover::{RoverGuidance, RoverLoop, RoverSteering, RoverTuning};
use ironbird_kinematics::RigidMotion;
use ironbird_plant::rover::Rover;
use ironbird_plant::vehicle::Surroundings;
use nalgebra::Vector3;

use super::closed::Closed;
use super::integrate::Flight;

fn level(motion: &RigidMotion) -> Surroundings {
    Surroundings { height: -motion.position.z, ..Surroundings::default() }
}

fn standing(rover: &Rover) -> Flight<'_> {
    let position = Vector3::new(0.0, 0.0, -rover.resting_height());
    Flight::new(rover, RigidMotion { position, ..RigidMotion::default() })
}

const R1: RoverSteering = RoverSteering::Differential { track: 0.326_34, radius: 0.0686 };
const CASTERS: RoverSteering = RoverSteering::Differential { track: 0.6, radius: 0.1 };
const ACKERMANN: RoverSteering = RoverSteering::Ackermann { base: 0.312, limit: FRAC_PI_6 };

fn loop_of(steering: RoverSteering, guidance: RoverGuidance) -> RoverLoop {
    RoverLoop::new(steering, guidance, RoverTuning::default())
}

#[test]
fn every_rover_turns_to_its_heading_and_goes_at_its_speed() {
    for (rover, steering) in
        [(Rover::r1(), R1), (Rover::differential(), CASTERS), (Rover::ackermann(), ACKERMANN)]
    {
        let rover = rover.unwrap();
        let steers = loop_of(steering, RoverGuidance::Heading);
        let mut closed = Closed::new(standing(&rover), &steers, 20);
        closed.run(15.0, &[1.2, 0.8], level);
        let (_, _, heading) = closed.angles();
        assert!((heading - 1.2).abs() < 0.02, "{steering:?}: {heading} rad");
        let speed = closed.flight.motion.velocity.norm();
        assert!((speed - 0.8).abs() < 0.02, "{steering:?}: {speed} m/s");
    }
}

#[test]
fn every_rover_reaches_places_before_beside_and_behind_it() {
    for (rover, steering) in
        [(Rover::r1(), R1), (Rover::differential(), CASTERS), (Rover::ackermann(), ACKERMANN)]
    {
        let rover = rover.unwrap();
        let steers = loop_of(steering, RoverGuidance::Place);
        let mut closed = Closed::new(standing(&rover), &steers, 20);
        for [north, east] in [[4.0, 0.0], [4.0, 5.0], [-2.0, 1.0]] {
            closed.run(25.0, &[north, east, 1.0], level);
            let motion = &closed.flight.motion;
            let off = (motion.position - Vector3::new(north, east, motion.position.z)).norm();
            assert!(off < 0.15, "{steering:?}, {north} {east}: {off} m off");
            assert!(motion.velocity.norm() < 0.01, "{}", motion.velocity);
        }
    }
}
