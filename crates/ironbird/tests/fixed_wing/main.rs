//! The studies of `examples/fixed-wing`, with the figures that they are there for.

mod missions;
mod solvers;
#[path = "../study/mod.rs"]
mod study;
mod well_formed;
