//! Event-driven models on one thread, in the two regimes that matter: DEVStone, where most models
//! are active at once, and independent timers, where one in N is.

use crate::ours;
use crate::peers::{binaryheap, nexosim, xdevs};
use crate::row::{Figure, Row, Side, always_there};
use ironbird_workloads::devstone::{Devstone, Wiring};
use ironbird_workloads::timers::Timers;

pub fn rows() -> Vec<Row> {
    let mut rows = devstone_rows();
    rows.extend(memory_rows());
    for (name, count) in
        [("timers-1000", 1_000), ("timers-10000", 10_000), ("timers-100000", 100_000)]
    {
        rows.extend(timer_rows(name, count));
    }
    rows.extend(super::parallel::rows());
    rows
}

fn devstone_rows() -> Vec<Row> {
    let row = |name, model| Row {
        name,
        peer: "xdevs",
        missing: always_there,
        figure: Figure::PerSecond("transition"),
        ours: ours::devstone(model),
        theirs: xdevs::devstone(model),
    };
    vec![
        row("devstone-li-200", Devstone::square(Wiring::Li, 200)),
        row("devstone-hi-200", Devstone::square(Wiring::Hi, 200)),
        row("devstone-ho-200", Devstone::square(Wiring::Ho, 200)),
        row("devstone-homod-20", Devstone::square(Wiring::HoMod, 20)),
    ]
}

fn memory_rows() -> [Row; 2] {
    let model = Devstone::square(Wiring::Hi, 200);
    let row = |name, ours, theirs| Row {
        name,
        peer: "xdevs",
        missing: always_there,
        figure: Figure::BytesPer("atomic"),
        ours,
        theirs,
    };
    [
        row(
            "devstone-hi-200-memory",
            ours::devstone_built_memory(model),
            xdevs::built_memory(model),
        ),
        row(
            "devstone-hi-200-memory-after-run",
            ours::devstone_memory_after_run(model),
            xdevs::memory_after_run(model),
        ),
    ]
}

/// The same timers against three peers, one of them in two settings. Ours and the heap fire half a million times; a peer fires
/// as often as gives it some tenths of a second. The warm-up lets each timer fire once, except at
/// xDEVS, which visits every timer at every event and is warm after the first.
fn timer_rows(name: &'static str, count: u32) -> [Row; 4] {
    let once_each = u64::from(count);
    let many = Timers::firing(count, once_each, 500_000);
    let row = |peer, theirs: Side| Row {
        name,
        peer,
        missing: always_there,
        figure: Figure::PerSecond("event"),
        ours: ours::timers(many),
        theirs,
    };
    let few = 40_000_000 / once_each;
    [
        row("xdevs", xdevs::timers(Timers::firing(count, few / 10, few))),
        row("nexosim", nexosim::timers(Timers::firing(count, once_each, 200_000))),
        row("nexosim-mailbox-1", nexosim::tuned_timers(Timers::firing(count, once_each, 200_000))),
        row("binaryheap", binaryheap::timers(many)),
    ]
}
