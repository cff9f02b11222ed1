//! Buses, and register-accurate chips on them.
//!
//! A chip is a [`Device`]: a state that reacts to its host, to the physical world and to time, and knows nothing of
//! simulation. [`Wired`] makes a component of it. A new chip is one file that implements the trait, and one line where
//! types are registered:
//!
//! ```
//! use ironbird_component::{Parameters, Registry};
//! use ironbird_devices::{
//!     Answer, BusKind, Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity,
//!     SerialByte, Shown, Transfer, Wired,
//! };
//! use ironbird_kernel::{Duration, Time};
//! use serde::{Deserialize, Serialize};
//!
//! /// What can be set of a TMP102.
//! #[derive(Parameters)]
//! struct Tmp102Parameters {
//!     /// Its address.
//!     #[parameter(default = 0x48, min = 0x48, max = 0x4B, fixed)]
//!     chip: u8,
//!     #[group]
//!     fault: Fault,
//! }
//!
//! impl DeviceParameters for Tmp102Parameters {
//!     fn fault(&self) -> &Fault {
//!         &self.fault
//!     }
//!     fn factor(&self, quantity: Quantity, _: usize) -> u32 {
//!         quantity.metric().factor()
//!     }
//!     fn bus(&self) -> BusKind {
//!         BusKind::I2c
//!     }
//! }
//!
//! /// A thermometer: register 0 holds twelve bits of 1/16 °C, new ones every 250 ms.
//! #[derive(Default, Serialize, Deserialize)]
//! struct Tmp102 {
//!     kelvin: f64,
//!     word: i16,
//!     next: Time,
//! }
//!
//! impl Device for Tmp102 {
//!     type Parameters = Tmp102Parameters;
//!     const TYPE: &'static str = "device.tmp102";
//!     const DOC: &'static str = "A thermometer on I2C.";
//!     const LINE: Line = Line::Bus;
//!     const MEASURES: &'static [Quantity] = &[Quantity::Temperature];
//!     const SHOWS: &'static [Shown] = &[];
//!     const FAULTS: &'static [FaultMode] = &[FaultMode::Dead, FaultMode::Stuck];
//!
//!     fn start(&mut self, moment: &mut Moment<'_, Tmp102Parameters>) {
//!         self.next = moment.now + Duration::from_ms(250);
//!     }
//!
//!     fn reading(&mut self, _: &mut Moment<'_, Tmp102Parameters>, _: Quantity, values: [f64; 3]) {
//!         self.kelvin = values[0];
//!     }
//!
//!     fn transfer(
//!         &mut self,
//!         moment: &mut Moment<'_, Tmp102Parameters>,
//!         transfer: &Transfer<'_>,
//!         read: &mut Vec<u8>,
//!     ) -> Answer {
//!         if transfer.chip != moment.parameters.chip {
//!             return Answer::NotMeant;
//!         }
//!         let bytes = self.word.to_be_bytes();
//!         read.extend(bytes.iter().cycle().take(transfer.read));
//!         Answer::Taken
//!     }
//!
//!     fn next_event(&self) -> Time {
//!         self.next
//!     }
//!
//!     fn act(&mut self, moment: &mut Moment<'_, Tmp102Parameters>) -> Option<SerialByte> {
//!         self.next = moment.now + Duration::from_ms(250);
//!         if !moment.has(FaultMode::Stuck) {
//!             self.word = ((self.kelvin - 273.15) * 16.0).round() as i16 * 16;
//!         }
//!         None
//!     }
//! }
//!
//! let mut registry = Registry::with_builtin();
//! registry.register::<Wired<Tmp102>>()?;
//! # Ok::<(), ironbird_component::RegistryError>(())
//! ```

mod ak8963;
mod bus;
mod device;
mod esc;
mod gnss;
mod mounting;
mod mpu9250;
mod ms5611;
mod pca9685;
mod pulse;
mod serial;
mod servo;
mod throttle;

pub use ak8963::{Ak8963, Ak8963Factors, Ak8963Parameters, MagnetometerParameters};
pub use bus::{BusReply, BusRequest, I2C_ADDRESSING, bit_time, i2c_bits};
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
pub use pca9685::{Pca9685, Pca9685Parameters};
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
    registry.register::<Wired<Pca9685>>()?;
    registry.register::<Wired<Esc>>()?;
    registry.register::<Wired<Servo>>()
}
