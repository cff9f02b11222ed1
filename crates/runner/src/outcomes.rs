//! What a run came to.

use std::path::PathBuf;

use ironbird_kernel::{Fault, PartProfile, Statistics, Time};
use ironbird_record::{Event, Verdict};

use crate::computer::ComputerReport;
use crate::programs::{FailedProgram, LostProgram};
use crate::trace::Trace;
use crate::waiting::Part;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It reached its end.
    Finished,
    /// A stop condition of this name was met.
    Stopped(String),
    /// A requirement of this name was violated and ended it.
    Violated(String),
    /// The user ended it.
    Interrupted,
    /// It broke.
    Faulted(Fault),
    /// A program that was part of it ended too early.
    ProgramLost(LostProgram),
}

impl Ending {
    /// In words.
    pub fn describe(&self, at: Time) -> String {
        match self {
            Ending::Finished => format!("reached its end at {at}"),
            Ending::Stopped(name) => format!("stopped at {at}: {name}"),
            Ending::Violated(name) => format!("stopped at {at}: \"{name}\" was violated"),
            Ending::Interrupted => format!("interrupted at {at}"),
            Ending::Faulted(fault) => fault.to_string(),
            Ending::ProgramLost(lost) => format!("broken off at {at}: {lost}"),
        }
    }
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Name of the scenario.
    pub scenario: Option<String>,
    /// Number of the repetition.
    pub repetition: u64,
    /// What the random numbers were derived from.
    pub seed: u64,
    /// How it ended.
    pub ending: Ending,
    /// Where it began: at the start, or where it parted from others.
    pub begin: Time,
    /// When it ended, in simulated time.
    pub at: Time,
    /// What became of the requirements.
    pub verdicts: Vec<Verdict>,
    /// Hash of all recorded values; the same for every placement.
    pub hash: String,
    /// Hash of all outputs, if it was asked for.
    pub digest: Option<u64>,
    /// Values that were recorded.
    pub values: u64,
    /// What it cost.
    pub statistics: Statistics,
    /// Wall time in seconds. It enters no file that is compared.
    pub wall: f64,
    /// What each thread or process did with its time, where there are several. It enters no file that is compared.
    pub parts: Vec<Part>,
    /// Where the time on the wall went, by thread or process, if that was asked for. It enters no file that is compared.
    pub profile: Vec<PartProfile>,
    /// How many processes it ran in.
    pub processes: usize,
    /// What happened, in the order of time; states are not among it.
    pub events: Vec<Event>,
    /// The states of each component that shows them.
    pub traces: Vec<Trace>,
    /// Where it was recorded.
    pub recording: Option<PathBuf>,
    /// Components whose bits are not promised on other machines.
    pub foreign: Vec<String>,
    /// Programs that ended by themselves, as they should not, when the run was over.
    pub failed_programs: Vec<FailedProgram>,
    /// What the simulation computer did, if there was one.
    pub computed: Option<ComputerReport>,
}

impl Outcomes {
    /// A program without which the run is no success: it ended too early, or badly and not because the run did.
    pub fn lost_program(&self) -> Option<&LostProgram> {
        let failed = self.failed_programs.iter().find(|failed| !failed.is_joined);
        match &self.ending {
            Ending::ProgramLost(lost) => Some(lost),
            _ => failed.map(|failed| &failed.program),
        }
    }
}
