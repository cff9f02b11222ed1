//! `ironbird run`: runs an experiment, records it, judges it, writes its report.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ironbird_component::Registry;
use ironbird_experiment::commands::CommandReader;
use ironbird_foxglove::FoxgloveView;
use ironbird_kernel::Profiling;
use ironbird_runner::live::{Audience, Seats, Several};
use ironbird_runner::{
    Company, How, Interrupt, Job, LeftOut, Outcomes, OutputFolder, run as run_job, run_among,
    write_timeline,
};
use ironbird_view::{LiveView, RecordedView, Server, Show, graph_of};

use crate::arguments::RunArguments;
use crate::commands::report::{open_recording, write_report};
use crate::failure::Failure;
use crate::given;
use crate::held::{self, Held, Seating};
use crate::interrupt::interrupt;
use crate::members::{self, launch};
use crate::output::{complain, line, refuse_output};
use crate::progress::Shown;
use crate::ranks::begin_together;
use crate::run_summary::{Ended, RunSummary};
use crate::summary;
use crate::target::{Target, how};
use crate::viewing::{self, until_interrupted};

/// Runs all chosen scenarios, each as often as it says.
pub fn run(arguments: &RunArguments, registry: &Registry) -> Result<u8, Failure> {
    if let (Some(member), Some(job)) = (&arguments.member, &arguments.job) {
        return members::serve(arguments, registry, member, job);
    }
    if let Some(job) = &arguments.held {
        return held::serve(arguments, registry, job);
    }
    let target = Target::open(&arguments.experiment, registry)?;
    let order = Order::read(arguments, registry, target)?;
    if !order.target.experiment.processes().is_empty() && arguments.processes.is_some() {
        return Err(Failure::input(format!("{BY_NAME}: leave out --processes")));
    }
    let interrupt = interrupt()?;
    let watchers = order.watchers()?;
    let status = order.run_all(&interrupt, None, &watchers)?;
    if watchers.page.is_some() && !interrupt.is_requested() {
        until_interrupted(&interrupt);
    }
    Ok(status)
}

/// Scenario and repetition of a run that another process has named, of so many scenarios.
pub fn job_of(text: &str, scenarios: usize) -> Result<(usize, u64), Failure> {
    let numbers = text.split_once('/').and_then(|(scenario, repetition)| {
        Some((scenario.parse::<usize>().ok()?, repetition.parse().ok()?))
    });
    numbers
        .filter(|(scenario, _)| *scenario < scenarios)
        .ok_or_else(|| Failure::input(format!("`{text}` says of no run which it is")))
}

/// Why some options cannot be given.
pub const BY_NAME: &str = "the experiment places its components in processes by name (`placement`)";

/// A page that shows runs.
struct Page {
    live: Arc<LiveView>,
    server: Server,
}

/// Those who watch.
#[derive(Default)]
pub struct Watchers {
    page: Option<Page>,
    foxglove: Option<Arc<FoxgloveView>>,
}

impl Watchers {
    fn seats(&self) -> Seats {
        let page = self.page.iter().map(|page| page.live.clone() as Arc<dyn Audience>);
        let foxglove = self.foxglove.iter().map(|view| view.clone() as Arc<dyn Audience>);
        let mut all: Vec<Arc<dyn Audience>> = page.chain(foxglove).collect();
        Seats(match all.len() {
            0 | 1 => all.pop(),
            _ => Some(Arc::new(Several(all))),
        })
    }
}

/// The option by which somebody watches.
fn watching(arguments: &RunArguments) -> Option<&'static str> {
    let foxglove = arguments.foxglove.as_ref().map(|_| "--foxglove");
    if arguments.view { Some("--view") } else { foxglove }
}

/// What is to be run, and how.
pub struct Order<'a> {
    /// As it was typed.
    pub arguments: &'a RunArguments,
    /// The component types.
    pub registry: &'a Registry,
    /// The experiment.
    pub target: Target,
    how: How,
}

impl<'a> Order<'a> {
    /// What can be found wrong before anything is run.
    pub fn read(
        arguments: &'a RunArguments,
        registry: &'a Registry,
        target: Target,
    ) -> Result<Self, Failure> {
        let mut how = how(&arguments.how)?;
        if arguments.processes == Some(0) {
            return Err(Failure::input("--processes is at least 1"));
        }
        if let Some(speed) = arguments.speed {
            if !(speed.is_finite() && speed > 0.0) {
                return Err(Failure::input("--speed is a number above 0; 1 is real time"));
            }
            how.speed = Some(speed);
        }
        if let Some(option) = watching(arguments) {
            // People watch in real time, unless they say otherwise.
            how.speed = how.speed.or(Some(1.0));
            if !target.experiment.processes().is_empty() {
                return Err(Failure::input(format!("{BY_NAME}: leave out {option}")));
            }
        }
        how.computer = arguments.simulation_computer;
        how.profile = profiling(arguments);
        if let Some(programs) = &mut how.programs {
            programs.patience = patience(arguments)?;
        }
        if !target.experiment.processes().is_empty() && how.computer {
            return Err(Failure::input(format!("{BY_NAME}: leave out --simulation-computer")));
        }
        refuse_shared_folders(&target)?;
        refuse_output("--junit", arguments.junit.as_deref())?;
        refuse_output("--trace", arguments.trace.as_deref())?;
        if arguments.trace.is_some() && jobs(&target).nth(1).is_some() {
            return Err(Failure::input(
                "--trace is of one run: choose one with --scenario, and `repeat` 1",
            ));
        }
        Ok(Order { arguments, registry, target, how })
    }

    /// Every run, in order.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'a>> {
        jobs(&self.target).map(|(scenario, repetition)| Job {
            experiment: self.target.experiment.clone(),
            registry: self.registry,
            scenario,
            repetition,
            how: self.how.clone(),
        })
    }

    /// Those who want to watch.
    fn watchers(&self) -> Result<Watchers, Failure> {
        let Order { arguments, target, .. } = self;
        let mut watchers = Watchers::default();
        if let Some(text) = &arguments.foxglove {
            let address = ironbird_foxglove::address(text)
                .map_err(|error| Failure::input(format!("--foxglove: {error}")))?;
            // With a page beside it, that begins the run.
            let takes_orders = arguments.foxglove_control;
            let foxglove =
                FoxgloveView::start(&target.stem, address, !arguments.view, takes_orders)
                    .map_err(|error| Failure::input(error.to_string()))?;
            line(format_args!("  foxglove  {}", foxglove.url()));
            watchers.foxglove = Some(foxglove);
        }
        if arguments.view {
            let live = LiveView::new(target.stem.clone(), true);
            let server = viewing::serve(arguments.listen, vec![Show::Live(live.clone())])?;
            line(format_args!("the run begins when the page is opened"));
            watchers.page = Some(Page { live, server });
        }
        Ok(watchers)
    }

    /// Makes all runs; before each one the ranks meet, if there are any.
    pub fn run_all(
        &self,
        interrupt: &Interrupt,
        mut company: Option<&mut Company<'_>>,
        watchers: &Watchers,
    ) -> Result<u8, Failure> {
        let mut seating = Seating::of(&self.target.experiment, self.against_holding(&company))?;
        // Held until all runs are over: none of their folders is another command's meanwhile.
        let _all = if self.are_several() { Some(claim(&self.out())?) } else { None };
        let mut runs: Vec<RunSummary> = Vec::new();
        for job in self.jobs() {
            if let Some(page) = watchers.page.as_ref().filter(|_| !runs.is_empty()) {
                // A recording was shown meanwhile.
                page.server.show(vec![Show::Live(page.live.clone())]);
            }
            let held = seating.host.as_ref();
            let held = held.map(|host| host.run(job.scenario, job.repetition, interrupt));
            let done = match held.transpose()? {
                Some(Held::Done(done)) => *done,
                Some(Held::Failed(status)) => return Ok(status),
                Some(Held::NotBegun(why)) => {
                    seating.give_up(why)?;
                    self.run_here(job, interrupt, None, watchers)?
                }
                None => self.run_here(job, interrupt, company.as_deref_mut(), watchers)?,
            };
            // Another rank may have been interrupted.
            let interrupted = interrupt.is_requested() || done.ending == Ended::Interrupted;
            runs.push(done);
            if interrupted || company.as_ref().is_some_and(|company| company.is_broken()) {
                break;
            }
        }
        self.finish(&runs, &seating)
    }

    /// Makes the one run for which another process has started this one.
    pub fn run_held(
        &self,
        scenario: usize,
        repetition: u64,
        interrupt: &Interrupt,
    ) -> Result<RunSummary, Failure> {
        let mut jobs = self.jobs();
        let job = jobs.find(|job| (job.scenario, job.repetition) == (scenario, repetition));
        let job = job.ok_or_else(|| Failure::input("this run was not chosen"))?;
        self.run_here(job, interrupt, None, &Watchers::default())
    }

    /// What speaks against a run in the process of a program.
    fn against_holding(&self, company: &Option<&mut Company<'_>>) -> Option<&'static str> {
        let Order { arguments, target, .. } = self;
        let components = target.experiment.components.len();
        let processes = arguments.processes.is_some_and(|count| count.min(components) > 1);
        if company.is_some() || processes || !target.experiment.processes().is_empty() {
            Some("the run has several processes")
        } else if arguments.how.partitions > 1 {
            Some("the run has several partitions")
        } else if arguments.simulation_computer {
            Some("the simulation computer has threads of its own")
        } else if watching(arguments).is_some() {
            Some("the run is watched")
        } else {
            None
        }
    }

    fn are_several(&self) -> bool {
        self.jobs().nth(1).is_some()
    }

    /// Where all is written.
    fn out(&self) -> PathBuf {
        let Order { arguments, target, .. } = self;
        arguments.out.clone().unwrap_or_else(|| Path::new("out").join(&target.stem))
    }

    /// Makes a run in this process.
    fn run_here(
        &self,
        mut job: Job<'a>,
        interrupt: &Interrupt,
        company: Option<&mut Company<'_>>,
        watchers: &Watchers,
    ) -> Result<RunSummary, Failure> {
        let Order { arguments, target, .. } = self;
        let (chosen, repetition) = (&target.experiment.scenarios[job.scenario], job.repetition);
        let folder = match self.are_several() {
            true => self.out().join(folder_name(chosen.name.as_deref(), chosen.repeat, repetition)),
            false => self.out(),
        };
        let _held = claim(&folder)?;
        job.how.recording = Some(folder.join(RECORDING));
        if let Some(path) = &arguments.commands {
            let reader = CommandReader::new(&target.experiment, job.scenario, self.registry);
            job.how.commands = given::commands(path, &reader)?;
        }
        job.how.audience = watchers.seats();
        let name = chosen.name.clone().unwrap_or_else(|| target.stem.clone());
        let name = if chosen.repeat > 1 { format!("{name} {repetition}") } else { name };
        let mut shown = Shown::new(&name);
        let mut report = |progress| shown.report(progress);
        let done = match company {
            None => {
                job.how.processes = launch(arguments, target, job.scenario, repetition)?;
                run_job(&job, interrupt, &mut report)
            }
            Some(company) => {
                begin_together(company)?;
                run_among(&job, company, interrupt, &mut report)
            }
        };
        shown.finish();
        let done = done.map_err(|error| Failure::of_run(error, &target.experiment))?;
        let page = folder.join("report.html");
        if let Some(recording) = &done.recording {
            write_report(recording, &page, &[], Some(&done))?;
        }
        if let (Some(page), Some(recording)) = (&watchers.page, &done.recording) {
            let recording = open_recording(recording)?;
            let graph = graph_of(&target.experiment, job.scenario);
            let shown = RecordedView::with_graph(recording, 0, vec![name.clone()], graph)?;
            page.server.show(vec![Show::Recorded(shown)]);
        }
        let left_out =
            arguments.trace.as_deref().map(|path| write_trace(&done, path)).transpose()?;
        if !arguments.json {
            line(format_args!("{}", summary::text(&done, &name)));
            if arguments.profile {
                line(format_args!("{}", summary::profile(&done)));
            }
            let recording = folder.join(RECORDING);
            line(format_args!("  recording {}", recording.display()));
            line(format_args!("  report    {}", page.display()));
            if watchers.page.is_none() {
                line(format_args!("  look      ironbird view {}", recording.display()));
            }
            if let (Some(path), Some(left_out)) = (&arguments.trace, left_out) {
                line(format_args!("  trace     {}{left_out}", path.display()));
            }
            for program in &target.experiment.programs.list {
                let log = folder.join(format!("{}.log", program.name));
                if log.exists() {
                    line(format_args!("  output of {}: {}", program.name, log.display()));
                }
            }
        }
        Ok(RunSummary::of(&done))
    }

    fn finish(&self, runs: &[RunSummary], seating: &Seating) -> Result<u8, Failure> {
        let Order { arguments, target, .. } = self;
        if let Some(path) = &arguments.junit {
            summary::write_junit(path, &target.stem, runs)?;
        }
        if arguments.json {
            let mut json = summary::json(runs);
            json["transports"] = seating.json();
            line(format_args!("{json:#}"));
        } else {
            seating.lines().iter().for_each(line);
            line(format_args!("verdict: {}", summary::verdict(runs)));
        }
        Ok(summary::status(runs))
    }
}

/// How long a process may give no sign of life.
pub fn patience(arguments: &RunArguments) -> Result<Duration, Failure> {
    let patience = ironbird_units::exact::duration_ps(&arguments.patience)
        .map_err(|error| Failure::input(format!("--patience: {error}")))?;
    let patience = Duration::from_millis(patience / 1_000_000_000);
    if patience.is_zero() {
        return Err(Failure::input(
            "--patience is at least a millisecond; 60 s if it is not given",
        ));
    }
    Ok(patience)
}

/// What is to be kept of where the time on the wall goes.
pub fn profiling(arguments: &RunArguments) -> Profiling {
    match (&arguments.trace, arguments.profile) {
        (Some(_), _) => Profiling::Timeline,
        (None, true) => Profiling::Shares,
        (None, false) => Profiling::Off,
    }
}

/// Writes the timeline of a run; what to say of it.
fn write_trace(done: &Outcomes, path: &Path) -> Result<String, Failure> {
    let LeftOut { waits_below, events } = write_timeline(done, path)
        .map_err(|error| Failure::Run(format!("cannot write {}: {error}", path.display())))?;
    let mut left_out = String::new();
    if waits_below > 0 {
        left_out.push_str(&format!(", without waits below {} us", waits_below / 1_000));
    }
    if events > 0 {
        left_out.push_str(&format!(", without the last {events} events"));
    }
    Ok(left_out)
}

/// Scenario and repetition of every run.
fn jobs(target: &Target) -> impl Iterator<Item = (usize, u64)> {
    target.scenarios.iter().flat_map(|&scenario| {
        let repeat = target.experiment.scenarios[scenario].repeat;
        (0..repeat).map(move |repetition| (scenario, repetition))
    })
}

/// A scenario "a-0" and repetition 0 of a scenario "a" would write to one folder.
fn refuse_shared_folders(target: &Target) -> Result<(), Failure> {
    let chosen = || target.scenarios.iter().map(|&number| &target.experiment.scenarios[number]);
    for repeated in chosen().filter(|scenario| scenario.repeat > 1) {
        let Some(name) = &repeated.name else { continue };
        let clash = chosen().filter_map(|other| other.name.as_deref()).find(|other| {
            let number = other.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('-'));
            number.and_then(|n| n.parse::<u64>().ok()).is_some_and(|n| n < repeated.repeat)
        });
        if let Some(other) = clash {
            let message = format!(
                "scenario \"{other}\" and a repetition of \"{name}\" would write to one folder: \
                 rename one, or run them one by one with --scenario"
            );
            return Err(Failure::input(message));
        }
    }
    Ok(())
}

fn folder_name(scenario: Option<&str>, repeat: u64, repetition: u64) -> String {
    let scenario = scenario.unwrap_or("run");
    if repeat > 1 { format!("{scenario}-{repetition}") } else { scenario.into() }
}

/// The recording of a run in its folder.
pub const RECORDING: &str = "recording.mcap";

/// Makes a folder that no other command writes to meanwhile.
pub fn claim(folder: &Path) -> Result<OutputFolder, Failure> {
    let claimed = OutputFolder::claim(folder)
        .map_err(|error| Failure::Run(format!("{error}\n  choose another one with --out")))?;
    if let Some(error) = claimed.unlocked() {
        complain(format_args!(
            "the folder {} cannot be locked ({error}): let no other command write to it meanwhile\n",
            folder.display()
        ));
    }
    Ok(claimed)
}
