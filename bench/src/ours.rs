//! Our side of every row. TO BE FILLED IN: a function that returns `None` stands for what our
//! engine cannot do yet, and its rows print the peer's figure alone. When the last `None` is gone,
//! make `Row::ours` a plain `Side` and drop the `Option` here and in `row.rs` and `measure.rs`.
//!
//! A side builds its model, then measures the run alone with the clock its peers use
//! (`measure::by_thread_cpu_time`, or `by_wall_time` for several threads), and asserts what is
//! known beforehand: `Devstone::tally`, `Timers::firings`.

use crate::instructions::Workload;
use crate::row::Side;
use ironbird_workloads::devstone::Devstone;
use ironbird_workloads::timers::Timers;

/// Runs of a DEVStone model: transitions by CPU time.
pub fn devstone(_model: Devstone) -> Option<Side> {
    None
}

/// Live heap bytes of a DEVStone model that was built and has not run.
pub fn devstone_built_memory(_model: Devstone) -> Option<Side> {
    None
}

/// Live heap bytes of a DEVStone model after its run.
pub fn devstone_memory_after_run(_model: Devstone) -> Option<Side> {
    None
}

/// Runs of a population of timers: firings by CPU time.
pub fn timers(_timers: Timers) -> Option<Side> {
    None
}

/// LIQSS2 steps of the advection-reaction problem by CPU time.
pub fn liqss2_steps() -> Option<Side> {
    None
}

/// Synchronisations of two partitions by wall time.
pub fn synchronisations() -> Option<Side> {
    None
}

/// The workload whose instructions are counted beside those of the peer of `row`.
pub fn workload(_row: &str) -> Option<Workload> {
    None
}
