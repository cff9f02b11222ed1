//! A system with some signals for formulas to speak about.

use ironbird_formula::{Names, NoSuchSignal, SignalInfo, SignalKind};
use ironbird_kernel::path::nearest;

/// The numbers of the signals.
pub struct ID;

impl ID {
    pub const ALTITUDE: u32 = 0;
    pub const SPEED: u32 = 1;
    pub const TEMPERATURE: u32 = 2;
    pub const RATE: u32 = 3;
    pub const POSITION: u32 = 4;
    pub const TARGET: u32 = 5;
    pub const LANDED: u32 = 6;
    pub const LOAD: u32 = 7;
    pub const LIMIT: u32 = 8;
    pub const HEIGHT: u32 = 9;
}

const SIGNALS: [(&str, u32, &str, usize, SignalKind); 11] = [
    ("drone.altitude", ID::ALTITUDE, "m", 1, SignalKind::Number),
    ("drone.speed", ID::SPEED, "km/h", 1, SignalKind::Number),
    ("drone.temperature", ID::TEMPERATURE, "degC", 1, SignalKind::Number),
    ("drone.rate", ID::RATE, "deg/s", 1, SignalKind::Number),
    ("drone.position", ID::POSITION, "m", 3, SignalKind::Number),
    ("drone.target", ID::TARGET, "m", 3, SignalKind::Number),
    ("landed", ID::LANDED, "", 1, SignalKind::Bool),
    ("load", ID::LOAD, "", 1, SignalKind::Number),
    ("drone.altitude-limit", ID::LIMIT, "", 1, SignalKind::Number),
    ("odd name.height", ID::HEIGHT, "m", 1, SignalKind::Number),
    ("flags", 20, "", 4, SignalKind::Bool),
];

pub struct Vehicle;

impl Names for Vehicle {
    fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
        if path == "drone.position[1]" {
            // A single leaf has a number of its own.
            let unit = "m".parse().expect("a unit");
            return Ok(SignalInfo { id: 10, unit, leaves: 1, kind: SignalKind::Number });
        }
        let names = SIGNALS.iter().map(|(name, ..)| *name);
        let found = SIGNALS.iter().find(|(name, ..)| *name == path);
        let (_, id, unit, leaves, kind) = *found
            .ok_or_else(|| NoSuchSignal { nearest: nearest(path, names).map(str::to_owned) })?;
        Ok(SignalInfo { id, unit: unit.parse().expect("a unit"), leaves, kind })
    }
}
