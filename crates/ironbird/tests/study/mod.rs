//! A study of the examples, run as a user runs it.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_experiment::{Experiment, Problems, open};
use ironbird_record::{Recording, Status};
use ironbird_runner::{How, Interrupt, Job, Outcomes, run};

/// A study that was checked.
pub struct Study {
    pub experiment: Arc<Experiment>,
    pub warnings: Problems,
    registry: Registry,
    scratch: Arc<tempfile::TempDir>,
}

/// One run of it.
pub struct Ran {
    pub outcomes: Outcomes,
    pub recording: Recording,
    /// Where the recording is, as long as somebody reads it.
    _scratch: Arc<tempfile::TempDir>,
}

/// A folder of the examples.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// The names of all experiments in a folder.
pub fn names(of: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder(of)).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            names.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    names
}

/// A study of a folder, with some values set as on the command line.
pub fn open_study(of: &str, name: &str, sets: &[&str]) -> Study {
    open_file(&folder(of).join(format!("{name}.toml")), sets)
}

/// Any experiment.
pub fn open_file(file: &Path, sets: &[&str]) -> Study {
    let registry = ironbird::registry().expect("all types have names of their own");
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let opened = open(file, &sets, &registry);
    let (experiment, warnings) =
        opened.unwrap_or_else(|problems| panic!("{}: {problems}", file.display()));
    let scratch = Arc::new(tempfile::tempdir().expect("there is room for recordings"));
    Study { experiment: Arc::new(experiment), warnings, registry, scratch }
}

impl Study {
    pub fn scenario(&self, name: &str) -> usize {
        let named = |s: &ironbird_experiment::checked::Scenario| s.name.as_deref() == Some(name);
        self.experiment.scenarios.iter().position(named).expect("a scenario of this name")
    }

    /// Runs one repetition of a scenario.
    pub fn run(&self, scenario: usize, repetition: u64) -> Ran {
        self.run_as(scenario, repetition, How::default())
    }

    /// Runs the first scenario in some other way.
    pub fn run_with(&self, how: How) -> Ran {
        self.run_as(0, 0, how)
    }

    fn run_as(&self, scenario: usize, repetition: u64, how: How) -> Ran {
        let path = self.scratch.path().join(format!("{scenario}-{repetition}.mcap"));
        let how = How { recording: Some(path.clone()), ..how };
        let (experiment, registry) = (self.experiment.clone(), &self.registry);
        let job = Job { experiment, registry, scenario, repetition, how };
        let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
        let recording = Recording::open(&path).expect("it was recorded");
        Ran { outcomes, recording, _scratch: self.scratch.clone() }
    }
}

impl Ran {
    /// Every requirement must hold.
    pub fn holds(&self) {
        for verdict in &self.outcomes.verdicts {
            assert_eq!(verdict.status, Status::Passed, "{verdict:?}");
        }
    }

    /// The numbers of a signal, and the seconds at which they hold.
    pub fn samples(&self, signal: &str) -> Vec<(f64, Vec<f64>)> {
        let samples = self.recording.samples(signal).expect("it was recorded");
        samples.into_iter().map(|(time, values)| (time.as_secs_f64(), values)).collect()
    }

    /// The numbers of a signal that is a single one.
    pub fn numbers(&self, signal: &str) -> Vec<f64> {
        self.samples(signal).into_iter().map(|(_, values)| values[0]).collect()
    }

    pub fn largest(&self, signal: &str) -> f64 {
        self.numbers(signal).into_iter().fold(0.0, f64::max)
    }
}
