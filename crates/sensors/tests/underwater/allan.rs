//! The Allan deviation of simulated sensors gives back the parameters that were set.
//!
//! Streams are keyed by the path of a component: sensors of several names are as good as several seeds.
//! Each of the groups below must pass by itself.

use ironbird_kernel::Parameter;
use ironbird_test_rig::seconds;
use nalgebra::{SMatrix, SVector};

use crate::allan_deviation::Record;
use crate::wired::{add, rig, script, three, vectors};

const GROUPS: usize = 3;

/// The records of `count` sensors that read zero, an axis each.
fn axes_at_rest(
    kind: &str,
    input: &str,
    group: usize,
    count: usize,
    (rate, duration): (u64, f64),
    settings: &[(String, Parameter)],
) -> Vec<Record> {
    let of_sensor = |k: usize| {
        let mut rig = rig();
        script(&mut rig, "rest", &[(0.0, [0.0; 3])]);
        let name = format!("{input}-{group}-{k}");
        add(&mut rig, &name, kind, rate, settings);
        rig.link("rest.out", &format!("{name}.{input}"));
        let output = format!("{name}.reading");
        let values = vectors(&rig.run(seconds(duration), &[&output]), &output);
        (0..3).map(move |axis| {
            // The first sample has no white noise.
            let samples: Vec<f64> = values[1..].iter().map(|value| value[axis]).collect();
            Record::new(&samples, 1.0 / rate as f64)
        })
    };
    (0..count).flat_map(of_sensor).collect()
}

/// Averaged over all records.
fn allan_variance(records: &[Record], m: usize) -> f64 {
    records.iter().map(|record| record.allan_variance(m)).sum::<f64>() / records.len() as f64
}

/// The Allan variance of N, σ, K and R of size one, over means of m samples that lie T apart:
/// N²/τ, σ² g, K² (τ/3 + T²/(6τ)) and R² τ²/2 with τ = m T.
///
/// Walk and instability are sampled, not averaged since the last sample; g is that of sampled
/// exponentially correlated noise with φ = exp(-T/τ_c):
///
/// ```text
/// g = (m (1 - φ²) - 2 φ (1 - φᵐ) - φ (1 - φᵐ)²) / (m² (1 - φ)²)
/// ```
///
/// For small T it is that of IEEE Std 952-1997, annex C.
fn expected(interval: f64, m: usize, correlation: f64) -> SVector<f64, 4> {
    let (m, tau) = (m as f64, m as f64 * interval);
    let phi = libm::exp(-interval / correlation);
    let decayed = 1.0 - libm::exp(-tau / correlation);
    let g = (m * (1.0 - phi * phi) - phi * decayed * (2.0 + decayed))
        / (m * m * (1.0 - phi) * (1.0 - phi));
    let walk = tau / 3.0 + interval * interval / (6.0 * tau);
    SVector::from([1.0 / tau, g, walk, tau * tau / 2.0])
}

#[test]
fn sampled_often_the_instability_is_that_of_the_standard() {
    let (tau, correlation) = (3.78, 2.0);
    let x: f64 = tau / correlation;
    let standard = 2.0 / x * (1.0 - (3.0 - 4.0 * libm::exp(-x) + libm::exp(-2.0 * x)) / (2.0 * x));
    let ours = expected(1e-3, 3780, correlation)[1];
    assert!((ours / standard - 1.0).abs() < 1e-4, "{ours} {standard}");
    // Its largest value, 0.437 q_c √τ_c = 0.618 σ.
    assert!((ours.sqrt() - 0.618).abs() < 1e-3, "{ours}");
}

/// N, σ, K and R that fit the mean Allan variance.
fn fit(records: &[Record], (rate, duration): (u64, f64), correlation: f64) -> [f64; 4] {
    let (length, interval) = ((duration * rate as f64) as usize, 1.0 / rate as f64);
    let mut matrix = SMatrix::<f64, 4, 4>::zeros();
    let mut right = SVector::<f64, 4>::zeros();
    let mut m = 1;
    while 4 * m <= length {
        let row = expected(interval, m, correlation) / allan_variance(records, m);
        // A mean over fewer independent stretches counts less.
        let weight = length as f64 / m as f64;
        matrix += row * row.transpose() * weight;
        right += row * weight;
        m += 1 + m / 2;
    }
    let squares = matrix.lu().solve(&right).expect("the terms differ in shape");
    squares.map(f64::sqrt).into()
}

/// Sets all four terms at once, scaled to the size of a sensor, and finds them again.
fn all_terms_come_back(kind: &str, input: &str, size: f64) {
    let set = [0.63 * size, 3.0 * size, 0.66 * size, 0.25 * size];
    let correlation = 0.4;
    let names = ["noise_density", "instability", "random_walk", "drift"];
    let mut settings = three("error.instability_time", correlation);
    for (name, value) in names.iter().zip(set) {
        settings.extend(three(&format!("error.{name}"), value));
    }
    for group in 0..GROUPS {
        let case = (10, 3200.0);
        let records = axes_at_rest(kind, input, group, 12, case, &settings);
        let found = fit(&records, case, correlation);
        for ((name, set), found) in names.iter().zip(set).zip(found) {
            let ratio = found / set;
            println!("{kind}, group {group}, {name}: {ratio:.4}");
            assert!((ratio - 1.0).abs() < 0.05, "{kind}, group {group}, {name}: {ratio}");
        }
    }
}

#[test]
fn a_gyroscope_gives_back_its_angle_and_rate_random_walk_instability_and_ramp() {
    all_terms_come_back("sensor.gyroscope", "angular_velocity", 2.9e-5);
}

#[test]
fn an_accelerometer_gives_back_its_velocity_and_acceleration_random_walk_instability_and_ramp() {
    all_terms_come_back("sensor.accelerometer", "specific_force", 1e-3);
}

#[test]
fn a_gyroscope_gives_back_its_quantisation() {
    // Noise of 0.7 digits makes the error of rounding white: variances add up.
    let (digit, noise) = (1e-4, 0.7e-4);
    let mut settings = three("error.quantisation", digit);
    settings.extend(three("error.noise", noise));
    for group in 0..GROUPS {
        let case = (100, 2000.0);
        let records =
            axes_at_rest("sensor.gyroscope", "angular_velocity", group, 2, case, &settings);
        let found = (12.0 * (allan_variance(&records, 1) - noise * noise)).sqrt();
        println!("group {group}: {:.4}", found / digit);
        assert!((found / digit - 1.0).abs() < 0.05, "group {group}: {found}");
    }
}

#[test]
fn the_density_is_the_same_at_any_rate() {
    let settings = three("error.noise_density", 0.01);
    for rate in [3, 10, 1000] {
        let case = (rate, 30_000.0 / rate as f64);
        let records = axes_at_rest("sensor.gyroscope", "angular_velocity", 0, 2, case, &settings);
        let found = (allan_variance(&records, 3) * 3.0 / rate as f64).sqrt();
        assert!((found / 0.01 - 1.0).abs() < 0.02, "{rate} Hz: {found}");
    }
}
