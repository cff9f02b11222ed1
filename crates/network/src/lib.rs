//! Ethernet frames, links, switches and radios.
//!
//! | type | is |
//! |---|---|
//! | [`network.link`](Link) | a cable between two |
//! | `network.switch` | a learning switch with many ports |
//!
//! ```text
//! computer ──a [link] b── port[0] [switch] port[1] ──a [link] b── ground station
//! ```

mod frame;
mod held;
mod link;
mod switch;
mod transmitter;
pub mod udp;
mod wire;

use ironbird_component::{Registry, RegistryError};

pub use frame::EthernetFrame;
pub use link::Link;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Link>()?;
    registry.register_type(Box::new(switch::SwitchType::new()))
}
