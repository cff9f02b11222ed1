//! The summary of a run that outlives its process: enough for the verdict over all runs, for JSON and for JUnit.

use ironbird_record::{Status, Verdict};
use ironbird_runner::{Ending, Outcomes};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::summary;

/// A run that is over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// Name of the scenario.
    pub scenario: Option<String>,
    /// Number of the repetition.
    pub repetition: u64,
    /// How it ended.
    pub ending: Ended,
    /// The same in words.
    pub outcome: String,
    /// What became of the requirements.
    pub verdicts: Vec<Verdict>,
    /// The program without which the run is no success, if there is one.
    pub lost_program: Option<String>,
    /// Programs that failed though nobody waited for them.
    pub failed_programs: Vec<String>,
    /// All of it, for machines.
    pub json: Value,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// As it was to be.
    Well,
    /// By a violated requirement.
    Violated,
    /// By the user.
    Interrupted,
    /// It broke.
    Faulted,
    /// A program that was part of it ended too early.
    ProgramLost,
}

impl RunSummary {
    /// Of a run that this process has made.
    pub fn of(run: &Outcomes) -> Self {
        let failed = run.failed_programs.iter().filter(|failed| !failed.is_joined);
        RunSummary {
            scenario: run.scenario.clone(),
            repetition: run.repetition,
            ending: match run.ending {
                Ending::Finished | Ending::Stopped(_) => Ended::Well,
                Ending::Violated(_) => Ended::Violated,
                Ending::Interrupted => Ended::Interrupted,
                Ending::Faulted(_) => Ended::Faulted,
                Ending::ProgramLost(_) => Ended::ProgramLost,
            },
            outcome: run.ending.describe(run.at),
            verdicts: run.verdicts.clone(),
            lost_program: run.lost_program().map(|lost| lost.name.clone()),
            failed_programs: failed.map(|failed| failed.program.to_string()).collect(),
            json: summary::one(run),
        }
    }

    /// What to call it: scenario and repetition, where there are several.
    pub fn name(&self, repeats: bool) -> String {
        let scenario = self.scenario.as_deref().unwrap_or("run");
        if repeats { format!("{scenario} {}", self.repetition) } else { scenario.into() }
    }

    /// Whether the run itself is worth nothing.
    pub fn is_broken(&self) -> bool {
        self.ending == Ended::Faulted || self.lost_program.is_some()
    }

    /// Whether it says less than that all requirements hold.
    pub fn is_undecided(&self) -> bool {
        self.ending == Ended::Interrupted
            || self.verdicts.iter().any(|verdict| verdict.status != Status::Passed)
    }
}
