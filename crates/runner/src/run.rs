//! One run: built, supervised, recorded, judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use ironbird_component::Registry;
use ironbird_experiment::Experiment;
use ironbird_experiment::commands::{Command, CommandReader, TimedCommand};
use ironbird_kernel::{Duration, Outcome, PortValues, Profiling, Sharing, Span, Time};
use ironbird_record::{RecordError, Recorder, RecordingThread, RunInfo, RunResult, Settings};

use crate::branch::{BranchError, Trunk};
use crate::build::BuildError;
use crate::computer::ComputerReport;
use crate::conditions::Meaning;
use crate::events::{self, Responses};
use crate::interrupt::Interrupt;
use crate::live::{Closing, Control, Opening, Seats, Sources, Turn, Wanted};
use crate::outcomes::{Ending, Outcomes};
use crate::pace::Pace;
use crate::prepare::{Prepared, prepare};
use crate::processes::{
    Children, Company, Launch, LaunchError, last_resort, name_the_lost, refuse_coming_and_going,
};
use crate::programs::{LinkPlaces, ProgramError, ProgramHost, Programs};
use crate::pulse::Pulse;
use crate::requirements::{Judge, SharedJudge};
use crate::states::States;
use crate::waiting::Part;

/// What is to be run.
pub struct Job<'a> {
    /// The experiment.
    pub experiment: Arc<Experiment>,
    /// The component types.
    pub registry: &'a Registry,
    /// Number of the scenario.
    pub scenario: usize,
    /// Number of the repetition.
    pub repetition: u64,
    /// How.
    pub how: How,
}

impl Job<'_> {
    /// What the random numbers of the run are derived from.
    pub(crate) fn seed(&self) -> u64 {
        self.how.seed.unwrap_or(self.experiment.scenarios[self.scenario].seed)
    }
}

/// How something is run. None of this changes a result, except the end and the seed.
#[derive(Clone, Debug)]
pub struct How {
    /// Partitions, at most.
    pub partitions: usize,
    /// Whether these partitions are used where that is measured to pay, or always. No result depends on it.
    pub sharing: Sharing,
    /// Another seed than that of the experiment.
    pub seed: Option<u64>,
    /// An earlier end than that of the experiment.
    pub until: Option<Time>,
    /// Simulated seconds per second of wall time, at most.
    pub speed: Option<f64>,
    /// Where to record; nothing is written otherwise.
    pub recording: Option<PathBuf>,
    /// Hash all outputs of all components, not only those that are recorded.
    pub digest: bool,
    /// Run the jobs of tasks on a simulation computer: on threads of their own, in the order of the guider.
    pub computer: bool,
    /// How programs of the experiment are started, where it has any.
    pub programs: Option<ProgramHost>,
    /// Where the links of programs are that another process has started.
    pub links: Option<LinkPlaces>,
    /// What to keep of where the time on the wall goes.
    pub profile: Profiling,
    /// What is done to the run while it goes on, in the order of time.
    pub commands: Vec<TimedCommand>,
    /// Who watches it, and may change it.
    pub audience: Seats,
    /// Go on from where another run stands still, instead of from the beginning.
    pub trunk: Option<Arc<Trunk>>,
    /// Run in several processes, and how the others are started; `partitions` does not count then.
    pub processes: Option<Launch>,
}

impl Default for How {
    fn default() -> Self {
        How {
            partitions: 1,
            sharing: Sharing::WhereItPays,
            seed: None,
            until: None,
            speed: None,
            recording: None,
            digest: false,
            computer: false,
            programs: None,
            links: None,
            profile: Profiling::Off,
            commands: Vec::new(),
            audience: Seats::default(),
            trunk: None,
            processes: None,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Simulated time.
    pub now: Time,
    /// Where it ends at the latest.
    pub end: Time,
    /// Simulated seconds per second of wall time, in the last second.
    pub speed: f64,
    /// The components of the thread or process that the others wait for, if they wait for long.
    pub held_back_by: Option<String>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The recording cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The system cannot be run on.
    #[error(transparent)]
    Kernel(#[from] ironbird_kernel::BuildError),
    /// The programs of the experiment cannot be started.
    #[error(transparent)]
    Programs(#[from] ProgramError),
    /// The processes of the run cannot be brought together.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Runs cannot branch there.
    #[error(transparent)]
    Branch(#[from] BranchError),
}

/// Builds the system of a job without running it: finds what only building finds.
pub fn dry_run(job: &Job<'_>) -> Result<(), RunError> {
    prepare(job, &Interrupt::default(), None, None).map(|_| ())
}

/// What all signals are at the start of a job, by the path of the component.
pub fn values_at_start(job: &Job<'_>) -> Result<BTreeMap<String, PortValues>, RunError> {
    Ok(prepare(job, &Interrupt::default(), None, None)?.simulation.port_values())
}

/// Runs a job to its end, in this process and those that `job` says. `interrupt` ends it early; `report` hears how far
/// it has come.
pub fn run(
    job: &Job<'_>,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(Progress),
) -> Result<Outcomes, RunError> {
    let output = job.how.recording.as_deref().and_then(Path::parent);
    let host = job.how.programs.as_ref();
    let programs = Programs::start(&job.experiment, host, (job.seed(), job.repetition), output)?;
    let Some(launch) = &job.how.processes else {
        return supervise(job, interrupt, report, Others { programs, children: None, span: None });
    };
    refuse_coming_and_going(&job.experiment.scenarios[job.scenario])?;
    let links = programs.as_ref().map(|programs| &programs.places);
    let (children, carrier) = Children::start(launch, links)?;
    let span = Some(Span { number: 0, count: launch.count, carrier: Box::new(carrier) });
    supervise(job, interrupt, report, Others { programs, children: Some(children), span })
}

/// As [`run`], as the first of several ranks that exist already.
pub fn run_among(
    job: &Job<'_>,
    company: &mut Company<'_>,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(Progress),
) -> Result<Outcomes, RunError> {
    refuse_coming_and_going(&job.experiment.scenarios[job.scenario])?;
    if !job.experiment.programs.list.is_empty() {
        return Err(ProgramError::AmongRanks.into());
    }
    let span = Some(company.span());
    supervise(job, interrupt, report, Others { programs: None, children: None, span })
}

/// What takes part in a run beside this process.
struct Others {
    programs: Option<Programs>,
    children: Option<Children>,
    span: Option<Span>,
}

/// Runs a job as its only process, or as the first of several, some of which it may have started.
fn supervise(
    job: &Job<'_>,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(Progress),
    others: Others,
) -> Result<Outcomes, RunError> {
    let Others { programs, mut children, span } = others;
    let started = Instant::now();
    let links = programs.as_ref().map(|programs| &programs.places);
    let processes = span.as_ref().map_or(1, |span| span.count);
    let prepared = prepare(job, interrupt, span, links).map_err(|mut error| {
        if let Some(lost) = programs.as_ref().and_then(|programs| programs.culprit()) {
            return ProgramError::Lost(lost).into();
        }
        use ironbird_kernel::BuildError as Kernel;
        if let RunError::Build(BuildError::Kernel(Kernel::Fault(fault))) = &mut error {
            name_the_lost(fault, None, children.as_mut());
        }
        error
    });
    let Prepared {
        mut simulation,
        mut taps,
        scene,
        fault_links,
        commands,
        meanings,
        wiring,
        end,
        seed,
        computer,
    } = prepared?;
    if let Some(children) = &mut children {
        children.all_are_joined();
    }
    let scenario = wiring.scenario();
    let info = RunInfo {
        experiment: job.experiment.resolved.clone(),
        seed,
        version: env!("CARGO_PKG_VERSION").into(),
        scenario: scenario.name.clone().unwrap_or_default(),
        repetition: job.repetition,
        scene,
    };
    let recorder = match &job.how.recording {
        Some(path) => Recorder::create(path, &info, &taps.channels, Settings::default())?,
        None => Recorder::hash_only(&taps.channels)?,
    };
    let judge = SharedJudge::new(Judge::new(&scenario.requirements, |signal| taps.of(signal)));
    let responses = Responses::new(taps.taps.len() as u32, meanings);
    let states = States::new(std::mem::take(&mut taps.states));
    let mut observers: Vec<Box<dyn ironbird_record::Observer>> =
        vec![Box::new(judge.clone()), Box::new(responses.clone()), Box::new(states.clone())];
    let audience = job.how.audience.0.as_ref();
    observers.extend(audience.map(|audience| audience.observer()));
    let (channel_of, drawn) = (taps.channel_of.clone(), std::mem::take(&mut taps.drawn));
    let thread = RecordingThread::start_with_scene(recorder, channel_of, drawn, observers)?;
    let thread = Arc::new(thread);
    let mut planned = events::planned(&job.experiment, scenario, end);
    planned.sort();
    for event in planned.iter().chain(&commands) {
        thread.event(event.clone());
    }
    match &job.how.trunk {
        None => simulation.observe(taps.taps.clone(), thread.clone()),
        Some(trunk) => {
            trunk.show(&*thread);
            simulation.observe_further(taps.taps.clone(), thread.clone())
        }
    }
    .map_err(BuildError::Kernel)?;

    // The last instant belongs to the run; what happens at the end comes just after it.
    let after = if scenario.end.is_empty() { 1 } else { 2 };
    let until = end + Duration::from_ps(after);
    // The simulation computer keeps to the wall clock itself, job by job.
    let speed = job.how.speed.filter(|_| computer.is_none());
    let mut pace = Pace::new(speed, taps.longest_stretch());
    let mut outcome = Outcome::Reached(simulation.now());
    let mut pulse = Pulse::new(&simulation);
    let mut control = audience.map(|audience| {
        audience.begins(&Opening {
            experiment: &job.experiment,
            scenario: job.scenario,
            repetition: job.repetition,
            registry: job.registry,
            end,
            speed,
            scene: &info.scene,
            channels: &taps.channels,
            channel_of: &taps.channel_of,
            planned: &planned,
        });
        let reader = CommandReader::new(&job.experiment, job.scenario, job.registry);
        let wanted = Wanted { wiring: &wiring, fault_links: &fault_links };
        let sources =
            Sources { thread: &thread, judge: &judge, responses: &responses, states: &states };
        Control::new(audience.clone(), reader, wanted, sources, &planned, commands.len())
    });
    let running = Instant::now();
    interrupt.watch(simulation.pause_handle());
    let deadline = children.as_ref().map(|children| children.end_after(interrupt));
    if let Some(programs) = &programs {
        programs.watch(simulation.pause_handle());
    }
    let lost = || programs.as_ref().and_then(|programs| programs.lost());
    let last_resort = last_resort(&simulation, processes, thread.clone(), end);
    interrupt.in_the_worst_case(Some(last_resort));
    // A command that ends the run ends it again.
    let ends = job.how.commands.iter().find(|given| matches!(given.command, Command::End));
    let stop = ends.map_or(until, |given| given.at.min(until));
    while simulation.now() < stop {
        let turn = match &mut control {
            Some(control) => control.attend(&mut simulation, &mut pace, interrupt),
            None => Turn::Run,
        };
        let is_paced = matches!(turn, Turn::Run);
        outcome = match turn {
            Turn::Run => simulation.run_until(pace.next(simulation.now()).min(stop))?,
            Turn::For(by) => simulation.run_until((simulation.now() + by).min(stop))?,
            Turn::Instant => simulation.step()?,
            Turn::End => break,
        };
        let now = simulation.now().min(end);
        let (speed, held_back_by) = pulse.look(Instant::now(), now, &simulation.waits());
        report(Progress { now, end, speed, held_back_by });
        if let Some(control) = &mut control {
            control.speed = speed;
        }
        let goes_on = matches!(outcome, Outcome::Reached(_));
        if !goes_on || interrupt.is_requested() || thread.failed() || lost().is_some() {
            break;
        }
        match is_paced {
            true => pace.wait(simulation.now(), interrupt),
            // A step is made at once.
            false => pace.change(pace.speed(), simulation.now()),
        }
    }
    interrupt.let_go();
    drop(deadline);
    let mut given = commands;
    if let Some(mut control) = control {
        control.show(&simulation, &pace);
        given.extend(control.into_commands());
    }
    let running = running.elapsed().as_secs_f64();
    let lost = programs.as_ref().and_then(|programs| programs.end_of(&mut outcome));
    simulation.dismiss();
    if let Outcome::Faulted(fault) = &mut outcome {
        name_the_lost(fault, Some(&simulation), children.as_mut());
    }
    let statistics = simulation.statistics();
    let parts = Part::all(&simulation, &statistics, running);
    let profile = match job.how.profile {
        Profiling::Off => Vec::new(),
        _ => simulation.profile(),
    };
    let digest = job.how.digest.then(|| simulation.digest());
    let reached = simulation.now();
    drop(simulation);
    let mut failed_programs = programs.map(Programs::end).unwrap_or_default();
    failed_programs.retain(|one| lost.as_ref().is_none_or(|lost| lost.name != one.program.name));
    if let (Some(children), false) = (&mut children, matches!(outcome, Outcome::Faulted(_))) {
        children.wait();
    }
    drop(children);
    let computed = match &computer {
        Some(computer) => Some(computer.report()),
        // Every task stayed in the plant.
        None => job.how.computer.then(ComputerReport::default),
    };
    drop(computer);
    interrupt.in_the_worst_case(None);
    let mut recorded = thread.close()?;
    let (ending, at, regular) = match (lost, ended(outcome, reached, until, end, &responses)) {
        // Who waited for something outside had to give up; that is no fault of the run.
        (_, (Ending::Faulted(_) | Ending::Interrupted, at, _)) if interrupt.is_requested() => {
            (Ending::Interrupted, at, false)
        }
        (Some(lost), (_, at, _)) => (Ending::ProgramLost(lost), at, false),
        (None, ended) => ended,
    };
    let verdicts = judge.verdicts(&scenario.requirements, at, regular);
    for event in responses.events().into_iter().chain(events::verdicts(&verdicts, at)) {
        recorded.event(event);
    }
    let mut events = events::planned(&job.experiment, scenario, at);
    events.extend(responses.events());
    events.extend(given.into_iter().filter(|event| event.time <= at));
    events.sort();
    let hash = recorded.output_hash().unwrap_or_default();
    let values = recorded.values().unwrap_or_default();
    let foreign = job.experiment.components.iter().filter(|c| c.description.foreign);
    let foreign = foreign.map(|component| component.path.clone()).collect();
    let last = match ending {
        // What happens at the instant of the interruption is no part of the run.
        Ending::Interrupted => Time::from_ps(at.as_ps().saturating_sub(1)),
        _ => end,
    };
    let (outcome, verdicts_of_run) = (ending.describe(at), verdicts.clone());
    if let Some(audience) = audience {
        audience.ends(&Closing { text: &outcome, verdicts: &verdicts });
    }
    let result = RunResult { outcome, until: last, verdicts: verdicts_of_run };
    recorded.finish(&result)?;
    Ok(Outcomes {
        scenario: scenario.name.clone(),
        repetition: job.repetition,
        seed,
        ending,
        begin: job.how.trunk.as_ref().map_or(Time::ZERO, |trunk| trunk.time()),
        at,
        verdicts,
        hash,
        digest,
        values,
        statistics,
        parts,
        profile,
        processes,
        wall: started.elapsed().as_secs_f64(),
        events,
        traces: states.traces(),
        recording: job.how.recording.clone(),
        foreign,
        failed_programs,
        computed,
    })
}

/// How it ended, when, and whether requirements that look ahead may be closed there.
fn ended(
    outcome: Outcome,
    reached: Time,
    until: Time,
    end: Time,
    responses: &Responses,
) -> (Ending, Time, bool) {
    match outcome {
        Outcome::Stopped { at, .. } => match responses.stopped_by(at) {
            Some(Meaning::Violation(name)) => (Ending::Violated(name), at, true),
            Some(Meaning::Stop(name)) => (Ending::Stopped(name), at, true),
            _ => (Ending::Stopped("a stop condition".into()), at, true),
        },
        Outcome::Faulted(fault) => {
            let at = fault.at();
            (Ending::Faulted(fault), at, false)
        }
        Outcome::Reached(_) | Outcome::Paused(_) if reached < until => {
            (Ending::Interrupted, reached.min(end), false)
        }
        _ => (Ending::Finished, end, true),
    }
}
