//! The atomics the queue and the doorbell are built from: std's, or under `--cfg loom` those of the
//! model checker, which tries every order in which threads can run and every value a load may return.

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU8, AtomicU32, Ordering, fence};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU8, AtomicU32, Ordering, fence};
