//! Other simulators as components of an experiment, each behind a link of SimBricks.
//!
//! ```text
//!   an experiment                                                another process
//!  ┌──────────────────────────────────────────┐                ┌────────────────────────────────┐
//!  │ switch ◄──► simbricks.net ◄──────────────┼── NET ────────►│ a NIC, a switch, gem5's or ours│
//!  │ controller ◄► simbricks.physical-device ◄┼── PHYSICAL ───►│ a physical simulation: MuJoCo  │
//!  │ world ◄─────► simbricks.physical-world ◄─┼── PHYSICAL ───►│ an emulated board              │
//!  └──────────────────────────────────────────┘                └────────────────────────────────┘
//! ```
//!
//! | type | is |
//! |---|---|
//! | `simbricks.net` | an end of an Ethernet: frames in and out |
//! | `simbricks.physical-world` | a device of our world, used by an emulator elsewhere |
//! | `simbricks.physical-device` | a device of a world elsewhere, used by our components |
//!
//! How they keep step with their peers is told in [`linked`]. What a peer does wrong, and that it dies or
//! hangs, is a fault of the component with the name of its link. The bits of a run are those of the peers too, so the
//! types are foreign; and peers cannot be saved, so no checkpoint can be made of an experiment with them.

#![cfg(unix)]

mod line;
pub mod linked;
mod net;
mod parameters;
mod physical;
mod traffic;

use ironbird_component::{Registry, RegistryError};

pub use ironbird_network::EthernetFrame;
pub use traffic::LinkMessage;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(net::NetType::new()))?;
    registry.register_type(Box::new(physical::WorldSideType::new()))?;
    registry.register_type(Box::new(physical::DeviceSideType::new()))
}
