//! Unmodified Linux programs in virtual time, with the simulation inside their process, all on one core.

use crate::ours_full_system::real_time;
use crate::ours_native::{flight, missing, missing_betaflight, mission, real_calls, virtual_calls};
use crate::row::{Figure, Row};

const READS: u64 = 20_000_000;
const TRANSFERS: u64 = 200_000;

/// Betaflight in closed loop; ArduCopter, or its stand-in, with all its chips; a read of the clock beside the kernel's
/// own; a transfer on a bus beside real time.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            name: "betaflight",
            peer: "real time",
            missing: missing_betaflight,
            figure: Figure::PerSecond("simulated second"),
            ours: flight("in-process"),
            theirs: real_time(),
        },
        Row {
            name: "betaflight",
            peer: "shared memory",
            missing: missing_betaflight,
            figure: Figure::PerSecond("simulated second"),
            ours: flight("in-process"),
            theirs: flight("memory"),
        },
        Row {
            name: "ardupilot",
            peer: "real time",
            missing,
            figure: Figure::PerSecond("simulated second"),
            ours: mission(),
            theirs: real_time(),
        },
        Row {
            name: "call",
            peer: "the kernel",
            missing,
            figure: Figure::NanosecondsPer("clock read"),
            ours: virtual_calls("clock", READS),
            theirs: real_calls("clock", READS),
        },
        Row {
            name: "bus",
            peer: "the wire",
            missing,
            figure: Figure::NanosecondsPer("transfer"),
            ours: virtual_calls("chip", TRANSFERS),
            theirs: wire(),
        },
    ]
}

/// The transfer itself: three bytes at 10 MHz, and 2 us to select the chip.
fn wire() -> crate::row::Side {
    Box::new(|| crate::row::Sample { work: 1.0, cost: 4.4e-6 })
}
