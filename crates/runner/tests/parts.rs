//! A link may carry a part of an output, through faults, tasks and adapters, as if it were an output of its own.

mod systems;

use std::path::PathBuf;

use ironbird_runner::How;
use systems::{Ran, experiment, run_text, run_with};

/// What is seen at each millisecond from 0 on.
fn each_ms(ran: &Ran, signal: &str) -> Vec<f64> {
    (0..6).map(|ms| ran.at(signal, 1000.0 * f64::from(ms) + 0.5)).collect()
}

/// A sounder, and two that read parts of what it shows.
fn read(more: &str) -> Ran {
    run_text(&format!(
        r#"
duration = "8 ms"
[system.sounder]
type = "test.sounder"
[system.north]
type = "test.sampler"
in.u = "sounder.echo.value.north"
[system.down]
type = "test.mirroring"
in.u = "sounder.echo.value[2]"
{more}
[[record]]
signals = ["sounder.echo", "north.y", "down.y"]
"#
    ))
}

#[test]
fn a_part_is_read_in_the_step_in_which_the_whole_is_written() {
    let ran = read("");
    // Every third measurement is none.
    assert_eq!(each_ms(&ran, "north.y"), [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]);
    assert_eq!(each_ms(&ran, "down.y"), [0.25, 0.5, 0.0, 1.0, 1.25, 0.0]);
}

#[test]
fn the_first_value_of_a_part_is_that_of_the_whole() {
    let text = r#"
duration = "1 ms"
[system.sounder]
type = "test.sounder"
[system.down]
type = "test.mirroring"
rate = "400 Hz"
in.u = { from = "sounder.echo.value.down", latency = "5 ms" }
[[record]]
signals = ["down.y"]
"#;
    assert_eq!(run_text(text).at("down.y", 0.5), 0.125);
}

#[test]
fn a_fault_on_the_whole_a_part_or_the_input_reaches_who_reads_the_part() {
    let fault = |signal: &str, how: &str| {
        format!(
            "[[fault]]\nname = \"broken {signal}\"\nsignal = \"{signal}\"\n{how}\nfrom = \"1.5 ms\""
        )
    };
    let north = |faults: &str| each_ms(&read(faults), "north.y");
    let down = |faults: &str| each_ms(&read(faults), "down.y");
    let whole = fault("sounder.echo.value", "scale = 10");
    assert_eq!(north(&whole), [1.0, 2.0, 0.0, 40.0, 50.0, 0.0]);
    assert_eq!(down(&whole), [0.25, 0.5, 0.0, 10.0, 12.5, 0.0]);
    let of_another = fault("sounder.echo.value.down", "bias = 7");
    assert_eq!(north(&of_another), [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]);
    assert_eq!(down(&of_another), [0.25, 0.5, 7.0, 8.0, 8.25, 7.0]);
    let of_the_input = fault("down.u", "override = 3");
    assert_eq!(down(&of_the_input), [0.25, 0.5, 3.0, 3.0, 3.0, 3.0]);
    // The whole first, then the part, in whatever order they are written.
    let add = fault("down.u", "bias = 100");
    for both in [format!("{whole}\n{add}"), format!("{add}\n{whole}")] {
        assert_eq!(down(&both), [0.25, 0.5, 100.0, 110.0, 112.5, 100.0]);
    }
}

#[test]
fn a_condition_and_a_requirement_name_parts_by_their_axes() {
    let ran = read(
        "[[when]]\ncondition = \"sounder.echo.value.down > 0.9\"\nstop = \"north\"\n\
         [[require]]\nname = \"low\"\nformula = \"always sounder.echo.value.east > -2.5\"",
    );
    assert_eq!(each_ms(&ran, "north.y"), [1.0, 2.0, 0.0, 4.0, 4.0, 4.0]);
    assert!(
        ran.outcomes.verdicts[0].first_violation.contains("echo.value.east"),
        "{:?}",
        ran.outcomes.verdicts
    );
}

/// A reader of the length of what a sounder shows, and one of the adapter's other port.
const BY_WAY: &str = r#"
duration = "8 ms"
[system.sounder]
type = "test.sounder"
[system.reader]
type = "test.sampler"
rate = "500 Hz"
count = 2
in.u = { from = "sounder.echo.value", via = "test.length", scale = 2.0 }
[system.other]
type = "test.sampler"
in.u = "reader-u[1].count"
[[record]]
signals = ["reader[*].y", "reader-u[*].*", "other.y"]
"#;

#[test]
fn an_adapter_at_a_link_is_a_component_that_steps_with_its_reader() {
    let ran = run_text(BY_WAY);
    let length = |x: f64| 2.0 * (x * x + 0.25 * x * x + 0.0625 * x * x).sqrt();
    // At 0, 2, 4 ms: measurements 1, none, and 5.
    let expected = [length(1.0), length(1.0), 0.0, 0.0, length(5.0), length(5.0)];
    for signal in ["reader[0].y", "reader[1].y", "reader-u[1].out"] {
        assert_eq!(each_ms(&ran, signal), expected, "{signal}");
    }
    assert_eq!(each_ms(&ran, "other.y"), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    // It is written once, at the link, in the resolved text, too.
    let again = experiment(BY_WAY).resolved.clone();
    assert!(!again.contains("test.length\"\n"), "{again}");
    let again = experiment(again.trim_start_matches("ironbird = 1\n"));
    assert_eq!(run_with(&again, 0, How::default(), 0).outcomes.hash, ran.outcomes.hash);
}

#[test]
fn an_adapter_comes_with_its_reader() {
    let text = r#"
duration = "6 ms"
[system.sounder]
type = "test.sounder"
[system.reader]
type = "test.sampler"
enabled = false
in.u = { from = "sounder.echo.value", via = "test.length" }
[[at]]
time = "2.5 ms"
spawn = "reader"
[[record]]
signals = ["reader.y", "reader-u.count"]
"#;
    let ran = run_text(text);
    let first = ran.values("reader-u.count").first().copied();
    assert!(first.is_some_and(|(us, _)| us >= 2500.0), "{first:?}");
    assert_eq!(ran.at("reader-u.count", 5400.0), 3.0);
}

/// Tasks that hand parts on: from outside, from one ECU to itself, and within a task.
fn tasks() -> String {
    let tasks =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/tasks/two-ecus.toml");
    format!(
        r#"
duration = "60 ms"
timing = {{ tasks = "{}", cores = 2 }}
[system.outside]
type = "test.sounder"
[system.first]
type = "test.sounder"
in.u = "outside.echo.value.north"
timing = {{ ecu = "ecu1", task = "T1.0" }}
[system.within]
type = "test.sampler"
in.u = "first.echo.value.east"
timing = {{ ecu = "ecu1", task = "T1.0" }}
[system.second]
type = "test.sampler"
in.u = "first.echo.value.down"
timing = {{ ecu = "ecu1", task = "T1.1" }}
[[record]]
signals = ["within.y", "second.y"]
"#,
        tasks.display()
    )
}

#[test]
fn parts_go_from_task_to_task_and_on_the_simulation_computer_as_in_the_kernel() {
    let plain = run_text(&tasks());
    // The first job reads what the sounder has measured at 0 ms, and hands on a quarter of it.
    assert_eq!(plain.at("second.y", 6_000.0), 0.25);
    assert_eq!(plain.at("within.y", 6_000.0), -0.5);
    let how = How { computer: true, ..How::default() };
    let apart = run_with(&experiment(&tasks()), 0, how, 0);
    assert_eq!(apart.outcomes.hash, plain.outcomes.hash);
    assert!(apart.outcomes.computed.is_some_and(|computed| computed.tasks.len() >= 2));
    let faulty = format!(
        "{}[[fault]]\nname = \"off\"\nsignal = \"first.echo.value\"\nscale = 2\nfrom = \"20 ms\"\n",
        tasks()
    );
    let broken = run_text(&faulty);
    let last = |ran: &Ran, signal: &str| ran.at(signal, 59_000.0);
    assert_eq!(last(&broken, "within.y"), 2.0 * last(&plain, "within.y"));
    assert_eq!(last(&broken, "second.y"), 2.0 * last(&plain, "second.y"));
}
