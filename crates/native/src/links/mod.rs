//! The simulator links of autopilots, where they need a translation.

pub mod ardupilot;
pub mod betaflight;
pub mod ethernet;
mod motors;
pub mod msp;
pub mod pilot;
pub mod px4;
