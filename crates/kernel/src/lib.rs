//! Virtual time, models, ports, partitions and checkpoints: the engine under Ironbird.

pub mod time;

pub use time::{Duration, Grid, Rate, Time};
