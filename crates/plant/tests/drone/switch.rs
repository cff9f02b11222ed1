//! The switch between sources.

use ironbird_kernel::{Outcome, Time};
use ironbird_kinematics::{Attitude, Motion};
use ironbird_test_rig::{Rig, seconds, text};

use crate::surroundings::{refused_start, rig};

fn motion(north: f64) -> Motion {
    Motion {
        position: [north, 0.0, 7.0],
        velocity: [0.0, 2.0, 0.0],
        attitude: Attitude::from_euler(0.0, 0.0, std::f64::consts::FRAC_PI_2),
        distance: north,
        ..Motion::default()
    }
}

fn two_sources(source: &str) -> Rig {
    let mut rig = rig();
    rig.script("one", &[(seconds(0.0), motion(1.0))]);
    rig.script("two", &[(seconds(0.0), motion(2.0))]);
    rig.add("adapter", "drone.adapter", &[("source", text(source))]);
    rig.link("one.out", "adapter.lines");
    rig.link("two.out", "adapter.dynamic");
    rig
}

#[test]
fn it_shows_the_source_that_is_picked_also_when_that_changes() {
    let mut rig = two_sources("lines");
    rig.set(seconds(1.0), "adapter.source", text("dynamic"));
    let outputs = ["adapter.distance", "adapter.velocity_body", "adapter.depth"];
    let run = rig.run(seconds(2.0), &outputs);
    let distances: Vec<(Time, f64)> = run.samples("adapter.distance");
    for (time, distance) in &distances {
        assert_eq!(*distance, if *time < seconds(1.0) { 1.0 } else { 2.0 });
    }
    let (_, forward): (Time, [f64; 3]) = run.samples("adapter.velocity_body")[5];
    assert!((forward[0] - 2.0).abs() < 1e-15 && forward[1].abs() < 1e-15, "{forward:?}");
    assert_eq!(run.numbers("adapter.depth")[5], 7.0);
}

#[test]
fn a_source_to_which_nothing_is_linked_is_refused() {
    let missing = "source is \"spline\", but nothing is linked to the input \"spline\"";
    let refused = refused_start(two_sources("spline"));
    assert!(refused.contains(missing), "{refused}");
    let mut rig = two_sources("lines");
    rig.set(seconds(0.5), "adapter.source", text("spline"));
    let Outcome::Faulted(fault) = rig.run(seconds(1.0), &[]).outcome else { panic!("it goes on") };
    assert!(fault.to_string().contains(missing), "{fault}");
}

#[test]
fn a_source_that_has_a_velocity_but_stands_still_is_named() {
    let message = two_sources("dynamic").failure(seconds(5.0));
    let stands =
        "the source \"dynamic\" has a velocity, but stays at north 2 m, east 0 m, down 7 m";
    assert!(message.contains(stands), "{message}");
}
