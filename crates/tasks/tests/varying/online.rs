//! The simulation learns times only by running jobs, and yet gives every job the times and data of the real
//! system.

use std::collections::BTreeMap;

use ironbird_kernel::Seed;
use ironbird_tasks::{
    Drawn, Guider, Policy, Ranges, Simulation, System, TaskId, Ticks, Timetable, VaryingDone,
    VaryingSimulation, VaryingVerdict,
};

use crate::executions::{self, Given, Table};
use crate::systems::{Sort, drawn};

type Run = (BTreeMap<(TaskId, u64), VaryingDone>, VaryingVerdict);

fn run(how: VaryingSimulation, system: &System, ranges: &Ranges, table: &Table) -> Run {
    let mut all = BTreeMap::new();
    let times = Given { system, table };
    let verdict = how.run(system, ranges, times, |done| {
        let before = all.insert((done.task, done.instance), done.clone());
        assert_eq!(before, None, "told twice");
    });
    (all, verdict.expect("a verdict"))
}

/// The jobs that a real job reads from: the one that released it first.
fn real_producers(timetable: &Timetable, number: usize) -> Vec<(TaskId, u64)> {
    let sampled = timetable.sampled.iter().filter(|(reader, _)| *reader as usize == number);
    let sampled = sampled.map(|(_, from)| *from);
    let tag = |from: u32| {
        let job = &timetable.jobs[from as usize];
        (job.task, job.instance)
    };
    let mut all: Vec<_> = sampled.map(tag).collect();
    all.sort_unstable();
    let trigger = timetable.jobs[number].trigger.into_iter().map(tag);
    trigger.chain(all).collect()
}

fn check(system: &System, timetable: &Timetable, (all, verdict): &Run, context: &str) {
    let scale = verdict.scale;
    let mut late = 0;
    for (number, job) in timetable.jobs.iter().enumerate() {
        let done = all.get(&(job.task, job.instance));
        let done = done.unwrap_or_else(|| panic!("{context}: {job:?} was not simulated"));
        let seen = (done.release, done.real_start, done.real_finish);
        assert_eq!(seen, (job.release, job.start, job.finish), "{context}: {job:?}");
        let mut producers = done.producers.clone();
        producers[usize::from(job.trigger.is_some())..].sort_unstable();
        assert_eq!(producers, real_producers(timetable, number), "{context}: {job:?}");
        for from in &done.producers {
            assert!(all[from].finish <= done.start, "{context}: {job:?} read what was not there");
        }
        let task = &system.tasks[job.task];
        assert!(!task.reads_physical || done.start >= job.start * scale, "{context}: {job:?}");
        assert!(done.finish <= done.known);
        let is_late = task.writes_physical && done.known > job.finish * scale;
        assert_eq!(done.is_late, is_late, "{context}: {job:?}");
        late += u64::from(is_late);
    }
    assert_eq!(all.len(), timetable.jobs.len(), "{context}");
    assert_eq!((verdict.late, verdict.is_simulatable()), (late, late == 0), "{context}");
    assert_eq!(verdict.jobs as usize, all.len());
}

/// Two runs are the same until a job is done whose time differs.
fn check_that_nothing_is_foreseen((a, before): (&Run, &Table), (b, now): (&Run, &Table)) {
    let differs = |job: &(TaskId, u64)| before.get(job) != now.get(job);
    // Of jobs beyond the horizon that were run to know their times nothing is told.
    let is_told = |job: &&(TaskId, u64)| a.0.contains_key(job) && b.0.contains_key(job);
    if before.keys().chain(now.keys()).any(|job| differs(job) && !is_told(&job)) {
        return;
    }
    let ends = a.0.iter().chain(&b.0).filter(|(job, _)| differs(job)).map(|(_, done)| done.finish);
    let Some(first) = ends.min() else { return };
    for (job, done) in a.0.iter().filter(|(_, done)| done.finish < first) {
        let other = b.0.get(job).map(|other| (other.start, other.finish));
        assert_eq!(other, Some((done.start, done.finish)), "{job:?}");
    }
}

/// Runs every execution of many systems; how many there were, and how many of them could be simulated.
fn brute_force(sort: Sort, systems: std::ops::Range<u64>, most: usize) -> (usize, usize) {
    let (mut count, mut simulatable) = (0, 0);
    for number in systems {
        let system = drawn(sort, number);
        let horizon = 12 + 6 * (number % 3);
        let ranges = Ranges::until(&system, horizon, 2000);
        let policy = if number % 4 == 3 { Policy::AllSync } else { Policy::Ours };
        let cores = 1 + usize::from(number % 5 == 4);
        let ahead = [None, Some(8), Some(1)][number as usize % 7 % 3];
        let how = VaryingSimulation { policy, cores, horizon, ahead, stops_when_late: false };
        let mut last: Option<(Run, Table)> = None;
        executions::all(&system, horizon, most, |timetable, table| {
            let this = run(how, &system, &ranges, table);
            check(&system, timetable, &this, &format!("{sort:?} {number} {table:?}"));
            count += 1;
            simulatable += usize::from(this.1.is_simulatable());
            if let Some((other, before)) = &last {
                check_that_nothing_is_foreseen((other, before), (&this, table));
            }
            last = Some((this, table.clone()));
        });
    }
    (count, simulatable)
}

#[test]
fn periodic_tasks_of_fixed_priority() {
    let (count, simulatable) = brute_force(Sort::Periodic, 0..400, 400);
    println!("{count} executions, {simulatable} simulatable");
    assert!(count > 10_000 && simulatable > count / 10 && simulatable < count);
}

#[test]
fn chains_of_fixed_priority() {
    let (count, simulatable) = brute_force(Sort::Chains, 0..200, 200);
    println!("{count} executions, {simulatable} simulatable");
    assert!(count > 10_000 && simulatable > count / 10 && simulatable < count);
}

#[test]
fn executors() {
    let (count, simulatable) = brute_force(Sort::Executors, 0..200, 200);
    println!("{count} executions, {simulatable} simulatable");
    assert!(count > 10_000 && simulatable > count / 10 && simulatable < count);
}

#[test]
fn messages_in_slots() {
    let (count, simulatable) = brute_force(Sort::Slots, 0..200, 200);
    println!("{count} executions, {simulatable} simulatable");
    assert!(count > 10_000 && simulatable > count / 10 && simulatable < count);
}

#[test]
fn all_sorts_together() {
    let (count, simulatable) = brute_force(Sort::Mixed, 0..200, 200);
    println!("{count} executions, {simulatable} simulatable");
    assert!(count > 10_000 && simulatable > count / 10 && simulatable < count);
}

#[test]
fn with_constant_times_it_is_the_simulation_of_the_guider() {
    let mut late = 0;
    for number in 0..400 {
        let mut system =
            drawn([Sort::Periodic, Sort::Chains, Sort::Mixed][number as usize % 3], number);
        for task in &mut system.tasks {
            task.execution.best = task.execution.worst;
        }
        let horizon: Ticks = 24 + number % 7;
        let times = Given { system: &system, table: &Table::new() };
        let timetable = Timetable::until(&system, times, horizon).expect("a timetable");
        let guider = Guider::new(&system, &timetable).expect("a guider");
        for policy in [Policy::Ours, Policy::AllSync] {
            for cores in [1, 2] {
                let how = Simulation { policy, cores, turns: 1, stops_when_late: false };
                let mut expected = BTreeMap::new();
                let verdict = how.run(&guider, |done| {
                    let job = &timetable.jobs[done.node];
                    let told = (done.start, done.finish, done.deadline, done.is_late);
                    expected.insert((job.task, job.instance), told);
                });
                let ranges = Ranges::until(&system, horizon, 2000);
                let how = VaryingSimulation {
                    policy,
                    cores,
                    horizon,
                    ahead: None,
                    stops_when_late: false,
                };
                let (all, seen) = run(how, &system, &ranges, &Table::new());
                let seen_jobs: BTreeMap<_, _> = all
                    .iter()
                    .map(|(job, done)| {
                        (*job, (done.start, done.finish, done.deadline, done.is_late))
                    })
                    .collect();
                assert_eq!(seen_jobs, expected, "{number} {policy:?} {cores}");
                assert_eq!((seen.late, seen.end), (verdict.late, verdict.end));
                late += seen.late;
            }
        }
    }
    assert!(late > 0, "some must be late for this to say anything");
}

#[test]
fn long_runs_are_refilled_as_they_go() {
    let mut jobs = 0;
    for number in 0..60 {
        let sorts = [Sort::Periodic, Sort::Chains, Sort::Executors, Sort::Mixed];
        let system = drawn(sorts[number as usize % 4], number);
        let horizon: Ticks = 24 * 40;
        let ranges = Ranges::until(&system, 24, 2000);
        let seed = Seed { seed: number, repetition: 0 };
        let timetable = Timetable::until(&system, Drawn::new(&system, seed), horizon);
        let timetable = timetable.expect("a timetable");
        for ahead in [Some(24), Some(60)] {
            let policy = Policy::Ours;
            let how =
                VaryingSimulation { policy, cores: 1, horizon, ahead, stops_when_late: false };
            let mut all = BTreeMap::new();
            let verdict = how.run(&system, &ranges, Drawn::new(&system, seed), |done| {
                all.insert((done.task, done.instance), done.clone());
            });
            let run = (all, verdict.expect("a verdict"));
            check(&system, &timetable, &run, &format!("{number}"));
            jobs += run.1.jobs;
        }
    }
    println!("{jobs} jobs");
    assert!(jobs > 10_000);
}
