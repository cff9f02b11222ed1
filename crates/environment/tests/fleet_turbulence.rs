//! Turbulence of several vehicles, each with a process of its own.

use ironbird_environment::air::dryden::{DrydenField, Intensity, Scales};
use ironbird_kernel::RandomStream;

const STEP: f64 = 0.02;

/// Gusts along x of the vehicle with this key.
fn along(key: u64, steps: usize) -> Vec<f64> {
    let (mut field, mut random) = (DrydenField::default(), RandomStream::from_key(key));
    let scales = Scales::low(50.0, Intensity::Moderate.wind(0.0));
    (0..steps)
        .map(|n| {
            random.seek(n as u64);
            let elapsed = (n > 0).then_some(STEP);
            field.gusts(&scales, 0.5, 10.0, elapsed, &mut random).velocity.x
        })
        .collect()
}

#[test]
fn every_vehicle_has_its_own_and_the_same_again() {
    let steps = 200;
    assert_eq!(along(1, steps), along(1, steps));
    assert_ne!(along(1, steps), along(2, steps));
}

#[test]
fn over_many_vehicles_the_deviation_is_that_of_the_scales() {
    let sigma = Scales::low(50.0, Intensity::Moderate.wind(0.0)).sigma[0];
    let count = 4000;
    let squares: f64 = (0..count).map(|key| along(key, 20)[19]).map(|gust| gust * gust).sum();
    let deviation = (squares / count as f64).sqrt();
    assert!((deviation / sigma - 1.0).abs() < 0.05, "{deviation} {sigma}");
}
