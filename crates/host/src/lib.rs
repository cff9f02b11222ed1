//! A simulated computer that runs firmware: processor, memory, peripherals.
//!
//! ```text
//!  firmware.elf ──► Memory ◄──► Processor ◄──► Peripherals ◄──► chips, lines, pins, frames
//!                  flash, RAM   RV32IMAFC      one clock         ports of the component `computer`
//! ```

pub mod clock;
pub mod computer;
pub mod cpu;
pub mod elf;
pub mod gdb;
pub mod line_cache;
pub mod memory;
pub mod peripherals;
pub mod profile;
pub mod symbols;

use ironbird_component::{Registry, RegistryError};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(computer::ComputerType::default()))
}
