//! The satellite receiver, which works above water.

use ironbird_kernel::Parameter;
use ironbird_kinematics::{Fix, Geodetic, TangentPlane};
use ironbird_test_rig::{real, seconds};
use nalgebra::Vector3;

use crate::wired::{add, rig, script, three};

fn brest() -> TangentPlane {
    TangentPlane::at(Geodetic::from_degrees(48.38, -4.49, 3.0))
}

const VELOCITY: [f64; 3] = [1.5, -0.5, 0.25];

/// Fixes at 1 Hz at Brest, with the antenna at depths that begin at these seconds.
fn gps(depths: &[(f64, f64)], settings: &[(String, Parameter)], until: f64) -> Vec<Fix> {
    let mut rig = rig();
    let place: [f64; 3] = brest().to_ecef(Vector3::zeros()).into();
    script(&mut rig, "place", &[(0.0, place)]);
    script(&mut rig, "velocity", &[(0.0, VELOCITY)]);
    script(&mut rig, "depth", depths);
    add(&mut rig, "gps", "sensor.gps", 1, settings);
    rig.link("place.out", "gps.position");
    rig.link("velocity.out", "gps.velocity");
    rig.link("depth.out", "gps.depth");
    let fixes = rig.run(seconds(until), &["gps.fix"]).samples("gps.fix");
    fixes.into_iter().map(|(_, fix)| fix).collect()
}

/// The error of a position: north, east, down.
fn error(fix: &Fix) -> Vector3<f64> {
    brest().from_ecef(Vector3::from(fix.position))
}

#[test]
fn an_ideal_one_says_the_truth() {
    let place: [f64; 3] = brest().to_ecef(Vector3::zeros()).into();
    for fix in gps(&[(0.0, 0.5)], &[], 2.0) {
        assert!(fix.valid && fix.position == place && fix.velocity == VELOCITY, "{fix:?}");
    }
}

#[test]
fn under_water_there_is_no_fix_and_after_it_one_takes_time() {
    let depths = [(0.0, 0.2), (3.0, 0.6), (5.0, 0.4)];
    let fixes = gps(&depths, &[("time_to_fix".into(), real(2.0))], 8.0);
    let valid: Vec<bool> = fixes.iter().map(|fix| fix.valid).collect();
    assert_eq!(valid, [false, false, true, false, false, false, false, true, true]);
    assert!(fixes.iter().all(|fix| fix.valid || fix.position == [0.0; 3]));
    assert!(fixes.windows(2).all(|pair| pair[0].taken < pair[1].taken));
}

#[test]
fn a_bias_points_north_east_and_down() {
    let settings = [("position_error.bias[0]", 3.0), ("position_error.bias[2]", -2.0)];
    let settings = settings.map(|(path, value)| (path.into(), real(value)));
    let fix = gps(&[(0.0, 0.0)], &settings, 0.0)[0];
    assert!((error(&fix) - Vector3::new(3.0, 0.0, -2.0)).norm() < 1e-8);
    let fix = gps(&[(0.0, 0.0)], &[("velocity_error.bias[1]".into(), real(0.1))], 0.0)[0];
    let east = brest().direction_to_ecef(Vector3::new(0.0, 0.1, 0.0));
    assert!((Vector3::from(fix.velocity) - Vector3::from(VELOCITY) - east).norm() < 1e-15);
}

#[test]
fn errors_of_a_position_stay_for_their_time() {
    let mut settings = three("position_error.instability", 2.0);
    settings.extend(three("position_error.instability_time", 20.0));
    let fixes = gps(&[(0.0, 0.0)], &settings, 40_000.0);
    let errors: Vec<Vector3<f64>> = fixes.iter().map(error).collect();
    let mean = |lag: usize| {
        let products = errors.iter().zip(&errors[lag..]).map(|(a, b)| a.dot(b) / 3.0);
        products.sum::<f64>() / (errors.len() - lag) as f64
    };
    let variance = mean(0);
    assert!((variance / 4.0 - 1.0).abs() < 0.1, "{variance}");
    let correlation = mean(20) / variance;
    assert!((correlation - libm::exp(-1.0)).abs() < 0.05, "{correlation}");
}

#[test]
fn under_water_the_error_goes_on() {
    let mut settings = three("position_error.instability", 2.0);
    settings.extend(three("position_error.instability_time", 20.0));
    let fixes = gps(&[(0.0, 0.0), (1.0, 5.0), (1001.0, 0.0)], &settings, 1002.0);
    let (before, after, next) = (error(&fixes[0]), error(&fixes[1001]), error(&fixes[1002]));
    assert!((after - before).norm() > 0.5, "{before} {after}");
    assert!((after - next).norm() < (after - before).norm() && after != next);
}

#[test]
fn a_negative_time_is_refused() {
    assert_eq!(
        rig().refusal("sensor.gps", &[("time_to_fix", real(-1.0))]),
        "parameter \"time_to_fix\": -1 s is not allowed: it must be at least 0 s"
    );
}
