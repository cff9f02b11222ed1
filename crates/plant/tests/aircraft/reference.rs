//! The independent computation of `aircraft_reference.py`.

use std::path::Path;

use ironbird_plant::aircraft::{AircraftFile, Modes, Trim, Wanted};
use ironbird_test_rig::python;
use serde_json::Value;

use super::flight::{AIRCRAFT, file_of};

/// Airspeeds (m/s) of each aircraft, from slow to fast.
const AIRSPEEDS: [[f64; 3]; 4] =
    [[18.0, 25.0, 35.0], [16.0, 20.0, 28.0], [13.0, 17.0, 20.0], [12.0, 14.0, 18.0]];
/// Height (m) and angle of the path (rad) at each of them.
const FLIGHTS: [[f64; 2]; 3] = [[100.0, 0.0], [2000.0, 0.0], [1000.0, 0.03]];

/// One flight, computed here and there.
pub struct Compared {
    pub title: String,
    pub trim: Trim,
    pub modes: Modes,
    pub theirs: Value,
}

impl Compared {
    pub fn number(&self, name: &str) -> f64 {
        self.theirs[name].as_f64().unwrap()
    }

    /// Real part and magnitude of the imaginary part.
    pub fn pair(&self, name: &str) -> [f64; 2] {
        [0, 1].map(|k| self.theirs[name][k].as_f64().unwrap())
    }
}

pub fn level(airspeed: f64, height: f64) -> Wanted {
    Wanted { airspeed, height, path_angle: 0.0, gravity: 9.80665, charge: 1.0 }
}

/// All aircraft at all airspeeds.
pub fn compared() -> Vec<Compared> {
    let mut all = Vec::new();
    for (aircraft, airspeeds) in AIRCRAFT.into_iter().zip(AIRSPEEDS) {
        let flights: Vec<[f64; 3]> = airspeeds
            .into_iter()
            .zip(FLIGHTS)
            .map(|(airspeed, [height, path]): (f64, [f64; 2])| [airspeed, height, path])
            .collect();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/aircraft_reference.py");
        let asked = serde_json::to_string(&flights).unwrap();
        let printed = python(script, &[file_of(aircraft).display().to_string(), asked]);
        let answers: Vec<Value> = serde_json::from_slice(&printed).unwrap();
        let craft = AircraftFile::read(&file_of(aircraft), "").unwrap();
        for ([airspeed, height, path_angle], theirs) in flights.into_iter().zip(answers) {
            let wanted = Wanted { path_angle, ..level(airspeed, height) };
            let title = format!("{aircraft} at {airspeed} m/s");
            let trim = craft.trim(&wanted).unwrap_or_else(|error| panic!("{title}: {error}"));
            let modes = craft.modes(&trim, &wanted);
            all.push(Compared { title, trim, modes, theirs });
        }
    }
    all
}
