//! `ironbird run`: runs an experiment, records it, judges it, writes its report.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_runner::{
    How, Interrupt, Job, Launch, LinkPlaces, Outcomes, Place, RunError, run as run_job,
    serve as serve_job,
};

use crate::arguments::{ExperimentArguments, RunArguments};
use crate::commands::report::write_report;
use crate::failure::Failure;
use crate::output::line;
use crate::progress::Shown;
use crate::summary;
use crate::target::{Target, how};

/// Runs all chosen scenarios, each as often as it says.
pub fn run(arguments: &RunArguments, registry: &Registry) -> Result<u8, Failure> {
    if let (Some(member), Some(job)) = (&arguments.member, &arguments.job) {
        return serve(arguments, registry, member, job);
    }
    let target = Target::open(&arguments.experiment, registry)?;
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
    how.computer = arguments.simulation_computer;
    if let Some(programs) = &mut how.programs {
        programs.patience = patience(arguments)?;
    }
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("out").join(&target.stem));
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    // SIGTERM counts as Ctrl-C; a second one does not wait.
    let handler = ctrlc::set_handler(move || {
        if asked.is_requested() {
            std::process::exit(130);
        }
        asked.request();
    });
    if let Err(error) = handler {
        return Err(Failure::Run(format!("cannot listen for Ctrl-C: {error}")));
    }
    if !target.experiment.processes().is_empty() && (arguments.processes.is_some() || how.computer)
    {
        let message = "the experiment places its components in processes by name (`placement`): \
                       leave out --processes and --simulation-computer";
        return Err(Failure::input(message));
    }
    let several = jobs(&target).nth(1).is_some();
    refuse_shared_folders(&target)?;
    let mut runs = Vec::new();
    for (scenario, repetition) in jobs(&target) {
        let chosen = &target.experiment.scenarios[scenario];
        let folder = match several {
            true => out.join(folder_name(chosen.name.as_deref(), chosen.repeat, repetition)),
            false => out.clone(),
        };
        let recording = prepare_folder(&folder)?;
        let job = Job {
            experiment: target.experiment.clone(),
            registry,
            scenario,
            repetition,
            how: How {
                recording: Some(recording),
                processes: launch(arguments, &target, scenario, repetition)?,
                ..how.clone()
            },
        };
        let name = chosen.name.clone().unwrap_or_else(|| target.stem.clone());
        let name = if chosen.repeat > 1 { format!("{name} {repetition}") } else { name };
        let mut shown = Shown::new(&name);
        let done = run_job(&job, &interrupt, &mut |progress| shown.report(progress));
        shown.finish();
        let done = done.map_err(|error| Failure::of_run(error, &target.experiment))?;
        let page = folder.join("report.html");
        if let Some(recording) = &done.recording {
            write_report(recording, &page, &[], Some(&done))?;
        }
        if !arguments.json {
            line(format_args!("{}", summary::text(&done, &name)));
            if arguments.profile {
                line(format_args!("{}", summary::profile(&done)));
            }
            line(format_args!("  recording {}", folder.join("recording.mcap").display()));
            line(format_args!("  report    {}", page.display()));
            for program in &target.experiment.programs.list {
                let log = folder.join(format!("{}.log", program.name));
                line(format_args!("  output of {}: {}", program.name, log.display()));
            }
        }
        runs.push(done);
        if interrupt.is_requested() {
            break;
        }
    }
    finish(arguments, &target, &runs)
}

/// How the other processes of a run are started, if there are to be any.
fn launch(
    arguments: &RunArguments,
    target: &Target,
    scenario: usize,
    repetition: u64,
) -> Result<Option<Launch>, Failure> {
    let names = target.experiment.processes().len();
    let count = match arguments.processes {
        // More than components would have nothing to do.
        Some(count) if names == 0 => count.min(target.experiment.components.len()),
        // One more, for components that are placed nowhere.
        _ if names > 0 => names + 1,
        _ => 1,
    };
    if count < 2 {
        return Ok(None);
    }
    let program = std::env::current_exe()
        .map_err(|error| Failure::Run(format!("the other processes cannot be started: {error}")))?;
    let mut command: Vec<OsString> = vec![program.into(), "run".into()];
    command.push(arguments.experiment.experiment.clone().into());
    for set in &arguments.experiment.sets {
        command.extend(["--set".into(), set.into()]);
    }
    if let Some(seed) = arguments.how.seed {
        command.extend(["--seed".into(), seed.to_string().into()]);
    }
    if let Some(until) = &arguments.how.until {
        command.extend(["--until".into(), until.into()]);
    }
    command.extend(["--job".into(), format!("{scenario}/{repetition}").into()]);
    Ok(Some(Launch { command, count, patience: patience(arguments)? }))
}

/// How long a process or a program may take.
fn patience(arguments: &RunArguments) -> Result<std::time::Duration, Failure> {
    let patience = ironbird_units::exact::duration_ps(&arguments.patience)
        .map_err(|error| Failure::input(format!("--patience: {error}")))?;
    let patience = std::time::Duration::from_millis(patience / 1_000_000_000);
    if patience.is_zero() {
        return Err(Failure::input(
            "--patience is at least a millisecond; 60 s if it is not given",
        ));
    }
    Ok(patience)
}

/// Advances a part of a run that another process began.
fn serve(
    arguments: &RunArguments,
    registry: &Registry,
    member: &str,
    job: &str,
) -> Result<u8, Failure> {
    let wrong = || Failure::input(format!("`{job}` says of no run which it is"));
    let (scenario, repetition) = job.split_once('/').ok_or_else(wrong)?;
    let (Ok(scenario), Ok(repetition)) = (scenario.parse::<usize>(), repetition.parse()) else {
        return Err(wrong());
    };
    let place = Place::parse(member).map_err(|error| Failure::input(error.to_string()))?;
    // The first process has shown the warnings.
    let ExperimentArguments { experiment, sets, .. } = &arguments.experiment;
    let (experiment, _) = ironbird_experiment::open(experiment, sets, registry)?;
    let experiment = Arc::new(experiment);
    if scenario >= experiment.scenarios.len() {
        return Err(wrong());
    }
    let links = arguments.links.clone().map(|folder| LinkPlaces { folder });
    let how = How { links, ..how(&arguments.how)? };
    let job = Job { experiment: experiment.clone(), registry, scenario, repetition, how };
    match serve_job(&job, &place) {
        Ok(()) => Ok(0),
        // The first process finds the same, and says it.
        Err(RunError::Build(_) | RunError::Kernel(_)) => Ok(3),
        Err(error) => Err(Failure::of_run(error, &experiment)),
    }
}

fn finish(arguments: &RunArguments, target: &Target, runs: &[Outcomes]) -> Result<u8, Failure> {
    if let Some(path) = &arguments.junit {
        summary::write_junit(path, &target.stem, runs)?;
    }
    if arguments.json {
        line(format_args!("{:#}", summary::json(runs)));
    } else {
        line(format_args!("verdict: {}", summary::verdict(runs)));
    }
    Ok(summary::status(runs))
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

fn prepare_folder(folder: &Path) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let shown = folder.display();
        Failure::Run(format!(
            "cannot write to the folder {shown}: {error}\n  choose another one with --out"
        ))
    })?;
    Ok(folder.join("recording.mcap"))
}
