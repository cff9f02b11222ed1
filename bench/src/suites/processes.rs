//! Processes that tell each other the time over SimBricks' channels, latency and interval 500 ns, no payload: two with a core
//! each, and more than there are cores. Medians count, as fast and slow neighbours of a core change by themselves.

use ironbird_kernel::Profiling;

use crate::ours_processes as ours;
use crate::ours_profile::study;
use crate::peers::spin_c;
use crate::row::{Figure, Row, always_there};

/// The same six components, ten times as often.
const BUSY: &[&str] = &[
    "duration=20s",
    "x.rate=\"5 kHz\"",
    "theta.rate=\"5 kHz\"",
    "controller.rate=\"2.5 kHz\"",
    "amplifier.rate=\"10 kHz\"",
    "lamp.rate=\"500 Hz\"",
];

/// Two, three and eight processes in a star; and a study of six components with a profile and without.
pub fn rows() -> Vec<Row> {
    let star = |name, count| Row {
        name,
        peer: "spin-c",
        missing: spin_c::missing,
        figure: Figure::PerSecondAtMedian("step"),
        ours: ours::processes(count),
        theirs: spin_c::spinning(count),
    };
    // At least 0.97: a profile costs under 3 %.
    let profiled = |name, sets: &'static [&'static str]| Row {
        name,
        peer: "profile-off",
        missing: always_there,
        figure: Figure::PerSecondAtMedian("simulated second"),
        ours: study(sets, Profiling::Shares),
        theirs: study(sets, Profiling::Off),
    };
    vec![
        star("two-500ns", 2),
        star("three-on-two", 3),
        star("eight-on-two", 8),
        profiled("profile-on", &["duration=120s"]),
        profiled("profile-on-busy", BUSY),
    ]
}
