//! Small examples with numbers by hand.

use ironbird_tasks::{
    Bound, Extreme, Policy, Ranges, Reason, Span, System, Timetable, VaryingSimulation, read,
};

use crate::executions::{Given, Table};

fn system(text: &str) -> System {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("system.toml");
    std::fs::write(&file, text).expect("a file");
    read(&file).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn span(earliest: u64, latest: u64) -> Span {
    Span { earliest, latest }
}

/// While A runs, B and then C are released; C goes before B if both are there when A ends.
const ANOMALY: &str = r#"
time_unit = "ms"
[[ecu]]
name = "ecu"
executor = "dashing"
[[transaction]]
name = "A"
[[transaction.task]]
ecu = "ecu"
period = 20
execution = { best = 2, worst = 3 }
order = 0
[[transaction]]
name = "B"
[[transaction.task]]
ecu = "ecu"
period = 20
offset = 2
execution = 10
order = 2
[[transaction]]
name = "C"
[[transaction.task]]
ecu = "ecu"
period = 20
offset = 3
execution = 1
order = 1
writes_physical = true
"#;

#[test]
fn a_callback_that_ends_earlier_lets_another_end_later_and_the_ranges_know() {
    let system = system(ANOMALY);
    let c = system.task("C.0").expect("the task");
    let worst = Timetable::until(&system, Extreme::worst(&system), 20).expect("a timetable");
    let end = worst.jobs_of(c).next().map(|job| job.finish);
    assert_eq!(end, Some(4), "with all jobs at their worst it ends early");
    let ranges = Ranges::of(&system).expect("ranges");
    assert!(matches!(ranges.ecus[0], Bound::Explored { .. }));
    let range = ranges.job(c, 0).expect("a range");
    assert_eq!((range.start, range.finish), (span(3, 12), span(4, 13)));
    let b = ranges.job(system.task("B.0").expect("the task"), 0).expect("a range");
    assert_eq!((b.release, b.start, b.finish), (span(2, 2), span(2, 4), span(12, 14)));
}

#[test]
fn an_ecu_with_too_many_states_is_said_not_to_be_bounded() {
    let ranges = Ranges::until(&system(ANOMALY), 20, 2);
    let Bound::NotBounded { reason } = &ranges.ecus[0] else { panic!("{:?}", ranges.ecus) };
    assert_eq!(reason, "its jobs can run in too many orders: more than 2 states");
    assert!(ranges.jobs.is_empty() && !ranges.is_bounded(0));
}

/// `low` starts when `high` is done, and may be interrupted by its second job.
const PRIORITIES: &str = r#"
time_unit = "ms"
sim_speed = 2
[[ecu]]
name = "ecu"
executor = "fixed-priority"
[[transaction]]
name = "high"
[[transaction.task]]
ecu = "ecu"
period = 10
execution = { best = 1, worst = 3 }
[[transaction]]
name = "low"
[[transaction.task]]
ecu = "ecu"
period = 30
execution = { best = 2, worst = 9 }
reads_physical = true
writes_physical = true
samples = "high.0"
"#;

#[test]
fn a_job_above_is_certain_or_possible_in_the_start_and_finish_set() {
    let system = system(PRIORITIES);
    let (high, low) = (0, 1);
    let ranges = Ranges::of(&system).expect("ranges");
    assert_eq!(ranges.ecus, [Bound::TwoSchedules]);
    let range = ranges.job(low, 0).expect("a range");
    // At its latest it runs from 3 to 10 and from 13 to 15.
    assert_eq!((range.start, range.finish, range.busy_from), (span(1, 3), span(3, 15), Some(0)));
    let of_low = ranges.edges.iter().filter(|edge| edge.to == (low, 0));
    let edges: Vec<_> = of_low.map(|edge| (edge.reason, edge.from, edge.is_certain)).collect();
    let expected = [
        (Reason::Start, (high, 0), true),
        (Reason::Finish, (high, 0), true),
        (Reason::Finish, (high, 1), false),
        (Reason::Data, (high, 0), false),
    ];
    assert_eq!(edges, expected);
}

#[test]
fn a_write_is_on_time_when_its_job_is_done_and_its_finish_known() {
    let system = system(PRIORITIES);
    // The first job of `low` takes 9: it is interrupted by the second of `high`, and ends when that has told
    // how long it takes. Both are done on the simulation computer long before.
    let table = Table::from([((0, 0), 2), ((0, 1), 1), ((0, 2), 1), ((1, 0), 9)]);
    let how = VaryingSimulation {
        policy: Policy::Ours,
        cores: 1,
        horizon: 30,
        ahead: None,
        stops_when_late: false,
    };
    let ranges = Ranges::of(&system).expect("ranges");
    let mut told = Vec::new();
    let verdict = how.run(&system, &ranges, Given { system: &system, table: &table }, |done| {
        told.push((
            done.task,
            done.real_start,
            done.real_finish,
            done.start,
            done.finish,
            done.known,
        ));
        assert!(done.task == 0 || done.producers == [(0, 0)]);
    });
    let verdict = verdict.expect("a verdict");
    assert_eq!((verdict.scale, verdict.is_simulatable(), verdict.jobs), (2, true, 4));
    let low = told.iter().find(|done| done.0 == 1).expect("low");
    // Half milliseconds: it waits for its real start at 2 ms, which is known at 1 ms. Meanwhile `high` runs
    // ahead.
    assert_eq!((low.1, low.2, low.3), (2, 12, 4));
    assert!(low.5 <= 24, "{low:?}");
}

/// `act` writes what it makes of the result of `low`, whose start `high` decides. `other` may wait.
const START: &str = r#"
time_unit = "ms"
[[ecu]]
name = "ecu"
executor = "fixed-priority"
[[ecu]]
name = "actuators"
executor = "fixed-priority"
[[transaction]]
name = "high"
[[transaction.task]]
ecu = "ecu"
period = 40
execution = { best = 1, worst = 3 }
order = 0
[[transaction]]
name = "low"
[[transaction.task]]
ecu = "ecu"
period = 40
execution = { best = 2, worst = 4 }
order = 1
reads_physical = true
[[transaction]]
name = "act"
[[transaction.task]]
ecu = "actuators"
period = 40
offset = 20
execution = 1
samples = "low.0"
writes_physical = true
[[transaction]]
name = "other"
[[transaction.task]]
ecu = "actuators"
period = 40
offset = 21
execution = 4
writes_physical = true
"#;

#[test]
fn what_decides_when_a_reading_job_starts_inherits_its_deadline() {
    let system = system(START);
    let ranges = Ranges::of(&system).expect("ranges");
    let how = VaryingSimulation {
        policy: Policy::Ours,
        cores: 1,
        horizon: 40,
        ahead: None,
        stops_when_late: false,
    };
    let table = Table::from([((0, 0), 3), ((1, 0), 4)]);
    let mut told = Vec::new();
    how.run(&system, &ranges, Given { system: &system, table: &table }, |done| {
        told.push((done.task, done.start, done.deadline));
    })
    .expect("a verdict");
    told.sort_unstable();
    assert_eq!(told, [(0, 0, 21), (1, 3, 21), (2, 7, 21), (3, 8, 25)]);
}

/// `middle` ends between 2 and 8, by what `high` takes; `act` reads at 4 what it has written by then.
const OPEN: &str = r#"
time_unit = "ms"
[[ecu]]
name = "ecu"
executor = "fixed-priority"
[[ecu]]
name = "actuators"
executor = "fixed-priority"
[[transaction]]
name = "high"
[[transaction.task]]
ecu = "ecu"
period = 20
execution = { best = 1, worst = 6 }
order = 0
[[transaction]]
name = "middle"
[[transaction.task]]
ecu = "ecu"
period = 20
execution = { best = 1, worst = 2 }
order = 1
[[transaction]]
name = "act"
[[transaction.task]]
ecu = "actuators"
period = 20
offset = 4
execution = 1
samples = "middle.0"
writes_physical = true
"#;

#[test]
fn a_job_waits_until_it_is_clear_which_result_it_reads() {
    let system = system(OPEN);
    let ranges = Ranges::of(&system).expect("ranges");
    let how = VaryingSimulation {
        policy: Policy::Ours,
        cores: 1,
        horizon: 20,
        ahead: None,
        stops_when_late: false,
    };
    for (high, read, begins) in [(1, vec![(1, 0)], 2), (6, vec![], 6)] {
        let table = Table::from([((0, 0), high), ((1, 0), 1)]);
        let mut told = Vec::new();
        let verdict = how.run(&system, &ranges, Given { system: &system, table: &table }, |done| {
            if done.task == 2 {
                told.push((done.producers.clone(), done.start));
            }
        });
        assert_eq!(told, [(read, begins)], "high takes {high}");
        // A computer as fast as the ECU comes too late where `high` takes long.
        assert_eq!(verdict.expect("a verdict").is_simulatable(), high == 1);
    }
}

/// Slots of 4: those of the sender begin at 0, 8, 16.
const SLOTS: &str = r#"
time_unit = "ms"
[[ecu]]
name = "sender"
executor = "fixed-priority"
[[ecu]]
name = "receiver"
executor = "dashing"
[[bus]]
name = "can"
kind = "can-tdma"
ecus = ["sender", "receiver"]
slot = 4
slots = ["sender", "receiver"]
frame_time = 1
[[transaction]]
name = "T"
[[transaction.task]]
ecu = "sender"
period = 32
execution = { best = 1, worst = WORST }
[[transaction.task]]
ecu = "receiver"
execution = 1
"#;

#[test]
fn a_message_in_a_time_slot_comes_in_the_slot_after_the_finish() {
    for (worst, release) in [("3", span(9, 9)), ("9", span(9, 17))] {
        let system = system(&SLOTS.replace("WORST", worst));
        let ranges = Ranges::of(&system).expect("ranges");
        let received = ranges.job(1, 0).expect("a range");
        assert_eq!((received.release, received.start), (release, release), "{worst}");
    }
}

/// Frames fill a slot each: that of `b`, ready at 4 at the latest, waits behind that of `a` and comes at 10.
const QUEUE: &str = r#"
time_unit = "ms"
[[ecu]]
name = "sender"
executor = "fixed-priority"
[[ecu]]
name = "reader"
executor = "fixed-priority"
[[bus]]
name = "can"
kind = "can-tdma"
ecus = ["sender", "reader"]
slot = 2
slots = ["sender", "reader"]
frame_time = 2
[[transaction]]
name = "a"
[[transaction.task]]
ecu = "sender"
period = 20
execution = { best = 1, worst = 3 }
order = 0
[[transaction]]
name = "b"
[[transaction.task]]
ecu = "sender"
period = 20
execution = 1
order = 1
[[transaction]]
name = "early"
[[transaction.task]]
ecu = "reader"
period = 20
offset = 7
execution = 1
samples = ["a.0", "b.0"]
order = 0
[[transaction]]
name = "late"
[[transaction.task]]
ecu = "reader"
period = 20
offset = 11
execution = 1
samples = ["b.0"]
order = 1
"#;

#[test]
fn a_frame_behind_another_of_its_sender_is_certain_only_in_a_later_slot() {
    let system = system(QUEUE);
    let ranges = Ranges::until(&system, 20, 1000);
    let is_certain = |reader, from| {
        let edge = ranges.edges.iter().find(|edge| {
            edge.reason == Reason::Data && edge.to == (reader, 0) && edge.from == (from, 0)
        });
        edge.map(|edge| edge.is_certain)
    };
    assert_eq!((is_certain(2, 1), is_certain(3, 1)), (Some(false), Some(true)));
}
