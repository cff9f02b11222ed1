//! The analysis of the position error.

use ironbird_kernel::Time;
use ironbird_test_rig::{Rig, seconds};

const OUTPUTS: [&str; 5] = ["horizontal", "total", "relative", "normalised", "largest"];

/// A vehicle at the origin, its estimate at 3, 4, 12 m for 1 ms and at 0, 0, 1 m after that.
fn last_of(covariance: Option<[f64; 9]>, distance: f64, output: &str) -> Option<f64> {
    let mut rig = Rig::of(&[ironbird_control::register]);
    rig.script("truth", &[(Time::ZERO, [0.0; 3])]);
    rig.script("estimate", &[(Time::ZERO, [3.0, 4.0, 12.0]), (seconds(0.001), [0.0, 0.0, 1.0])]);
    rig.script("distance", &[(Time::ZERO, distance)]);
    rig.add("analysis", "analysis.position-error", &[]);
    rig.link("truth.out", "analysis.position");
    rig.link("estimate.out", "analysis.estimate");
    rig.link("distance.out", "analysis.distance");
    if let Some(covariance) = covariance {
        rig.script("covariance", &[(Time::ZERO, covariance)]);
        rig.link("covariance.out", "analysis.covariance");
    }
    let output = format!("analysis.{output}");
    rig.run(seconds(0.001), &[&output]).numbers(&output).last().copied()
}

#[test]
fn the_error_has_a_size_over_ground_in_all_and_at_most() {
    let shown = OUTPUTS.map(|output| last_of(None, 10.0, output).unwrap_or_default());
    assert_eq!(shown, [0.0, 1.0, 0.1, 0.0, 13.0]);
}

#[test]
fn without_a_way_there_is_no_relative_error() {
    assert_eq!(last_of(None, 0.9, "relative"), Some(0.0));
}

#[test]
fn the_covariance_weighs_the_error() {
    let covariance = [4.0, 1.0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0, 0.25];
    let normalised = last_of(Some(covariance), 10.0, "normalised").unwrap();
    assert!((normalised - 4.0).abs() < 1e-12, "{normalised}");
}

#[test]
fn a_covariance_that_is_none_weighs_nothing() {
    let covariance = [-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(last_of(Some(covariance), 10.0, "normalised"), Some(0.0));
}
