//! Quantised-state integration on one thread.

use crate::ours;
use crate::peers::binaryheap;
use crate::row::{Figure, Row};
use ironbird_workloads::timers::Timers;

/// A LIQSS2 step (requantise, update the influenced states, reschedule them) beside one bare hold
/// of a binary heap with 1,024 entries, of which it needs several.
pub fn rows() -> Vec<Row> {
    vec![Row {
        name: "liqss2-step",
        peer: "binaryheap-1024",
        figure: Figure::NanosecondsPer("step"),
        ours: ours::liqss2_steps(),
        theirs: binaryheap::timers(Timers::firing(1_024, 1_024, 500_000)),
    }]
}
