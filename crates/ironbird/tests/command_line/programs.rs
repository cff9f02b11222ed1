//! Experiments with other programs: started when they can be, ended whatever happens.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Place, example};

/// So long may it take until the end of a program has ended the run, and the other way round.
const LIMIT: Duration = Duration::from_secs(2);

/// An experiment with these programs, which takes an hour of simulated time.
fn experiment(place: &Place, programs: &str) -> String {
    let text = format!(
        r#"ironbird = 1
duration = "1 h"

[system.wave]
type = "block.sine"
rate = "10 Hz"
amplitude = 1
frequency = "1 Hz"

{programs}
"#
    );
    place.write("study.toml", &text);
    "study.toml".into()
}

/// Whether a process with this word in its command line is there.
fn is_there(word: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let own = format!("{}\0", word);
    lines.map(|line| String::from_utf8_lossy(&line).into_owned()).any(|line| line.contains(&own))
}

fn gone_in_time(word: &str) {
    in_time(|| !is_there(word), word);
}

fn in_time(done: impl Fn() -> bool, what: &str) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < LIMIT, "{what} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn there_in_time(word: &str) {
    let started = Instant::now();
    while !is_there(word) {
        assert!(started.elapsed() < 10 * LIMIT, "{word} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Folders of links of a process.
fn links_of(process: u32) -> bool {
    let beginning = format!("ironbird-links-{process:07}-");
    let entries = std::fs::read_dir("/dev/shm").unwrap().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(&beginning))
}

#[test]
fn what_a_program_prints_is_kept_and_it_ends_with_the_run() {
    let place = Place::new();
    let file = experiment(
        &place,
        r#"[program.speaker]
command = ["sh", "-c", "echo hello; echo {seed} >&2; sleep 7301 & sleep 7301"]"#,
    );
    let run = place.run(&["run", &file, "--seed", "42", "--speed", "1", "--until", "0.5 s"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let mut lines: Vec<_> = place.text("out/study/speaker.log").lines().map(String::from).collect();
    lines.sort();
    assert_eq!(lines, ["42", "hello"]);
    assert!(run.out.contains("output of speaker: out/study/speaker.log"), "{}", run.out);
    gone_in_time("7301");
}

#[test]
fn a_program_that_fails_ends_the_run_with_its_last_words() {
    let place = Place::new();
    let file = experiment(
        &place,
        r#"[program.weak]
command = ["sh", "-c", "echo my last words; exit 4"]
[program.other]
command = ["sleep", "7302"]"#,
    );
    let started = Instant::now();
    let run = place.run(&["run", &file, "--speed", "1"]);
    assert!(started.elapsed() < 5 * LIMIT);
    assert_eq!(run.status, 3, "{}{}", run.out, run.err);
    let text = run.out + &run.err;
    assert!(text.contains(r#"the program "weak" ended with status 4"#), "{text}");
    assert!(text.contains("my last words"), "{text}");
    gone_in_time("7302");
}

#[test]
fn a_program_may_end_early_only_if_the_experiment_says_so() {
    let place = Place::new();
    let short = |more: &str| format!("[program.short]\ncommand = [\"true\"]\n{more}");
    let run = |more: &str| {
        let file = experiment(&place, &short(more));
        place.run(&["run", &file, "--speed", "1", "--until", "0.5 s"])
    };
    let refused = run("");
    assert_eq!(refused.status, 3);
    assert!(
        (refused.out + &refused.err)
            .contains("ended before the run did (`may_end = true` lets it)")
    );
    assert_eq!(run("may_end = true").status, 0);
}

/// Runs an experiment that is over in no time, some of them beside each other.
fn statuses_of_short_runs(programs: &str, count: usize) -> Vec<(i32, String)> {
    let place = Place::new();
    let file = experiment(&place, programs);
    let begin = |n: usize| {
        let folder = n.to_string();
        let mut command = place.command(&["run", &file, "--until", "1 ms", "--out", &folder]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let begun: Vec<Child> = (0..count).map(begin).collect();
    let ended = begun.into_iter().map(|run| {
        let ended = run.wait_with_output().unwrap();
        let text = String::from_utf8(ended.stdout).unwrap();
        (ended.status.code().unwrap_or(-1), text + &String::from_utf8(ended.stderr).unwrap())
    });
    ended.collect()
}

#[test]
fn a_program_that_fails_beside_a_run_that_is_over_in_no_time_always_counts() {
    let weak = "[program.weak]\ncommand = [\"sh\", \"-c\", \"echo my last words; exit 4\"]";
    for (status, text) in statuses_of_short_runs(weak, 12) {
        assert_eq!(status, 3, "{text}");
        assert!(text.contains("the program \"weak\" ended with status 4"), "{text}");
        assert!(text.contains("my last words"), "{text}");
        assert!(text.contains("verdict: the program \"weak\" failed"), "{text}");
    }
}

#[test]
fn whether_a_program_may_end_early_does_not_depend_on_how_long_the_run_takes() {
    let short = "[program.short]\ncommand = [\"true\"]\n";
    for (status, text) in statuses_of_short_runs(short, 6) {
        assert_eq!(status, 3, "{text}");
        assert!(text.contains("(`may_end = true` lets it)"), "{text}");
    }
    for (status, text) in statuses_of_short_runs(&format!("{short}may_end = true"), 6) {
        assert_eq!(status, 0, "{text}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let place = Place::new();
    let file = experiment(&place, "[program.ghost]\ncommand = [\"no-such-program-anywhere\"]");
    let run = place.run(&["run", &file, "--speed", "1"]);
    assert_eq!(run.status, 3);
    let text = run.out + &run.err;
    assert!(text.contains("the program \"ghost\" could not be started"), "{text}");
    assert!(
        text.contains("\"no-such-program-anywhere\" cannot be started: No such file"),
        "{text}"
    );
}

/// Listens after a while at the socket that it is given, or finds somebody who does at once.
const SPEAKER: &str = r#"
import socket, sys, time
s = socket.socket(socket.AF_UNIX)
if sys.argv[1] == "listen":
    time.sleep(0.3)
    s.bind(sys.argv[2])
    time.sleep(0.1)
    s.listen()
    s.accept()
else:
    s.connect(sys.argv[2])
print(sys.argv[1], "met", *sys.argv[3:], flush=True)
time.sleep(7303)
"#;

#[test]
fn a_program_that_connects_is_started_when_somebody_listens() {
    let place = Place::new();
    place.write("speaker.py", SPEAKER);
    let file = experiment(
        &place,
        r#"[program.late]
command = ["python3", "speaker.py", "connect", "{connect:wire:socket}", "{latency:wire}", "{interval:wire}"]
[program.early]
command = ["python3", "speaker.py", "listen", "{listen:wire:socket}", "{listen:wire}", "{listen:wire:memory}"]
[link.wire]
latency = "2 us"
interval = "1 us""#,
    );
    let run = place.run(&["run", &file, "--speed", "1", "--until", "6 s"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    assert_eq!(place.text("out/study/late.log"), "connect met 2000 1000\n");
    let told = place.text("out/study/early.log");
    let words: Vec<&str> = told.split_whitespace().collect();
    let [_, _, url, memory] = words[..] else { panic!("{told}") };
    assert!(url.starts_with("listen:/"), "{url}");
    assert!(url.ends_with(":sync=true:latency=2000:sync_interval=1000"), "{url}");
    assert!(url.contains(memory), "{url} {memory}");
}

#[test]
fn a_link_at_which_nobody_listens_is_named() {
    let place = Place::new();
    let file = experiment(
        &place,
        r#"[program.silent]
command = ["sh", "-c", "exec sleep 7304", "{listen:wire}"]
[program.eager]
command = ["sh", "-c", "exec sleep 7304", "{connect:wire}"]"#,
    );
    let run = place.run(&["run", &file, "--speed", "1", "--patience", "300 ms"]);
    assert_eq!(run.status, 3);
    let text = run.out + &run.err;
    assert!(
        text.contains(
            "the program \"eager\" was not started: after 0.3 s nobody listens at the link \"wire\""
        ),
        "{text}"
    );
    gone_in_time("7304");
}

/// A run that goes on until something ends it.
fn endless(place: &Place, word: &str) -> Child {
    let sleep = format!(
        "[program.sleeper]\ncommand = [\"sh\", \"-c\", \"trap '' TERM; sleep {word} & sleep {word}; sleep {word}\"]"
    );
    let file = experiment(place, &sleep);
    let mut command = place.command(&["run", &file, "--speed", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    there_in_time(word);
    child
}

fn kill(signal: &str, process: u32) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
}

#[test]
fn nothing_is_left_of_a_program_when_the_run_is_killed() {
    let place = Place::new();
    let mut child = endless(&place, "7305");
    assert!(links_of(child.id()));
    kill("-9", child.id());
    child.wait().unwrap();
    gone_in_time("7305");
    in_time(|| !links_of(child.id()), "the folder of its links");
}

#[test]
fn a_program_that_does_not_want_to_end_is_killed_with_an_interrupted_run() {
    let place = Place::new();
    let child = endless(&place, "7306");
    kill("-INT", child.id());
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{out}");
    assert!(out.contains("interrupted"), "{out}");
    gone_in_time("7306");
}

/// An experiment whose only component waits for a program that never comes to its link.
fn waiting(place: &Place, word: &str) -> Child {
    let text = format!(
        r#"ironbird = 1
duration = "1 s"

[system.nic]
type = "simbricks.net"
link = "eth"

[program.silent]
command = ["sh", "-c", "sleep {word} & wait", "{{connect:eth}}"]
"#
    );
    place.write("study.toml", &text);
    let mut command = place.command(&["run", "study.toml"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    there_in_time(word);
    child
}

#[test]
fn an_interruption_ends_a_component_that_waits_for_its_peer() {
    let place = Place::new();
    let child = waiting(&place, "7307");
    let started = Instant::now();
    kill("-INT", child.id());
    let ended = child.wait_with_output().unwrap();
    assert!(started.elapsed() < 2 * LIMIT);
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{out}");
    assert!(out.contains("interrupted"), "{out}");
    gone_in_time("7307");
}

/// The guard of the program with this word in its command line.
fn guard_of(word: &str) -> u32 {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let guards = entries.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).into_owned();
        (line.contains("\0guard\0") && line.contains(word)).then_some(id)
    });
    guards.collect::<Vec<u32>>()[0]
}

#[test]
fn nothing_is_left_of_a_program_whose_guard_is_killed() {
    let place = Place::new();
    let child = waiting(&place, "7308");
    kill("-9", guard_of("7308"));
    let started = Instant::now();
    let ended = child.wait_with_output().unwrap();
    assert!(started.elapsed() < 2 * LIMIT);
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{out}");
    assert!(out.contains("the program \"silent\" was killed with its guard"), "{out}");
    gone_in_time("7308");
}

#[test]
fn a_flood_without_an_end_of_line_costs_little() {
    let place = Place::new();
    let file = experiment(
        &place,
        r#"[program.flood]
command = ["sh", "-c", "head -c 200000000 /dev/zero; exit 3"]"#,
    );
    let run = place.run(&["run", &file, "--speed", "1"]);
    assert_eq!(run.status, 3);
    assert!(run.out.len() < 20_000, "{} bytes are printed", run.out.len());
    assert!(run.out.contains("the program \"flood\" ended with status 3"));
    let kept = std::fs::metadata(place.path("out/study/flood.log")).unwrap().len();
    assert!((64 << 20..65 << 20).contains(&kept), "{kept} bytes are kept");
    assert!(std::fs::metadata(place.path("out/study/recording.mcap")).unwrap().len() < 100_000);
}

#[test]
fn a_program_that_was_never_started_is_no_success() {
    let place = Place::new();
    let file = experiment(
        &place,
        r#"[program.silent]
command = ["sh", "-c", "exec sleep 7309", "{listen:wire}"]
[program.eager]
command = ["sh", "-c", "exec sleep 7309", "{connect:wire}"]"#,
    );
    let run = place.run(&["run", &file, "--until", "1 s"]);
    assert_eq!(run.status, 3, "{}", run.out);
    assert!(run.out.contains("\"eager\" was not started before the run was over"), "{}", run.out);
    assert!(!run.out.contains("output of eager"), "{}", run.out);
    gone_in_time("7309");
}

#[test]
fn what_a_component_finds_wrong_with_its_peer_is_told() {
    let place = Place::new();
    let station = example("network/station.py");
    let text = format!(
        r#"ironbird = 1
duration = "1 s"

[system.device]
type = "simbricks.physical-device"
link = "eth"
sensors = "altitude push 10 Hz"

[program.station]
command = ["python3", {station:?}, "echo", "{{connect:eth}}"]
"#
    );
    place.write("study.toml", text);
    let run = place.run(&["run", "study.toml"]);
    assert_eq!(run.status, 3, "{}", run.out);
    assert!(run.out.contains("\"device\" failed at 0 s"), "{}", run.out);
    assert!(run.out.contains("speaks protocol"), "{}", run.out);
    assert!(run.out.contains("at its other end is the program \"station\""), "{}", run.out);
}
