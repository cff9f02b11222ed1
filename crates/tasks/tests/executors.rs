//! Worked examples of what executors of different ROS 2 releases do, by hand.

use std::path::PathBuf;
use std::sync::Arc;

use ironbird_document::Source;
use ironbird_tasks::{Extreme, System, Timetable, parse};

fn system(text: &str) -> System {
    let text = format!("time_unit = \"ms\"\n{text}");
    let source = Source { name: "example".into(), folder: PathBuf::new(), text };
    parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{}", problems.render(false, 100)))
}

/// `name [start, finish]` of all jobs on the ECU "e" that start before `until`, in the order of their start.
fn scheduled(text: &str, until: u64) -> String {
    let system = system(text);
    let timetable = Timetable::until(&system, Extreme::worst(&system), until).expect("a timetable");
    let on_e =
        timetable.jobs.iter().filter(|job| system.ecus[system.tasks[job.task].ecu].name == "e");
    let texts: Vec<String> = on_e
        .map(|job| format!("{} [{},{}]", system.tasks[job.task].name, job.start, job.finish))
        .collect();
    texts.join(" ")
}

/// A task that runs on an ECU of its own, once, and ends at `end`: whoever it releases gets a message then.
fn sender(name: &str, end: u64) -> String {
    format!(
        "[[ecu]]\nname = \"of {name}\"\n\
         [[transaction]]\nname = \"{name}\"\n[[transaction.task]]\nname = \"{name}\"\necu = \"of {name}\"\n\
         period = 1000\nexecution = {end}\n"
    )
}

/// TOML wants all ECUs in front.
fn file(executor: &str, senders: &[(&str, u64)], tasks: &[&str]) -> String {
    let mut ecus = format!("[[ecu]]\nname = \"e\"\n{executor}\n");
    let mut transactions = String::new();
    for (name, end) in senders {
        let text = sender(name, *end);
        let (ecu, transaction) = text.split_once("[[transaction]]").expect("a transaction");
        ecus += ecu;
        transactions += &format!("[[transaction]]{transaction}");
    }
    for (number, task) in tasks.iter().enumerate() {
        transactions += &format!(
            "[[transaction]]\nname = \"chain {number}\"\n[[transaction.task]]\necu = \"e\"\n{task}\n"
        );
    }
    ecus + &transactions
}

const TIMER_AND_TWO_SUBSCRIPTIONS: [&str; 3] = [
    "name = \"T\"\nperiod = 1000\noffset = 2\nexecution = 1",
    "name = \"s1\"\nafter = \"m\"\nexecution = 2",
    "name = \"s2\"\nafter = \"m\"\nexecution = 2",
];

#[test]
fn up_to_dashing_a_timer_runs_between_any_two_callbacks() {
    let text = file("rules = \"dashing\"", &[("m", 1)], &TIMER_AND_TWO_SUBSCRIPTIONS);
    assert_eq!(scheduled(&text, 100), "s1 [1,3] T [3,4] s2 [4,6]");
}

#[test]
fn from_eloquent_on_a_timer_waits_for_the_next_snapshot() {
    for release in ["eloquent", "foxy", "humble", "iron"] {
        let rules = format!("rules = \"{release}\"");
        let text = file(&rules, &[("m", 1)], &TIMER_AND_TWO_SUBSCRIPTIONS);
        assert_eq!(scheduled(&text, 100), "s1 [1,3] s2 [3,5] T [5,6]", "{release}");
    }
}

#[test]
fn types_go_before_registration_in_a_snapshot() {
    let tasks = [
        "name = \"long\"\nperiod = 1000\nexecution = 5",
        "name = \"client\"\nkind = \"client\"\nafter = \"m\"\nexecution = 1",
        "name = \"service\"\nkind = \"service\"\nafter = \"m\"\nexecution = 1",
        "name = \"subscription\"\nafter = \"m\"\nexecution = 1",
        "name = \"timer\"\nperiod = 1000\noffset = 4\nexecution = 1",
    ];
    for rules in ["dashing", "eloquent"] {
        let text = file(&format!("rules = \"{rules}\""), &[("m", 1)], &tasks);
        let expected = "long [0,5] timer [5,6] subscription [6,7] service [7,8] client [8,9]";
        assert_eq!(scheduled(&text, 100), expected, "{rules}");
    }
}

#[test]
fn a_poll_on_wake_sees_the_message_that_came_with_the_timer_alone() {
    let tasks = [
        "name = \"T\"\nperiod = 1000\noffset = 2\nexecution = 2",
        "name = \"high\"\nafter = \"late\"\nexecution = 2",
        "name = \"low\"\nafter = \"early\"\nexecution = 2",
    ];
    let with = |poll: &str| {
        let executor = format!("rules = \"dashing\"\npoll_on_wake = {poll}");
        scheduled(&file(&executor, &[("early", 2), ("late", 3)], &tasks), 100)
    };
    assert_eq!(with("true"), "T [2,4] low [4,6] high [6,8]");
    assert_eq!(with("false"), "T [2,4] high [4,6] low [6,8]");
}

#[test]
fn a_snapshot_has_one_message_of_each_subscription() {
    let tasks = [
        "name = \"long\"\nperiod = 1000\nexecution = 5",
        "name = \"s1\"\nafter = [\"a\", \"b\"]\nexecution = 1",
        "name = \"s2\"\nafter = \"b\"\nexecution = 1",
    ];
    let text = file("rules = \"eloquent\"", &[("a", 1), ("b", 2)], &tasks);
    assert_eq!(scheduled(&text, 100), "long [0,5] s1 [5,6] s2 [6,7] s1 [7,8]");
}

#[test]
fn in_jazzy_the_order_within_a_type_is_not_that_of_registration_but_stays_the_same() {
    let tasks = [
        "name = \"T\"\nperiod = 20\nexecution = 5",
        "name = \"s1\"\nafter = \"T\"\nexecution = 1",
        "name = \"s2\"\nafter = \"T\"\nexecution = 1",
    ];
    let mut seen: Vec<String> = (0..20)
        .map(|seed| {
            scheduled(&file(&format!("rules = \"jazzy\"\norder_seed = {seed}"), &[], &tasks), 40)
        })
        .collect();
    seen.sort();
    seen.dedup();
    let orders = [
        "T [0,5] s1 [5,6] s2 [6,7] T [20,25] s1 [25,26] s2 [26,27]",
        "T [0,5] s2 [5,6] s1 [6,7] T [20,25] s2 [25,26] s1 [26,27]",
    ];
    assert_eq!(seen, orders);
}

#[test]
fn the_events_executor_runs_what_comes_first_first() {
    let tasks = [
        "name = \"long\"\nperiod = 1000\nexecution = 5",
        "name = \"s1\"\nafter = \"late\"\nexecution = 1",
        "name = \"s2\"\nafter = \"early\"\nexecution = 1",
        "name = \"T\"\nperiod = 1000\noffset = 4\nexecution = 1",
    ];
    let with = |rules: &str| {
        scheduled(&file(&format!("rules = \"{rules}\""), &[("early", 2), ("late", 3)], &tasks), 100)
    };
    assert_eq!(with("events"), "long [0,5] s2 [5,6] s1 [6,7] T [7,8]");
    assert_eq!(with("eloquent"), "long [0,5] T [5,6] s1 [6,7] s2 [7,8]");
}

#[test]
fn a_late_timer_skips_the_periods_it_missed_or_makes_up_for_them() {
    let tasks = [
        "name = \"long\"\nperiod = 1000\nexecution = 12",
        "name = \"T\"\nperiod = 5\noffset = 1\nexecution = 1",
    ];
    let with =
        |overrun: &str| scheduled(&file(&format!("overrun = \"{overrun}\""), &[], &tasks), 22);
    assert_eq!(with("skip"), "long [0,12] T [12,13] T [16,17] T [21,22]");
    assert_eq!(with("queue"), "long [0,12] T [12,13] T [13,14] T [14,15] T [16,17] T [21,22]");
}

#[test]
fn a_busy_group_starves_its_other_callbacks_though_a_thread_is_idle() {
    let tasks = [
        "name = \"busy\"\nperiod = 2\nexecution = 2\ngroup = \"g\"",
        "name = \"starved\"\nafter = \"m\"\nexecution = 1\ngroup = \"g\"",
    ];
    let with = |rest: &str| {
        let executor = format!("executor = \"multi-threaded\"\nthreads = 2\n{rest}");
        scheduled(&file(&executor, &[("m", 1)], &tasks), 200)
    };
    assert!(!with("").contains("starved"), "mutually exclusive");
    assert!(with("reentrant_groups = [\"g\"]").contains("starved [1,2]"), "reentrant");
}

#[test]
fn threads_run_callbacks_of_different_groups_at_the_same_time() {
    let text = file(
        "executor = \"multi-threaded\"\nthreads = 2\nrules = \"humble\"",
        &[("m", 1)],
        &TIMER_AND_TWO_SUBSCRIPTIONS,
    );
    assert_eq!(scheduled(&text, 100), "s1 [1,3] s2 [1,3] T [3,4]");
}

#[test]
fn a_full_queue_loses_its_oldest_message() {
    let tasks = [
        "name = \"long\"\nperiod = 1000\nexecution = 5",
        "name = \"s\"\nafter = [\"a\", \"b\", \"c\"]\nexecution = 1\nqueue_depth = 2",
    ];
    for rules in ["dashing", "eloquent", "jazzy", "events"] {
        let rules = format!("rules = \"{rules}\"");
        let system = system(&file(&rules, &[("a", 1), ("b", 2), ("c", 3)], &tasks));
        let timetable =
            Timetable::until(&system, Extreme::worst(&system), 100).expect("a timetable");
        let task = system.task("s").expect("the task");
        let seen: Vec<(u64, u64)> =
            timetable.jobs_of(task).map(|job| (job.release, job.start)).collect();
        assert_eq!(seen, [(2, 5), (3, 6)], "{rules}");
        assert_eq!(timetable.lost[task], 1, "{rules}");
    }
}
