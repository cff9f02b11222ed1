//! The filter with realistic sensors over half an hour: drift, and whether it knows its error.

use ironbird_control::navigation::{Assumptions, ErrorStateFilter, Planet};
use ironbird_kernel::{Duration, Time};
use ironbird_kinematics::EarthModel;
use nalgebra::{SVector, UnitQuaternion};

use crate::noise::{Suite, tactical};
use crate::truth::{Survey, Voyage, planet};

const RUNS: u64 = 20;
/// Inertial samples per second; the DVL speaks at 5 Hz, the barometer at 1 Hz.
const RATE: u64 = 100;

fn centiseconds(k: u64) -> Time {
    Time::ZERO + Duration::from_ms(10 * k)
}

/// The first 15 states' error, and its square normalised by the covariance.
fn normalised(
    filter: &ErrorStateFilter,
    suite: &Suite,
    voyage: &Voyage<Survey>,
    planet: &Planet,
    now: Time,
) -> [f64; 2] {
    let (estimate, truth) = (filter.estimate(now, planet), &voyage.truth);
    let turned: UnitQuaternion<f64> =
        truth.attitude.quaternion() * estimate.attitude.quaternion().inverse();
    let angle = turned.scaled_axis();
    let mut error = SVector::<f64, 15>::zeros();
    let parts = [
        truth.position - estimate.position,
        truth.velocity - estimate.velocity - angle.cross(&estimate.velocity),
        angle,
        suite.gyroscope_bias - filter.gyroscope_bias(),
        suite.accelerometer_bias - filter.accelerometer_bias(),
    ];
    for (index, part) in parts.iter().enumerate() {
        error.fixed_rows_mut::<3>(3 * index).copy_from(part);
    }
    let all = filter.covariance().fixed_view::<15, 15>(0, 0).into_owned().cholesky().unwrap();
    let place = filter.covariance().fixed_view::<3, 3>(0, 0).into_owned().cholesky().unwrap();
    [parts[0].dot(&place.solve(&parts[0])), error.dot(&all.solve(&error))]
}

#[test]
fn drift_stays_below_half_a_percent_and_the_filter_knows_its_error() {
    let (planet, assumed) = (planet(EarthModel::Wgs84), Assumptions { period: 0.05, ..tactical() });
    let mut voyage = Voyage::starting(Survey, planet);
    let mut runs: Vec<(Suite, ErrorStateFilter, f64)> = (0..RUNS)
        .map(|seed| {
            let mut suite = Suite::new(seed, &assumed);
            let start = suite.alignment(&voyage.truth);
            let filter = ErrorStateFilter::starting(Time::ZERO, &start, &planet, &assumed);
            (suite, filter, 0.0)
        })
        .collect();
    let (mut inside, mut inside_all, mut looks) = (0, 0, 0);
    for k in 0..=1800 * RATE {
        let now = centiseconds(k);
        voyage.go_on(now.as_secs_f64());
        let ideal = voyage.readings();
        let mut means = [0.0; 2];
        for (suite, filter, largest) in &mut runs {
            let [rate, force] = suite.inertial(&ideal, 0.01);
            filter.turn(now, rate, &planet);
            filter.push(now, force, &planet, &assumed);
            if k % 20 == 0 {
                filter.measure_velocity(now, suite.dvl(&ideal), &planet, &assumed);
            }
            if k % 100 == 0 {
                filter.measure_depth(now, suite.depth(&ideal), &planet, &assumed);
                let error = filter.estimate(now, &planet).position - voyage.truth.position;
                *largest = largest.max(error.norm());
                let squares = normalised(filter, suite, &voyage, &planet, now);
                means = [0, 1].map(|i| means[i] + squares[i] / RUNS as f64);
            }
        }
        if k % 100 == 0 {
            looks += 1;
            // Chi-square with 60 degrees of freedom at 2.5 % and 97.5 %, and with 300, over 20 runs.
            inside += u32::from((40.482 / 20.0..83.298 / 20.0).contains(&means[0]));
            inside_all += u32::from((253.912 / 20.0..349.874 / 20.0).contains(&means[1]));
        }
    }
    let worst: Vec<f64> =
        runs.iter().map(|(_, _, largest)| (largest * 100.0).round() / 100.0).collect();
    let share = |inside: u32| f64::from(inside) / f64::from(looks);
    println!("largest errors {worst:?} m; inside: {:.3} {:.3}", share(inside), share(inside_all));
    assert!(worst.iter().all(|error| *error < 0.005 * 2500.0), "{worst:?}");
    assert!(share(inside) > 0.9, "{}", share(inside));
    assert!(share(inside_all) > 0.9, "{}", share(inside_all));
}
