//! Random systems: a generator, models described by plain data, and the kernel's graph of them.
#![allow(dead_code, unused_imports)] // Each test that includes this uses a part of it.

pub mod acting;
pub mod adapter;
pub mod behaviour;
pub mod generate;
pub mod knobs;
pub mod plan;
pub mod runs;
pub mod surroundings;

pub use acting::kernel_action;
pub use adapter::build;
pub use generate::generate;
pub use knobs::{Knobs, knobs};
pub use plan::Plan;
