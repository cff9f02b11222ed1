//! Short runs of which only some numbers matter: nothing is recorded or judged, no thread is started.
//!
//! For studies that run one system many times, as a comparison with a log or a fit does.

use std::sync::{Arc, Mutex, PoisonError};

use ironbird_component::Registry;
use ironbird_experiment::Experiment;
use ironbird_experiment::checked::{PortAt, Recorded, Signal};
use ironbird_kernel::{Batch, Duration, Leaf, Outcome, Rate, Sampling, Sink, Time};
use ironbird_record::continuous::TRAJECTORY;

use crate::interrupt::Interrupt;
use crate::outcomes::Ending;
use crate::prepare::{Prepared, prepare};
use crate::programs::ProgramError;
use crate::requirements::number;
use crate::run::{How, Job, RunError};

/// What was seen.
#[derive(Clone, Debug)]
pub struct Watched {
    /// For each signal its numbers at every tick from the start, in its own unit.
    pub numbers: Vec<Vec<f64>>,
    /// How the run ended.
    pub ending: Ending,
    /// When.
    pub at: Time,
}

/// Runs the first scenario of an experiment from its start until `end` and takes these signals, single
/// numbers all, at every tick of a rate.
pub fn watch(
    mut experiment: Experiment,
    registry: &Registry,
    signals: &[Signal],
    rate: Rate,
    end: Time,
) -> Result<Watched, RunError> {
    if let Some(scenario) = experiment.scenarios.first_mut() {
        let sampling = Sampling::Every(rate);
        let ports = signals.iter().map(|signal| signal.port.clone());
        let place = |port: &PortAt| experiment.components[port.component].place.clone();
        let record = |port| Recorded { place: place(&port), port, sampling };
        scenario.records = ports.map(record).collect();
        scenario.requirements.clear();
    }
    let how = How { until: Some(end), ..How::default() };
    let (experiment, scenario) = (Arc::new(experiment), 0);
    let job = Job { experiment, registry, scenario, repetition: 0, how };
    if !job.experiment.programs.list.is_empty() {
        return Err(ProgramError::NoHost.into());
    }
    let Prepared { mut simulation, taps, wiring, end, .. } =
        prepare(&job, &Interrupt::default(), None, None)?;
    let feeds = signals.iter().enumerate().filter_map(|(number, signal)| {
        let (tap, schema) = taps.sampled(&wiring, &signal.port, rate)?;
        let leaf = schema.leaves().into_iter().nth(signal.leaves.0);
        Some(Feed { tap, number, leaf: leaf.filter(|_| !signal.continuous) })
    });
    let numbers = Mutex::new(vec![Vec::new(); signals.len()]);
    let sink = Arc::new(Collector { feeds: feeds.collect(), numbers });
    simulation.observe(taps.taps.clone(), sink.clone()).map_err(crate::BuildError::Kernel)?;
    // The last instant belongs to the run.
    let outcome = simulation.run_until(end + Duration::from_ps(1))?;
    let reached = simulation.now().min(end);
    drop(simulation);
    let numbers = std::mem::take(&mut *sink.numbers.lock().unwrap_or_else(PoisonError::into_inner));
    let (ending, at) = match outcome {
        Outcome::Faulted(fault) => {
            let at = fault.at();
            (Ending::Faulted(fault), at)
        }
        Outcome::Stopped { at, .. } => (Ending::Stopped("a stop condition".into()), at),
        _ => (Ending::Finished, reached),
    };
    Ok(Watched { numbers, ending, at })
}

/// A tap, the signal that it shows, and where in its bytes the number lies; nowhere for a trajectory.
struct Feed {
    tap: u32,
    number: usize,
    leaf: Option<Leaf>,
}

struct Collector {
    feeds: Vec<Feed>,
    numbers: Mutex<Vec<Vec<f64>>>,
}

impl Sink for Collector {
    fn take(&self, _: usize, _: usize, batch: Batch, _: Time) {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        for (time, tap, bytes) in batch.iter() {
            for feed in self.feeds.iter().filter(|feed| feed.tap == tap) {
                let seen = match &feed.leaf {
                    Some(leaf) => number(bytes, leaf),
                    None => (TRAJECTORY.evaluate)(bytes, time),
                };
                numbers[feed.number].push(seen);
            }
        }
    }
}
