//! Whole drones: firmware on a computer of 168 MHz, chips, a world at 1 kHz, a network, a ground station. Figures are
//! simulated seconds in a second of one core: above 1 is faster than real time, and the slowdown is its inverse. (The
//! thesis has a slowdown of 500 for one drone.)

use crate::ours_full_system::{By, flight, real_time};
use crate::row::{Figure, Row, always_there};

const BUSY: &[&str] = &[concat!(
    "template.drone.parameters.firmware=",
    env!("CARGO_MANIFEST_DIR"),
    "/../firmware/bin/multirotor-busy.elf"
)];

/// One drone that sleeps or spins when it has nothing to do; more of them; two cores.
pub fn rows() -> Vec<Row> {
    let row = |name, file, more| Row {
        name,
        peer: "real time",
        missing: always_there,
        figure: Figure::PerSecond("simulated second"),
        ours: flight(file, more, By::OneCore),
        theirs: real_time(),
    };
    vec![
        row("drone-1", "flight.toml", &[]),
        row("drone-1-busy", "flight.toml", BUSY),
        row("drone-2", "flight-2.toml", &[]),
        row("drone-4", "flight-4.toml", &[]),
        row("drone-8", "flight-8.toml", &[]),
        row("drone-16", "flight-16.toml", &[]),
        row("drone-16-busy", "flight-16.toml", BUSY),
        Row {
            name: "drone-16-two-cores",
            peer: "one core",
            missing: always_there,
            figure: Figure::PerSecond("simulated second"),
            ours: flight("flight-16.toml", &[], By::Wall(2)),
            theirs: flight("flight-16.toml", &[], By::Wall(1)),
        },
    ]
}
