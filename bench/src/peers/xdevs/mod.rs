//! xDEVS (`xdevs` 0.4.0, LGPL-3.0), a parallel DEVS engine in Rust, on one thread. It has no event
//! queue: every step visits every child of every active coupled model.

mod counted;
mod devstone;
mod timers;

pub use devstone::{built_memory, devstone, devstone_workload, memory_after_run};
pub use timers::timers;
