//! The simulated processor, with its timing model on: millions of instructions per second of one core. (gem5's simple
//! processors do 1 to 10.)

use crate::ours_host;
use crate::peers::rvsim_crate;
use crate::row::{Figure, Row, always_there};

/// A long run, and one that is cut every microsecond as by a busy neighbour.
pub fn rows() -> Vec<Row> {
    let row = |name, quantum| Row {
        name,
        peer: "rvsim",
        missing: always_there,
        figure: Figure::PerSecond("instruction"),
        ours: ours_host::instructions(quantum),
        theirs: rvsim_crate::instructions(),
    };
    vec![row("mips", u64::MAX / 2), row("mips-cut-1us", 168)]
}
