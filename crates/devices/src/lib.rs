//! Buses, and register-accurate chips on them.
//!
//! A chip is a [`Device`]: a state that reacts to its host, to the physical world and to time, and knows nothing of
//! simulation. [`Wired`] makes a component of it. A new chip is one file that implements the trait, and one line in
//! [`register`].

mod ak8963;
mod bus;
mod device;
mod esc;
mod gnss;
mod mounting;
mod mpu9250;
mod ms5611;
mod pulse;
mod serial;
mod servo;
mod throttle;

pub use ak8963::{Ak8963, Ak8963Factors, Ak8963Parameters, MagnetometerParameters};
pub use bus::{BusReply, BusRequest};
pub use device::{
    Answer, BusKind, Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Shown,
    Transfer, Wired,
};
pub use esc::{Curve, Esc, EscParameters};
pub use gnss::{Gnss, GnssErrors, GnssFactors, GnssParameters, Solution, Talker};
pub use mounting::{Direction, InertialMounting, MagneticMounting};
pub use mpu9250::{
    AccelerometerParameters, GyroscopeParameters, Mpu9250, Mpu9250Factors, Mpu9250Parameters,
};
pub use ms5611::{Ms5611, Ms5611Factors, Ms5611Parameters};
pub use pulse::Pulse;
pub use serial::SerialByte;
pub use servo::{Servo, ServoParameters};
pub use throttle::{Protocol, PulseRange};

use ironbird_component::{Registry, RegistryError};

/// Registers all chips.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Wired<Ms5611>>()?;
    registry.register::<Wired<Mpu9250>>()?;
    registry.register::<Wired<Ak8963>>()?;
    registry.register::<Wired<Gnss>>()?;
    registry.register::<Wired<Esc>>()?;
    registry.register::<Wired<Servo>>()
}
