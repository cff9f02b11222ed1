//! A study of six components (`examples/processes`), with a profile and without.

use std::path::Path;
use std::sync::Arc;

use ironbird_experiment::open;
use ironbird_kernel::Profiling;
use ironbird_runner::{How, Interrupt, Job, run};

use crate::measure::by_process_cpu_time;
use crate::row::Side;

/// Simulated seconds of the study on one thread, with these values set, by the CPU time of the process; its
/// recording is hashed and not written.
pub fn study(sets: &'static [&'static str], profile: Profiling) -> Side {
    Box::new(move || {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/processes/network.toml");
        let registry = ironbird::registry().expect("the names of the types are free");
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let opened = open(Path::new(file), &sets, &registry);
        let (experiment, _) = opened.expect("the experiment is well formed");
        let experiment = Arc::new(experiment);
        let how = How { profile, ..How::default() };
        let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
        by_process_cpu_time(|| {
            let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
            assert_eq!(outcomes.profile.is_empty(), profile == Profiling::Off);
            outcomes.at.as_ps() / 1_000_000_000_000
        })
    })
}
