//! The online phase under varying execution times: how long a job takes is known once the simulation computer
//! has run it (its time there is mapped to the ECU by [`crate::Task::simulated`]).
//!
//! After every job the ranges of all others are taken anew ([`super::real`]), and with them the needs and the
//! deadlines ([`super::guide`]). A job may run when the jobs that its real counterpart reads from are known and
//! done; if it reads from the physical system, also not before its real start, which must be known. A job that
//! writes to the physical system is on time if it is done, and its real finish known, when that finish comes.

use std::cell::RefCell;

use super::guide::{Guide, Progress, needs_start};
use super::parts::Parts;
use super::ranges::Ranges;
use super::real::{Read, Real};
use crate::guider::{NoCommonScale, common_scale};
use crate::job::Times;
use crate::policy::Policy;
use crate::scheduler::{Plan, TooManyJobs};
use crate::system::{System, TaskId, Ticks};

/// How a system with varying execution times is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VaryingSimulation {
    /// All jobs hold to their real start and run in its order ([`Policy::AllSync`]), or those that read from
    /// the physical system alone do, and the earliest deadline goes first (all others).
    pub policy: Policy,
    /// On how many cores.
    pub cores: usize,
    /// Jobs that start before this on their ECUs are simulated.
    pub horizon: Ticks,
    /// How far ahead of the earliest job that is not done and known others are looked at; to the horizon if
    /// nothing is given. A deadline further ahead counts as none.
    pub ahead: Option<Ticks>,
    /// Stop at the first job that is late.
    pub stops_when_late: bool,
}

/// A job that has been done and of which everything is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaryingDone {
    /// Its task.
    pub task: TaskId,
    /// Jobs of the task before it.
    pub instance: u64,
    /// When it was released on its ECU, in ticks.
    pub release: Ticks,
    /// When it started there.
    pub real_start: Ticks,
    /// When it ended there.
    pub real_finish: Ticks,
    /// When it began to run on the simulation computer, in parts of a tick.
    pub start: Ticks,
    /// When it was done there.
    pub finish: Ticks,
    /// When it was done and its real finish known.
    pub known: Ticks,
    /// Its effective deadline when it was done; [`crate::NEVER`] where it has none.
    pub deadline: Ticks,
    /// Whose results it read: task and number, by which they are tagged. First the one that released it.
    pub producers: Vec<(TaskId, u64)>,
    /// It writes to the physical system, and was not known when its real finish came.
    pub is_late: bool,
}

/// Whether one execution of a system was simulated in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VaryingVerdict {
    /// The first job that was found late.
    pub first_late: Option<VaryingDone>,
    /// Jobs that were late.
    pub late: u64,
    /// Jobs that were done and are of the horizon.
    pub jobs: u64,
    /// When the last one was done.
    pub end: Ticks,
    /// Parts of a tick in which the simulation computer counts.
    pub scale: u64,
}

impl VaryingVerdict {
    /// No job was late.
    pub fn is_simulatable(&self) -> bool {
        self.first_late.is_none()
    }
}

/// Why a system cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaryingError {
    /// Speeds that do not go together.
    #[error(transparent)]
    NoCommonScale(#[from] NoCommonScale),
    /// Too many jobs.
    #[error(transparent)]
    TooManyJobs(#[from] TooManyJobs),
}

/// What the simulation computer has done of a job.
#[derive(Clone, Default)]
struct Work {
    began: Option<Ticks>,
    /// What is left; known to the computer only when it is nothing.
    left: Ticks,
    execution: Ticks,
    finish: Ticks,
    deadline: Ticks,
    /// Whose results it read when it began.
    producers: Vec<(TaskId, u64)>,
}

struct State<'a, T> {
    real: Real<'a, T>,
    how: VaryingSimulation,
    times: &'a RefCell<T>,
    ranges: &'a Ranges,
    scale: u64,
    work: Vec<Work>,
    done: Vec<bool>,
    /// Jobs that are looked at and of which something is left to be done or known.
    open: Vec<usize>,
    /// Jobs of each periodic ECU that have been looked at.
    taken: Vec<usize>,
    /// Jobs are looked at up to here, and never beyond the end.
    ahead: Ticks,
    taken_to: Ticks,
    end: Ticks,
    now: Ticks,
    verdict: VaryingVerdict,
}

impl VaryingSimulation {
    /// Runs all jobs with the times of one execution, which are asked for when a job starts and used when it
    /// ends. Each job is told to `observe` once everything is known of it.
    pub fn run<T: Times>(
        self,
        system: &System,
        ranges: &Ranges,
        times: T,
        mut observe: impl FnMut(&VaryingDone),
    ) -> Result<VaryingVerdict, VaryingError> {
        let (plan, times) = (Plan::new(system), RefCell::new(times));
        let parts = Parts::of(system, &plan, self.horizon);
        let scale = common_scale(system, parts.end)?;
        let mut state = State {
            real: Real::new(system, &plan, &parts, (&times, self.horizon)),
            how: self,
            times: &times,
            ranges,
            scale,
            work: Vec::new(),
            done: Vec::new(),
            open: Vec::new(),
            taken: vec![0; parts.periodic.len()],
            ahead: self.ahead.unwrap_or(Ticks::MAX).clamp(1, parts.end.max(1)),
            taken_to: 0,
            end: parts.end.max(1),
            now: 0,
            verdict: VaryingVerdict { scale, ..VaryingVerdict::default() },
        };
        // Jobs that run, whichever core they are on.
        let mut running: Vec<usize> = Vec::new();
        let mut guide = Guide::default();
        loop {
            state.refill()?;
            if state.tell(&mut observe) && self.stops_when_late {
                break;
            }
            state.ask(&mut guide);
            let held = state.assign(&guide, &mut running);
            let ends = running.iter().map(|job| state.now + state.work[*job].left).min();
            match [ends, held].into_iter().flatten().min() {
                Some(next) => state.pass(next, &mut running),
                None if state.taken_to < state.end => state.look_ahead(state.ahead),
                None => break,
            }
        }
        Ok(state.verdict)
    }
}

impl<T: Times> State<'_, T> {
    /// Takes in what is decided now: the real schedule goes on, and jobs are looked at that have come near.
    fn refill(&mut self) -> Result<(), TooManyJobs> {
        let before: Vec<usize> = self.real.of_group.iter().map(Vec::len).collect();
        self.real.advance(self.ahead)?;
        self.taken_to = self.ahead;
        for (jobs, before) in self.real.of_group.iter().zip(before) {
            self.open.extend(&jobs[before..]);
        }
        for (part, taken) in self.taken.iter_mut().enumerate() {
            let jobs = &self.real.periodic[part].jobs;
            while jobs.get(*taken).is_some_and(|job| job.release < self.ahead) {
                self.open.push(self.real.of_part[part][*taken]);
                *taken += 1;
            }
        }
        self.work.resize(self.real.jobs.len(), Work::default());
        self.done.resize(self.real.jobs.len(), false);
        Ok(())
    }

    /// Looks as far ahead of an instant as is asked for, and never less far than before.
    fn look_ahead(&mut self, from: Ticks) {
        let window = self.how.ahead.unwrap_or(Ticks::MAX).max(1);
        self.ahead = from.saturating_add(window).clamp(self.ahead, self.end);
    }

    /// Needs and deadlines by what is known now.
    fn ask(&mut self, guide: &mut Guide) {
        guide.update(&self.real, &self.progress());
        for job in &guide.wanted {
            let work = &mut self.work[*job];
            let deadline = guide.deadlines[*job].saturating_mul(self.scale);
            let before = std::mem::replace(&mut work.deadline, deadline);
            debug_assert!(before <= deadline || self.how.ahead.is_some(), "{before} {deadline}");
        }
    }

    fn progress(&self) -> Progress<'_> {
        Progress {
            done: &self.done,
            open: &self.open,
            ahead: self.ahead,
            horizon: self.how.horizon,
            holds_all: self.how.policy == Policy::AllSync,
            ranges: self.ranges,
        }
    }

    /// Tells of jobs of which everything is known now; whether one of them is late.
    fn tell(&mut self, observe: &mut impl FnMut(&VaryingDone)) -> bool {
        let late = self.verdict.late;
        let mut open = std::mem::take(&mut self.open);
        open.retain(|job| {
            let (start, finish) = (self.real.start(*job).known(), self.real.finish(*job).known());
            let (Some(start), Some(finish), true) = (start, finish, self.done[*job]) else {
                return true;
            };
            // Later ones were done to know how long they take.
            if start < self.how.horizon {
                let done = self.describe(*job, start, finish);
                self.verdict.jobs += 1;
                self.verdict.end = self.verdict.end.max(done.finish);
                if done.is_late {
                    self.verdict.late += 1;
                    self.verdict.first_late.get_or_insert_with(|| done.clone());
                }
                observe(&done);
            }
            false
        });
        self.open = open;
        self.real.pass_over(&self.done);
        let earliest = self.open.iter().map(|job| self.real.start(*job).earliest).min();
        self.look_ahead(earliest.unwrap_or(self.ahead));
        self.verdict.late > late
    }

    fn describe(&self, job: usize, real_start: Ticks, real_finish: Ticks) -> VaryingDone {
        let (described, work) = (self.real.jobs[job], &self.work[job]);
        let writes = self.real.system.tasks[described.task].writes_physical;
        VaryingDone {
            task: described.task,
            instance: described.instance,
            release: self.real.release(job),
            real_start,
            real_finish,
            start: work.began.unwrap_or(0),
            finish: work.finish,
            known: self.now,
            deadline: work.deadline,
            producers: work.producers.clone(),
            is_late: writes && self.now > real_finish * self.scale,
        }
    }

    /// Gives the cores to the jobs that come first; says when the next one may start that is held.
    fn assign(&mut self, guide: &Guide, running: &mut Vec<usize>) -> Option<Ticks> {
        let progress = self.progress();
        let is_all_sync = progress.holds_all;
        let (mut ready, mut held) = (Vec::new(), None);
        for job in guide.wanted.iter().copied() {
            if self.work[job].began.is_none() {
                if !self.can_read(job) {
                    continue;
                }
                if needs_start(&self.real, &progress, job) {
                    let Some(start) = self.real.start(job).known() else { continue };
                    let task = &self.real.system.tasks[self.real.jobs[job].task];
                    let opens = start * self.scale;
                    if (is_all_sync || task.reads_physical) && opens > self.now {
                        held = Some(held.map_or(opens, |held: Ticks| held.min(opens)));
                        continue;
                    }
                }
            }
            let start = self.real.start(job).earliest;
            let ecu = self.real.system.tasks[self.real.jobs[job].task].ecu;
            let first = if is_all_sync { start } else { guide.deadlines[job] };
            let keeps_core = is_all_sync && running.contains(&job);
            ready.push((!keeps_core, first, start, ecu, job));
        }
        ready.sort_unstable();
        running.clear();
        for (.., job) in ready.into_iter().take(self.how.cores) {
            running.push(job);
            if self.work[job].began.is_none() {
                self.begin(job);
            }
        }
        held
    }

    /// Whether all that a job reads is known and there.
    fn can_read(&self, job: usize) -> bool {
        let is_done = |other: Option<usize>| other.is_none_or(|other| self.done[other]);
        is_done(self.real.previous(job))
            && is_done(self.real.trigger(job))
            && self.real.reads(job).into_iter().all(|read| match read {
                Read::Decided(from) => is_done(from),
                Read::Undecided { .. } => false,
            })
    }

    /// Whose results a job reads that can.
    fn producers(&self, job: usize) -> Vec<(TaskId, u64)> {
        let tag = |from: usize| (self.real.jobs[from].task, self.real.jobs[from].instance);
        let sampled = self.real.reads(job).into_iter().filter_map(|read| match read {
            Read::Decided(from) => from,
            Read::Undecided { .. } => None,
        });
        self.real.trigger(job).into_iter().chain(sampled).map(tag).collect()
    }

    fn begin(&mut self, job: usize) {
        let described = self.real.jobs[job];
        let execution = self.times.borrow_mut().execution(described.task, described.instance);
        let bounds = &self.real.system.tasks[described.task].execution;
        let ratio = self.real.system.tasks[described.task].simulated;
        let producers = self.producers(job);
        let work = &mut self.work[job];
        (work.began, work.producers) = (Some(self.now), producers);
        work.execution = execution.clamp(bounds.best, bounds.worst);
        work.left = ratio.of(work.execution * self.scale);
    }

    /// Time passes on the simulation computer; what a job took is known when it is done.
    fn pass(&mut self, until: Ticks, running: &mut Vec<usize>) {
        let passed = until - self.now;
        self.now = until;
        running.retain(|job| {
            let work = &mut self.work[*job];
            work.left -= passed;
            if work.left > 0 {
                return true;
            }
            work.finish = until;
            self.done[*job] = true;
            self.real.learn(*job, work.execution);
            false
        });
    }
}
