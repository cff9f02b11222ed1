//! Aircraft that fly, for the other tests.

use std::path::{Path, PathBuf};

use ironbird_kernel::{Duration, Outcome, Parameter, Time};
use ironbird_test_rig::{Rig, Setting, Track, real, text};

/// The aircraft of the examples.
pub const AIRCRAFT: [&str; 4] = ["aerosonde", "rascal-110", "ultra-stick-25e", "v-tail"];

/// A usual airspeed of each, m/s.
pub const AIRSPEEDS: [f64; 4] = [25.0, 20.0, 17.0, 14.0];

/// What the states are called.
pub const STATES: [&str; 15] = [
    "north",
    "east",
    "down",
    "u",
    "v",
    "w",
    "qw",
    "qx",
    "qy",
    "qz",
    "p",
    "q",
    "r",
    "motor_speed",
    "charge",
];

pub fn file_of(aircraft: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/fixed-wing/aircraft")
        .join(format!("{aircraft}.toml"))
}

pub fn list(path: &str, numbers: [f64; 3]) -> [(String, Parameter); 3] {
    [0, 1, 2].map(|k| (format!("{path}[{k}]"), real(numbers[k])))
}

/// A rig with one aircraft, called `plane`.
pub fn rig(aircraft: &str, settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    let file = file_of(aircraft).display().to_string();
    let mut all = vec![("file", text(&file))];
    all.extend(settings.iter().cloned());
    rig.add("plane", "plant.aircraft", &all);
    rig
}

/// Runs a rig and takes down all states.
pub fn fly(rig: Rig, end: Time) -> Flown {
    let outputs: Vec<String> = STATES.iter().map(|state| format!("plane.{state}")).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let run = rig.run(end, &outputs);
    assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
    Flown(outputs.iter().map(|output| run.track(output)).collect())
}

/// A flight that was flown: the states in their order.
pub struct Flown(Vec<Track>);

impl Flown {
    /// A state at an instant.
    pub fn state(&self, name: &str, at: Time) -> f64 {
        let number = STATES.iter().position(|state| *state == name).expect("a state");
        self.0[number].at(at)
    }

    /// Several states at an instant.
    pub fn states<const N: usize>(&self, names: [&str; N], at: Time) -> [f64; N] {
        names.map(|name| self.state(name, at))
    }
}

/// Whole milliseconds.
pub fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_ms(ms)
}
