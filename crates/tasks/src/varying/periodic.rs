//! Preemptive fixed priorities with tasks that clocks release: two schedules bound all others.
//!
//! With all jobs at their best every job starts and ends as early as it ever can, with all at their worst as
//! late as it ever can (We, Kim, Lee, Lee, RTSS 2017): releases do not depend on execution times, and more
//! work of a job delays those below it and never another. Both schedules are executions themselves, so the
//! bounds are tight, whichever times are known already.
//!
//! The jobs are cut into segments where the ECU is idle with all jobs at their worst. Nothing in one segment
//! has to do with another, so what becomes known of a job is carried through its own segment alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::span::Span;
use crate::scheduler::Plan;
use crate::system::{EcuId, Kind, Overrun, Scheduler, System, TaskId, Ticks};

/// Jobs of one ECU that are looked at together at most.
const MOST_JOBS: usize = 1 << 20;

/// A job of a periodic ECU.
#[derive(Clone, Debug)]
pub(super) struct PeriodicJob {
    pub task: TaskId,
    pub instance: u64,
    pub release: Ticks,
    /// The lower goes first; of one rank the earlier release.
    pub rank: usize,
    pub execution: Span,
    pub start: Span,
    pub finish: Span,
}

/// The jobs of an ECU up to its first idle instant at or after a horizon, by release.
#[derive(Clone, Debug)]
pub(super) struct Periodic {
    pub jobs: Vec<PeriodicJob>,
    /// First job of each segment.
    segments: Vec<usize>,
    /// From here on the ECU is idle until something is released that is not among the jobs.
    pub end: Ticks,
}

/// Whether the tasks of an ECU have fixed priorities and are released by nothing but clocks.
pub(super) fn is_periodic(system: &System, ecu: EcuId) -> bool {
    let mut tasks = system.tasks.iter().filter(|task| task.ecu == ecu);
    system.ecus[ecu].scheduler == Scheduler::FixedPriority
        && tasks.all(|task| task.after.is_empty())
}

impl Periodic {
    /// The jobs of an ECU for which [`is_periodic`] holds. Nothing where it is not idle again within twice the
    /// horizon or has more than a million jobs, or where a timer could skip a release: two schedules would not
    /// bound all others.
    pub fn of(system: &System, plan: &Plan, ecu: EcuId, horizon: Ticks) -> Option<Self> {
        let mut periodic = Periodic { jobs: Vec::new(), segments: Vec::new(), end: 0 };
        let mut ticks: BinaryHeap<Reverse<(Ticks, usize, TaskId, u64)>> = BinaryHeap::new();
        for (rank, task) in plan.ecus[ecu].tasks.iter().enumerate() {
            if let Some(clock) = system.tasks[*task].clock {
                ticks.push(Reverse((clock.offset, rank, *task, 0)));
            }
        }
        while let Some(Reverse((release, rank, task, instance))) = ticks.pop() {
            if release >= periodic.end {
                if release >= horizon {
                    break;
                }
                periodic.segments.push(periodic.jobs.len());
                periodic.end = release;
            }
            if release / 2 > horizon || periodic.jobs.len() == MOST_JOBS {
                return None;
            }
            let execution = Span::of(&system.tasks[task].execution);
            periodic.end += execution.latest;
            let unknown = Span::at(0);
            let job = PeriodicJob {
                task,
                instance,
                release,
                rank,
                execution,
                start: unknown,
                finish: unknown,
            };
            periodic.jobs.push(job);
            let period = system.tasks[task].clock?.period;
            ticks.push(Reverse((release.saturating_add(period), rank, task, instance + 1)));
        }
        (0..periodic.segments.len()).for_each(|segment| periodic.bound(segment));
        let skips = system.ecus[ecu].overrun == Overrun::Skip;
        let is_skipped = |job: &PeriodicJob| {
            let task = &system.tasks[job.task];
            let period = task.clock.map_or(0, |clock| clock.period);
            task.kind == Kind::Timer && job.start.latest - job.release > period
        };
        (!skips || !periodic.jobs.iter().any(is_skipped)).then_some(periodic)
    }

    /// The time of a job is known: bounds of the others in its segment shrink.
    pub fn learn(&mut self, job: usize, execution: Ticks) {
        self.jobs[job].execution = Span::at(execution);
        self.bound(self.segments.partition_point(|first| *first <= job) - 1);
    }

    fn segment(&self, number: usize) -> Range<usize> {
        let end = self.segments.get(number + 1).copied().unwrap_or(self.jobs.len());
        self.segments[number]..end
    }

    /// The jobs among which those are that have to do with one.
    fn segment_of(&self, job: usize) -> Range<usize> {
        self.segment(self.segments.partition_point(|first| *first <= job) - 1)
    }

    /// The two schedules of a segment.
    fn bound(&mut self, number: usize) {
        let jobs = &mut self.jobs[self.segments[number]..];
        let count =
            self.segments.get(number + 1).map_or(jobs.len(), |end| end - self.segments[number]);
        let jobs = &mut jobs[..count];
        let best = schedule(jobs, |job| job.execution.earliest);
        let worst = schedule(jobs, |job| job.execution.latest);
        for (job, (best, worst)) in jobs.iter_mut().zip(best.into_iter().zip(worst)) {
            job.start = Span { earliest: best.0, latest: worst.0 };
            job.finish = Span { earliest: best.1, latest: worst.1 };
        }
    }

    /// B: the beginning of the time before the release of a job in which the ECU always has, with all jobs at
    /// their worst, something of its priority or above to do.
    pub fn busy_from(&self, job: usize) -> Ticks {
        let mut from = self.jobs[job].release;
        for other in self.segment_of(job).rev() {
            let before = &self.jobs[other];
            let counts = before.rank <= self.jobs[job].rank && before.release < from;
            // What ends later was released later, or keeps nothing waiting.
            if counts && before.finish.latest > from {
                from = before.release;
            }
        }
        from
    }

    /// Start set: jobs that have a say in when this one starts, with the facts whether they certainly have.
    pub fn start_set(&self, job: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let Span { earliest, latest } = self.jobs[job].start;
        self.above(job, move |release| release <= latest)
            .map(move |other| (other, self.jobs[other].start.latest <= earliest))
    }

    /// Finish set: jobs that have a say in when this one ends.
    pub fn finish_set(&self, job: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let Span { earliest, latest } = self.jobs[job].finish;
        self.above(job, move |release| release < latest)
            .map(move |other| (other, self.jobs[other].start.latest < earliest))
    }

    /// Jobs that go before this one, released from the beginning of its busy period on.
    fn above(
        &self,
        job: usize,
        is_in_time: impl Fn(Ticks) -> bool + 'static,
    ) -> impl Iterator<Item = usize> + '_ {
        let (rank, from) = (self.jobs[job].rank, self.busy_from(job));
        self.segment_of(job).filter(move |other| {
            let before = &self.jobs[*other];
            let goes_first = before.rank < rank || (before.rank == rank && *other < job);
            goes_first && before.release >= from && is_in_time(before.release)
        })
    }
}

/// Starts and ends of jobs, in the order of their release, under preemptive fixed priorities.
fn schedule(
    jobs: &[PeriodicJob],
    execution: impl Fn(&PeriodicJob) -> Ticks,
) -> Vec<(Ticks, Ticks)> {
    const NOT_YET: Ticks = Ticks::MAX;
    let mut left: Vec<Ticks> = jobs.iter().map(execution).collect();
    let mut times = vec![(NOT_YET, NOT_YET); jobs.len()];
    let mut ready = BinaryHeap::new();
    let (mut now, mut next) = (0, 0);
    while next < jobs.len() || !ready.is_empty() {
        if ready.is_empty() {
            now = now.max(jobs[next].release);
        }
        while let Some(job) = jobs.get(next).filter(|job| job.release <= now) {
            ready.push(Reverse((job.rank, next)));
            next += 1;
        }
        let Some(Reverse((_, job))) = ready.peek().copied() else { break };
        times[job].0 = times[job].0.min(now);
        let until = now + left[job];
        match jobs.get(next).filter(|other| other.release < until) {
            Some(other) => {
                left[job] = until - other.release;
                now = other.release;
            }
            None => {
                (now, times[job].1) = (until, until);
                ready.pop();
            }
        }
    }
    times
}
