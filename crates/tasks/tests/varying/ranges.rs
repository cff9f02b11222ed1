//! Ranges of the offline schedule hold every execution, and no more than that where priorities are fixed.

use std::collections::BTreeMap;

use ironbird_tasks::{Bound, Ranges, Reason, Span, System, TaskId, Ticks, VaryingEdge};

use crate::executions;
use crate::systems::{Sort, drawn};

type Seen = BTreeMap<(TaskId, u64), [Span; 3]>;

/// What jobs do in any execution; whether all were looked at, and how many there were.
fn seen(system: &System, ranges: &Ranges, most: usize, context: &str) -> (Seen, bool, usize) {
    let (mut seen, mut count) = (Seen::new(), 0);
    let data = |edge: &&VaryingEdge| edge.reason == Reason::Data;
    let edges: BTreeMap<_, bool> = ranges
        .edges
        .iter()
        .filter(data)
        .map(|edge| ((edge.to, edge.from), edge.is_certain))
        .collect();
    let certain: Vec<_> = edges.iter().filter(|(_, is_certain)| **is_certain).collect();
    let is_all = executions::all(system, ranges.horizon, most, |timetable, table| {
        count += 1;
        for job in &timetable.jobs {
            let times = [job.release, job.start, job.finish].map(Span::at);
            let all = seen.entry((job.task, job.instance)).or_insert(times);
            (0..3).for_each(|at| all[at] = all[at].hull(times[at]));
            if !ranges.is_bounded(system.tasks[job.task].ecu) {
                continue;
            }
            let range = ranges.job(job.task, job.instance);
            let range =
                range.unwrap_or_else(|| panic!("{context}: {job:?} has no range {table:?}"));
            for (span, time) in
                [(range.release, job.release), (range.start, job.start), (range.finish, job.finish)]
            {
                assert!(
                    span.contains(time),
                    "{context}: {job:?} is not within {range:?} {table:?}"
                );
            }
        }
        let name = |number: u32| {
            let job = &timetable.jobs[number as usize];
            (job.task, job.instance)
        };
        let is_bounded = |(task, _): (TaskId, u64)| ranges.is_bounded(system.tasks[task].ecu);
        let read: Vec<_> =
            timetable.sampled.iter().map(|(to, from)| (name(*to), name(*from))).collect();
        for (to, from) in read.iter().filter(|(to, from)| is_bounded(*to) && is_bounded(*from)) {
            assert!(edges.contains_key(&(*to, *from)), "{context}: {to:?} read {from:?} {table:?}");
        }
        let starts = |task: TaskId, instance: u64| {
            timetable.jobs.iter().any(|job| (job.task, job.instance) == (task, instance))
        };
        for job in ranges.jobs.iter().filter(|job| job.is_certain) {
            assert!(starts(job.task, job.instance), "{context}: {job:?} is not certain {table:?}");
        }
        for ((to, from), _) in &certain {
            let is_read = !starts(to.0, to.1) || read.contains(&(*to, *from));
            assert!(is_read, "{context}: {to:?} {from:?} {table:?}");
        }
    });
    (seen, is_all, count)
}

/// Executions, jobs with ranges that are reached, all jobs with ranges, systems that were not bounded.
fn brute_force(sort: Sort, systems: std::ops::Range<u64>, most: usize) -> [usize; 4] {
    let mut figures = [0; 4];
    for number in systems {
        let system = drawn(sort, number);
        let horizon: Ticks = 12 + 6 * (number % 3);
        let ranges = Ranges::until(&system, horizon, 20_000);
        let context = format!("{sort:?} {number}");
        let (seen, is_all, count) = seen(&system, &ranges, most, &context);
        figures[0] += count;
        let is_open = |bound: &Bound| matches!(bound, Bound::NotBounded { .. });
        figures[3] += usize::from(ranges.ecus.iter().any(is_open));
        // Only where every execution was looked at, and the job starts before the horizon in each of them.
        for range in ranges.jobs.iter().filter(|range| is_all && range.is_certain) {
            let all = seen.get(&(range.task, range.instance)).copied();
            let is_reached = all == Some([range.release, range.start, range.finish]);
            let bound = &ranges.ecus[system.tasks[range.task].ecu];
            assert!(is_reached || *bound != Bound::TwoSchedules, "{context}: {range:?} {all:?}");
            figures[1] += usize::from(is_reached);
            figures[2] += 1;
        }
    }
    println!("{sort:?}: executions, reached, ranges, not bounded: {figures:?}");
    figures
}

#[test]
fn of_periodic_tasks_every_bound_is_reached() {
    let [count, reached, all, not_bounded] = brute_force(Sort::Periodic, 0..300, 1500);
    assert!(count > 20_000 && reached == all && all > 1000 && not_bounded == 0);
}

#[test]
fn of_chains_no_execution_is_outside() {
    let [count, reached, all, not_bounded] = brute_force(Sort::Chains, 0..200, 1000);
    assert!(count > 20_000 && reached > all / 2 && not_bounded < 50);
}

#[test]
fn of_messages_in_slots_no_execution_is_outside() {
    let [count, reached, all, not_bounded] = brute_force(Sort::Slots, 0..400, 500);
    assert!(count > 20_000 && reached > all / 2 && not_bounded < 50);
}

#[test]
fn of_executors_no_execution_is_outside() {
    let [count, reached, all, not_bounded] = brute_force(Sort::Executors, 0..200, 1000);
    assert!(count > 20_000 && reached > all / 2 && not_bounded < 20);
}

#[test]
fn of_all_sorts_together_no_execution_is_outside() {
    let [count, reached, all, not_bounded] = brute_force(Sort::Mixed, 0..200, 1000);
    assert!(count > 20_000 && reached > all / 2 && not_bounded < 50);
}
