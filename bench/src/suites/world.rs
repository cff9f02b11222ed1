//! Many quadrotors in one world: 1 kHz, a gyroscope and an accelerometer each, ground contact possible. Ours with a step
//! of fourth order and motors that take time, MuJoCo with Euler's. Beside each other are also 1024 and 16 vehicles, and
//! two threads and one.

use crate::ours_world::{self as ours, Manner};
use crate::peers::mujoco;
use crate::row::{Figure, Row, always_there};

/// Vehicles in the air and on the ground, and their number and islands.
pub fn rows() -> Vec<Row> {
    let beside = |name, count, manner, word| Row {
        name,
        peer: "mujoco",
        missing: mujoco::missing,
        figure: Figure::PerSecond("simulated second"),
        ours: ours::seconds(count, manner),
        theirs: mujoco::quadrotors(count, word),
    };
    let threads = |name, count, manner| Row {
        name,
        peer: "one thread",
        missing: always_there,
        figure: Figure::PerSecond("simulated second"),
        ours: ours::on_threads(count, manner, 2),
        theirs: ours::on_threads(count, manner, 1),
    };
    vec![
        beside("quad-1", 1, Manner::Hover, "hover"),
        beside("quad-4", 4, Manner::Hover, "hover"),
        beside("quad-16", 16, Manner::Hover, "hover"),
        beside("quad-64", 64, Manner::Hover, "hover"),
        beside("quad-16-resting", 16, Manner::Rest, "rest"),
        beside("quad-16-landing", 16, Manner::Land, "land"),
        Row {
            name: "cost of one of 1024",
            peer: "of one of 16",
            missing: always_there,
            figure: Figure::NanosecondsPer("vehicle-step"),
            ours: ours::vehicle_steps(1024),
            theirs: ours::vehicle_steps(16),
        },
        threads("islands-1024", 1024, Manner::Hover),
        threads("islands-64-piloted", 64, Manner::Piloted),
    ]
}
