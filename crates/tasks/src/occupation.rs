//! Which thread or core each job occupied, and when: from starts and ends alone.
//!
//! Of the jobs that have begun and are not done, those that come first by their key run, as many as there are
//! lanes; the others were interrupted. That holds for fixed priorities and for EDF, which interrupt, and for
//! executors, AllSync and TrueTime, which never begin more jobs than they have lanes.

use std::collections::BTreeSet;

use crate::system::Ticks;

/// A job that has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupant<K> {
    /// When it began.
    pub start: Ticks,
    /// When it was done.
    pub finish: Ticks,
    /// The lower goes first.
    pub key: K,
}

/// A time through which a job ran without interruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Number of the job among those that were given.
    pub job: usize,
    /// Thread or core, from 0.
    pub lane: usize,
    /// From here.
    pub from: Ticks,
    /// To here.
    pub to: Ticks,
}

/// When each job ran on which of the lanes, in the order in which the stretches end.
pub fn stretches<K: Ord + Copy>(jobs: &[Occupant<K>], lanes: usize) -> Vec<Stretch> {
    let mut events: Vec<(Ticks, bool, usize)> = Vec::with_capacity(2 * jobs.len());
    for (number, job) in jobs.iter().enumerate() {
        events.extend([(job.start, true, number), (job.finish, false, number)]);
    }
    // At one instant jobs end before others begin.
    events.sort_unstable();
    let mut begun: BTreeSet<(K, usize)> = BTreeSet::new();
    let mut on: Vec<Option<(usize, Ticks)>> = vec![None; lanes];
    let mut found = Vec::with_capacity(jobs.len());
    let mut events = events.into_iter().peekable();
    while let Some((now, begins, number)) = events.next() {
        let entry = (jobs[number].key, number);
        if begins {
            begun.insert(entry);
        } else {
            begun.remove(&entry);
        }
        if events.peek().is_some_and(|(time, ..)| *time == now) {
            continue;
        }
        let runs: Vec<usize> = begun.iter().take(lanes).map(|(_, number)| *number).collect();
        for (lane, place) in on.iter_mut().enumerate() {
            if let Some((job, from)) = place.filter(|(job, _)| !runs.contains(job)) {
                found.push(Stretch { job, lane, from, to: now });
                *place = None;
            }
        }
        for job in runs {
            if on.iter().flatten().all(|(running, _)| *running != job)
                && let Some(free) = on.iter_mut().find(|place| place.is_none())
            {
                *free = Some((job, now));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(jobs: &[(Ticks, Ticks, u64)], lanes: usize) -> Vec<(usize, usize, Ticks, Ticks)> {
        let jobs: Vec<Occupant<u64>> = (jobs.iter())
            .map(|(start, finish, key)| Occupant { start: *start, finish: *finish, key: *key })
            .collect();
        stretches(&jobs, lanes).iter().map(|s| (s.job, s.lane, s.from, s.to)).collect()
    }

    #[test]
    fn an_interrupted_job_goes_on_when_the_other_is_done() {
        assert_eq!(seen(&[(0, 5, 2), (1, 3, 1)], 1), [(0, 0, 0, 1), (1, 0, 1, 3), (0, 0, 3, 5)]);
    }

    #[test]
    fn jobs_at_the_same_time_have_lanes_of_their_own() {
        assert_eq!(seen(&[(0, 5, 2), (1, 3, 3)], 2), [(1, 1, 1, 3), (0, 0, 0, 5)]);
        assert_eq!(seen(&[(0, 2, 1), (2, 4, 1)], 2), [(0, 0, 0, 2), (1, 0, 2, 4)]);
    }
}
