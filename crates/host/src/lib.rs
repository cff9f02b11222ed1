//! A simulated computer that runs firmware: processor, memory, peripherals.

pub mod cpu;
pub mod elf;
pub mod line_cache;
pub mod memory;
pub mod profile;
pub mod symbols;
