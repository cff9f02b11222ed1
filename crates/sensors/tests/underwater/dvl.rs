//! The Doppler velocity log, its bottom lock and its lost pings.

use ironbird_kernel::Parameter;
use ironbird_kinematics::VectorSample;
use ironbird_test_rig::{real, seconds, text};

use crate::wired::{add, rig, script, three, vectors};

const VELOCITY: [f64; 3] = [2.5, 0.1, -0.02];

/// Samples at 10 Hz over heights that begin at these seconds.
fn dvl(heights: &[(f64, f64)], settings: &[(String, Parameter)], until: f64) -> Vec<VectorSample> {
    let mut rig = rig();
    script(&mut rig, "velocity", &[(0.0, VELOCITY)]);
    add(&mut rig, "dvl", "sensor.dvl", 10, settings);
    rig.link("velocity.out", "dvl.velocity");
    if !heights.is_empty() {
        script(&mut rig, "height", heights);
        rig.link("height.out", "dvl.height");
    }
    let samples = rig.run(seconds(until), &["dvl.reading"]).samples("dvl.reading");
    samples.into_iter().map(|(_, sample)| sample).collect()
}

#[test]
fn an_ideal_one_reads_the_truth_without_a_height() {
    let mut rig = rig();
    script(&mut rig, "velocity", &[(0.0, VELOCITY)]);
    add(&mut rig, "dvl", "sensor.dvl", 10, &[]);
    rig.link("velocity.out", "dvl.velocity");
    let run = rig.run(seconds(0.5), &["dvl.reading"]);
    assert_eq!(vectors(&run, "dvl.reading"), [VELOCITY; 6]);
}

#[test]
fn out_of_its_range_it_says_nothing() {
    let settings = [("min_range".into(), real(0.7)), ("max_range".into(), real(90.0))];
    let heights = [(0.0, 0.5), (0.1, 0.7), (0.2, 90.0), (0.3, 90.1), (0.4, -1.0), (0.5, f64::NAN)];
    let samples = dvl(&heights, &settings, 0.5);
    let valid: Vec<bool> = samples.iter().map(|sample| sample.valid).collect();
    assert_eq!(valid, [false, true, true, false, false, false]);
    assert!(samples.iter().all(|s| s.value == if s.valid { VELOCITY } else { [0.0; 3] }));
    assert!(samples.windows(2).all(|pair| pair[0].taken < pair[1].taken));
}

#[test]
fn pings_are_lost_as_often_as_set_and_leave_the_noise_as_it_was() {
    let noise = three("error.noise", 0.001);
    let whole = dvl(&[], &noise, 1000.0);
    let mut settings = noise;
    settings.push(("dropout".into(), real(0.2)));
    let lossy = dvl(&[], &settings, 1000.0);
    let lost = lossy.iter().filter(|sample| !sample.valid).count() as f64 / lossy.len() as f64;
    assert!((lost - 0.2).abs() < 0.016, "{lost}");
    let kept = lossy.iter().zip(&whole).filter(|(sample, _)| sample.valid);
    assert!(kept.into_iter().all(|(sample, same)| sample == same));
}

#[test]
fn the_accuracy_of_a_data_sheet_is_a_scale_and_a_noise() {
    // 0.2 % ± 1 mm/s.
    let mut settings = three("error.scale_spread", 0.002);
    settings.extend(three("error.noise", 0.001));
    let samples = dvl(&[], &settings, 2000.0);
    let mean = samples.iter().map(|sample| sample.value[0]).sum::<f64>() / samples.len() as f64;
    let scale = mean / VELOCITY[0] - 1.0;
    assert!(scale.abs() > 1e-5 && scale.abs() < 0.008, "{scale}");
    let squares = samples.iter().map(|sample| (sample.value[0] - mean) * (sample.value[0] - mean));
    let deviation = (squares.sum::<f64>() / samples.len() as f64).sqrt();
    assert!((deviation / 0.001 - 1.0).abs() < 0.03, "{deviation}");
}

#[test]
fn wrong_parameters_are_refused() {
    let refusal = |path: &str, value: f64| rig().refusal("sensor.dvl", &[(path, real(value))]);
    assert_eq!(
        refusal("min_range", 20_000.0),
        "\"min_range\" (20000 m) must be below \"max_range\" (12000 m)"
    );
    assert_eq!(
        refusal("dropout", 1.5),
        "parameter \"dropout\": 1.5 is not allowed: it must be from 0 to 1"
    );
    assert_eq!(
        rig().refusal("sensor.dvl", &[("dropout", text("often"))]),
        "parameter \"dropout\": expected a number, from 0 to 1, got \"often\""
    );
}
