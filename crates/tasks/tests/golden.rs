//! The example of the thesis (section 3.2): every number of its table, under all three policies.

use std::path::Path;

use ironbird_tasks::{Guider, NEVER, Policy, Reading, Simulation, System, Timetable, read};

fn two_ecus() -> System {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tasks/two-ecus.toml");
    read(&file).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Job, ECU, release, start, finish, effective deadline.
const TABLE: [(&str, u64, &str, u64, u64, u64, u64); 9] = [
    ("T1.0", 1, "ecu1", 0, 0, 2, 7),
    ("T2.0", 1, "ecu1", 0, 2, 3, 5),
    ("T1.1", 1, "ecu1", 2, 3, 5, 7),
    ("T2.0", 2, "ecu1", 5, 5, 6, 9),
    ("T1.2", 1, "ecu1", 5, 6, 7, 7),
    ("T3.0", 1, "ecu2", 0, 0, 4, NEVER),
    ("T2.1", 1, "ecu2", 3, 4, 5, 5),
    ("T3.1", 1, "ecu2", 4, 5, 8, NEVER),
    ("T2.1", 2, "ecu2", 6, 8, 9, 9),
];

#[test]
fn the_schedule_and_the_effective_deadlines_are_those_of_the_table() {
    let system = two_ecus();
    let timetable = Timetable::of(&system).expect("a timetable");
    let guider = Guider::new(&system, &timetable).expect("a guider");
    assert_eq!((timetable.horizon, timetable.jobs.len()), (10, TABLE.len()));
    assert_eq!(timetable.cycle.map(|cycle| (cycle.first, cycle.length)), Some((0, 10)));
    for (task, instance, ecu, release, start, finish, deadline) in TABLE {
        let id = system.task(task).expect("the task");
        let number = (timetable.jobs.iter())
            .position(|job| job.task == id && job.instance + 1 == instance)
            .expect("the job");
        let job = timetable.jobs[number];
        assert_eq!(system.ecus[system.tasks[id].ecu].name, ecu);
        assert_eq!(
            (job.release, job.start, job.finish),
            (release, start, finish),
            "{task} {instance}"
        );
        let seen = guider.nodes[number].deadline;
        let seen = if seen == NEVER { NEVER } else { seen / guider.scale };
        assert_eq!(seen, deadline, "{task} {instance}");
    }
}

/// Task, instance, start and finish in half milliseconds.
type Simulated = (String, u64, u64, u64);

/// Task, finish and real finish in half milliseconds.
type Late = (String, u64, u64);

fn simulated(policy: Policy) -> (Vec<Simulated>, Vec<Late>) {
    let system = two_ecus();
    let timetable = Timetable::of(&system).expect("a timetable");
    let guider = Guider::new(&system, &timetable).expect("a guider");
    assert_eq!(guider.scale, 2);
    let (mut all, mut late) = (Vec::new(), Vec::new());
    let how = Simulation { policy, cores: 1, turns: 1, stops_when_late: false };
    let verdict = how.run(&guider, |done| {
        let job = timetable.jobs[done.node];
        let name = system.tasks[job.task].name.clone();
        all.push((name.clone(), job.instance + 1, done.start, done.finish));
        if done.is_late {
            late.push((name, done.finish, done.real_finish));
        }
    });
    assert_eq!(verdict.is_simulatable(), late.is_empty());
    assert_eq!(verdict.jobs, 9);
    (all, late)
}

#[test]
fn ours_meets_every_deadline_in_this_order() {
    let (all, late) = simulated(Policy::Ours);
    let expected = [
        ("T2.0", 1, 0, 1),
        ("T2.1", 1, 1, 2),
        ("T1.0", 1, 2, 4),
        ("T1.1", 1, 4, 6),
        ("T1.2", 1, 6, 7),
        ("T2.0", 2, 7, 8),
        ("T2.1", 2, 8, 9),
        ("T3.0", 1, 9, 13),
        ("T3.1", 1, 13, 16),
    ];
    let seen: Vec<_> =
        all.iter().map(|(name, k, start, end)| (name.as_str(), *k, *start, *end)).collect();
    assert_eq!(seen, expected);
    assert_eq!(late, []);
}

#[test]
fn allsync_and_truetime_finish_the_last_task_of_t1_half_a_millisecond_late() {
    for policy in [Policy::AllSync, Policy::TrueTime(Reading::Published)] {
        let (_, late) = simulated(policy);
        assert_eq!(late, [("T1.2".into(), 15, 14)], "{}", policy.name());
    }
}
