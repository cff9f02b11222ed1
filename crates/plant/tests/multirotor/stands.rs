//! Propellers beside thrust stands, where their data are at hand: in `../shared/data` beside the project, or in the
//! folder that `IRONBIRD_DATA` names.

use std::path::PathBuf;

use ironbird_plant::multirotor::propeller::{PropellerFit, StandLine, fit};

use crate::project;

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
