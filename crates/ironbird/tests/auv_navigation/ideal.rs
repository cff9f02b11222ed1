//! What is left when the sensors are ideal: what the simulation and the dead reckoning err.

use super::studies::{study, with};

#[test]
fn twenty_kilometres_straight_ahead_end_within_a_millimetre() {
    let ran = study("straight-20km-recorded").run(0, 0);
    ran.holds();
    let track = ran.samples("navigation.function.position");
    assert_eq!(track.len(), 4_000_001);
    let (time, last) = track.last().expect("it was recorded");
    let error = [last[0] - 16_000.0, last[1] - 12_000.0, last[2] - 30.0];
    let size = error.iter().map(|e| e * e).sum::<f64>().sqrt();
    assert_eq!(*time, 4000.0);
    assert!(size < 1e-3, "{size} m");
}

/// The same on an Earth that turns: the gyroscope feels it, and the navigation takes it out.
#[test]
fn twenty_kilometres_end_within_a_millimetre_on_wgs_84_too() {
    let study = with(
        "straight-20km",
        &[
            "drone.adapter.earth.model=wgs84",
            "sensors.inertial.earth.model=wgs84",
            "navigation.function.earth.model=wgs84",
        ],
    );
    study.run(0, 0).holds();
}

#[test]
fn half_an_hour_along_a_spline_in_current_ends_within_five_centimetres() {
    let ran = study("spline-in-current").run(0, 0);
    ran.holds();
    let largest = ran.largest("analysis.position.total");
    assert!(largest < 1e-3, "{largest} m");
    assert_eq!(ran.outcomes.hash, study("spline-in-current").run(0, 0).outcomes.hash);
}
