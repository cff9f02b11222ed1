//! The studies of `examples/auv-navigation`, with the figures that they are there for.

mod figure_10;
mod ideal;
mod kalman;
mod other_sources;
mod studies;
#[path = "../study/mod.rs"]
mod study;
