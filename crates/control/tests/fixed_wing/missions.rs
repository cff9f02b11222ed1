//! The whole way from a mission to the surfaces.

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::Leg;
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, real, seconds};

use crate::stack::{LEVELS, after, at, flown, furthest};

const REPEAT: (&str, Parameter) = ("repeat", Parameter::Bool(true));
const OUTPUTS: [&str; 8] = [
    "route.leg",
    "route.waypoint",
    "route.finished",
    "route.passed",
    "guide.cross_track",
    "plane.height",
    "plane.airspeed",
    "plane.position",
];

#[test]
fn a_square_is_flown_again_and_again() {
    for level in LEVELS {
        let run = flown(&[], level, &[REPEAT]).run(seconds(150.0), &OUTPUTS);
        let passed = run.samples::<u32>("route.passed");
        let numbers: Vec<u32> = passed.iter().map(|(_, number)| *number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8], "{level}");
        // Each is passed within the radius of 30 m, and just before the next turn it is on its leg.
        let square = [[300.0, 0.0], [300.0, 300.0], [0.0, 300.0], [0.0, 0.0]];
        let places = run.samples::<[f64; 3]>("plane.position");
        for (time, number) in passed {
            let place = places.iter().rfind(|(when, _)| *when <= time).expect("a place").1;
            let [north, east] = square[(number as usize - 1) % 4];
            let missed = libm::hypot(place[0] - north, place[1] - east);
            assert!(missed <= 30.0, "{level}: {number} by {missed} m");
            let before = at(&run, "guide.cross_track", time.as_secs_f64() - 0.1);
            assert!(before.abs() < 0.5, "{level}: {before}");
        }
        assert!(furthest(&after(&run, "plane.height", 5.0), 50.0) < 1.0, "{level}");
        assert!(furthest(&after(&run, "plane.airspeed", 5.0), 17.0) < 0.5, "{level}");
        assert!(run.samples::<bool>("route.finished").iter().all(|(_, finished)| !finished));
    }
}

#[test]
fn a_square_is_flown_in_wind_of_half_the_airspeed() {
    let windy = [("wind[0]", real(0.0)), ("wind[1]", real(8.0))];
    let run = flown(&windy, "control.tecs", &[REPEAT]).run(seconds(200.0), &OUTPUTS);
    let passed = run.samples::<u32>("route.passed");
    assert!(passed.len() >= 7, "{passed:?}");
    for (time, number) in passed {
        let before = at(&run, "guide.cross_track", time.as_secs_f64() - 0.1);
        assert!(before.abs() < 3.0, "{number}: {before}");
    }
    assert!(furthest(&after(&run, "plane.height", 5.0), 50.0) < 2.0);
}

#[test]
fn after_the_last_waypoint_it_goes_on_along_the_last_leg() {
    let run = flown(&[], "control.tecs", &[]).run(seconds(100.0), &OUTPUTS);
    let ends: Vec<bool> =
        run.samples::<bool>("route.finished").into_iter().map(|(_, ends)| ends).collect();
    assert!(!ends[0] && ends[ends.len() - 1]);
    assert_eq!(run.samples::<u32>("route.passed").len(), 4);
    // West along the last leg, which ends at the origin.
    let place = run.samples::<[f64; 3]>("plane.position").last().expect("a place").1;
    assert!(place[0].abs() < 1.0 && place[1] < -300.0, "{place:?}");
}

#[test]
fn the_first_leg_begins_where_the_aircraft_is() {
    let high = [("start_height", real(80.0))];
    let run = flown(&high, "control.tecs", &[]).run(seconds(1.0), &OUTPUTS);
    let (time, leg) = run.samples::<Leg>("route.leg")[0];
    assert_eq!((time, leg.from, leg.to), (Time::ZERO, [0.0, 0.0, -80.0], [300.0, 0.0, -50.0]));
    assert!(leg.valid);
}

#[test]
fn a_saved_flight_goes_on_to_the_same_bits() {
    for level in LEVELS {
        let graph = || flown(&[], level, &[REPEAT]).into_graph();
        assert_goes_on_after_a_checkpoint(graph, seconds(36.01), seconds(60.0));
    }
}
