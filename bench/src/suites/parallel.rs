//! What threads that wait for each other cost, by the clock on the wall.

use crate::ours;
use crate::peers::barrier;
use crate::row::{Figure, Row, Side};

/// Two partitions that exchange a promise at every step, beside the barest ways for two threads to
/// meet.
pub fn rows() -> Vec<Row> {
    let row = |peer, theirs: Side| Row {
        name: "synchronisations-2p",
        peer,
        figure: Figure::PerSecond("crossing"),
        ours: ours::synchronisations(),
        theirs,
    };
    vec![row("std-barrier", barrier::standard()), row("spin-barrier", barrier::spinning())]
}
