//! What holds for every workload: 10,000 random ones, half of them as the thesis draws them, half small systems
//! of every kind of executor and bus.

#[path = "naive/draw.rs"]
mod draw;

use draw::Draw;
use ironbird_tasks::study::{Generator, Study, Vary};
use ironbird_tasks::{Extreme, Guider, Policy, Reading, Simulation, System, Timetable};

const OTHERS: [Policy; 4] = [
    Policy::AllSync,
    Policy::TrueTime(Reading::Published),
    Policy::TrueTime(Reading::Interaction),
    Policy::TrueTime(Reading::Timers),
];

/// All workloads; `look` gets each with its number.
fn for_all(mut look: impl FnMut(u64, System, &Timetable)) {
    let mut count = 0;
    for generator in Generator::ALL {
        let study = Study { longest: 100_000, ..Study::new(Vary::Transaction, generator) };
        for number in 0..2500 {
            let ratio = (number % 11) as u32 * 10;
            let (system, timetable) = study.workload(number, ratio).expect("a workload");
            look(count, system, &timetable);
            count += 1;
        }
    }
    let mut numbers = draw::numbers("properties", 0);
    while count < 10_000 {
        let draw = if count % 2 == 0 { Draw::Anything } else { Draw::LightLoad };
        let system = draw::system(&mut numbers, draw);
        // Where a job starves, there is no schedule.
        let Ok(timetable) = Timetable::until(&system, Extreme::worst(&system), 48) else {
            continue;
        };
        look(count, system, &timetable);
        count += 1;
    }
}

/// Whether all writes are in time, and when each job was done.
fn simulated(system: &System, timetable: &Timetable, policy: Policy) -> (bool, Vec<u64>) {
    let guider = Guider::new(system, timetable).expect("one speed");
    let how = Simulation { policy, cores: 1, turns: 1, stops_when_late: false };
    let mut ends = vec![0; guider.nodes.len()];
    let verdict = how.run(&guider, |done| ends[done.node] = done.finish);
    assert_eq!(verdict.jobs, timetable.jobs.len() as u64);
    (verdict.is_simulatable(), ends)
}

#[test]
fn what_any_other_policy_simulates_ours_does_too() {
    let mut better = [0; 4];
    for_all(|number, system, timetable| {
        let (ours, _) = simulated(&system, timetable, Policy::Ours);
        for (policy, better) in OTHERS.into_iter().zip(&mut better) {
            let (theirs, _) = simulated(&system, timetable, policy);
            assert!(ours || !theirs, "{} simulates workload {number}", policy.name());
            *better += u64::from(ours && !theirs);
        }
    });
    assert!(better.iter().all(|count| *count > 500), "{better:?}");
}

#[test]
fn what_never_writes_is_simulatable_by_every_policy() {
    for_all(|number, mut system, timetable| {
        system.tasks.iter_mut().for_each(|task| task.writes_physical = false);
        for policy in OTHERS.into_iter().chain([Policy::Ours]) {
            assert!(simulated(&system, timetable, policy).0, "{} {number}", policy.name());
        }
    });
}

#[test]
fn allsync_runs_all_jobs_alike_whatever_is_read() {
    let mut numbers = draw::numbers("read sets", 0);
    let mut changed = 0;
    for_all(|number, mut system, timetable| {
        let before = simulated(&system, timetable, Policy::AllSync);
        let ours = simulated(&system, timetable, Policy::Ours);
        system.tasks.iter_mut().for_each(|task| task.reads_physical = numbers.chance(0.5));
        assert_eq!(before, simulated(&system, timetable, Policy::AllSync), "{number}");
        changed += u64::from(ours != simulated(&system, timetable, Policy::Ours));
    });
    assert!(changed > 1000, "the read set matters to Ours: {changed}");
}

#[test]
fn ours_simulates_every_subset_of_writes_that_it_can_simulate() {
    let mut numbers = draw::numbers("write sets", 0);
    let mut lost = 0;
    for_all(|number, mut system, timetable| {
        system.tasks.iter_mut().for_each(|task| task.writes_physical = false);
        let mut was_simulatable = true;
        // More and more write, in the end all.
        for step in 1..=4 {
            for task in &mut system.tasks {
                task.writes_physical |= step == 4 || numbers.chance(0.3);
            }
            let (is_simulatable, _) = simulated(&system, timetable, Policy::Ours);
            assert!(was_simulatable || !is_simulatable, "workload {number}, step {step}");
            lost += u64::from(was_simulatable && !is_simulatable);
            was_simulatable = is_simulatable;
        }
    });
    assert!(lost > 500, "many cannot be simulated once enough write: {lost}");
}
