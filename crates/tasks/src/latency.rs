//! How long it takes from the beginning of a path to its end.
//!
//! A path is a list of tasks, each released by the one before or sampling it. Jobs of the last task are
//! followed back: to the job whose message released them, or to the one whose result they read. So a result
//! that nobody reads counts nowhere, and one that is read twice counts twice (as "data age" does).

use std::collections::VecDeque;

use crate::job::Job;
use crate::system::{System, TaskId, Ticks};
use crate::timetable::Timetable;

/// One way through a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// Number of the first job in the timetable.
    pub first: usize,
    /// Number of the last job.
    pub last: usize,
    /// When the first job was released.
    pub release: Ticks,
    /// When the first job started, and read.
    pub start: Ticks,
    /// When the last job ended, and wrote.
    pub finish: Ticks,
}

impl Latency {
    /// From the release of the first job to the end of the last.
    pub fn response(&self) -> Ticks {
        self.finish - self.release
    }
}

/// Every way through a path, in the order in which the last jobs started. Where a task of the path is neither
/// released by the one before nor samples it, there is none.
pub fn latencies(system: &System, timetable: &Timetable, path: &[TaskId]) -> Vec<Latency> {
    let is_known = path.iter().all(|task| *task < system.tasks.len());
    let (Some((&last, before)), true) = (path.split_last(), is_known) else { return Vec::new() };
    let mut found = Vec::new();
    for (number, job) in timetable.jobs.iter().enumerate().filter(|(_, job)| job.task == last) {
        let mut at = Some(number);
        for task in before.iter().rev() {
            at = at.and_then(|at| producer(timetable, at, *task));
        }
        if let Some(first) = at {
            let Job { release, start, .. } = timetable.jobs[first];
            found.push(Latency { first, last: number, release, start, finish: job.finish });
        }
    }
    found
}

/// The job of a task whose message released this job, or whose result it read.
fn producer(timetable: &Timetable, job: usize, task: TaskId) -> Option<usize> {
    let is_of = |number: &usize| timetable.jobs[*number].task == task;
    let trigger = timetable.jobs[job].trigger.map(|number| number as usize).filter(is_of);
    trigger.or_else(|| {
        let from = timetable.sampled.partition_point(|(reader, _)| (*reader as usize) < job);
        let read =
            timetable.sampled[from..].iter().take_while(|(reader, _)| *reader as usize == job);
        read.map(|(_, producer)| *producer as usize).find(is_of)
    })
}

/// The shortest path from the first task of a transaction to its last, by releases and samples; none where the
/// last does not depend on the first.
pub fn path_of(system: &System, transaction: usize) -> Option<Vec<TaskId>> {
    let tasks = &system.transactions.get(transaction)?.tasks;
    let (first, last) = (*tasks.first()?, *tasks.last()?);
    let mut next = vec![None; system.tasks.len()];
    let mut waiting = VecDeque::from([last]);
    while let Some(task) = waiting.pop_front() {
        if task == first {
            let mut path = vec![first];
            while let Some(task) = path.last().copied().filter(|task| *task != last) {
                path.push(next[task]?);
            }
            return Some(path);
        }
        for before in system.tasks[task].after.iter().chain(&system.tasks[task].samples) {
            if next[*before].is_none() && *before != last {
                next[*before] = Some(task);
                waiting.push_back(*before);
            }
        }
    }
    None
}

/// The least, the middle and the greatest of some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// The least.
    pub least: Ticks,
    /// Twice the median: the sum of the two in the middle, or twice the one that is.
    pub twice_median: Ticks,
    /// The greatest.
    pub greatest: Ticks,
}

impl Spread {
    /// Of these times; nothing of none.
    pub fn of(times: impl IntoIterator<Item = Ticks>) -> Option<Self> {
        let mut times: Vec<Ticks> = times.into_iter().collect();
        times.sort_unstable();
        let (least, greatest) = (*times.first()?, *times.last()?);
        let twice_median = times[(times.len() - 1) / 2] + times[times.len() / 2];
        Some(Spread { count: times.len(), least, twice_median, greatest })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ironbird_document::Source;

    fn system(text: &str) -> System {
        let (name, text) = ("test.toml".into(), text.into());
        let source = Source { name, text, folder: ".".into() };
        crate::parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    #[test]
    fn a_chain_takes_from_the_release_of_its_timer_to_the_end_of_its_last_callback() {
        let system = system(
            "[[ecu]]\nname='e'\n[[transaction]]\n\
             task=[{ecu='e',period=10,execution=2},{ecu='e',execution=3}]",
        );
        let timetable = Timetable::of(&system).expect("a timetable");
        assert_eq!(path_of(&system, 0), Some(vec![0, 1]));
        let found = latencies(&system, &timetable, &[0, 1]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].release, found[0].start, found[0].finish), (0, 0, 5));
        assert_eq!(latencies(&system, &timetable, &[1, 0]), []);
        assert_eq!(latencies(&system, &timetable, &[]), []);
        assert_eq!(latencies(&system, &timetable, &[7]), []);
    }

    #[test]
    fn a_timer_that_samples_reads_what_was_there_when_it_started() {
        let system = system(
            "[[ecu]]\nname='a'\n[[ecu]]\nname='b'\n[[transaction]]\n\
             task=[{ecu='a',period=10,execution=2},{ecu='b',period=4,execution=1,samples='T1.0'}]",
        );
        let timetable = Timetable::of(&system).expect("a timetable");
        let path = path_of(&system, 0).expect("a path");
        let found: Vec<(u64, u64)> =
            latencies(&system, &timetable, &path).iter().map(|l| (l.start, l.finish)).collect();
        // The job at 0 has nothing to read yet; those at 4 and 8 read the same result.
        assert_eq!(found[..3], [(0, 5), (0, 9), (10, 13)]);
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_two() {
        let spread = Spread::of([4, 1, 2, 9]).expect("some");
        assert_eq!((spread.least, spread.twice_median, spread.greatest), (1, 6, 9));
        assert_eq!(Spread::of([]), None);
    }
}
