//! The checked experiment and the runs to make, from the arguments.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration as Wall;

use ironbird_component::Registry;
use ironbird_experiment::{Experiment, Problem, Problems, open};
use ironbird_kernel::{Duration, Sharing, Time};
use ironbird_runner::{How, ProgramHost};

use crate::arguments::{ExperimentArguments, HowArguments, SharingArgument};
use crate::failure::{Failure, print_problems};

/// A checked experiment and the scenarios that were chosen.
pub struct Target {
    /// The experiment.
    pub experiment: Arc<Experiment>,
    /// Numbers of the chosen scenarios.
    pub scenarios: Vec<usize>,
    /// The file's name without its ending.
    pub stem: String,
}

impl Target {
    /// Reads and checks; warnings are printed.
    pub fn open(arguments: &ExperimentArguments, registry: &Registry) -> Result<Self, Failure> {
        let (target, warnings) = Target::read(arguments, registry)?;
        if !warnings.0.is_empty() && FIRST_PROGRAM.get().is_none() {
            print_problems(&warnings);
        }
        Ok(target)
    }

    /// Reads and checks; also gives the warnings.
    pub fn read(
        arguments: &ExperimentArguments,
        registry: &Registry,
    ) -> Result<(Self, Problems), Failure> {
        let (experiment, warnings) = open(&arguments.experiment, &arguments.sets, registry)?;
        let scenarios = chosen(&experiment, &arguments.scenario)?;
        let stem = stem(&arguments.experiment);
        Ok((Target { experiment: Arc::new(experiment), scenarios, stem }, warnings))
    }
}

/// The name of a file without its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned())
}

/// The numbers of the scenarios of these names; without names, all.
pub fn chosen(experiment: &Experiment, names: &[String]) -> Result<Vec<usize>, Failure> {
    if names.is_empty() {
        return Ok((0..experiment.scenarios.len()).collect());
    }
    let mut numbers = Vec::new();
    for name in names {
        let known = experiment.scenarios.iter().map(|s| s.name.as_deref().unwrap_or_default());
        match known.clone().position(|known| known == name) {
            Some(number) if numbers.contains(&number) => {}
            Some(number) => numbers.push(number),
            None => {
                let near = ironbird_kernel::path::nearest(name, known.clone());
                let known: Vec<&str> = known.filter(|known| !known.is_empty()).collect();
                let problem = Problem::somewhere(format!("there is no scenario \"{name}\""));
                let problem = match near {
                    Some(near) => problem.did_you_mean(Some(near)),
                    None if known.is_empty() => problem.help("the file has no scenarios"),
                    None => problem.help(format!("there are {}", known.join(", "))),
                };
                return Err(Failure::Input(Problems::from(problem)));
            }
        }
    }
    Ok(numbers)
}

/// How long a process or a program may take before a run is given up, if nothing else is said.
pub const PATIENCE: Wall = Wall::from_secs(60);

/// The file of the program that began a run, where this process has become another one since.
pub static FIRST_PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The file of this program.
pub fn own_program() -> Result<PathBuf, Failure> {
    let own = FIRST_PROGRAM.get().cloned().map_or_else(std::env::current_exe, Ok);
    own.map_err(|error| Failure::Run(format!("the path of this program is not known: {error}")))
}

/// Programs of an experiment are guarded by this program itself.
pub fn program_host() -> Result<Option<ProgramHost>, Failure> {
    let ironbird = own_program()?;
    Ok(Some(ProgramHost { ironbird, patience: PATIENCE }))
}

/// A time after the start that an option gives.
pub fn time(option: &str, text: &str) -> Result<Time, Failure> {
    let ps = ironbird_units::exact::duration_ps(text);
    ps.map(|ps| Time::ZERO + Duration::from_ps(ps))
        .map_err(|error| Failure::input(format!("{option}: {error}")))
}

/// How runs are to be made.
pub fn how(arguments: &HowArguments) -> Result<How, Failure> {
    if arguments.partitions == 0 {
        return Err(Failure::input("--partitions is at least 1"));
    }
    let until = arguments.until.as_deref().map(|text| time("--until", text));
    Ok(How {
        partitions: arguments.partitions,
        sharing: match arguments.sharing {
            SharingArgument::Measured => Sharing::WhereItPays,
            SharingArgument::Always => Sharing::Always,
            SharingArgument::Turns => Sharing::InTurns(std::time::Duration::from_millis(1)),
        },
        seed: arguments.seed,
        until: until.transpose()?,
        programs: program_host()?,
        ..How::default()
    })
}
