//! What steady flight costs.

use super::file::Aircraft;
use super::trim::{Trim, Wanted, situation};

/// What steady flight costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// N.
    pub thrust: f64,
    /// At the shaft, W; where there is a shaft.
    pub shaft_power: Option<f64>,
    /// Where there is a battery.
    pub battery: Option<BatteryUse>,
}

/// What is taken from the battery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatteryUse {
    /// A.
    pub current: f64,
    /// Under this load, V.
    pub voltage: f64,
    /// How long the battery lasts with this current, s.
    pub endurance: f64,
}

impl Aircraft {
    /// What a trim costs.
    pub fn effort(&self, trim: &Trim, wanted: &Wanted) -> Effort {
        let at = situation(trim, wanted);
        let drive = self.airframe.drive(at.down, at.velocity, at.attitude, at.wind, at.shaft);
        let propulsion = &self.airframe.propulsion;
        let battery = propulsion.battery.as_ref().map(|battery| {
            let current = -drive.charge_rate * battery.capacity;
            BatteryUse {
                current,
                voltage: battery.open_circuit.at(wanted.charge) - battery.resistance * current,
                endurance: wanted.charge * battery.capacity / current,
            }
        });
        // At a constant speed of the shaft the propeller takes all of the motor's torque.
        let shaft_power = propulsion.has_motor().then(|| -drive.torque * trim.motor_speed);
        Effort { thrust: drive.thrust, shaft_power, battery }
    }
}
