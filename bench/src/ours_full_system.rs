//! Our side of the suite `full-system`: whole drones as their experiment files describe them.

use std::path::Path;
use std::sync::Arc;

use ironbird_experiment::open;
use ironbird_kernel::Sharing;
use ironbird_runner::{How, Interrupt, Job, run};

use crate::measure::{by_thread_cpu_time, by_wall_time};
use crate::row::{Sample, Side};

/// Simulated seconds of a flight: it boots, arms its motors and takes off.
const SECONDS: u64 = 15;

/// How a run is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// One partition, by the CPU time of its thread: what one core needs.
    OneCore,
    /// So many partitions, by the clock on the wall.
    Wall(usize),
}

/// Simulated seconds of a study in `examples/quadcopter`, without a recording.
pub fn flight(file: &'static str, more: &'static [&'static str], by: By) -> Side {
    Box::new(move || {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/quadcopter");
        let registry = ironbird::registry().expect("all types have names of their own");
        let mut sets = vec![format!("duration={SECONDS} s")];
        sets.extend(more.iter().map(|set| (*set).to_owned()));
        let opened = open(&folder.join(file), &sets, &registry);
        let (experiment, _) = opened.expect("the experiment is well formed");
        let partitions = match by {
            By::OneCore => 1,
            By::Wall(partitions) => partitions,
        };
        let how = How { partitions, sharing: Sharing::Always, ..How::default() };
        let experiment = Arc::new(experiment);
        let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
        let work = || {
            let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
            assert_eq!(outcomes.statistics.placement.partitions, partitions);
            SECONDS
        };
        match by {
            By::OneCore => by_thread_cpu_time(work),
            By::Wall(_) => by_wall_time(work),
        }
    })
}

/// The clock on the wall: a simulated second takes a second.
pub fn real_time() -> Side {
    Box::new(|| Sample { work: 1.0, cost: 1.0 })
}
