//! An unmodified Linux program as the computer of a system, in virtual time.
//!
//! ```text
//!  chips, lines, sockets ◄──► host.native ◄── frames ──► preload library inside the program
//!  ports of the component      runs ahead                 threads, clocks, waits, devices
//! ```
//!
//! The library that is preloaded into the program is the crate `ironbird-native-shim`; its bytes are part of this
//! crate. The program runs on the processor of this machine; what it sees of time, threads, devices and networks comes
//! from the simulation.

mod component;
pub mod inside;
mod launch;
mod links;
mod transport;
mod values;

pub use component::NativeType;
pub use links::ardupilot::ArduPilotJsonLink;
pub use links::betaflight::BetaflightLink;
pub use links::ethernet::NativeEthernet;
pub use links::pilot::AnglePilot;
pub use links::px4::Px4Link;
pub use values::{Datagram, StreamBytes};

use ironbird_component::{Registry, RegistryError};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<BetaflightLink>()?;
    registry.register::<Px4Link>()?;
    registry.register::<ArduPilotJsonLink>()?;
    registry.register::<NativeEthernet>()?;
    registry.register::<AnglePilot>()?;
    registry.register_type(Box::new(NativeType::default()))
}
