//! Sensors: what they measure, and how wrong they are.
//!
//! | type | measures |
//! |---|---|
//! | [`sensor.thermometer`](Thermometer) | a temperature |
//! | [`sensor.linear-encoder`](LinearEncoder) | a position and its speed, by counting marks |
//! | [`sensor.rotary-encoder`](RotaryEncoder) | an angle and its speed, by counting marks |
//! | [`sensor.gyroscope`](Gyroscope) | an angular velocity |
//! | [`sensor.accelerometer`](Accelerometer) | a specific force |
//! | [`sensor.dvl`](Dvl) | the velocity over ground, while it sees the bottom |
//! | [`sensor.barometer`](Barometer) | the pressure at a depth |
//! | [`sensor.compass`](Compass) | the heading |
//! | [`sensor.gps`](Gps) | position and velocity, above water |
//! | [`sensor.alignment`](InitialAlignment) | where a vehicle believes to be at the start |
//! | [`sensor.log-vector`](LogVector), [`sensor.log-scalar`](LogScalar) | what stands in a [`log`] |
//!
//! All sample a signal at their rate. What they show is a function of that signal, their parameters and
//! their random stream; faults are put on their outputs by the experiment. Those that measure the motion
//! of a vehicle say samples of `ironbird-kinematics` in their own frame, with the errors of [`error`].

mod alignment;
mod barometer;
mod compass;
mod counter;
mod dvl;
mod encoder;
pub mod error;
mod gps;
mod inertial;
mod lag;
pub mod log;
mod thermometer;

use ironbird_component::{Registry, RegistryError};

pub use alignment::{Deviations, InitialAlignment, Offsets};
pub use barometer::Barometer;
pub use compass::Compass;
pub use dvl::Dvl;
pub use encoder::{LinearEncoder, RotaryEncoder};
pub use gps::{Gps, PositionError, VelocityError};
pub use inertial::{Accelerometer, Gyroscope};
pub use log::{LogFrame, LogScalar, LogVector};
pub use thermometer::Thermometer;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Thermometer>()?;
    registry.register::<LinearEncoder>()?;
    registry.register::<RotaryEncoder>()?;
    registry.register::<Gyroscope>()?;
    registry.register::<Accelerometer>()?;
    registry.register::<Dvl>()?;
    registry.register::<Barometer>()?;
    registry.register::<Compass>()?;
    registry.register::<Gps>()?;
    registry.register::<InitialAlignment>()?;
    log::register(registry)
}
