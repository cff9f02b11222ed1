//! What threads that wait for each other cost, by the clock on the wall.

use ironbird_kernel::Duration;
use ironbird_workloads::phold::Phold;

use crate::ours;
use crate::peers::barrier;
use crate::row::{Figure, Row, Side, always_there};

/// Two partitions with 50 us of work in every window, beside one that does all of it; and two that
/// only exchange promises, beside the barest ways for two threads to meet.
pub fn rows() -> Vec<Row> {
    let mut rows = vec![Row {
        name: "phold-2p",
        peer: "one-partition",
        missing: always_there,
        figure: Figure::PerSecond("visit"),
        ours: ours::phold(WORKING, 2_000, 2),
        theirs: ours::phold(WORKING, 2_000, 1),
    }];
    let row = |peer, theirs: Side| Row {
        name: "synchronisations-2p",
        peer,
        missing: always_there,
        figure: Figure::PerSecond("crossing"),
        ours: ours::synchronisations(IDLE, 1_000_000),
        theirs,
    };
    rows.extend([
        row("std-barrier", barrier::standard()),
        row("spin-barrier", barrier::spinning()),
    ]);
    rows
}

/// Eight places in each half with sixteen jobs each; every window a half works some 50 us, the
/// more evenly the more jobs there are.
const WORKING: Phold =
    Phold { places: 8, jobs: 16, latency: Duration::from_us(10), remote_percent: 25, work: 220 };

/// One place in each half that exchange one job each: a window is little more than a promise.
const IDLE: Phold =
    Phold { places: 1, jobs: 1, latency: Duration::from_us(10), remote_percent: 100, work: 0 };
