//! The compass, declination and tilt.

use std::f64::consts::PI;

use ironbird_kernel::Parameter;
use ironbird_kinematics::{Attitude, ScalarSample};
use ironbird_test_rig::{real, seconds};

use crate::wired::{add, rig, script};

fn compass(attitude: Attitude, settings: &[(&str, f64)]) -> ScalarSample {
    let settings: Vec<(String, Parameter)> =
        settings.iter().map(|(path, value)| ((*path).into(), real(*value))).collect();
    let mut rig = rig();
    script(&mut rig, "attitude", &[(0.0, attitude)]);
    add(&mut rig, "compass", "sensor.compass", 1, &settings);
    rig.link("attitude.out", "compass.attitude");
    rig.run(seconds(0.0), &["compass.reading"]).samples("compass.reading")[0].1
}

#[test]
fn an_ideal_one_shows_the_heading() {
    for heading in [0.0, 1.0, -2.5, 3.1] {
        let attitude = Attitude::from_euler(0.2, -0.3, heading);
        let sample = compass(attitude, &[]);
        assert!(sample.valid && sample.value == attitude.to_euler()[2], "{sample:?}");
        assert!((sample.value - heading).abs() < 1e-15);
    }
}

#[test]
fn a_declination_that_it_was_not_told_is_an_error() {
    let north = Attitude::default();
    assert_eq!(compass(north, &[("declination", 0.1)]).value, -0.1);
    assert_eq!(compass(north, &[("assumed_declination", 0.1)]).value, 0.1);
    let told = [("declination", 0.1), ("assumed_declination", 0.1)];
    assert_eq!(compass(north, &told).value, 0.0);
}

#[test]
fn headings_stay_within_half_a_turn() {
    let south = Attitude::from_euler(0.0, 0.0, 3.1);
    let value = compass(south, &[("error.bias", 0.1)]).value;
    assert!((value - (3.2 - 2.0 * PI)).abs() < 1e-14, "{value}");
    let value = compass(south, &[("error.bias", 0.1 + 20.0 * PI)]).value;
    assert!((value - (3.2 - 2.0 * PI)).abs() < 1e-12, "{value}");
}

#[test]
fn tilted_too_far_it_says_nothing() {
    let limit = [("tilt_limit", 30.0)];
    assert!(compass(Attitude::from_euler(0.5, 0.0, 1.0), &limit).valid);
    let tilted = compass(Attitude::from_euler(0.0, -0.55, 1.0), &limit);
    assert_eq!((tilted.valid, tilted.value), (false, 0.0));
    assert!(compass(Attitude::from_euler(PI, 0.0, 1.0), &[]).valid);
}

#[test]
fn a_limit_of_nothing_is_refused() {
    assert_eq!(
        rig().refusal("sensor.compass", &[("tilt_limit", real(0.0))]),
        "parameter \"tilt_limit\": 0 deg is not allowed: it must be above 0 deg and at most 180 deg"
    );
}
