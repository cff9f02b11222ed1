//! The barometer under water.

use ironbird_kernel::Parameter;
use ironbird_kinematics::ScalarSample;
use ironbird_test_rig::{Rig, real, seconds};

use crate::wired::{add, rig, script};

fn barometer(depths: &[(f64, f64)], settings: &[(String, Parameter)]) -> Rig {
    let mut rig = rig();
    script(&mut rig, "depth", depths);
    add(&mut rig, "barometer", "sensor.barometer", 1, settings);
    rig.link("depth.out", "barometer.depth");
    rig
}

fn pressures(rig: Rig, until: f64) -> Vec<f64> {
    let run = rig.run(seconds(until), &["barometer.reading"]);
    let samples = run.samples::<ScalarSample>("barometer.reading");
    samples
        .into_iter()
        .map(|(time, sample)| {
            assert!(sample.valid && sample.taken == time);
            sample.value
        })
        .collect()
}

#[test]
fn pressure_grows_with_depth_and_ends_at_the_surface() {
    let rig = barometer(&[(0.0, 0.0), (1.0, 100.0), (2.0, -3.0)], &[]);
    let at_100_m = 101_325.0 + 1025.0 * 9.806_65 * 100.0;
    assert_eq!(pressures(rig, 2.0), [101_325.0, at_100_m, 101_325.0]);
}

#[test]
fn fresh_water_is_lighter_and_may_become_so_on_the_way() {
    let mut rig = barometer(&[(0.0, 10.0)], &[("gravity".into(), real(10.0))]);
    rig.set(seconds(0.5), "barometer.water_density", real(1000.0));
    rig.set(seconds(1.5), "barometer.atmospheric_pressure", real(0.0));
    assert_eq!(pressures(rig, 2.0), [203_825.0, 201_325.0, 100_000.0]);
}

#[test]
fn its_errors_are_pressures() {
    let settings = [("error.bias".into(), real(500.0)), ("error.saturation".into(), real(1.5e5))];
    let rig = barometer(&[(0.0, 0.0), (1.0, 100.0)], &settings);
    assert_eq!(pressures(rig, 1.0), [101_825.0, 150_000.0]);
}

#[test]
fn water_without_weight_is_refused() {
    assert_eq!(
        rig().refusal("sensor.barometer", &[("water_density", real(0.0))]),
        "parameter \"water_density\": 0 kg/m^3 is not allowed: it must be above 0 kg/m^3"
    );
}
