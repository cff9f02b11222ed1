//! MAVLink 2 for components: messages on a stream of bytes, missions, a ground station.
//!
//! | type | is |
//! |---|---|
//! | `mavlink.ground-station` | a ground station for one vehicle or many, over UDP and serial lines |
//!
//! [`simulator`] has the messages by which a simulator is the world of an autopilot.
//!
//! The dialect is `common`, read and written by the crate `mavlink`.

mod exchange;
mod mission;
mod modes;
pub mod simulator;
mod station;
mod stream;
mod vehicle;

use ironbird_component::{Registry, RegistryError};

pub use mavlink::MavHeader;
pub use mission::Plan;
pub use modes::{MODES, Mode, Modes};
pub use station::{
    Altitude, Answer, Failure, ForVehicle, MessageRate, Offset, Spot, StatusText, Verdict,
    mac_address,
};
pub use stream::{MavMessage, StreamCounts, StreamParser, encode};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(station::StationType::new()))
}
