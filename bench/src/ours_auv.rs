//! Our side of the suite `auv`: the experiment file, as a user runs it.

use std::path::Path;
use std::sync::Arc;

use ironbird_experiment::open;
use ironbird_record::{Recording, Status};
use ironbird_runner::{How, Interrupt, Job, run};

use crate::measure::{by_thread_cpu_time, by_wall_time};
use crate::row::{Sample, Side};

/// Runs of the straight mission, on one partition: simulated seconds, without a recording by the CPU
/// time of the thread that makes the steps; with the estimated position recorded at 1 kHz by wall time,
/// from the checked experiment to the finished file.
pub fn straight(recorded: bool) -> Side {
    Box::new(move || {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/auv-navigation");
        let file = folder.join(if recorded {
            "straight-20km-recorded.toml"
        } else {
            "straight-20km.toml"
        });
        let registry = ironbird::registry().expect("all types have names of their own");
        let (experiment, _) = open(&file, &[], &registry).expect("the experiment is well formed");
        let experiment = Arc::new(experiment);
        let scenario = &experiment.scenarios[0];
        let seconds = scenario.duration.as_ps() / 1_000_000_000_000;
        let path = super::ours_experiment::scratch("straight");
        let how = How { recording: recorded.then(|| path.clone()), ..How::default() };
        let job = Job {
            experiment: experiment.clone(),
            registry: &registry,
            scenario: 0,
            repetition: 0,
            how,
        };
        let job = || {
            let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
            let verdicts = &outcomes.verdicts;
            assert!(!verdicts.is_empty() && verdicts.iter().all(|v| v.status == Status::Passed));
            assert_eq!(outcomes.statistics.placement.partitions, 1);
            seconds
        };
        let sample: Sample = if recorded { by_wall_time(job) } else { by_thread_cpu_time(job) };
        if recorded {
            let recording = Recording::open(&path).expect("it was recorded");
            let samples =
                recording.samples("navigation.function.position").expect("it was recorded");
            assert_eq!(samples.len() as u64, seconds * 1000 + 1);
            let _ = std::fs::remove_file(&path);
        }
        sample
    })
}
