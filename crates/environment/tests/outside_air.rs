//! The air outside follows the sun, and a cold snap at its exact times.

use ironbird_environment::ColdSnap;
use ironbird_kernel::Duration;
use ironbird_test_rig::{Rig, hours, real, seconds};

const TEMPERATURE: &str = "air.temperature";

/// 10 degC, 5 K warmer at 15:00, started at 6:00.
fn air() -> Rig {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    let settings = [("mean", real(10.0)), ("amplitude", real(5.0)), ("time_of_day", real(6.0))];
    rig.add("air", "environment.outside-air", &settings);
    rig
}

#[test]
fn it_is_warmest_at_15_and_coldest_at_3() {
    let air = air().run(hours(48.0), &[TEMPERATURE]).track(TEMPERATURE);
    for (hour, expected) in [(3.0, 10.0), (9.0, 15.0), (15.0, 10.0), (21.0, 5.0), (33.0, 15.0)] {
        let shown = air.at(hours(hour));
        assert!((shown - expected).abs() < 1e-9, "{hour} h after 6:00: {shown} degC");
    }
}

#[test]
fn between_its_writes_it_is_the_cosine() {
    let air = air().run(hours(24.0), &[TEMPERATURE]).track(TEMPERATURE);
    // What it shows at the start is not written, and so not listened to.
    for minute in 10..1440 {
        let t = f64::from(minute) * 60.0;
        let exact = 10.0 + 5.0 * libm::cos(std::f64::consts::TAU * (t / 86_400.0 - 0.375));
        assert!((air.at(seconds(t)) - exact).abs() < 1e-6, "after {minute} minutes");
    }
}

#[test]
fn a_cold_snap_begins_with_the_call_and_ends_after_its_duration() {
    let without = air().run(hours(12.0), &[TEMPERATURE]).track(TEMPERATURE);
    let mut rig = air();
    let (start, end) = (hours(3.0) + Duration::EPSILON, hours(5.0) + Duration::EPSILON);
    rig.call::<_, bool>(start, "air.cold-snap", &ColdSnap { drop: 8.0, duration: 7200.0 });
    rig.call::<_, bool>(hours(4.0), "air.cold-snap", &ColdSnap { drop: 1.0, duration: 1.0 });
    let with = rig.run(hours(12.0), &[TEMPERATURE]).track(TEMPERATURE);
    let colder = |time| without.at(time) - with.at(time);
    for (time, drop) in [
        (hours(3.0), 0.0),
        (start, 8.0),
        (hours(4.0), 9.0),
        (hours(4.0) + Duration::from_secs(1), 8.0),
        (hours(5.0), 8.0),
        (end, 0.0),
        (hours(11.0), 0.0),
    ] {
        assert!((colder(time) - drop).abs() < 1e-5, "at {time}: {} K", colder(time));
    }
}

#[test]
fn a_cold_snap_that_is_none_changes_nothing() {
    for (drop, duration) in [(-1.0, 60.0), (f64::NAN, 60.0), (1.0, 0.0), (1.0, -1.0)] {
        let mut rig = air();
        rig.call::<_, bool>(hours(1.0), "air.cold-snap", &ColdSnap { drop, duration });
        let air = rig.run(hours(2.0), &[TEMPERATURE]).track(TEMPERATURE);
        let (low, _) = air.range(hours(0.0), hours(2.0), 10.0);
        assert_eq!(low, air.at(hours(0.0)), "{drop} K for {duration} s");
    }
}

#[test]
fn a_day_has_24_hours() {
    assert_eq!(
        air().refusal("environment.outside-air", &[("warmest", real(24.0))]),
        "parameter \"warmest\": 24 h is not allowed: it must be at least 0 h and below 24 h"
    );
}
