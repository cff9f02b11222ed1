//! Ethernet frames, links, switches and radios.
//!
//! | type | is |
//! |---|---|
//! | [`network.link`](Link) | a cable between two |
//! | `network.switch` | a learning switch with many ports |
//! | `network.radio` | a radio that stations share, with a range |
//! | [`network.serial-radio`](SerialRadio) | a pair of telemetry radios between serial lines |
//!
//! ```text
//! computer ──a [link] b── port[0] [switch] port[1] ──a [link] b── ground station
//! ```

mod frame;
mod held;
mod link;
mod propagation;
mod radio;
mod serial_radio;
mod switch;
mod transmitter;
mod turns;
pub mod udp;
mod wire;

use ironbird_component::{Registry, RegistryError};

pub use frame::EthernetFrame;
pub use link::Link;
pub use propagation::Propagation;
pub use serial_radio::SerialRadio;
pub use transmitter::Queue;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Link>()?;
    registry.register::<SerialRadio>()?;
    registry.register_type(Box::new(radio::RadioType::new()))?;
    registry.register_type(Box::new(switch::SwitchType::new()))
}
