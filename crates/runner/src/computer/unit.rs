//! A task on the simulation computer: what its next job needs, and who gets what it gives.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use ironbird_kernel::{Duration, Time};

use super::cell::Cell;
use super::deadlines::Deadlines;
use crate::timing::{TaskCalendar, ToTheJob};

/// A task whose jobs run on the simulation computer.
pub struct Unit {
    /// The name of the task.
    pub name: String,
    /// When its jobs start and end on their ECU.
    pub calendar: Arc<TaskCalendar>,
    /// By when they must be done.
    pub deadlines: Deadlines,
    /// What runs them; not here while one runs.
    pub cell: Option<Cell>,
    /// Number of its next job.
    pub next: u64,
    /// What its jobs read.
    pub inputs: Vec<Input>,
    /// What they give.
    pub outputs: Vec<Output>,
    /// How far ahead of the plant it may run.
    pub window: Duration,
}

/// Something that jobs read.
pub struct Input {
    /// Values that no job has read yet.
    waiting: VecDeque<Vec<u8>>,
    /// What the last job read.
    latest: Vec<u8>,
    /// Messages come from the jobs of another task, and each is for the job that it released; everything else
    /// comes once for each job.
    from: Option<Messages>,
}

/// Messages of another task.
struct Messages {
    way: ToTheJob,
    /// Number of the job that sent the first of those that wait.
    next: u64,
}

/// Something that jobs give.
#[derive(Default)]
pub struct Output {
    /// Inputs of other units that read it as messages.
    pub readers: Vec<(usize, usize)>,
    /// Whether anybody in the plant sees it.
    pub is_seen: bool,
    /// What was given and whose real end has not come, and when it was done.
    pub waiting: VecDeque<(Vec<u8>, Instant)>,
}

impl Input {
    /// Comes once for each job.
    pub fn sampled(first: Vec<u8>) -> Self {
        Input { waiting: VecDeque::new(), latest: first, from: None }
    }

    /// Comes as messages of another task.
    pub fn message(first: Vec<u8>, way: ToTheJob) -> Self {
        let from = Some(Messages { way, next: 0 });
        Input { waiting: VecDeque::new(), latest: first, from }
    }

    /// Another value.
    pub fn arrive(&mut self, value: Vec<u8>) {
        self.waiting.push_back(value);
    }

    /// How many of the values that wait, or will, belong to a job that starts then.
    fn wanted(&self, start: Time) -> usize {
        match &self.from {
            None => 1,
            Some(Messages { way, next }) => way.read_by(start, *next),
        }
    }

    /// What the job reads that starts then.
    fn take(&mut self, start: Time) -> Vec<u8> {
        let wanted = self.wanted(start);
        if let Some(value) = self.waiting.drain(..wanted).next_back() {
            self.latest = value;
        }
        if let Some(messages) = &mut self.from {
            messages.next += wanted as u64;
        }
        self.latest.clone()
    }
}

impl Unit {
    fn start(&self) -> Option<Time> {
        self.calendar.start_of(self.next)
    }

    /// Whether its next job has all its data, and is not too far ahead of the plant.
    pub fn is_ready(&self, plant: Time) -> bool {
        let Some(start) = self.start().filter(|_| self.cell.is_some()) else { return false };
        start <= plant + self.window
            && self.inputs.iter().all(|input| input.waiting.len() >= input.wanted(start))
    }

    /// By when its next job must be done.
    pub fn deadline(&self) -> Time {
        self.deadlines.of(self.next)
    }

    /// What its next job reads.
    pub fn take_inputs(&mut self) -> Vec<Vec<u8>> {
        let start = self.start().unwrap_or(Time::NEVER);
        self.inputs.iter_mut().map(|input| input.take(start)).collect()
    }

    /// Of the outputs that are seen the one by which overruns are counted: once for each job.
    pub fn judged_output(&self) -> usize {
        self.outputs.iter().position(|output| output.is_seen).unwrap_or(0)
    }
}
