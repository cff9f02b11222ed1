//! Jobs: one execution of a task each.

use crate::system::{TaskId, Ticks};

/// One execution of a task on its ECU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The task.
    pub task: TaskId,
    /// How many jobs of the task came before.
    pub instance: u64,
    /// When it could have started: its clock ticked, or its message arrived.
    pub release: Ticks,
    /// When it started, and read.
    pub start: Ticks,
    /// When it ended, and wrote.
    pub finish: Ticks,
    /// How long it ran.
    pub execution: Ticks,
    /// Number of the job whose message released it.
    pub trigger: Option<u32>,
}

/// How long jobs take, and messages.
pub trait Times {
    /// How long this job of a task runs on its ECU: between best and worst.
    fn execution(&mut self, task: TaskId, instance: u64) -> Ticks;

    /// How long the message of this number takes on a link with one of these latencies.
    fn latency(&mut self, link: usize, number: u64, latencies: &[Ticks]) -> Ticks;
}
