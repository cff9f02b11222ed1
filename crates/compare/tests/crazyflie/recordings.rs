//! Which recordings of the collection can be used, and which ten of them are fitted to: rules on the logs alone, made
//! before the model was fitted (examples/crazyflie/README.md).

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every seventh recording, from the first on, is fitted to.
const EVERY: usize = 7;

/// Columns, and the least and greatest number that their sensors or motors can have: 16 bits of pulses, a cell of a
/// lithium battery, ±24 g and ±2000 deg/s.
const RANGES: [(&str, f64, f64); 11] = [
    ("motor_motor_m1", 0.0, 65_535.0),
    ("motor_motor_m2", 0.0, 65_535.0),
    ("motor_motor_m3", 0.0, 65_535.0),
    ("motor_motor_m4", 0.0, 65_535.0),
    ("pwr_pm_vbat", 2.8, 4.35),
    ("imu_acc_x", -24.0, 24.0),
    ("imu_acc_y", -24.0, 24.0),
    ("imu_acc_z", -24.0, 24.0),
    ("imu_gyro_x", -34.9, 34.9),
    ("imu_gyro_y", -34.9, 34.9),
    ("imu_gyro_z", -34.9, 34.9),
];

/// So many lines, of 10 ms each, are above 0.3 m.
const FLYING: (f64, usize) = (0.3, 1000);

/// Those that are fitted to, and those that are not, by name. Copies of another recording, and recordings that cannot
/// be used, are left out; why is printed.
pub fn fitted_and_unseen(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "csv"))
        .collect();
    files.sort_by_key(|path| path.file_stem().unwrap().to_owned());
    let mut seen = HashSet::new();
    let (mut fitted, mut unseen) = (Vec::new(), Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let why = if seen.contains(&text) { Some("a copy".into()) } else { wrong_with(&text) };
        seen.insert(text);
        match why {
            Some(why) => println!("{}: {why}", file.display()),
            None if (fitted.len() + unseen.len()) % EVERY == 0 => fitted.push(file),
            None => unseen.push(file),
        }
    }
    (fitted, unseen)
}

fn wrong_with(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next()?.split(',').collect();
    let place = |name: &str| heads.iter().position(|head| *head == name);
    let Some(height) = place("pz") else { return Some("there is no column pz".into()) };
    let mut ranges = Vec::new();
    for (name, low, high) in RANGES {
        let Some(place) = place(name) else { return Some(format!("there is no column {name}")) };
        ranges.push((name, place, low, high));
    }
    let mut flying = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let number =
            |place: usize| fields.get(place).and_then(|f| f.parse().ok()).unwrap_or(f64::NAN);
        for (name, place, low, high) in &ranges {
            let value = number(*place);
            if !(*low..=*high).contains(&value) {
                return Some(format!("{name} is {value}, beyond {low} to {high}"));
            }
        }
        flying += usize::from(number(height) > FLYING.0);
    }
    (flying < FLYING.1).then(|| format!("it flies for {} s", 0.01 * flying as f64))
}
