//! Propellers beside thrust stands, where their data are at hand: in `../shared/data` beside the project, or in the
//! folder that `IRONBIRD_DATA` names.

use std::path::PathBuf;

use ironbird_plant::multirotor::Drive;
use ironbird_plant::multirotor::propeller::{PropellerFit, StandLine, fit};
use nalgebra::{Matrix3, Vector3};

use crate::{example, project};

/// The lines of a file of the stand (RCbenchmark): the pulse goes from 1000 to 2000 us. The speed is that of the
/// shaft, although its column is called electrical: a full throttle of some 20000 rpm at 11 V is that of these motors.
fn lines(text: &str) -> Vec<StandLine> {
    let mut rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let place = |name: &str| header.iter().position(|column| column.contains(name)).unwrap();
    let [pulse, thrust, voltage, speed] =
        ["ESC signal", "Thrust", "Voltage", "Electrical Speed"].map(place);
    let read = |row: Vec<&str>| {
        let number = |place: usize| row.get(place)?.trim().parse::<f64>().ok();
        Some(StandLine {
            throttle: (number(pulse)? - 1000.0) / 1000.0,
            voltage: number(voltage)?,
            speed: number(speed)? * core::f64::consts::TAU / 60.0,
            thrust: number(thrust)? * 9.80665e-3,
        })
    };
    rows.filter_map(read).collect()
}

fn fits() -> Option<Vec<(String, PropellerFit)>> {
    let data = std::env::var_os("IRONBIRD_DATA").map(PathBuf::from);
    let folder = data.unwrap_or_else(|| project().join("../shared/data")).join("propellers");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: there is no {}", folder.display());
        return None;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "csv"));
    files.sort();
    let fitted = |file: &PathBuf| {
        let found = fit(&lines(&std::fs::read_to_string(file).unwrap())).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), found)
    };
    Some(files.iter().map(fitted).collect())
}

#[test]
fn eight_propellers_and_their_motors_are_fitted_within_three_percent_of_full_thrust() {
    let Some(fits) = fits() else { return };
    assert_eq!(fits.len(), 8);
    for (name, found) in &fits {
        println!(
            "{name}: k_T {:.3e} N s², ω = {:.0} + {:.1} x {:+.2} x², errors: thrust {:.2} %, speed {:.2} %, both {:.2} %",
            found.thrust,
            found.curve[0],
            found.curve[1],
            found.curve[2],
            100.0 * found.thrust_error,
            100.0 * found.speed_error,
            100.0 * found.both_error,
        );
    }
    for (name, found) in fits {
        assert!(found.thrust_error < 0.03, "{name}: {found:?}");
        assert!(found.speed_error < 0.03, "{name}: {found:?}");
        assert!(found.both_error < 0.04, "{name}: {found:?}");
        assert!(found.lines >= 9);
    }
}

/// Voltage (as the firmware logs it), part of the pulse in %, and mean speed of the four motors in rpm, where they are
/// on for a quarter of the time or more: Bitcraze, PWM to Thrust (documentation of crazyflie-firmware), 2015.
const BITCRAZE: [[f64; 3]; 12] = [
    [3.88, 25.0, 10885.0],
    [3.84, 31.25, 12277.0],
    [3.80, 37.5, 13522.0],
    [3.76, 43.25, 14691.0],
    [3.71, 50.0, 15924.0],
    [3.67, 56.25, 17174.0],
    [3.65, 62.5, 18179.0],
    [3.62, 68.75, 19397.0],
    [3.56, 75.0, 20539.0],
    [3.48, 81.25, 21692.0],
    [3.40, 87.5, 22598.0],
    [3.30, 93.75, 23882.0],
];

/// Root mean square of the errors of the speeds in rad/s, for a curve a₀ + a₁ u (V₀ + f (V - V₀)).
fn speed_error([a0, a1]: [f64; 2], rest: f64, felt: f64) -> f64 {
    let square = |[voltage, percent, rpm]: [f64; 3]| {
        let speed = a0 + a1 * percent / 100.0 * (rest + felt * (voltage - rest));
        let error = speed - rpm * core::f64::consts::TAU / 60.0;
        error * error
    };
    (BITCRAZE.map(square).iter().sum::<f64>() / BITCRAZE.len() as f64).sqrt()
}

#[test]
fn the_curve_of_the_crazyflie_is_that_of_its_stand() {
    let Drive::Pwm { curve: [a0, a1, a2], voltage: rest, felt: in_flight } =
        example("crazyflie/crazyflie-2.1.toml").parts().drive
    else {
        panic!("its motors are switched");
    };
    // The best a₀ + b u + c u (V - V₀) over the lines.
    let least_squares = |features: &dyn Fn(f64, f64) -> Vector3<f64>| {
        let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
        for [voltage, percent, rpm] in BITCRAZE {
            let row = features(percent / 100.0, voltage);
            normal += row * row.transpose();
            right += row * (rpm * core::f64::consts::TAU / 60.0);
        }
        normal.cholesky().unwrap().solve(&right)
    };
    let best = least_squares(&|u, voltage| Vector3::new(1.0, u * rest, u * (voltage - rest)));
    assert!((a0 - best[0]).abs() < 1.0 && (a1 - best[1]).abs() < 1.0 && a2 == 0.0, "{best}");
    // On the stand the motors feel a third of what the voltage sags under their load; in flight, where batteries
    // empty, much more (examples/crazyflie/README.md).
    let felt = best[2] / best[1];
    assert!((felt - 0.34).abs() < 0.01 && in_flight > 2.0 * felt, "{best}, in flight {in_flight}");
    // Over the mean voltage the best curve, bent as it may be, misses by twice as much.
    let mean = least_squares(&|u, voltage| {
        let x = u * voltage;
        Vector3::new(1.0, x, x * x)
    });
    let bent = |[voltage, percent, rpm]: [f64; 3]| {
        let x = percent / 100.0 * voltage;
        let error = mean[0] + x * (mean[1] + x * mean[2]) - rpm * core::f64::consts::TAU / 60.0;
        error * error
    };
    let bent = (BITCRAZE.map(bent).iter().sum::<f64>() / BITCRAZE.len() as f64).sqrt();
    let found = speed_error([a0, a1], rest, felt);
    assert!(found < 10.0 && bent > 1.8 * found, "{found} rad/s, {bent} rad/s");
    assert!(mean[2] > 0.0, "and bends upwards, which no motor does: {mean}");
}
