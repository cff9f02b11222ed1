//! Encoders show marks, and speeds from the differences of marks.

use ironbird_kernel::Rate;
use ironbird_solvers::Trajectory;
use ironbird_test_rig::{Rig, Run, Setting, real, seconds};

/// An encoder at 10 Hz on something that moves from 1 with this speed.
fn encoder(type_name: &str, speed: f64, settings: &[Setting<'_>], until: f64) -> Run {
    let mut rig = Rig::of(&[ironbird_sensors::register]);
    rig.script("shaft", &[(seconds(0.0), Trajectory::line(seconds(0.0), 1.0, speed))]);
    rig.add_at("encoder", type_name, Some(Rate::hz(10)), settings);
    rig.link("shaft.out", "encoder.measured");
    rig.run(seconds(until), &["encoder.reading", "encoder.speed"])
}

#[test]
fn both_show_the_nearest_mark_and_its_changes() {
    for type_name in ["sensor.linear-encoder", "sensor.rotary-encoder"] {
        let settings = [("resolution", real(0.25)), ("filter", real(0.0))];
        let run = encoder(type_name, 1.0, &settings, 0.5);
        assert_eq!(run.numbers("encoder.reading"), [1.0, 1.0, 1.25, 1.25, 1.5, 1.5]);
        let speeds = run.numbers("encoder.speed");
        let expected = [0.0, 0.0, 2.5, 0.0, 2.5, 0.0];
        assert!(speeds.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{speeds:?}");
    }
}

#[test]
fn a_filter_smooths_the_speed_and_loses_none_of_it() {
    let settings = [("resolution", real(0.25)), ("filter", real(2.0))];
    let speeds = encoder("sensor.linear-encoder", 1.0, &settings, 40.0).numbers("encoder.speed");
    assert!(speeds[300..].iter().all(|speed| (speed - 1.0).abs() < 0.1));
}

#[test]
fn without_marks_it_shows_what_is_there() {
    let settings = [("resolution", real(0.0)), ("filter", real(0.0))];
    let run = encoder("sensor.rotary-encoder", 0.5, &settings, 1.0);
    let (last, speed) = (run.numbers("encoder.reading")[10], run.numbers("encoder.speed")[10]);
    assert!((last - 1.5).abs() < 1e-12 && (speed - 0.5).abs() < 1e-9);
}

#[test]
fn noise_is_seen_and_is_the_same_in_every_run() {
    let settings = [("resolution", real(0.0)), ("noise", real(0.01))];
    let run = || encoder("sensor.linear-encoder", 0.0, &settings, 100.0).numbers("encoder.reading");
    let shown = run();
    let deviation = (shown.iter().map(|x| (x - 1.0) * (x - 1.0)).sum::<f64>() / 1001.0).sqrt();
    assert!((deviation - 0.01).abs() < 0.001, "{deviation}");
    assert_eq!(shown, run());
}

#[test]
fn a_negative_resolution_is_refused() {
    let rig = Rig::of(&[ironbird_sensors::register]);
    assert_eq!(
        rig.refusal("sensor.rotary-encoder", &[("resolution", real(-0.1))]),
        "parameter \"resolution\": -0.1 rad is not allowed: it must be at least 0 rad"
    );
}
