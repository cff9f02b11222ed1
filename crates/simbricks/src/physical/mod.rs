//! The physical interface: a physical simulation offers the sensors and actuators of devices, hosts use them.
//!
//! ```text
//!   host (emulated chips)                              physics (a world, any simulator)
//!        introduction: device, how many  <---------------->  introduction
//!                                        <----------------   capabilities of every sensor, then of every actuator
//!        configuration of every sensor   ---------------->   poll, or push with a frequency
//!        read requests, actuator writes  ---------------->
//!                                        <----------------   readings
//! ```
//!
//! After G. Mohr, *Modular Full-System Simulation for Cyber-Physical Systems*, 2025, chapters 4 and 5; the bytes are in
//! [`layout::physical`](crate::layout::physical). Everything is in north, east, down and in the body's forward,
//! starboard, down. Numbers travel as whole ones, multiplied by a factor that the physics announces and the host may
//! change ([`fixed_point`]): with the usual factors, altitudes in a position end at 2147 m, latitudes have steps of
//! 0.11 m.
//!
//! [`Physics`] and [`Host`] are the two sides as pure state machines, which turn messages into messages;
//! [`ServedLink`] and [`UsedLink`] drive them over a link.

pub mod fixed_point;
mod host;
mod links;
pub mod metric;
mod physics;

pub use host::{Host, Offered, Reading, Wish};
pub use links::{ServedLink, UsedLink, agree_with_peer, disagreement};
pub use metric::{ActuatorKind, Metric};
pub use physics::{Actuator, Device, Nature, Physics, Sensor, due};

use crate::layout::physical::{Intro, Reason};

/// What two sides of a physical link cannot agree on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the fields are what the messages say
pub enum PhysicalError {
    #[error(
        "the other side speaks of device {}, this one of device {}: connect the right two",
        .there.device, .here.device
    )]
    Device { here: Intro, there: Intro },
    #[error(
        "the other side counts {} sensors and {} actuators, this one {} and {}",
        .there.sensors, .there.actuators, .here.sensors, .here.actuators
    )]
    Counts { here: Intro, there: Intro },
    #[error("a message is about device {found}, but this link is about device {expected}")]
    WrongDevice { expected: u32, found: u32 },
    #[error("there is no {what} {number} of kind {kind:#x} on this device")]
    NoSuch { what: &'static str, number: u32, kind: u32 },
    #[error("sensor {number} cannot be used as wished: {}", because(*.reason, *.limit))]
    Refused { number: u32, reason: Reason, limit: u32 },
    #[error("{what} {number} has the factor 0")]
    NoFactor { what: &'static str, number: u32 },
    #[error("{what} {number} of kind {kind:#x} is announced twice")]
    Twice { what: &'static str, number: u32, kind: u32 },
    #[error("actuator {number} takes values from {least} to {most}, which is no range")]
    Range { number: u32, least: i32, most: i32 },
    #[error("a reading of sensor {number} came before its configuration")]
    TooEarly { number: u32 },
}

fn because(reason: Reason, limit: u32) -> String {
    match reason {
        Reason::NoSuchSensor => "there is no such sensor".into(),
        Reason::Frequency => format!("its frequency must be 1 to {limit} Hz"),
        Reason::NoPush => "it does not push its readings: ask for them".into(),
        Reason::Factor => "its factor cannot be changed to that".into(),
    }
}

/// Whether both sides speak of the same device.
///
/// # Errors
/// What differs.
pub fn agree(here: Intro, there: Intro) -> Result<(), PhysicalError> {
    if here.device != there.device {
        return Err(PhysicalError::Device { here, there });
    }
    if here != there {
        return Err(PhysicalError::Counts { here, there });
    }
    Ok(())
}
