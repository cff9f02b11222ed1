//! Reference workloads whose answers are known beforehand. Tests check the answers, `bench/`
//! measures what they cost.
//!
//! - [`devstone`]: nested coupled models in which most atomics are active at once;
//! - [`chain`]: periodic components in a row, each a few operations;
//! - [`timers`]: independent timers of which one in N is active;
//! - [`continuous`]: differential equations with events, for the solvers;
//! - [`phold`]: partitions that exchange messages, with a settable amount of work.

pub mod chain;
pub mod continuous;
pub mod devstone;
pub mod phold;
pub mod timers;
