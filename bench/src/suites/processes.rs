//! Processes that tell each other the time over SimBricks' channels, latency and interval 500 ns, no payload: two with a core
//! each, and more than there are cores. Medians count, as fast and slow neighbours of a core change by themselves.

use crate::ours_processes as ours;
use crate::peers::spin_c;
use crate::row::{Figure, Row};

/// Two, three and eight processes in a star.
pub fn rows() -> Vec<Row> {
    let star = |name, count| Row {
        name,
        peer: "spin-c",
        missing: spin_c::missing,
        figure: Figure::PerSecondAtMedian("step"),
        ours: ours::processes(count),
        theirs: spin_c::spinning(count),
    };
    vec![star("two-500ns", 2), star("three-on-two", 3), star("eight-on-two", 8)]
}
