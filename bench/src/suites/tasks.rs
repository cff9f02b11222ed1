//! Schedules of control computers and their simulation. Ours makes the real schedule, the guider of it and the
//! schedule of the simulation computer under policy Ours, all without repeating what repeats; SimSo makes the
//! real schedule only.

use crate::ours_tasks as ours;
use crate::peers::simso;
use crate::row::{Figure, Row, always_there};

/// Twenty hyper-periods of one ECU in microseconds: 5280 jobs.
const HORIZON: u64 = 20_000_000;

/// One ECU beside SimSo; ROS 2 executors and bigger systems beside that one ECU; studies.
pub fn rows() -> Vec<Row> {
    let bigger = |name, (ecus, cores), horizon, times| Row {
        name,
        peer: "one-ecu",
        missing: always_there,
        figure: Figure::PerSecond("job"),
        ours: ours::jobs(move || ours::chains(ecus, cores), horizon, times),
        theirs: ours::jobs(ours::one_ecu, HORIZON, 100),
    };
    vec![
        Row {
            name: "jobs",
            peer: "simso",
            missing: simso::missing,
            figure: Figure::PerSecond("job"),
            ours: ours::jobs(ours::one_ecu, HORIZON, 100),
            theirs: simso::jobs(HORIZON),
        },
        bigger("jobs-10-executors", (10, 1), 2_000_000, 100),
        bigger("jobs-100-ecus-8-cores", (100, 8), 1_000_000, 20),
        Row {
            name: "study",
            peer: "one-thread",
            missing: always_there,
            figure: Figure::PerSecond("workload point"),
            ours: ours::study(0),
            theirs: ours::study(1),
        },
    ]
}
