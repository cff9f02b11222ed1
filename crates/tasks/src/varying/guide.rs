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
pub(super) struct Guide {
    /// By when each job must be done, in ticks; [`NEVER`] where it need not.
    pub deadlines: Vec<Ticks>,
    /// Whether each job has to be done at all: it starts before the horizon, or decides about one that does.
    pub is_wanted: Vec<bool>,
}

/// What decides about the guide besides the real system.
pub(super) struct Progress<'a> {
    /// Jobs that are done.
    pub done: &'a [bool],
    pub horizon: Ticks,
    /// All jobs wait for their real start.
    pub holds_all: bool,
    /// Bounds of jobs that have not started.
    pub ranges: &'a Ranges,
}

impl Guide {
    /// The guide for what is known now.
    pub fn new<T: Times>(real: &Real<'_, T>, progress: &Progress<'_>) -> Self {
        let tasks = &real.system.tasks;
        let (mut wanted, mut writes) = (Vec::new(), Vec::new());
        for job in 0..real.jobs.len() {
            let finish = real.finish(job);
            let is_open = !progress.done[job] || finish.known().is_none();
            if !is_open || real.start(job).earliest >= progress.horizon {
                continue;
            }
            let both = [Need::Run(job), Need::Finish(job)];
            wanted.extend(both.map(|need| (0, need)));
            if tasks[real.jobs[job].task].writes_physical {
                writes.extend(both.map(|need| (finish.earliest, need)));
            }
        }
        for group in (0..real.groups.len()).filter(|group| !real.groups[*group].is_complete()) {
            wanted.push((0, Need::Future(group)));
            writes.push((least_future_finish(real, progress, group), Need::Future(group)));
        }
        let deadlines = spread(real, progress, writes);
        let is_wanted =
            spread(real, progress, wanted).iter().map(|label| *label != NEVER).collect();
        Guide { deadlines, is_wanted }
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

/// Carries labels from what must be had to all that it needs: each job gets the least.
fn spread<T: Times>(
    real: &Real<'_, T>,
    progress: &Progress<'_>,
    sources: Vec<(Ticks, Need)>,
) -> Vec<Ticks> {
    let mut labels = vec![NEVER; real.jobs.len()];
    let (mut starts, mut finishes) = (vec![false; real.jobs.len()], vec![false; real.jobs.len()]);
    let mut futures = vec![false; real.groups.len()];
    let mut reached = vec![0; real.groups.len()];
    let mut waiting: BinaryHeap<Reverse<(Ticks, Need)>> =
        sources.into_iter().filter(|(label, _)| *label != NEVER).map(Reverse).collect();
    while let Some(Reverse((label, need))) = waiting.pop() {
        let is_new = match need {
            Need::Run(job) if progress.done[job] => false,
            Need::Run(job) if labels[job] != NEVER => false,
            Need::Run(job) => {
                labels[job] = label;
                true
            }
            Need::Start(job) => !std::mem::replace(&mut starts[job], true),
            Need::Finish(job) => !std::mem::replace(&mut finishes[job], true),
            Need::Future(group) => !std::mem::replace(&mut futures[group], true),
            Need::Until(group, until) => {
                let is_further = until > reached[group];
                reached[group] = until.max(reached[group]);
                is_further
            }
        };
        if is_new {
            needs(real, progress, need, |next| {
                // Whoever needs a job ends after it: with a shorter time it does not need it.
                let least = if let Need::Run(job) = next { real.finish(job).earliest } else { 0 };
                waiting.push(Reverse((label.max(least), next)));
            });
        }
    }
    labels
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
                    let until = range.map_or(Ticks::MAX, |range| range.finish.latest);
                    tell(Need::Until(group, until));
                }
            }
        }
        Need::Future(group) => {
            let sampled = real.sampled_by(group).flat_map(|from| &real.of_task[from]);
            for job in real.of_group[group].iter().chain(sampled) {
                tell(Need::Run(*job));
                tell(Need::Finish(*job));
            }
        }
        Need::Until(group, until) => {
            let sampled = real.sampled_by(group).flat_map(|from| &real.of_task[from]);
            for job in real.of_group[group].iter().chain(sampled) {
                if real.finish(*job).earliest <= until {
                    tell(Need::Run(*job));
                    tell(Need::Finish(*job));
                }
            }
        }
    }
}

fn tell_unknown<T: Times>(real: &Real<'_, T>, job: usize, tell: &mut impl FnMut(Need)) {
    if real.is_unknown(job) {
        tell(Need::Run(job));
    }
}
