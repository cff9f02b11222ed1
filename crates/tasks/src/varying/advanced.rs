//! The schedule of ECUs as far as it is decided by the execution times that are known.
//!
//! Executors run callbacks to their end, and chains release jobs by the ends of others: then a job that ends
//! earlier can make another end later, and no two schedules bound all others. What is always right: the
//! schedule is computed up to the earliest instant at which a job could end whose time is not known yet.
//! Everything before that instant is as in the real system, and the jobs that have started by then are those
//! whose real start is known.

use std::cell::RefCell;

use super::span::Span;
use crate::job::{Job, Times};
use crate::scheduler::{Schedule, TooManyJobs};
use crate::system::{Scheduler, System, TaskId, Ticks};
use crate::timetable::MOST_JOBS;

/// Every job takes its best time until the time it really takes is known. Latencies are those of the run.
pub(super) struct AtBest<'a, T> {
    pub system: &'a System,
    pub times: &'a RefCell<T>,
}

impl<T: Times> Times for AtBest<'_, T> {
    fn execution(&mut self, task: TaskId, _: u64) -> Ticks {
        self.system.tasks[task].execution.best
    }

    fn latency(&mut self, link: usize, number: u64, latencies: &[Ticks]) -> Ticks {
        self.times.borrow_mut().latency(link, number, latencies)
    }
}

/// The schedule of some ECUs, as far as it is decided.
pub(super) struct Advanced<'a, T> {
    schedule: Schedule<'a, AtBest<'a, T>>,
    system: &'a System,
    /// Jobs of the schedule that have started and whose time is not known.
    unknown: Vec<u32>,
    /// Jobs that have started before the horizon and not ended.
    open: Vec<u32>,
    /// Jobs that have been looked at.
    seen: usize,
    horizon: Ticks,
    /// All that happens before this instant is decided.
    pub decided: Ticks,
}

impl<'a, T: Times> Advanced<'a, T> {
    /// The schedule of a system, at its beginning.
    pub fn new(system: &'a System, times: AtBest<'a, T>, horizon: Ticks) -> Self {
        let schedule = Schedule::new(system, times);
        let (unknown, open) = (Vec::new(), Vec::new());
        Advanced { schedule, system, unknown, open, seen: 0, horizon, decided: 0 }
    }

    /// Goes on as far as times are known: to `until` at least where they all are, and beyond while a job that
    /// started before that and before the horizon has not ended.
    pub fn advance(&mut self, until: Ticks) -> Result<(), TooManyJobs> {
        loop {
            let Some(next) = self.schedule.next() else {
                self.decided = Ticks::MAX;
                return Ok(());
            };
            let blocks = |job: &u32| self.schedule.end_of(*job) == Some(next);
            self.decided = next;
            if self.unknown.iter().any(blocks) || (next >= until && self.all_ended(until)) {
                return Ok(());
            }
            self.schedule.run_until(next + 1, MOST_JOBS)?;
            self.decided = self.schedule.next().unwrap_or(Ticks::MAX);
            for number in self.seen..self.schedule.jobs().len() {
                let job = &self.schedule.jobs()[number];
                if self.system.tasks[job.task].execution.varies() {
                    self.unknown.push(number as u32);
                }
                if job.start < self.horizon {
                    self.open.push(number as u32);
                }
            }
            self.seen = self.schedule.jobs().len();
            let mut open = std::mem::take(&mut self.open);
            open.retain(|number| !self.has_ended(*number));
            self.open = open;
        }
    }

    fn all_ended(&self, until: Ticks) -> bool {
        self.open.iter().all(|number| self.schedule.jobs()[*number as usize].start >= until)
    }

    /// Jobs that have started, in this order. The end of one that was interrupted is 0.
    pub fn jobs(&self) -> &[Job] {
        self.schedule.jobs()
    }

    /// Pairs of jobs: the first read the result of the second.
    pub fn sampled(&self) -> &[(u32, u32)] {
        self.schedule.sampled()
    }

    /// Whether it is decided when a job ended: callbacks that run have their finish written before.
    fn has_ended(&self, number: u32) -> bool {
        let finish = self.schedule.jobs()[number as usize].finish;
        finish != 0 && finish < self.decided
    }

    /// When a job ends, or the earliest instant at which it still could and no bound above.
    pub fn finish(&self, number: u32) -> Span {
        let job = &self.schedule.jobs()[number as usize];
        if self.has_ended(number) {
            return Span::at(job.finish);
        }
        let left = || self.decided.saturating_add(self.schedule.left_of(number).unwrap_or(1));
        let end = self.schedule.end_of(number).unwrap_or_else(left);
        // Nothing interrupts a callback.
        if !self.is_unknown(number) && self.is_executor(job.task) {
            return Span::at(end);
        }
        Span { earliest: end, latest: Ticks::MAX }
    }

    fn is_executor(&self, task: TaskId) -> bool {
        let ecu = self.system.tasks[task].ecu;
        self.system.ecus[ecu].scheduler != Scheduler::FixedPriority
    }

    /// Whether the time of a job is still to be learned.
    pub fn is_unknown(&self, number: u32) -> bool {
        self.unknown.contains(&number)
    }

    /// Whether all is decided of the jobs that start before the horizon.
    pub fn is_complete(&self) -> bool {
        self.decided >= self.horizon && self.open.is_empty()
    }

    /// The time of a job is known.
    pub fn learn(&mut self, number: u32, execution: Ticks) {
        if let Some(at) = self.unknown.iter().position(|unknown| *unknown == number) {
            self.unknown.swap_remove(at);
            self.schedule.learn(number, execution);
        }
    }
}
