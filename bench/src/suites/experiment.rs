//! What an experiment adds to its components: steps, timed events and recorded signals.

use crate::ours_experiment::{self, Stream};
use crate::peers::{dyn_loop, mcap_crate, mosaik};
use crate::row::{Figure, Row, always_there};
use ironbird_workloads::chain::Chain;

/// Eight small periodic components at 1 kHz, one timed event and one signal recorded at 10 Hz, from the
/// experiment file to the recording, for some tenths of a second of computing; mosaik, which takes thousands of times longer for a step,
/// makes fewer of them.
pub fn rows() -> Vec<Row> {
    let long = Chain { length: 8, ticks: 4_000_000 };
    let short = Chain { length: 8, ticks: 1_000 };
    let stream = Stream { channels: 20, ticks: 100_000 };
    let row = |peer, missing, theirs| Row {
        name: "chain-8",
        peer,
        missing,
        figure: Figure::PerSecond("step"),
        ours: ours_experiment::chain(long),
        theirs,
    };
    vec![
        row("dyn-loop", always_there as fn() -> _, dyn_loop::chain(long)),
        row("mosaik", mosaik::missing, mosaik::chain(short)),
        Row {
            name: "record-20",
            peer: "mcap-crate",
            missing: always_there,
            figure: Figure::PerSecond("value"),
            ours: ours_experiment::record(stream),
            theirs: mcap_crate::record(stream),
        },
    ]
}
