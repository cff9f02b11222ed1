//! A run that people watch: what that costs the thread of the simulation.

use crate::ours_view::swarm;
use crate::row::{Figure, Row, always_there};

/// 64 vehicles, at 30 frames a second, in front of one page and of ten, beside the same run alone.
pub fn rows() -> Vec<Row> {
    let row = |name, pages| Row {
        name,
        peer: "nobody watches",
        missing: always_there,
        figure: Figure::PerSecondAtMedian("simulated second"),
        ours: swarm(pages),
        theirs: swarm(0),
    };
    vec![row("64-vehicles", 1), row("64-vehicles-ten-pages", 10)]
}
