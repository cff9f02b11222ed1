//! A set of states of some ECUs that differ in times alone.

use std::collections::VecDeque;

use crate::scheduler::{EcuState, Plan};
use crate::system::{System, TaskId, Ticks};
use crate::varying::span::Span;

/// What is due, in the order in which it happens at one instant. Jobs are numbered in the order of their start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A job ends.
    End { job: u64, task: TaskId, instance: u64 },
    /// The result of a job arrives by a bus at all that are linked by it.
    Frame { job: u64, task: TaskId, bus: usize },
    /// The result of a job arrives by one link.
    Message { link: usize, job: u64 },
    /// A result comes from an ECU whose ranges are known: the one of this number.
    Feed { link: usize, number: usize },
    /// The clock of a task ticks.
    Clock { task: TaskId },
}

#[derive(Clone, Default)]
pub(super) struct TaskState {
    /// When what waits to be executed was released.
    pub pending: VecDeque<Span>,
    /// Jobs that have started.
    pub count: u64,
    /// A job that was interrupted: its number, its instance, and what is left of it.
    pub interrupted: Option<(u64, u64, Span)>,
}

/// All that decides how schedules go on. Every combination of times within the spans counts as possible, so no
/// schedule is left out.
#[derive(Clone)]
pub(super) struct State {
    /// Ascending.
    pub events: Vec<(Event, Span)>,
    pub tasks: Vec<TaskState>,
    pub ecus: Vec<EcuState>,
    /// Fixed priority: the job that runs on each ECU, and its task.
    pub running: Vec<Option<(u64, TaskId)>>,
    /// When the last frame of each sender ends, for each bus.
    pub free: Vec<Vec<Span>>,
    /// Jobs that could start before the horizon and have not ended.
    pub open: Vec<(TaskId, u64)>,
    /// Jobs that have started.
    pub started: u64,
    /// Events that have happened.
    pub happened: u64,
}

impl State {
    /// Before time 0, with nothing due.
    pub fn new(system: &System, plan: &Plan) -> Self {
        State {
            events: Vec::new(),
            tasks: vec![TaskState::default(); system.tasks.len()],
            ecus: plan.ecus.iter().map(EcuState::new).collect(),
            running: vec![None; system.ecus.len()],
            free: vec![vec![Span::at(0); system.ecus.len()]; system.buses.len()],
            open: Vec::new(),
            started: 0,
            happened: 0,
        }
    }

    /// Something is due.
    pub fn push(&mut self, event: Event, time: Span) {
        let at = self.events.partition_point(|(other, _)| *other < event);
        self.events.insert(at, (event, time));
    }

    /// The earliest instant at which something can happen.
    pub fn earliest(&self) -> Option<Ticks> {
        self.events.iter().map(|(_, time)| time.earliest).min()
    }

    /// Everything but times: states of the same shape can be taken together.
    pub fn shape(&self) -> Vec<u64> {
        let mut shape = Vec::with_capacity(64);
        // Of the numbers of jobs only the order matters.
        let mut jobs: Vec<u64> = Vec::new();
        for (event, _) in &self.events {
            if let Event::End { job, .. } | Event::Frame { job, .. } | Event::Message { job, .. } =
                event
            {
                jobs.push(*job);
            }
        }
        jobs.extend(self.tasks.iter().filter_map(|task| task.interrupted.map(|(job, ..)| job)));
        jobs.sort_unstable();
        jobs.dedup();
        let rank = |job: u64| jobs.partition_point(|other| *other < job) as u64;
        shape.push(self.events.len() as u64);
        for (event, _) in &self.events {
            shape.extend(match *event {
                Event::End { job, task, instance } => [0, rank(job), task as u64, instance],
                Event::Frame { job, task, bus } => [1, rank(job), task as u64, bus as u64],
                Event::Message { link, job } => [2, rank(job), link as u64, 0],
                Event::Feed { link, number } => [3, link as u64, number as u64, 0],
                Event::Clock { task } => [4, task as u64, 0, 0],
            });
        }
        for task in &self.tasks {
            shape.extend([task.pending.len() as u64, task.count]);
            let interrupted = task.interrupted.map(|(job, instance, _)| [rank(job) + 1, instance]);
            shape.extend(interrupted.unwrap_or_default());
        }
        for (ecu, running) in self.ecus.iter().zip(&self.running) {
            for ranks in [&ecu.available, &ecu.polled, &ecu.blocked] {
                shape.extend(ranks.words());
            }
            shape.push(ecu.events.len() as u64);
            shape.extend(ecu.events.iter().map(|rank| *rank as u64));
            shape.extend([ecu.idle as u64, u64::from(ecu.waits)]);
            shape.push(running.map_or(0, |(job, _)| rank(job) + 1));
        }
        shape.extend(self.open.iter().flat_map(|(task, instance)| [*task as u64, *instance]));
        shape
    }

    /// Takes in the times of another state of the same shape.
    pub fn merge(&mut self, other: &State) {
        let widen = |span: &mut Span, other: &Span| *span = span.hull(*other);
        for ((_, span), (_, with)) in self.events.iter_mut().zip(&other.events) {
            widen(span, with);
        }
        for (task, with) in self.tasks.iter_mut().zip(&other.tasks) {
            task.pending.iter_mut().zip(&with.pending).for_each(|(span, with)| widen(span, with));
            if let (Some((.., left)), Some((.., with))) = (&mut task.interrupted, &with.interrupted)
            {
                widen(left, with);
            }
        }
        for (free, with) in self.free.iter_mut().flatten().zip(other.free.iter().flatten()) {
            widen(free, with);
        }
    }
}
