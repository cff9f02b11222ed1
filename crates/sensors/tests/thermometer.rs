//! The thermometer lags, rounds, errs and stays within its range.

use ironbird_kernel::{Rate, Time};
use ironbird_solvers::Trajectory;
use ironbird_test_rig::{Rig, Setting, real, seconds};

/// Readings at 1 Hz of these temperatures, by a thermometer that is perfect but for the settings.
fn readings(script: &[(f64, f64)], settings: &[Setting<'_>], until: f64) -> Vec<f64> {
    let mut rig = Rig::of(&[ironbird_sensors::register]);
    let script: Vec<(Time, Trajectory)> =
        script.iter().map(|(at, t)| (seconds(*at), Trajectory::constant(*t))).collect();
    rig.script("air", &script);
    let mut all = vec![("lag", real(0.0)), ("noise", real(0.0)), ("resolution", real(0.0))];
    all.extend_from_slice(settings);
    rig.add_at("thermometer", "sensor.thermometer", Some(Rate::hz(1)), &all);
    rig.link("air.out", "thermometer.temperature");
    rig.run(seconds(until), &["thermometer.reading"]).numbers("thermometer.reading")
}

#[test]
fn a_perfect_one_shows_the_temperature_of_the_moment() {
    assert_eq!(readings(&[(0.0, 20.0), (2.0, 21.5)], &[], 3.0), [20.0, 20.0, 21.5, 21.5]);
}

#[test]
fn it_samples_a_moving_temperature_at_its_own_instants() {
    let mut rig = Rig::of(&[ironbird_sensors::register]);
    rig.script("air", &[(seconds(0.0), Trajectory::line(seconds(0.0), 10.0, 0.25))]);
    let perfect = [("lag", real(0.0)), ("noise", real(0.0)), ("resolution", real(0.0))];
    rig.add("thermometer", "sensor.thermometer", &perfect);
    rig.link("air.out", "thermometer.temperature");
    let shown = rig.run(seconds(3.0), &["thermometer.reading"]).numbers("thermometer.reading");
    assert_eq!(shown, [10.0, 10.25, 10.5, 10.75]);
}

#[test]
fn after_one_time_constant_63_percent_of_a_step_are_seen() {
    let shown = readings(&[(0.0, 0.0), (1.0, 1.0)], &[("lag", real(10.0))], 11.0);
    // The step falls on a sample, which takes it for what was there since the one before.
    assert!((shown[10] - (1.0 - libm::exp(-1.0))).abs() < 1e-12, "{shown:?}");
}

#[test]
fn it_shows_whole_digits_with_its_bias_within_its_range() {
    let shown = |temperature: f64, bias: f64| {
        let settings = [("resolution", real(0.0625)), ("bias", real(bias))];
        readings(&[(0.0, temperature)], &settings, 0.0)
    };
    assert_eq!(shown(20.04, 0.0), [20.0625]);
    assert_eq!(shown(20.0, 0.5), [20.5]);
    assert_eq!(shown(300.0, 0.0), [125.0]);
    assert_eq!(shown(-300.0, 0.0), [-55.0]);
}

#[test]
fn its_noise_has_the_given_deviation_and_is_the_same_in_every_run() {
    let run = || readings(&[(0.0, 20.0)], &[("noise", real(0.1))], 9_999.0);
    let shown = run();
    let mean = shown.iter().sum::<f64>() / 1e4;
    let deviation = (shown.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1e4).sqrt();
    assert!((mean - 20.0).abs() < 0.005 && (deviation - 0.1).abs() < 0.005, "{mean} {deviation}");
    assert_eq!(shown, run());
}

#[test]
fn a_range_that_is_none_is_refused() {
    assert_eq!(
        Rig::of(&[ironbird_sensors::register])
            .refusal("sensor.thermometer", &[("lowest", real(200.0))]),
        "\"lowest\" (200 degC) must be below \"highest\" (125 degC)"
    );
}
