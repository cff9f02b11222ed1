//! Sensors: what they measure, and how wrong they are.
//!
//! | type | measures |
//! |---|---|
//! | [`sensor.thermometer`](Thermometer) | a temperature |
//! | [`sensor.linear-encoder`](LinearEncoder) | a position and its speed, by counting marks |
//! | [`sensor.rotary-encoder`](RotaryEncoder) | an angle and its speed, by counting marks |
//!
//! All sample a continuous signal at their rate. What they show is a function of that signal, their
//! parameters and their random stream; faults are put on their outputs by the experiment.

mod counter;
mod encoder;
mod lag;
mod thermometer;

use ironbird_component::{Registry, RegistryError};

pub use encoder::{LinearEncoder, RotaryEncoder};
pub use thermometer::Thermometer;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Thermometer>()?;
    registry.register::<LinearEncoder>()?;
    registry.register::<RotaryEncoder>()
}
