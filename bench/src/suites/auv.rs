//! Underwater navigation: 20 km straight ahead at 5 m/s with ideal sensors, everything at 1 kHz, in the
//! local level frame on a flat Earth. Figures are simulated seconds in a second: how much faster than
//! real time. (The paper of NAVIDRO has 85 on its machine.)

use crate::ours_auv;
use crate::peers::hand_written;
use crate::row::{Figure, Row, always_there};

const SECONDS: u64 = 4_000;

/// Without a recording, and with the estimated position recorded at 1 kHz.
pub fn rows() -> Vec<Row> {
    let row = |name, recorded| Row {
        name,
        peer: "hand-written",
        missing: always_there,
        figure: Figure::PerSecond("simulated second"),
        ours: ours_auv::straight(recorded),
        theirs: hand_written::straight(SECONDS),
    };
    vec![row("straight-20km", false), row("straight-20km-recorded", true)]
}
