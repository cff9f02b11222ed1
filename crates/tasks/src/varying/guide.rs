//! The guider under varying times: what must be done before what, and by when, as far as it is known.
//!
//! | to | there must be | edges are possible, not certain, while |
//! |---|---|---|
//! | run a job | the job before it of its task, the one that released it, the ones whose results it reads | it is open which of several results the real job read |
//! | know its real start | all jobs of its start set | their own range overlaps the start's |
//! | know its real finish | itself, all jobs of its finish set | likewise |
//!
//! Deadlines: the finish of a job that writes to the physical system must be known, and the job be done, when
//! the smallest finish comes that is still possible (EFT); whatever that needs inherits the deadline
//! (equation 6). Ranges shrink and needs vanish, so deadlines only grow.
//!
//! For groups of ECUs that are followed by [`super::advanced`] jobs that have not started are not known one by
//! one: all that write are one node, the future of the group, which needs every job of the group that is not
//! done. Its deadline is the least finish that a writing job of it can have.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ranges::Ranges;
use super::real::{Place, Read, Real};
use crate::guider::NEVER;
use crate::job::Times;
use crate::system::Ticks;

/// Something that must be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// A job is done.
    Run(usize),
    /// The real start of a job is known.
    Start(usize),
    /// The real finish of a job is known.
    Finish(usize),
    /// All writing jobs of a group that have not started.
    Future(usize),
    /// All that happens in a group up to an instant.
    Until(usize, Ticks),
}

/// What is asked of the simulation at an instant.
#[derive(Default)]
pub(super) struct Guide {
    /// By when each job must be done, in ticks; [`NEVER`] where it need not.
    pub deadlines: Vec<Ticks>,
    /// Jobs that have to be done at all: they start before the horizon, or decide about one that does.
    pub wanted: Vec<usize>,
    reached: Vec<usize>,
    marks: Marks,
}

/// What has been reached while labels are spread: the number of the spreading in which it was.
#[derive(Default)]
struct Marks {
    spreading: u64,
    runs: Vec<u64>,
    starts: Vec<u64>,
    finishes: Vec<u64>,
    futures: Vec<u64>,
    /// Of each group: in which, and up to when.
    until: Vec<(u64, Ticks)>,
}

impl Marks {
    fn begin(&mut self, jobs: usize, groups: usize) {
        self.spreading += 1;
        for marks in [&mut self.runs, &mut self.starts, &mut self.finishes] {
            marks.resize(jobs, 0);
        }
        self.futures.resize(groups, 0);
        self.until.resize(groups, (0, 0));
    }

    /// Whether something is reached for the first time.
    fn reach(&mut self, need: Need) -> bool {
        let mark = match need {
            Need::Run(job) => &mut self.runs[job],
            Need::Start(job) => &mut self.starts[job],
            Need::Finish(job) => &mut self.finishes[job],
            Need::Future(group) => &mut self.futures[group],
            Need::Until(group, until) => {
                let mark = (self.spreading, until);
                let is_further = self.until[group] < mark;
                self.until[group] = self.until[group].max(mark);
                return is_further;
            }
        };
        std::mem::replace(mark, self.spreading) != self.spreading
    }
}

/// What decides about the guide besides the real system.
pub(super) struct Progress<'a> {
    /// Jobs that are done.
    pub done: &'a [bool],
    /// Jobs of which something is left to be done or known, as far as is looked ahead.
    pub open: &'a [usize],
    /// How far that is.
    pub ahead: Ticks,
    pub horizon: Ticks,
    /// All jobs wait for their real start.
    pub holds_all: bool,
    /// Bounds of jobs that have not started.
    pub ranges: &'a Ranges,
}

impl Guide {
    /// Takes in what is known now.
    pub fn update<T: Times>(&mut self, real: &Real<'_, T>, progress: &Progress<'_>) {
        let tasks = &real.system.tasks;
        let (mut wanted, mut writes) = (Vec::new(), Vec::new());
        for job in progress.open {
            if real.start(*job).earliest >= progress.horizon {
                continue;
            }
            let both = [Need::Run(*job), Need::Finish(*job)];
            wanted.extend(both.map(|need| (0, need)));
            if tasks[real.jobs[*job].task].writes_physical {
                let deadline = real.finish(*job).earliest;
                writes.extend(both.map(|need| (deadline, need)));
            }
        }
        for group in (0..real.groups.len()).filter(|group| !real.groups[*group].is_complete()) {
            wanted.push((0, Need::Future(group)));
            writes.push((least_future_finish(real, progress, group), Need::Future(group)));
        }
        self.deadlines.resize(real.jobs.len(), NEVER);
        for job in self.reached.drain(..) {
            self.deadlines[job] = NEVER;
        }
        let (deadlines, reached) = (&mut self.deadlines, &mut self.reached);
        spread(real, progress, writes, &mut self.marks, |job, deadline| {
            deadlines[job] = deadline;
            reached.push(job);
        });
        self.wanted.clear();
        let list = &mut self.wanted;
        spread(real, progress, wanted, &mut self.marks, |job, _| list.push(job));
    }
}

/// Whether the real start of a job must be known before it runs.
pub(super) fn needs_start<T: Times>(
    real: &Real<'_, T>,
    progress: &Progress<'_>,
    job: usize,
) -> bool {
    let is_held = progress.holds_all || real.system.tasks[real.jobs[job].task].reads_physical;
    let start = real.start(job);
    // Whether it belongs to the run at all.
    is_held || (start.earliest < progress.horizon && start.latest >= progress.horizon)
}

/// The least finish that a writing job of a group which has not started can have.
fn least_future_finish<T: Times>(
    real: &Real<'_, T>,
    progress: &Progress<'_>,
    group: usize,
) -> Ticks {
    let decided = real.groups[group].decided;
    let mut least = NEVER;
    for (task, described) in real.system.tasks.iter().enumerate() {
        if real.group_of[task] != Some(group) || !described.writes_physical {
            continue;
        }
        let next = real.of_task[task].len() as u64;
        let range = progress.ranges.job(task, next).map(|range| range.finish.earliest);
        let never = progress.ranges.is_bounded(described.ecu)
            && progress.ranges.horizon >= progress.horizon
            && range.is_none();
        if !never {
            let by_now = decided.saturating_add(described.execution.best);
            least = least.min(by_now.max(range.unwrap_or(0)));
        }
    }
    least
}

/// Carries labels from what must be had to all that it needs; tells each job that must be done, with its least.
fn spread<T: Times>(
    real: &Real<'_, T>,
    progress: &Progress<'_>,
    sources: Vec<(Ticks, Need)>,
    marks: &mut Marks,
    mut tell: impl FnMut(usize, Ticks),
) {
    marks.begin(real.jobs.len(), real.groups.len());
    let sources = sources.into_iter().filter(|(label, _)| *label != NEVER);
    let mut waiting: BinaryHeap<Reverse<(Ticks, Need)>> = sources.map(Reverse).collect();
    while let Some(Reverse((label, need))) = waiting.pop() {
        let is_done = matches!(need, Need::Run(job) if progress.done[job]);
        if is_done || !marks.reach(need) {
            continue;
        }
        if let Need::Run(job) = need {
            tell(job, label);
        }
        needs(real, progress, need, |next| {
            // Whoever needs a job ends after it: with a shorter time it does not need it.
            let least = if let Need::Run(job) = next { real.finish(job).earliest } else { 0 };
            waiting.push(Reverse((label.max(least), next)));
        });
    }
}

/// Tells what something needs.
fn needs<T: Times>(
    real: &Real<'_, T>,
    progress: &Progress<'_>,
    need: Need,
    mut tell: impl FnMut(Need),
) {
    match need {
        Need::Run(job) => {
            real.previous(job).into_iter().for_each(|before| tell(Need::Run(before)));
            real.trigger(job).into_iter().for_each(|before| tell(Need::Run(before)));
            for read in real.reads(job) {
                match read {
                    Read::Decided(from) => {
                        from.into_iter().for_each(|from| tell(Need::Run(from)));
                    }
                    Read::Undecided { candidates, future } => {
                        tell(Need::Start(job));
                        for from in candidates {
                            tell(Need::Run(from));
                            tell(Need::Finish(from));
                        }
                        let until = real.start(job).latest;
                        future.into_iter().for_each(|group| tell(Need::Until(group, until)));
                    }
                }
            }
            if needs_start(real, progress, job) {
                tell(Need::Start(job));
            }
        }
        Need::Start(job) => {
            let Place::Periodic { part, number } = real.jobs[job].place else { return };
            if real.start(job).known().is_none() {
                for (other, _) in real.periodic[part].start_set(number) {
                    tell_unknown(real, real.of_part[part][other], &mut tell);
                }
            }
        }
        Need::Finish(job) => {
            if real.finish(job).known().is_some() {
                return;
            }
            match real.jobs[job].place {
                Place::Periodic { part, number } => {
                    tell_unknown(real, job, &mut tell);
                    for (other, _) in real.periodic[part].finish_set(number) {
                        tell_unknown(real, real.of_part[part][other], &mut tell);
                    }
                }
                Place::Advanced { .. } if real.is_executed(job) => tell(Need::Run(job)),
                Place::Advanced { group, .. } => {
                    let described = real.jobs[job];
                    let range = progress.ranges.job(described.task, described.instance);
                    let range = range.filter(|range| range.is_certain);
                    let until = range.map_or(Ticks::MAX, |range| range.finish.latest);
                    tell(Need::Until(group, until));
                }
            }
        }
        Need::Future(group) => in_group(real, group, progress.ahead, |job| {
            tell(Need::Run(job));
            tell(Need::Finish(job));
        }),
        Need::Until(group, until) => in_group(real, group, until, |job| {
            if real.finish(job).earliest <= until {
                tell(Need::Run(job));
                tell(Need::Finish(job));
            }
        }),
    }
}

/// Jobs of a group that are open, and those up to an instant whose results are read there.
fn in_group<T: Times>(real: &Real<'_, T>, group: usize, until: Ticks, mut tell: impl FnMut(usize)) {
    real.of_group[group][real.first_of_group[group]..].iter().for_each(|job| tell(*job));
    for from in real.sampled_by(group) {
        let jobs = real.of_task[from][real.first_of_task[from]..].iter();
        jobs.take_while(|job| real.start(**job).earliest <= until).for_each(|job| tell(*job));
    }
}

fn tell_unknown<T: Times>(real: &Real<'_, T>, job: usize, tell: &mut impl FnMut(Need)) {
    if real.is_unknown(job) {
        tell(Need::Run(job));
    }
}
