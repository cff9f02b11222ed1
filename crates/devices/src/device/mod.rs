//! What every chip is: a state that reacts to its host, to the physical world and to time.
//!
//! ```text
//!   host                       chip                        physical world
//!   transfers on a bus  ──►  transfer                reading  ◄──  signals, rounded
//!   bytes, pulses       ──►  byte, pulse             show     ──►  what an actuator does
//!   answers, bytes      ◄──  transfer, act
//!                            next_event, act: what it does by itself
//! ```
//!
//! It is the interface of Mohr's thesis (Listing 6) without the messages: a chip knows neither the kernel nor any
//! simulator, only time and random numbers. [`Wired`] makes a component of it.

mod fault;
mod quantity;
mod wired;

pub use fault::{Fault, FaultMode};
pub use quantity::Quantity;
pub use wired::Wired;

use ironbird_component::Parameters;
use ironbird_kernel::{RandomStream, Time};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Pulse, SerialByte};

/// A chip.
pub trait Device: Default + Serialize + DeserializeOwned + Send + 'static {
    /// What can be set of it.
    type Parameters: DeviceParameters;

    /// The name of the component type.
    const TYPE: &'static str;

    /// What the component type says of itself.
    const DOC: &'static str;

    /// What joins it to its host.
    const LINE: Line;

    /// What it measures: its inputs.
    const MEASURES: &'static [Quantity];

    /// What it shows: its outputs, beside what goes over the line.
    const SHOWS: &'static [Shown];

    /// The faults that it can have.
    const FAULTS: &'static [FaultMode];

    /// On how many lines it sends pulses: `channel[0]` and so on.
    const PULSES: usize = 0;

    /// Power is switched on.
    fn start(&mut self, moment: &mut Moment<'_, Self::Parameters>);

    /// The physical world has a new value; numbers beyond those of the quantity are 0.
    fn reading(
        &mut self,
        moment: &mut Moment<'_, Self::Parameters>,
        quantity: Quantity,
        values: [f64; 3],
    ) {
        let _ = (moment, quantity, values);
    }

    /// The host has a transfer for some chip on the bus. What is read is appended to `read`.
    fn transfer(
        &mut self,
        moment: &mut Moment<'_, Self::Parameters>,
        transfer: &Transfer<'_>,
        read: &mut Vec<u8>,
    ) -> Answer {
        let _ = (moment, transfer, read);
        Answer::NotMeant
    }

    /// The host sent a byte.
    fn byte(&mut self, moment: &mut Moment<'_, Self::Parameters>, byte: SerialByte) {
        let _ = (moment, byte);
    }

    /// The host sent a pulse.
    fn pulse(&mut self, moment: &mut Moment<'_, Self::Parameters>, pulse: Pulse) {
        let _ = (moment, pulse);
    }

    /// When it wants to act by itself; [`Time::NEVER`] if it only reacts.
    fn next_event(&self) -> Time;

    /// When something outside could notice by itself that it acted. What it does before that is done when somebody looks.
    fn next_visible_event(&self) -> Time {
        self.next_event()
    }

    /// It is that time. A chip on a serial line may send a byte.
    fn act(&mut self, moment: &mut Moment<'_, Self::Parameters>) -> Option<SerialByte>;

    /// Pulses that have ended just now, and their lines. Taken after each [`Device::act`].
    fn take_pulses(&mut self) -> Vec<(usize, Pulse)> {
        Vec::new()
    }

    /// The value of an output; a flag is 0 or 1. An actuator that is stuck is not asked.
    fn show(&self, parameters: &Self::Parameters, fault: FaultMode, output: usize) -> f64 {
        let _ = (parameters, fault, output);
        0.0
    }
}

/// What the adapter needs to know of the parameters of a chip.
pub trait DeviceParameters: Parameters + Send + 'static {
    /// What is wrong with it.
    fn fault(&self) -> &Fault;

    /// What a quantity is multiplied by before it is rounded to a whole number of 32 bits; 0: it is not rounded.
    fn factor(&self, quantity: Quantity, part: usize) -> u32;

    /// Whether it is on SPI or I2C.
    fn bus(&self) -> BusKind {
        BusKind::Spi
    }

    /// Whether the parameters fit each other.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// An instant in which something happens to a chip.
pub struct Moment<'a, P> {
    /// The instant.
    pub now: Time,
    /// What is set.
    pub parameters: &'a P,
    /// Random numbers of the chip.
    pub random: &'a mut RandomStream,
    /// The fault that it has now.
    pub fault: FaultMode,
}

impl<P: DeviceParameters> Moment<'_, P> {
    /// By how much noise is larger than usual.
    pub fn noise_factor(&self) -> f64 {
        match self.fault {
            FaultMode::Noise => self.parameters.fault().noise,
            _ => 1.0,
        }
    }

    /// Whether it has this fault now.
    pub fn has(&self, fault: FaultMode) -> bool {
        self.fault == fault
    }
}

/// What joins a chip to its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// SPI or I2C.
    Bus,
    /// A serial line, both ways.
    Serial,
    /// Pulses.
    Pulses,
}

/// A kind of bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ironbird_component::Choice)]
pub enum BusKind {
    /// A select line for every chip.
    #[default]
    Spi,
    /// An address for every chip.
    #[choice(name = "i2c")]
    I2c,
}

/// A transfer on a bus.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// On what kind of bus.
    pub bus: BusKind,
    /// For whom: the number of a select line, or an address.
    pub chip: u8,
    /// What is written.
    pub written: &'a [u8],
    /// How many bytes are then read (I2C). On SPI, as many as are written come back at the same time.
    pub read: usize,
}

/// Whether a chip takes part in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Another one is meant.
    NotMeant,
    /// It does not acknowledge.
    Refused,
    /// It acknowledges.
    Taken,
}

/// An output of a chip.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Its name.
    pub name: &'static str,
    /// Its unit; none where it is a flag.
    pub unit: Option<&'static str>,
    /// What it means.
    pub doc: &'static str,
}
