//! Two independent implementations agree: the schedule by events and the schedule tick by tick, job by job, on
//! thousands of random small systems; and so do guider and simulation computer.

#[path = "naive/draw.rs"]
mod draw;
#[path = "naive/schedule.rs"]
mod schedule;
#[path = "naive/simulation.rs"]
mod simulation;

use draw::Draw;
use ironbird_kernel::Seed;
use ironbird_tasks::{Drawn, Guider, Job, Policy, Reading, Simulation, System, Timetable};
use schedule::Naive;

const HORIZON: u64 = 60;

/// Every third system has much time to spare.
fn either(number: u64) -> Draw {
    if number.is_multiple_of(3) { Draw::LightLoad } else { Draw::Anything }
}

/// Jobs that ended, by what they are: task and instance of the job and of the one that released it, times.
fn comparable(jobs: &[Job]) -> Vec<[u64; 8]> {
    let name = |number: u32| [jobs[number as usize].task as u64, jobs[number as usize].instance];
    let mut rows: Vec<[u64; 8]> = jobs
        .iter()
        .map(|job| {
            let [task, instance] = job.trigger.map_or([u64::MAX; 2], name);
            let Job { release, start, finish, execution, .. } = *job;
            [job.task as u64, job.instance, release, start, finish, execution, task, instance]
        })
        .collect();
    rows.sort_unstable();
    rows
}

/// The schedule by both; none where a job is starved, in which they agree, too.
fn both(system: &System, seed: u64) -> Option<(Timetable, Timetable)> {
    let seed = Seed { seed, repetition: 0 };
    let timetable = Timetable::until(system, Drawn::new(system, seed), HORIZON);
    let mut naive = Naive::new(system, Drawn::new(system, seed));
    naive.run_on(0, HORIZON);
    let count = naive.jobs.len();
    let timetable = match timetable {
        Ok(timetable) => timetable,
        Err(error) => {
            naive.run_on(HORIZON, error.by);
            let starved = |job: &Job| Some(&system.tasks[job.task].name) == error.starved.as_ref();
            assert!(
                naive.jobs[..count].iter().any(|job| job.finish == 0 && starved(job)),
                "{error}"
            );
            return None;
        }
    };
    let lost = naive.lost.clone();
    let mut until = HORIZON;
    // What has started comes to its end.
    while naive.jobs[..count].iter().any(|job| job.finish == 0) {
        naive.run_on(until, until + 1);
        until += 1;
    }
    naive.jobs.truncate(count);
    naive.sampled.retain(|(reader, _)| (*reader as usize) < count);
    let Naive { jobs, sampled, .. } = naive;
    Some((timetable, Timetable { jobs, sampled, lost, horizon: HORIZON, cycle: None }))
}

#[test]
fn the_schedule_is_that_of_a_tick_by_tick_implementation() {
    let (mut jobs, mut lost, mut sampled, mut starved) = (0, 0, 0, 0);
    for number in 0..6000 {
        let system = draw::system(&mut draw::numbers("schedule", number), either(number));
        let Some((ours, naive)) = both(&system, number) else {
            starved += 1;
            continue;
        };
        assert_eq!(comparable(&ours.jobs), comparable(&naive.jobs), "{number}: {system:#?}");
        assert_eq!(ours.lost, naive.lost, "{number}: {system:#?}");
        let pairs = |timetable: &Timetable| {
            let name = |job: u32| {
                let job = &timetable.jobs[job as usize];
                (job.task, job.instance)
            };
            let mut pairs: Vec<_> =
                timetable.sampled.iter().map(|p| (name(p.0), name(p.1))).collect();
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(pairs(&ours), pairs(&naive), "{number}: {system:#?}");
        jobs += ours.jobs.len();
        lost += ours.lost.iter().sum::<u64>();
        sampled += ours.sampled.len();
    }
    // The systems are not trivial.
    let enough = jobs > 100_000 && lost > 5_000 && sampled > 20_000 && starved < 200;
    assert!(enough, "{jobs} jobs, {lost} lost, {sampled} sampled, {starved} systems starved");
}

#[test]
fn every_policy_runs_jobs_when_a_tick_by_tick_implementation_does() {
    for number in 0..1500 {
        let system = draw::system(&mut draw::numbers("policies", number), either(number));
        let Some((timetable, _)) = both(&system, number) else { continue };
        let guider = Guider::new(&system, &timetable).expect("one speed");
        let nodes = simulation::nodes(&system, &timetable, guider.scale);
        let deadlines = |node: usize| (guider.nodes[node].deadline, nodes[node].deadline);
        for node in 0..nodes.len() {
            let (ours, naive) = deadlines(node);
            assert_eq!(ours, naive, "deadline of job {node} of system {number}");
        }
        let policies = [
            Policy::Ours,
            Policy::AllSync,
            Policy::TrueTime(Reading::Published),
            Policy::TrueTime(Reading::Interaction),
            Policy::TrueTime(Reading::Timers),
        ];
        for policy in policies {
            for cores in [1, 3] {
                let how = Simulation { policy, cores, turns: 1, stops_when_late: false };
                let mut seen = vec![(0, 0); nodes.len()];
                let mut late = 0;
                let verdict = how.run(&guider, |done| {
                    seen[done.node] = (done.start, done.finish);
                    late += u64::from(done.is_late);
                });
                let naive = simulation::simulate(&nodes, policy, cores);
                assert_eq!(seen, naive, "{} on {cores} cores, system {number}", policy.name());
                let misses = nodes.iter().zip(&naive);
                let misses = misses.filter(|(node, (_, end))| node.writes && *end > node.finish);
                assert_eq!((late, verdict.late), (misses.count() as u64, late));
            }
        }
    }
}
