//! A sensor and what it measures, wired in a rig.

use ironbird_kernel::{Parameter, Rate, Time, Value};
use ironbird_kinematics::VectorSample;
use ironbird_test_rig::{Rig, Run, Setting, real, seconds};

/// An empty rig with the sensors.
pub fn rig() -> Rig {
    Rig::of(&[ironbird_sensors::register])
}

/// The same value for three axes.
pub fn three(name: &str, value: f64) -> Vec<(String, Parameter)> {
    (0..3).map(|axis| (format!("{name}[{axis}]"), real(value))).collect()
}

/// Adds a sensor at a rate in hertz.
pub fn add(rig: &mut Rig, name: &str, kind: &str, rate: u64, settings: &[(String, Parameter)]) {
    let settings: Vec<Setting<'_>> =
        settings.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    rig.add_at(name, kind, Some(Rate::hz(rate)), &settings);
}

/// A script of values from these seconds on.
pub fn script<T: Value + Clone>(rig: &mut Rig, name: &str, values: &[(f64, T)]) {
    let values: Vec<(Time, T)> =
        values.iter().map(|(at, value)| (seconds(*at), value.clone())).collect();
    rig.script(name, &values);
}

/// What a gyroscope at 10 Hz reads in so many seconds, of a constant truth, with these settings.
pub fn gyroscope(truth: [f64; 3], settings: &[(String, Parameter)], until: f64) -> Vec<[f64; 3]> {
    let mut rig = rig();
    script(&mut rig, "truth", &[(0.0, truth)]);
    add(&mut rig, "gyroscope", "sensor.gyroscope", 10, settings);
    rig.link("truth.out", "gyroscope.angular_velocity");
    vectors(&rig.run(seconds(until), &["gyroscope.reading"]), "gyroscope.reading")
}

/// The values of all samples, which must be valid and of the time at which they were written.
pub fn vectors(run: &Run, output: &str) -> Vec<[f64; 3]> {
    let samples = run.samples::<VectorSample>(output);
    samples
        .into_iter()
        .map(|(time, sample)| {
            assert!(sample.valid && sample.taken == time, "{time}: {sample:?}");
            sample.value
        })
        .collect()
}
