//! Logs in the place of sensors.

use ironbird_component::{Place, Registry, Settings};
use ironbird_kinematics::{ScalarSample, VectorSample};
use ironbird_test_rig::{Setting, real, seconds, text};

use crate::wired::{rig, script};

type Column<'a> = &'a [(f64, f64)];

/// Samples as (time, value, valid), of columns of a log.
fn vectors(
    columns: [Column<'_>; 3],
    valid: Column<'_>,
    settings: &[Setting<'_>],
) -> Vec<(f64, [f64; 3], bool)> {
    let mut rig = rig();
    rig.add("log", "sensor.log-vector", settings);
    for (axis, column) in ["x", "y", "z"].into_iter().zip(columns) {
        script(&mut rig, axis, column);
        rig.link(&format!("{axis}.out"), &format!("log.{axis}"));
    }
    if !valid.is_empty() {
        script(&mut rig, "valid", valid);
        rig.link("valid.out", "log.valid");
    }
    let samples = rig.run(seconds(10.0), &["log.reading"]).samples::<VectorSample>("log.reading");
    // The first one is what is there before anything is.
    assert!(!samples[0].1.valid || samples[0].0 > seconds(0.0));
    let written = samples.into_iter().filter(|(time, _)| *time > seconds(0.0));
    written
        .map(|(time, sample)| {
            assert_eq!(sample.taken, time);
            (time.as_secs_f64(), sample.value, sample.valid)
        })
        .collect()
}

#[test]
fn there_is_one_sample_for_each_line_and_none_in_a_gap() {
    let x = [(0.1, 1.0), (0.2, 2.0), (0.2017, 3.0), (7.5, 4.0)];
    let y = x.map(|(time, x)| (time, 10.0 * x));
    let z = x.map(|(time, x)| (time, 100.0 * x));
    let settings = [("unit", text("m/s")), ("axes", text("x, -y, -z"))];
    assert_eq!(
        vectors([&x, &y, &z], &[], &settings),
        [
            (0.1, [1.0, -10.0, -100.0], true),
            (0.2, [2.0, -20.0, -200.0], true),
            (0.2017, [3.0, -30.0, -300.0], true),
            (7.5, [4.0, -40.0, -400.0], true),
        ]
    );
}

#[test]
fn columns_of_unequal_rates_keep_what_was_written_last() {
    let columns: [Column<'_>; 3] = [&[(1.0, 1.0), (3.0, 2.0)], &[(2.0, 5.0)], &[(3.0, 7.0)]];
    assert_eq!(
        vectors(columns, &[], &[("unit", text("m/s"))]),
        [(1.0, [1.0, 5.0, 7.0], true), (2.0, [1.0, 5.0, 7.0], true), (3.0, [2.0, 5.0, 7.0], true)]
    );
}

#[test]
fn a_line_that_says_so_is_not_valid_and_a_flag_alone_is_no_sample() {
    let x = [(1.0, 1.0), (2.0, 2.0), (3.0, f64::NAN), (4.0, 4.0)];
    let valid = [(1.0, 1.0), (2.0, 0.0), (2.5, 1.0)];
    assert_eq!(
        vectors([&x, &x, &x], &valid, &[("unit", text("m/s"))]),
        [
            (1.0, [1.0; 3], true),
            (2.0, [0.0; 3], false),
            (3.0, [0.0; 3], false),
            (4.0, [4.0; 3], true),
        ]
    );
}

#[test]
fn a_scalar_is_turned_into_si_units() {
    let mut rig = rig();
    script(&mut rig, "altitude", &[(1.0, -0.25), (2.5, -0.5)]);
    rig.add("log", "sensor.log-scalar", &[("unit", text("km")), ("factor", real(-1.0))]);
    rig.link("altitude.out", "log.value");
    let samples = rig.run(seconds(5.0), &["log.reading"]).samples::<ScalarSample>("log.reading");
    let written: Vec<(f64, f64, bool)> = samples
        .into_iter()
        .filter(|(time, _)| *time > seconds(0.0))
        .map(|(_, sample)| (sample.taken.as_secs_f64(), sample.value, sample.valid))
        .collect();
    assert_eq!(written, [(1.0, 250.0, true), (2.5, 500.0, true)]);
}

#[test]
fn ports_have_the_unit_of_the_log_and_the_frame_that_was_named() {
    let mut registry = Registry::with_builtin();
    ironbird_sensors::register(&mut registry).unwrap();
    let settings: Settings =
        [("unit", text("deg/s")), ("frame", text("body"))].map(|(k, v)| (k.into(), v)).into();
    let place = Place { folder: std::path::Path::new(".") };
    let log = registry.get("sensor.log-vector").unwrap().instantiate(&settings, &place).unwrap();
    let port = |name: &str| log.interface().ports.iter().find(|p| p.name == name).unwrap().clone();
    assert_eq!(port("y").units.of("").to_string(), "deg/s");
    assert_eq!(port("reading").units.of("value[1]").to_string(), "rad/s");
    assert_eq!(port("reading").frame.as_deref(), Some("body"));
}

#[test]
fn wrong_parameters_are_refused() {
    let refusal = |settings: &[Setting<'_>]| rig().refusal("sensor.log-vector", settings);
    assert_eq!(refusal(&[]), "parameter \"unit\": it must be given: a text");
    assert_eq!(
        refusal(&[("unit", text("furlong"))]),
        "parameter \"unit\": there is no unit \"furlong\""
    );
    assert_eq!(
        refusal(&[("unit", text("m")), ("axes", text("x, y"))]),
        "\"axes\" names x, y and z, each once, with a minus where it points the other way, as in \"x, \
         -y, -z\"; not \"x, y\""
    );
    assert_eq!(
        refusal(&[("unit", text("m")), ("frame", text("ned"))]),
        "parameter \"frame\": there is no \"ned\"; choose one of \"sensor\", \"body\""
    );
}
