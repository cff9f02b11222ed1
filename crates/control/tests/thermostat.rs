//! The thermostat switches where it says, waits as long as it must, and distrusts a stuck sensor.

use ironbird_kernel::{Rate, Time};
use ironbird_test_rig::{Rig, Run, Setting, real, seconds};

/// A thermostat for 20 degC, plus or minus 1 K, that steps every second and reads these temperatures.
fn thermostat(readings: &[(f64, f64)], settings: &[Setting<'_>], until: f64) -> Run {
    let mut rig = Rig::of(&[ironbird_control::register]);
    let script: Vec<(Time, f64)> = readings.iter().map(|(at, t)| (seconds(*at), *t)).collect();
    rig.script("reading", &script);
    let mut all = vec![
        ("setpoint", real(20.0)),
        ("hysteresis", real(2.0)),
        ("power", real(1500.0)),
        ("min_on", real(0.0)),
        ("min_off", real(0.0)),
    ];
    all.extend_from_slice(settings);
    rig.add_at("thermostat", "control.thermostat", Some(Rate::hz(1)), &all);
    rig.link("reading.out", "thermostat.temperature");
    rig.run(seconds(until), &["thermostat.heating", "thermostat.on", "thermostat.alarm"])
}

fn times(run: &Run, output: &str) -> Vec<f64> {
    let samples: Vec<(Time, bool)> = run.samples(output);
    let on = samples.iter().filter(|(_, on)| *on);
    on.map(|(time, _)| time.as_secs_f64()).collect()
}

#[test]
fn it_heats_below_the_band_and_keeps_on_until_above_it() {
    let readings = [(0.0, 20.5), (1.0, 18.9), (2.0, 20.5), (3.0, 20.9), (4.0, 21.1), (5.0, 19.1)];
    let run = thermostat(&readings, &[], 5.0);
    assert_eq!(times(&run, "thermostat.on"), [1.0, 2.0, 3.0]);
    assert_eq!(run.numbers("thermostat.heating"), [0.0, 1500.0, 1500.0, 1500.0, 0.0, 0.0]);
}

#[test]
fn it_stays_on_and_off_for_the_shortest_times() {
    let readings = [(0.0, 18.0), (1.0, 22.0), (3.0, 18.0)];
    let run = thermostat(&readings, &[("min_on", real(2.0)), ("min_off", real(4.0))], 8.0);
    assert_eq!(times(&run, "thermostat.on"), [0.0, 1.0, 6.0, 7.0, 8.0]);
}

#[test]
fn a_reading_that_does_not_change_is_believed_until_the_watchdog_barks() {
    let settings = [
        ("watchdog.after", real(5.0)),
        ("watchdog.duty", real(25.0)),
        ("watchdog.period", real(4.0)),
    ];
    let readings = [(0.0, 18.0), (14.0, 22.0)];
    let run = thermostat(&readings, &settings, 15.0);
    let alarmed = (5..14).map(f64::from).collect::<Vec<_>>();
    assert_eq!(times(&run, "thermostat.alarm"), alarmed);
    assert_eq!(times(&run, "thermostat.on"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 9.0, 13.0]);
}

#[test]
fn a_negative_band_is_refused() {
    assert_eq!(
        Rig::of(&[ironbird_control::register])
            .refusal("control.thermostat", &[("hysteresis", real(-0.5))]),
        "parameter \"hysteresis\": -0.5 K is not allowed: it must be at least 0 K"
    );
}
