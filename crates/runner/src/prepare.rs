//! From a job to a system that is ready to run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use ironbird_component::Kind;
use ironbird_experiment::Experiment;
use ironbird_experiment::checked::{self, Component};
use ironbird_kernel::{
    BuildError as KernelError, GraphError, Options, Placement, Profiling, Seed, Simulation, Span,
    Time,
};
use ironbird_record::{Event, ScenePart};

use crate::actions::{Actor, edits, monitors, script};
use crate::branch::BranchError;
use crate::build::{BuildError, Wiring};
use crate::computer::{RunningComputer, Substitutes};
use crate::conditions::Meaning;
use crate::events::command_event;
use crate::interrupt::Interrupt;
use crate::live::Wanted;
use crate::programs::LinkPlaces;
use crate::run::{Job, RunError};
use crate::scene;
use crate::taps::{self, Taps};
use crate::timing::JobCalendar;

/// A system that is ready to run.
pub(crate) struct Prepared {
    pub(crate) simulation: Simulation,
    pub(crate) taps: Taps,
    pub(crate) scene: Vec<ScenePart>,
    /// The links of each fault.
    pub(crate) fault_links: Vec<Vec<String>>,
    /// What is done to the run, as it was done to another.
    pub(crate) commands: Vec<Event>,
    pub(crate) meanings: Vec<Meaning>,
    pub(crate) wiring: Wiring,
    pub(crate) end: Time,
    pub(crate) seed: u64,
    /// Runs the jobs of tasks, as long as it is here.
    pub(crate) computer: Option<RunningComputer>,
}

/// Builds the system of a job; `span` says which process of several this is.
pub(crate) fn prepare(
    job: &Job<'_>,
    interrupt: &Interrupt,
    span: Option<Span>,
    links: Option<&LinkPlaces>,
) -> Result<Prepared, RunError> {
    let scenario = &job.experiment.scenarios[job.scenario];
    let regular = Time::ZERO + scenario.duration;
    let end = job.how.until.map_or(regular, |until| until.min(regular));
    let seed = Seed { seed: job.seed(), repetition: job.repetition };
    let calendar = job.experiment.timing.as_ref().map(|timing| {
        JobCalendar::new(timing, seed, end).map(Arc::new).map_err(|error| {
            let file = timing.file.display().to_string();
            BuildError::Timing { file, error }
        })
    });
    let calendar = calendar.transpose()?;
    let experiment = job.experiment.clone();
    let links = links.cloned();
    let output = job.how.recording.as_deref().and_then(Path::parent).map(Path::to_owned);
    let mut wiring =
        Wiring { experiment, scenario: job.scenario, calendar, substitutes: None, links, output };
    let seen = taps::seen(&wiring);
    let options = Options {
        seed,
        // A partition that waits for a job must not keep another from feeding it.
        placement: match job.how.computer {
            true => Placement::AtMost(1),
            false => {
                let count = span.as_ref().map_or(job.how.partitions, |span| span.count);
                placement(&job.experiment, count)?
            }
        },
        sharing: job.how.sharing,
        digest: job.how.digest,
        // Who watches sees which messages go.
        profile: match job.how.audience.0 {
            Some(_) => job.how.profile.max(Profiling::Shares),
            None => job.how.profile,
        },
        ..Options::default()
    };
    let mut computer = None;
    if job.how.computer {
        if job.experiment.timing.is_none() {
            return Err(BuildError::NothingToCompute.into());
        }
        let plain = wiring.build(job.registry, &seen)?;
        let plain = Simulation::new(plain.graph, options.clone()).map_err(BuildError::Kernel)?;
        let how = (job.how.speed, interrupt.clone());
        let substitutes = Substitutes::new(&wiring, job.registry, (&plain, &options), &seen, how)?;
        if let Some(substitutes) = substitutes.map(Arc::new) {
            computer = Some(substitutes.start()?);
            wiring.substitutes = Some(substitutes);
        }
    }
    let mut built = wiring.build(job.registry, &seen)?;
    let scene = scene::scene(&job.experiment, job.scenario);
    let taps = Taps::new(&wiring, &built.probes, &scene);
    let mut actor = Actor { wiring: &wiring, callers: Vec::new() };
    let meanings = monitors(&mut actor, &mut built)?;
    let script = script(&mut actor, &mut built, end)?;
    let fault_links = built.fault_links.clone();
    let trunk = job.how.trunk.as_deref();
    let simulation = match (span, trunk) {
        (None, None) => Simulation::new(built.graph, options),
        (None, Some(trunk)) => {
            let branch = Simulation::from_snapshot(built.graph, options, trunk.snapshot());
            Ok(branch.map_err(BranchError::Snapshot)?)
        }
        (Some(span), _) => Simulation::new_in_span(built.graph, options, span),
    };
    let mut simulation = simulation.map_err(BuildError::Kernel)?;
    // Actions may be about components that an edit adds.
    edits(&wiring, job.registry, &mut simulation, end)?;
    // What lies before has happened.
    let begin = simulation.now();
    for (at, action) in script.into_iter().filter(|(at, _)| *at >= begin) {
        simulation.schedule(at, action).map_err(BuildError::Graph)?;
    }
    let mut commands = Vec::new();
    let wanted = Wanted { wiring: &wiring, fault_links: &fault_links };
    for given in job.how.commands.iter().filter(|given| given.at <= end) {
        if given.at < begin {
            return Err(BranchError::DoneBefore { at: given.at, branched: begin }.into());
        }
        for (at, action) in wanted.actions(&given.command, given.at) {
            simulation.schedule(at, action).map_err(BuildError::Graph)?;
        }
        commands.push(command_event(given.at, commands.len(), &given.text));
    }
    Ok(Prepared {
        simulation,
        taps,
        scene,
        fault_links,
        commands,
        meanings,
        wiring,
        end,
        seed: seed.seed,
        computer,
    })
}

/// Who advances whom. Components that are placed in no process are with the first; if one is placed on a thread, all must
/// be. What belongs to the scenario goes with those on whom it acts, or to the first.
fn placement(experiment: &Experiment, partitions: usize) -> Result<Placement, BuildError> {
    let names = experiment.processes();
    let numbers: BTreeSet<usize> = experiment.components.iter().filter_map(on_thread).collect();
    // Whoever only answers does so where it is asked.
    let acts = |component: &&Component| component.description.kind != Kind::Provider;
    let mut acting = experiment.components.iter().filter(acts);
    let unplaced = acting.find(|component| on_thread(component).is_none());
    if let (Some(component), false) = (unplaced, numbers.is_empty()) {
        let unplaced = GraphError::Unplaced { path: component.path.clone() };
        return Err(KernelError::from(unplaced).into());
    }
    let number = |component: &Component| match component.placement.as_ref()? {
        // From 0, without gaps: what is placed nowhere else begins no partition of its own.
        checked::Placement::Partition(number) => Some(numbers.range(..number).count()),
        checked::Placement::Process(name) => {
            names.iter().position(|known| known == name).map(|place| place + 1)
        }
    };
    let placed = experiment.components.iter().filter_map(|c| Some((c.path.clone(), number(c)?)));
    let placed: BTreeMap<String, usize> = placed.collect();
    Ok(match placed.is_empty() {
        true => Placement::AtMost(partitions.max(1)),
        false => Placement::Partial(placed),
    })
}

/// The number of the thread that a component is placed on.
fn on_thread(component: &Component) -> Option<usize> {
    match component.placement {
        Some(checked::Placement::Partition(number)) => Some(number),
        _ => None,
    }
}
