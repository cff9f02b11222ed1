//! The simulator links of autopilots, where they need a translation.

pub mod betaflight;
pub mod msp;
pub mod pilot;
