//! The shapes of discrete gusts.

use std::f64::consts::PI;

use ironbird_kernel::Parameter;
use ironbird_kinematics::Attitude;
use ironbird_test_rig::{Rig, Setting, real, seconds, text};

fn amplitude([x, y, z]: [f64; 3]) -> [Setting<'static>; 3] {
    [("amplitude[0]", real(x)), ("amplitude[1]", real(y)), ("amplitude[2]", real(z))]
}

fn gust(settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    let mut all: Vec<Setting<'_>> = amplitude([2.0, 0.0, -3.0]).into();
    all.extend(settings.iter().cloned());
    rig.add("gust", "wind.gust", &all);
    rig
}

/// What it shows down at these times, divided by its amplitude.
fn shape(settings: &[Setting<'_>], times: &[f64]) -> Vec<f64> {
    let run = gust(settings).run(seconds(60.0), &["gust.down"]);
    let samples = run.samples::<f64>("gust.down");
    let at = |time: &f64| {
        let after = samples.partition_point(|(at, _)| *at <= seconds(*time));
        samples[after - 1].1 / -3.0
    };
    times.iter().map(at).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found_one, expected_one) in found.iter().zip(expected) {
        assert!((found_one - expected_one).abs() < 1e-12, "{found:?}, not {expected:?}");
    }
}

const TIMES: [f64; 7] = [4.98, 5.0, 5.5, 6.0, 6.5, 7.0, 50.0];

fn of(shape: &str) -> [Setting<'static>; 3] {
    [("shape", text(shape)), ("start", real(5.0)), ("duration", real(2.0))]
}

#[test]
fn a_ramp_rises_as_half_a_cosine_and_stays() {
    let quarter = 0.5 - 0.5 * libm::cos(PI / 4.0);
    let expected = [0.0, 0.0, quarter, 0.5, 1.0 - quarter, 1.0, 1.0];
    assert_near(&shape(&of("ramp"), &TIMES), &expected);
}

#[test]
fn a_pulse_rises_and_falls() {
    assert_near(&shape(&of("pulse"), &TIMES), &[0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 0.0]);
}

#[test]
fn a_step_and_a_doublet_jump() {
    assert_near(&shape(&of("step"), &TIMES), &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_near(&shape(&of("doublet"), &TIMES), &[0.0, 1.0, 1.0, -1.0, -1.0, -1.0, 0.0]);
}

#[test]
fn several_pulses_follow_each_other_until_there_are_enough() {
    let settings = [
        ("start", real(5.0)),
        ("duration", real(2.0)),
        ("interval", real(10.0)),
        ("gusts", Parameter::Integer(3)),
    ];
    let found = shape(&settings, &[6.0, 10.0, 16.0, 20.0, 26.0, 30.0, 36.0]);
    assert_near(&found, &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn over_a_distance_it_is_met_where_it_lies() {
    let settings = [
        ("over", text("distance")),
        ("start_distance", real(300.0)),
        ("length", real(100.0)),
        ("spacing", real(200.0)),
        ("gusts", Parameter::Integer(2)),
    ];
    let mut rig = gust(&settings);
    // 10 m/s for 20 s, then 20 m/s: 300 m after 25 s, the middle of the second gust, 550 m, after 37.5 s.
    rig.script("speed", &[(seconds(0.0), 10.0), (seconds(20.0), 20.0)]);
    rig.link("speed.out", "gust.airspeed");
    let run = rig.run(seconds(60.0), &["gust.north"]);
    let peaks: Vec<f64> = run
        .samples::<f64>("gust.north")
        .into_iter()
        .filter(|(_, north)| *north > 1.9999)
        .map(|(time, _)| time.as_secs_f64())
        .collect();
    assert!(
        peaks.iter().all(|at| (at - 27.5).abs() < 0.05 || (at - 37.5).abs() < 0.05),
        "{peaks:?}"
    );
    assert!(peaks.len() >= 2, "{peaks:?}");
}

#[test]
fn along_the_body_it_turns_with_it() {
    let mut rig = gust(&[("shape", text("step")), ("axes", text("body"))]);
    rig.script("attitude", &[(seconds(0.0), Attitude::from_euler(0.0, 0.0, PI / 2.0))]);
    rig.link("attitude.out", "gust.attitude");
    let outputs = ["gust.north", "gust.east", "gust.down"];
    let run = rig.run(seconds(0.1), &outputs);
    assert_near(&outputs.map(|output| *run.numbers(output).last().unwrap()), &[0.0, 2.0, -3.0]);
}

#[test]
fn gusts_that_overlap_or_stay_cannot_be_repeated() {
    let rig = Rig::of(&[ironbird_environment::register]);
    let refusal = |more: &[Setting<'_>]| {
        let mut all: Vec<Setting<'_>> = amplitude([1.0; 3]).into();
        all.push(("gusts", Parameter::Integer(2)));
        all.extend(more.iter().cloned());
        rig.refusal("wind.gust", &all)
    };
    let overlap = refusal(&[("interval", real(0.5))]);
    assert!(overlap.contains("interval = 0.5 is less than duration = 1"), "{overlap}");
    let stays = refusal(&[("shape", text("ramp"))]);
    assert!(stays.contains("a ramp or a step stays"), "{stays}");
    assert!(refusal(&[("length", real(0.0))]).contains("length"));
    assert!(rig.refusal("wind.gust", &[]).contains("amplitude"));
}
