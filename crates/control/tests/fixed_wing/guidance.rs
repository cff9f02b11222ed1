//! L1 guidance on a point that turns at once.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use ironbird_kernel::Time;
use ironbird_kinematics::Leg;
use ironbird_test_rig::{Rig, Run, Setting, real, seconds, text};

use crate::stack::{after, furthest, north, range, types};

/// The point along a leg.
fn along(leg: Leg, point: &[Setting<'_>], guide: &[Setting<'_>]) -> Rig {
    let mut rig = types();
    rig.add("point", "test.point-mass", point);
    rig.add("guide", "control.l1", guide);
    rig.script("legs", &[(Time::ZERO, leg)]);
    rig.link("legs.out", "guide.leg");
    rig.link("point.position", "guide.position");
    rig.link("point.velocity", "guide.velocity");
    rig.link_previous("guide.roll", "point.roll");
    rig
}

fn run(rig: Rig, until: f64) -> Run {
    let outputs = ["guide.cross_track", "guide.roll", "guide.lateral_acceleration"];
    rig.run(seconds(until), &[&outputs[..], &["point.position"]].concat())
}

/// What a damped oscillator does from 1 at rest: y'' + 2ζω y' + ω² y = 0.
fn oscillator(time: f64, period: f64, damping: f64) -> f64 {
    let omega = TAU / period;
    let decay = libm::exp(-damping * omega * time);
    let swings = omega * (1.0 - damping * damping).sqrt();
    let (sine, cosine) = libm::sincos(swings * time);
    decay * (cosine + damping * omega / swings * sine)
}

/// The law's own promise: period and damping as set, at any speed.
#[test]
fn a_small_error_dies_out_with_the_period_and_damping_that_are_set() {
    for (period, damping, airspeed) in
        [(12.0, 0.75, 17.0), (20.0, 0.75, 17.0), (12.0, 0.5, 17.0), (12.0, 0.9, 30.0)]
    {
        let point = [("east", real(1.0)), ("airspeed", real(airspeed))];
        let set = [
            ("period", real(period)),
            ("damping", real(damping)),
            ("cross_track_integral", real(0.0)),
        ];
        let run = run(along(north(17.0, 50.0), &point, &set), 30.0);
        for (time, error) in run.samples::<f64>("guide.cross_track") {
            let expected = oscillator(time.as_secs_f64(), period, damping);
            assert!((error - expected).abs() < 0.015, "{time}: {error} against {expected}");
        }
    }
}

#[test]
fn a_leg_is_captured_from_far_at_45_degrees() {
    let run = run(along(north(17.0, 50.0), &[("east", real(400.0))], &[]), 60.0);
    let places = run.samples::<[f64; 3]>("point.position");
    let at = |time: f64| places.iter().rfind(|(t, _)| *t <= seconds(time)).expect("a place").1;
    let (before, after_) = (at(10.0), at(15.0));
    let course = libm::atan2(after_[1] - before[1], after_[0] - before[0]);
    assert!((course + FRAC_PI_4).abs() < 0.02, "{course}");
    let error = after(&run, "guide.cross_track", 50.0);
    assert!(furthest(&error, 0.0) < 0.5, "{:?}", range(&error));
    // It comes to the leg from one side, with the overshoot of a damping of 0.75 at most.
    assert!(range(&run.numbers("guide.cross_track"))[0] > -10.0);
}

#[test]
fn a_crosswind_leaves_no_error() {
    let wind = [("wind[0]", real(0.0)), ("wind[1]", real(8.0))];
    let run = run(along(north(17.0, 50.0), &wind, &[]), 80.0);
    assert!(furthest(&after(&run, "guide.cross_track", 70.0), 0.0) < 0.05);
    assert!(furthest(&after(&run, "guide.roll", 70.0), 0.0) < 1e-3);
}

#[test]
fn an_aircraft_far_before_the_start_goes_to_the_start_first() {
    let leg = Leg { from: [1000.0, 0.0, 0.0], to: [2000.0, 0.0, 0.0], ..north(17.0, 50.0) };
    let point = [("east", real(150.0))];
    let run = run(along(leg, &point, &[]), 40.0);
    // The straight way from (0, 150) to the start passes (500, 75).
    let places = run.samples::<[f64; 3]>("point.position");
    let passes = places.iter().find(|(_, place)| place[0] >= 500.0).expect("it passes").1;
    assert!((passes[1] - 75.0).abs() < 8.0, "{passes:?}");
}

#[test]
fn beyond_its_end_a_leg_goes_on_or_is_returned_to() {
    let leg = Leg { to: [200.0, 0.0, 0.0], ..north(17.0, 50.0) };
    let ends = |set: &[Setting<'_>]| {
        let places = run(along(leg, &[], set), 60.0).samples::<[f64; 3]>("point.position");
        places.iter().map(|(_, place)| place[0]).fold(0.0, f64::max)
    };
    assert!((ends(&[]) - 1020.0).abs() < 1.0);
    let turned = ends(&[("past_end", text("return"))]);
    assert!((250.0..320.0).contains(&turned), "{turned}");
}

#[test]
fn an_aircraft_that_flies_away_from_the_leg_turns_to_one_side_and_stays_with_it() {
    // South, exactly against the leg, a little to its starboard.
    let point = [("initial_heading", real(PI)), ("north", real(2000.0)), ("east", real(1.0))];
    let run = run(along(north(17.0, 50.0), &point, &[]), 60.0);
    let turning: Vec<f64> = run.numbers("guide.roll").into_iter().take(300).collect();
    let [lowest, highest] = range(&turning);
    assert!(lowest >= 0.0 || highest <= 0.0, "{lowest} {highest}");
    assert!(furthest(&after(&run, "guide.cross_track", 50.0), 0.0) < 1.0);
}

#[test]
fn the_demanded_roll_is_the_bank_of_a_coordinated_turn_and_keeps_to_its_limit() {
    let point = [("initial_heading", real(FRAC_PI_2)), ("east", real(50.0))];
    let run = run(along(north(17.0, 50.0), &point, &[("roll_limit", real(30.0))]), 20.0);
    let (rolls, pulls) = (run.numbers("guide.roll"), run.numbers("guide.lateral_acceleration"));
    assert!((range(&rolls)[0] + 30.0_f64.to_radians()).abs() < 1e-12);
    let free = rolls.iter().zip(pulls).filter(|(roll, _)| roll.abs() < 0.5);
    for (roll, pull) in free {
        assert!((libm::tan(*roll) * 9.80665 - pull).abs() < 1e-9);
    }
}

#[test]
fn without_a_leg_the_wings_are_level() {
    let run = run(along(Leg::default(), &[("east", real(50.0))], &[]), 5.0);
    assert!(run.numbers("guide.roll").iter().all(|roll| *roll == 0.0));
}
