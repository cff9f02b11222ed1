//! How a run ended, and what it cost.

use serde::{Deserialize, Serialize};

use crate::action::ParameterError;
use crate::placement::PlacementReport;
use crate::sharing::SharingReport;
use crate::time::Time;

/// Why a run could not go on. Each names the component or partition it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum Fault {
    /// The model panicked.
    #[error("\"{component}\" panicked at {at}: {message}")]
    Panic {
        /// Path of the component.
        component: String,
        /// When.
        at: Time,
        /// What the panic said.
        message: String,
    },
    /// The model said that it cannot go on.
    #[error("\"{component}\" failed at {at}: {reason}")]
    Failed {
        /// Path of the component.
        component: String,
        /// When.
        at: Time,
        /// What it said.
        reason: String,
    },
    /// Time stood still: models kept each other going without end.
    #[error("the instant {at} did not end after {cycles} cycles; these keep it going: {}", .components.join(", "))]
    EndlessInstant {
        /// When.
        at: Time,
        /// Cycles made.
        cycles: u32,
        /// Paths of components that were active to the last (at most ten).
        components: Vec<String>,
    },
    /// A run-ahead model broke its contract.
    #[error(
        "\"{component}\" was to advance from {from} to before {until} and stopped at {stopped}"
    )]
    BadAdvance {
        /// Path of the component.
        component: String,
        /// From where it was to advance.
        from: Time,
        /// Up to where, exclusively.
        until: Time,
        /// Where it says it stopped.
        stopped: Time,
    },
    /// A scenario's parameter change was refused by the component.
    #[error("\"{component}\" refused a change at {at}: {error}")]
    RefusedParameter {
        /// Path of the component, or name of the link.
        component: String,
        /// When.
        at: Time,
        /// Why.
        error: ParameterError,
    },
    /// A component could not be put back to its initial state.
    #[error("\"{component}\" could not be reset at {at}: {reason}")]
    ResetFailed {
        /// Path of the component.
        component: String,
        /// When.
        at: Time,
        /// Why.
        reason: String,
    },
    /// The thread of a partition ended without saying why, while others waited for it.
    #[error("partition {partition} died at {at} while advancing \"{component}\"")]
    PartitionDied {
        /// Number of the partition.
        partition: usize,
        /// The last instant that it is known to have begun.
        at: Time,
        /// The component it had in hand.
        component: String,
    },
    /// Another process of the span is gone, hangs, or sends nonsense.
    #[error("process {process} {reason} (this process was at {at})")]
    ProcessLost {
        /// Number of the process.
        process: usize,
        /// Where this process was when it found out.
        at: Time,
        /// What happened to it.
        reason: String,
    },
}

impl Fault {
    /// When it happened.
    pub fn at(&self) -> Time {
        match self {
            Fault::Panic { at, .. }
            | Fault::Failed { at, .. }
            | Fault::EndlessInstant { at, .. }
            | Fault::RefusedParameter { at, .. }
            | Fault::ResetFailed { at, .. }
            | Fault::PartitionDied { at, .. }
            | Fault::ProcessLost { at, .. } => *at,
            Fault::BadAdvance { from, .. } => *from,
        }
    }
}

/// How a run, or a stretch of one, ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Everything before this instant has happened; the run can go on.
    Reached(Time),
    /// The user paused it: everything before this instant has happened; the run can go on.
    Paused(Time),
    /// A monitor ended the run at this instant.
    Stopped {
        /// When.
        at: Time,
        /// Name of the monitor.
        monitor: String,
    },
    /// The run broke.
    Faulted(Fault),
}

/// How often, and for how long, one partition waited for another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitCounter {
    /// The partition that waited.
    pub waiting: usize,
    /// The partition whose promise it waited for.
    pub awaited: usize,
    /// How many times.
    pub waits: u64,
    /// Wall time spent waiting, in nanoseconds. It never enters a result.
    pub nanoseconds: u64,
}

/// Counters of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// What placement came to.
    pub placement: PlacementReport,
    /// What came of it where it was [measured](crate::Sharing::WhereItPays).
    pub sharing: Option<SharingReport>,
    /// Instants processed, over all partitions.
    pub instants: u64,
    /// Internal transitions, over all partitions.
    pub internal: u64,
    /// External transitions; a confluent one counts as both.
    pub external: u64,
    /// Steps of periodic components.
    pub steps: u64,
    /// Advances of run-ahead models.
    pub advances: u64,
    /// Times that a partition looked at what others promise.
    pub synchronisations: u64,
    /// Who waited for whom.
    pub waits: Vec<WaitCounter>,
}
