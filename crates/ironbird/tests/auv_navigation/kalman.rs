//! Realistic sensors: how far the Kalman filter drifts, whether it knows, and what it is worth.

use super::studies::study;
use super::study::Study;

/// Largest and mean error of a run in metres.
fn errors(study: &Study, scenario: usize, repetition: u64) -> (f64, f64) {
    let total = study.run(scenario, repetition).numbers("analysis.position.total");
    let largest = total.iter().copied().fold(0.0, f64::max);
    (largest, total.iter().sum::<f64>() / total.len() as f64)
}

#[test]
fn the_filter_beats_dead_reckoning_over_ten_seeds() {
    let study = study("kalman");
    let [dead, kalman] = ["dead-reckoning", "kalman"].map(|name| {
        let scenario = study.scenario(name);
        let runs: Vec<(f64, f64)> = (0..10).map(|n| errors(&study, scenario, n)).collect();
        let mean = runs.iter().map(|(_, mean)| mean).sum::<f64>() / 10.0;
        let worst = runs.iter().map(|(largest, _)| *largest).fold(0.0, f64::max);
        println!("{name}: {mean:.2} m on average, {worst:.2} m at worst");
        (mean, worst)
    });
    assert!(kalman.0 < 0.7 * dead.0, "on average {} m, dead reckoning {} m", kalman.0, dead.0);
    assert!(kalman.1 < dead.1, "at worst {} m, dead reckoning {} m", kalman.1, dead.1);
}

/// 95 % of a chi-squared variable with 60 degrees of freedom, divided by 20: the mean of 20 normalised
/// errors squared with 3 degrees of freedom each.
const BAND: (f64, f64) = (40.482 / 20.0, 83.298 / 20.0);

#[test]
fn over_twenty_seeds_the_filter_stays_within_half_a_percent_and_knows_its_error() {
    let study = study("survey");
    let mut means: Vec<f64> = Vec::new();
    let mut worst = 0.0f64;
    for repetition in 0..20 {
        let ran = study.run(0, repetition);
        ran.holds();
        worst = worst.max(ran.largest("analysis.position.total"));
        let normalised = ran.numbers("analysis.position.normalised");
        means.resize(normalised.len(), 0.0);
        means.iter_mut().zip(normalised).for_each(|(mean, n)| *mean += n / 20.0);
    }
    // Half an hour, 2.5 km.
    assert!(worst < 0.005 * 2500.0, "{worst} m");
    // Not before the filter has begun.
    let judged = &means[1..];
    let inside = judged.iter().filter(|mean| (BAND.0..=BAND.1).contains(*mean)).count();
    let share = inside as f64 / judged.len() as f64;
    println!("largest error {worst:.2} m; inside the band {:.1} % of the time", 100.0 * share);
    assert!(judged.len() >= 1800);
    assert!(share >= 0.9, "inside its band only {:.1} % of the time", 100.0 * share);
}
