//! Buses, and register-accurate chips on them.

mod bus;
mod pulse;
mod serial;

pub use bus::{BusReply, BusRequest};
pub use pulse::Pulse;
pub use serial::SerialByte;
