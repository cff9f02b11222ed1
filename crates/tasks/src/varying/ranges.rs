//! The offline schedule under varying execution times: for every job the range of its release, start, finish.

use super::periodic::{Periodic, is_periodic};
use super::span::Span;
use crate::scheduler::Plan;
use crate::system::{EcuId, System, TaskId, Ticks};
use crate::timetable::{Timetable, TimetableError};

/// What a job can do in some execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRange {
    /// The task.
    pub task: TaskId,
    /// Jobs of the task before it.
    pub instance: u64,
    /// When it can start at the earliest and latest.
    pub release: Span,
    /// EST to LST.
    pub start: Span,
    /// EFT to LFT.
    pub finish: Span,
    /// The beginning of its busy period with all jobs at their worst, where priorities are fixed.
    pub busy_from: Option<Ticks>,
}

/// How the ranges of an ECU were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// By two schedules, all jobs at their best and all at their worst: every bound is reached.
    TwoSchedules,
    /// By all orders in which its jobs can run: no execution is outside, but bounds may be wider than needed.
    Explored {
        /// States that were looked at, of all ECUs of its group.
        states: usize,
    },
    /// Not at all.
    NotBounded {
        /// Why not.
        reason: String,
    },
}

/// Ranges of all jobs that can start before a horizon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// By task, then instance. None of ECUs that are not bounded.
    pub jobs: Vec<JobRange>,
    /// How each ECU was bounded.
    pub ecus: Vec<Bound>,
    /// Before this instant jobs start, in some execution at least.
    pub horizon: Ticks,
}

/// Why there are no ranges.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RangesError {
    /// There is no schedule with all jobs at their worst.
    #[error(transparent)]
    Timetable(#[from] TimetableError),
}

impl Ranges {
    /// Ranges of the jobs up to the end of the first hyper-period that repeats with all jobs at their worst.
    pub fn of(system: &System) -> Result<Self, RangesError> {
        let horizon = Timetable::of(system)?.horizon;
        Ok(Ranges::until(system, horizon, MOST_STATES))
    }

    /// Ranges of the jobs that can start before `horizon`; ECUs for which more than `most_states` states would
    /// have to be looked at are not bounded.
    pub fn until(system: &System, horizon: Ticks, most_states: usize) -> Self {
        let plan = Plan::new(system);
        let mut ranges = Ranges { jobs: Vec::new(), ecus: Vec::new(), horizon };
        for ecu in 0..system.ecus.len() {
            let periodic =
                is_periodic(system, ecu).then(|| Periodic::of(system, &plan, ecu, horizon));
            let Some(periodic) = periodic.flatten() else {
                let reason = format!("not explored within {most_states} states");
                ranges.ecus.push(Bound::NotBounded { reason });
                continue;
            };
            ranges.ecus.push(Bound::TwoSchedules);
            for (number, job) in periodic.jobs.iter().enumerate() {
                if job.start.earliest < horizon {
                    ranges.jobs.push(JobRange {
                        task: job.task,
                        instance: job.instance,
                        release: Span::at(job.release),
                        start: job.start,
                        finish: job.finish,
                        busy_from: Some(periodic.busy_from(number)),
                    });
                }
            }
        }
        ranges.jobs.sort_unstable_by_key(|job| (job.task, job.instance));
        ranges
    }

    /// Whether the ranges of an ECU's jobs are known.
    pub fn is_bounded(&self, ecu: EcuId) -> bool {
        !matches!(self.ecus.get(ecu), None | Some(Bound::NotBounded { .. }))
    }

    /// The range of a job; none where it never starts before the horizon.
    pub fn job(&self, task: TaskId, instance: u64) -> Option<&JobRange> {
        let found =
            self.jobs.binary_search_by_key(&(task, instance), |job| (job.task, job.instance));
        found.ok().map(|at| &self.jobs[at])
    }
}

/// States that are looked at unless another limit is given.
pub const MOST_STATES: usize = 100_000;
