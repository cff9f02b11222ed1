//! Components that are tasks of ECUs read when their jobs start and write when they end, whoever runs them: the
//! kernel in any placement, or the simulation computer as fast as it can or by the wall clock.

mod systems;

use std::path::{Path, PathBuf};

use ironbird_kernel::Sharing;
use ironbird_runner::{Ending, How};
use systems::{Ran, experiment, run_text, run_with};

/// The example of the literature; its schedule is in `crates/tasks/tests/golden.rs`.
fn two_ecus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/tasks/two-ecus.toml")
}

/// Milliseconds and values.
fn written(ran: &Ran, signal: &str) -> Vec<(f64, f64)> {
    ran.values(signal).into_iter().map(|(us, value)| (us / 1000.0, value)).collect()
}

/// A counter that is 1 more than the milliseconds, and three tasks that hand its value on.
fn chain(more: &str) -> String {
    let tasks = two_ecus();
    format!(
        r#"
duration = "25 ms"
timing = {{ tasks = "{}" }}
[system.time]
type = "test.counter"
[system.first]
type = "test.sampler"
in.u = "time.count"
timing = {{ ecu = "ecu1", task = "T1.0" }}
[system.second]
type = "test.sampler"
in.u = "first.y"
timing = {{ ecu = "ecu1", task = "T1.1" }}
[system.third]
type = "test.sampler"
in.u = "second.y"
timing = {{ ecu = "ecu1", task = "T1.2" }}
[[record]]
signals = ["first.y", "second.y", "third.y"]
{more}"#,
        tasks.display()
    )
}

#[test]
fn a_task_reads_when_its_job_starts_and_writes_when_it_ends() {
    let ran = run_text(&chain(""));
    // Jobs of T1.0: [0, 2], [10, 12], [20, 22]; of T1.1: [3, 5]; of T1.2: [6, 7].
    assert_eq!(written(&ran, "first.y"), [(0.0, 0.0), (2.0, 1.0), (12.0, 11.0), (22.0, 21.0)]);
    assert_eq!(written(&ran, "second.y"), [(0.0, 0.0), (5.0, 1.0), (15.0, 11.0), (25.0, 21.0)]);
    assert_eq!(written(&ran, "third.y"), [(0.0, 0.0), (7.0, 1.0), (17.0, 11.0)]);
}

#[test]
fn a_reader_beside_the_tasks_sees_a_value_when_the_job_has_ended() {
    let ran = run_text(&chain(
        r#"
[system.beside]
type = "test.sampler"
in.u = "first.y"
[[record]]
signals = ["beside.y"]
"#,
    ));
    let seen = written(&ran, "beside.y");
    assert_eq!((seen[1], seen[2]), ((1.0, 0.0), (2.0, 1.0)), "steps at 1 ms and at 2 ms");
}

#[test]
fn components_of_one_task_run_in_the_same_job() {
    let ran = run_text(&chain(
        r#"
[system.also]
type = "test.sampler"
in.u = "first.y"
timing = { ecu = "ecu1", task = "T1.0" }
[[record]]
signals = ["also.y"]
"#,
    ));
    assert_eq!(written(&ran, "also.y"), written(&ran, "first.y"));
}

#[test]
fn the_order_of_tasks_in_the_file_does_not_matter() {
    let text = chain(
        r#"
[[fault]]
name = "less"
signal = "first.y"
bias = -0.5
[[fault]]
name = "more"
signal = "third.y"
scale = 2.0
[[record]]
signals = ["*"]
"#,
    );
    let mut blocks: Vec<&str> = text.split("\n[").collect();
    let is_component = |block: &&&str| block.starts_with("system.");
    let count = blocks.iter().filter(is_component).count();
    assert_eq!(count, 4);
    let run = |blocks: &[&str]| {
        let how = How { digest: true, ..How::default() };
        let done = run_with(&experiment(&blocks.join("\n[")), 0, how, 0).outcomes;
        (done.hash, done.digest, done.values)
    };
    let as_written = run(&blocks);
    blocks[1..=count].reverse();
    assert_eq!(run(&blocks), as_written);
}

#[test]
fn an_event_driven_task_hears_when_a_job_starts_and_answers_when_it_ends() {
    let ran = run_text(&chain(
        r#"
[system.answers]
type = "test.messages"
in.heard = "time.tenth"
timing = { ecu = "ecu2", task = "T2.1" }
[[record]]
signals = ["answers.last"]
"#,
    ));
    // Sent at 0, 10 and 20 ms; jobs of T2.1 are [4, 5], [8, 9], [14, 15], ...
    assert_eq!(written(&ran, "answers.last"), [(0.0, 0.0), (5.0, 1.0), (15.0, 11.0), (25.0, 21.0)]);
}

/// A counter, a task on the ECU "near" that hands it on, and one on the ECU "far" that reads that.
fn near_and_far(file: &Path, tasks: &str, duration: &str, reader: &str) -> String {
    std::fs::write(file, tasks).unwrap();
    format!(
        r#"
duration = "{duration}"
timing = {{ tasks = "{}" }}
[system.time]
type = "test.counter"
[system.sends]
type = "test.sampler"
in.u = "time.count"
timing = {{ ecu = "near", task = "T.0" }}
[system.reads]
type = "test.sampler"
in.u = "sends.y"
timing = {{ ecu = "far", task = "{reader}" }}
[[record]]
signals = ["reads.y"]
"#,
        file.display()
    )
}

/// A message that a full queue has lost is lost to the component, too.
#[test]
fn what_a_queue_loses_no_job_reads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slow.toml");
    let text = r#"
time_unit = "ms"
[[ecu]]
name = "near"
[[ecu]]
name = "far"
[[transaction]]
name = "T"
[[transaction.task]]
ecu = "near"
period = 2
execution = 1
[[transaction.task]]
ecu = "far"
execution = 5
queue_depth = 1
"#;
    let ran = run_text(&near_and_far(&file, text, "20 ms", "T.1"));
    // Sent at 1, 3, 5, ... with 1, 3, 5, ...; read at 1, 6, 11 and 16: the latest that is there, never two.
    let expected = [(0.0, 0.0), (6.0, 1.0), (11.0, 5.0), (16.0, 11.0)];
    assert_eq!(written(&ran, "reads.y")[..4], expected);
}

/// A result that a bus still carries is not read yet.
#[test]
fn a_task_that_samples_another_reads_what_the_bus_has_brought() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sampled.toml");
    let text = r#"
time_unit = "ms"
[[ecu]]
name = "near"
[[ecu]]
name = "far"
[[bus]]
kind = "constant"
ecus = ["near", "far"]
latency = 3
[[transaction]]
name = "T"
[[transaction.task]]
ecu = "near"
period = 4
execution = 1
[[transaction]]
name = "U"
[[transaction.task]]
ecu = "far"
period = 2
execution = 1
samples = "T.0"
"#;
    let text = near_and_far(&file, text, "14 ms", "U.0");
    // Read by T.0 at 0, 4, 8 ms, sent at 1, 5, 9 ms, there at 4, 8, 12 ms; U.0 ends at 1, 3, 5, ... ms.
    let expected = [0.0, 0.0, 0.0, 1.0, 1.0, 5.0, 5.0, 9.0]
        .iter()
        .zip([0.0, 1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0]);
    let expected: Vec<(f64, f64)> = expected.map(|(value, at)| (at, *value)).collect();
    assert_eq!(written(&run_text(&text), "reads.y"), expected);
    let apart = run_with(&experiment(&text), 0, How { computer: true, ..How::default() }, 0);
    assert_eq!(written(&apart, "reads.y"), expected);
}

/// Three and a half periods on its way: in every period a message arrives.
#[test]
fn a_message_may_be_on_its_way_for_several_periods() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long-way.toml");
    let text = r#"
time_unit = "ms"
[[ecu]]
name = "near"
[[ecu]]
name = "far"
[[bus]]
kind = "constant"
ecus = ["near", "far"]
latency = 35
[[transaction]]
name = "T"
[[transaction.task]]
ecu = "near"
period = 10
execution = 1
[[transaction.task]]
ecu = "far"
execution = 1
"#;
    let text = near_and_far(&file, text, "300 ms", "T.1");
    // Read at 0, 10, 20, ... ms, sent 1 ms later, read 35 ms later, written after 1 ms more.
    let mut expected = vec![(0.0, 0.0)];
    expected.extend((0..27).map(|k| (37.0 + 10.0 * f64::from(k), 1.0 + 10.0 * f64::from(k))));
    assert_eq!(written(&run_text(&text), "reads.y"), expected);
    let apart = run_with(&experiment(&text), 0, How { computer: true, ..How::default() }, 0);
    assert_eq!(written(&apart, "reads.y"), expected);
}

/// A loop through plant and tasks, with random numbers, two ECUs and a task that only others see.
fn busy() -> String {
    let tasks = two_ecus();
    format!(
        r#"
duration = "400 ms"
timing = {{ tasks = "{}", cores = 2 }}
[system.plant]
type = "test.mixer"
in = {{ u = "noise.number", v = {{ from = "third.y", value = "previous" }} }}
[system.noise]
type = "test.dice"
[system.first]
type = "test.mixer"
in = {{ u = "plant.y", v = "free.y" }}
timing = {{ ecu = "ecu1", task = "T1.0" }}
[system.second]
type = "test.mixer"
in = {{ u = "first.y", v = "first.y" }}
timing = {{ ecu = "ecu1", task = "T1.1" }}
[system.third]
type = "test.mixer"
in = {{ u = "second.y", v = "plant.y" }}
timing = {{ ecu = "ecu1", task = "T1.2" }}
[system.dice]
type = "test.dice"
timing = {{ ecu = "ecu2", task = "T3.0" }}
[system.free]
type = "test.mixer"
in = {{ u = "dice.number", v = "dice.number" }}
timing = {{ ecu = "ecu2", task = "T3.1" }}
[[record]]
signals = ["plant.y", "third.y", "free.y"]
"#,
        tasks.display()
    )
}

#[test]
fn placement_and_the_simulation_computer_change_no_bit() {
    let experiment = experiment(&busy());
    let trace = |how: How| {
        let ran = run_with(&experiment, 0, how, 0);
        assert_eq!(ran.outcomes.ending, Ending::Finished);
        let signals = ["plant.y", "third.y", "free.y"].map(|signal| written(&ran, signal));
        (signals, ran.outcomes.hash)
    };
    let (reference, reference_hash) = trace(How::default());
    assert!(reference[0].len() > 400 && reference[1].len() > 40, "there is something to compare");
    let hash = |how: How| {
        let (signals, hash) = trace(how);
        for (signal, expected) in signals.iter().zip(&reference) {
            assert_eq!(signal, expected);
        }
        hash
    };
    let reference = reference_hash;
    for partitions in [2, 4] {
        assert_eq!(hash(How { partitions, sharing: Sharing::Always, ..How::default() }), reference);
    }
    let computer = How { computer: true, ..How::default() };
    for _ in 0..5 {
        assert_eq!(hash(computer.clone()), reference);
    }
    assert_eq!(hash(How { speed: Some(4.0), ..computer }), reference);
}

#[test]
fn faults_behind_tasks_change_the_same_bits_on_the_simulation_computer() {
    for target in ["third.y", "first.y", "free.y", "plant.v", "first.u", "second.u"] {
        for kind in ["bias = 2.0", "override = 7.0", "stuck = true", "noise = 0.5", "drop = 0.5"] {
            let fault = format!(
                "[[fault]]\nname = \"it\"\nsignal = \"{target}\"\nfrom = \"100.5 ms\"\nuntil = \"251 ms\"\n{kind}\n"
            );
            let experiment = experiment(&(busy() + &fault));
            let plain = run_with(&experiment, 0, How::default(), 0);
            let how = How { computer: true, ..How::default() };
            let apart = run_with(&experiment, 0, how, 0);
            for signal in ["plant.y", "third.y", "free.y"] {
                assert_eq!(written(&apart, signal), written(&plain, signal), "{signal}: {fault}");
            }
        }
    }
}

/// The controller stands before the plant in the alphabet, what stands behind its output before both.
#[test]
fn what_is_recorded_at_first_is_what_readers_see_at_first() {
    for fault in
        ["", "[[fault]]\nname = \"it\"\nsignal = \"shows.y\"\nfrom = \"9 s\"\nbias = 1.0\n"]
    {
        let text = format!(
            r#"
duration = "20 ms"
timing = {{ tasks = "{}" }}
[system.plant]
type = "test.mixer"
in = {{ u = "shows.y", v = "shows.y" }}
[system.shows]
type = "test.mirroring"
in.u = "plant.y"
timing = {{ ecu = "ecu1", task = "T1.0" }}
[[record]]
signals = ["shows.y"]
{fault}"#,
            two_ecus().display()
        );
        let experiment = experiment(&text);
        for computer in [false, true] {
            let ran = run_with(&experiment, 0, How { computer, ..How::default() }, 0);
            assert_eq!(written(&ran, "shows.y")[0], (0.0, 0.25), "{computer} {fault}");
        }
    }
}

#[test]
fn a_fault_hits_what_a_job_gives_when_the_job_ends() {
    let fault = r#"
[[fault]]
name = "it"
signal = "first.y"
from = "11.5 ms"
until = "13 ms"
override = 7.0
"#;
    let ran = run_text(&chain(fault));
    // The job runs from 10 ms to 12 ms.
    let expected = [(0.0, 0.0), (2.0, 1.0), (11.5, 7.0), (12.0, 7.0), (13.0, 11.0), (22.0, 21.0)];
    assert_eq!(written(&ran, "first.y"), expected);
}

#[test]
fn the_simulation_computer_says_what_it_did() {
    let experiment = experiment(&busy());
    let how = How { computer: true, ..How::default() };
    let computed = run_with(&experiment, 0, how, 0).outcomes.computed.expect("a report");
    assert_eq!(computed.tasks, ["T1.0", "T1.1", "T1.2", "T3.0", "T3.1"]);
    assert_eq!((computed.cores, computed.is_paced, computed.overruns), (2, false, 0));
    // 40 periods and the job that starts with the last instant; what reads nothing may be a turn ahead.
    assert!((5 * 40..=5 * 42).contains(&computed.jobs), "{}", computed.jobs);
}

#[test]
fn a_job_that_fails_on_the_simulation_computer_ends_the_run_with_its_reason() {
    let text = busy().replace(
        "in = { u = \"plant.y\", v = \"free.y\" }",
        "in = { u = \"plant.y\", v = \"free.y\" }\nlimit = 0.5",
    );
    let experiment = experiment(&text);
    let how = How { computer: true, ..How::default() };
    let ended = run_with(&experiment, 0, how, 0).outcomes.ending;
    let Ending::Faulted(fault) = ended else { panic!("{ended:?}") };
    assert!(fault.to_string().contains("too much"), "{fault}");
}
