//! The other processes of a run that is spread over several: how they are started, and what they do.

use std::ffi::OsString;
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_runner::{How, Job, Launch, LinkPlaces, Place, RunError, serve as serve_job};

use crate::arguments::{ExperimentArguments, RunArguments};
use crate::commands::run::{job_of, patience, profiling};
use crate::failure::Failure;
use crate::target::{Target, how, own_program};

/// How the other processes of a run are started, if there are to be any.
pub fn launch(
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
    let mut command: Vec<OsString> = vec![own_program()?.into(), "run".into()];
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
    if arguments.profile {
        command.push("--profile".into());
    }
    if let Some(path) = &arguments.trace {
        command.extend(["--trace".into(), path.into()]);
    }
    command.extend(["--job".into(), format!("{scenario}/{repetition}").into()]);
    let patience = patience(arguments)?;
    Ok(Some(Launch { command, count, patience }))
}

/// Advances a part of a run that another process began.
pub fn serve(
    arguments: &RunArguments,
    registry: &Registry,
    member: &str,
    job: &str,
) -> Result<u8, Failure> {
    let place = Place::parse(member).map_err(|error| Failure::input(error.to_string()))?;
    // The first process has shown the warnings.
    let ExperimentArguments { experiment, sets, .. } = &arguments.experiment;
    let (experiment, _) = ironbird_experiment::open(experiment, sets, registry)?;
    let experiment = Arc::new(experiment);
    let (scenario, repetition) = job_of(job, experiment.scenarios.len())?;
    let links = arguments.links.clone().map(|folder| LinkPlaces { folder });
    let how = How { links, profile: profiling(arguments), ..how(&arguments.how)? };
    let job = Job { experiment: experiment.clone(), registry, scenario, repetition, how };
    match serve_job(&job, &place) {
        Ok(()) => Ok(0),
        // The first process finds the same, and says it.
        Err(RunError::Build(_) | RunError::Kernel(_)) => Ok(crate::FAILED),
        Err(error) => Err(Failure::of_run(error, &experiment)),
    }
}
