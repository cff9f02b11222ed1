//! Random systems: a generator, models described by plain data, and the kernel's graph of them.
#![allow(dead_code, unused_imports)] // Each test that includes this uses a part of it.

pub mod adapter;
pub mod behaviour;
pub mod generate;
pub mod plan;
pub mod runs;

pub use adapter::{build, kernel_action};
pub use generate::{Knobs, generate, knobs};
pub use plan::Plan;
