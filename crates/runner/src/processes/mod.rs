//! A run in several processes: the first starts the others, each builds the same system and advances a part of it.
//!
//! ```text
//! ironbird run --processes 3                      [process 1] ironbird run ... --member 1/3/...
//!   builds, advances partition 0    <-- links -->   builds, advances partition 1
//!   records, judges, shows          <-- links -->   [process 2] ...
//! ```
//!
//! The others may also be there already, as the ranks of an MPI job are (`ranks`).
//!
//! Nothing of this changes a result: what a partition does depends on what arrives, and when in simulated time.

mod children;
mod ranks;
mod shared_memory;
mod signs_of_life;

use std::sync::Arc;

use ironbird_experiment::checked::{Act, Scenario};
use ironbird_kernel::{Batch, Fault, Outcome, Simulation, Sink, Span, Time};
use ironbird_record::{RecordingThread, RunResult};

pub(crate) use children::Children;
pub use children::{Launch, LaunchError, Place};
pub use ranks::{Company, Met, Ranks, Word};
pub use signs_of_life::SignsOfLife;

use crate::build::BuildError;
use crate::interrupt::{Interrupt, LastResort};
use crate::prepare::{Prepared, prepare};
use crate::run::{Job, RunError};

/// What is seen in this process goes to the first one.
struct Elsewhere;

impl Sink for Elsewhere {
    fn take(&self, _: usize, _: usize, _: Batch, _: Time) {}
}

/// Runs a job as another process than the first: advances its partition until the first one dismisses it.
///
/// # Errors
/// If the processes do not come together, or the system cannot be built.
pub fn serve(job: &Job<'_>, place: &Place) -> Result<(), RunError> {
    let carrier = place.join().inspect_err(|_| place.give_up())?;
    let carrier = Box::new(carrier);
    let span = Span { number: place.number, count: place.count, carrier };
    // The same calls as those of the first process, in the same order.
    let prepared = prepare(job, &Interrupt::default(), Some(span), job.how.links.as_ref());
    let Prepared { mut simulation, taps, .. } = prepared.inspect_err(|_| place.give_up())?;
    place.all_are_joined();
    simulation.observe(taps.taps.clone(), Arc::new(Elsewhere)).map_err(BuildError::Kernel)?;
    simulation.follow()?;
    Ok(())
}

/// Runs a job as another rank than the first: advances its partition until the first one dismisses it. How it ended;
/// an interruption of this rank ends it for all.
///
/// # Errors
/// If the system cannot be built.
pub fn serve_among(job: &Job<'_>, company: &mut Company<'_>) -> Result<Outcome, RunError> {
    refuse_coming_and_going(&job.experiment.scenarios[job.scenario])?;
    let span = company.span();
    let Prepared { mut simulation, taps, .. } =
        prepare(job, &Interrupt::default(), Some(span), None)?;
    simulation.observe(taps.taps.clone(), Arc::new(Elsewhere)).map_err(BuildError::Kernel)?;
    company.interrupt().watch(simulation.pause_handle());
    let outcome = simulation.follow();
    company.interrupt().let_go();
    Ok(outcome?)
}

/// Processes build their parts of the system once.
pub(crate) fn refuse_coming_and_going(scenario: &Scenario) -> Result<(), BuildError> {
    match coming_and_going(scenario) {
        None => Ok(()),
        Some((what, component, at)) => Err(BuildError::NotInProcesses { what, component, at }),
    }
}

/// What is done first to a component that comes or goes in the course of a scenario, to which one, and when.
pub(crate) fn coming_and_going(scenario: &Scenario) -> Option<(&'static str, String, Time)> {
    scenario.actions.iter().find_map(|timed| {
        timed.acts.iter().find_map(|act| match act {
            Act::Spawn(path) => Some(("spawn", path.clone(), timed.at)),
            Act::Remove(path) => Some(("remove", path.clone(), timed.at)),
            _ => None,
        })
    })
}

/// Says of a process that was lost how it ended, and what it was to advance.
pub(crate) fn name_the_lost(
    fault: &mut Fault,
    simulation: Option<&Simulation>,
    children: Option<&mut Children>,
) {
    let Fault::ProcessLost { process, reason, .. } = fault else { return };
    if let Some((number, how)) = children.and_then(|children| children.culprit(Some(*process))) {
        (*process, *reason) = (number, how);
    }
    let advanced = simulation.map(|simulation| simulation.components_of(*process));
    reason.push_str(&what_it_advanced(&advanced.unwrap_or_default()));
}

fn what_it_advanced(components: &[String]) -> String {
    if components.is_empty() {
        return String::new();
    }
    let few = components.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = components.len().saturating_sub(5);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("; it advanced {few}{more}")
}

/// What can be done for a run whose thread does not come back; see [`Interrupt::abandon`].
pub(crate) fn last_resort(
    simulation: &Simulation,
    count: usize,
    thread: Arc<RecordingThread>,
    end: Time,
) -> LastResort {
    let components: Vec<_> = (0..count).map(|number| simulation.components_of(number)).collect();
    Box::new(move |process, what| {
        let lost = match process {
            Some(process) => {
                let advanced = components.get(process).map(Vec::as_slice).unwrap_or_default();
                format!("process {process} {what}{}", what_it_advanced(advanced))
            }
            None => what,
        };
        let result = RunResult { outcome: lost.clone(), until: end, verdicts: Vec::new() };
        match thread.close().and_then(|recorded| recorded.finish(&result)) {
            Ok(()) => format!("{lost}; what was recorded before is kept"),
            Err(error) => format!("{lost}; {error}"),
        }
    })
}
