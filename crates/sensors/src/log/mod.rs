//! Logs of real sensors in the place of simulated ones.
//!
//! ```text
//! log.csv ─► replay.csv ──x, y, z──► sensor.log-vector ──reading──► what takes a sensor's samples
//! ```
//!
//! `replay.csv` writes a number when its line is due. A log component makes one sample of what was
//! written in an instant, at that instant: as many samples as the log has lines, with its gaps, its
//! jitter and its rate. A line at the very start of a run is what the signals hold from then on, and no
//! sample.

mod axes;
mod log_type;
mod scalar;
mod vector;

use ironbird_component::{Registry, RegistryError, Unit};

pub use scalar::LogScalar;
pub use vector::{LogFrame, LogVector};

/// Adds the types of this module.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(log_type::LogType::<LogVector>::new()))?;
    registry.register_type(Box::new(log_type::LogType::<LogScalar>::new()))
}

/// Turns numbers of the log's unit into SI units.
#[derive(Clone, Debug)]
pub(crate) struct Conversion(Unit);

impl Default for Conversion {
    fn default() -> Self {
        Conversion(Unit::none())
    }
}

impl Conversion {
    /// From a unit that was checked before.
    fn from(unit: &str) -> Self {
        unit.parse().map_or_else(|_| Conversion::default(), Conversion)
    }

    fn convert(&self, number: f64) -> f64 {
        self.0.to_base(number)
    }
}
