//! Files that are none: pipes into which nobody writes, devices without an end. All are answered at once, or soon.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Place, experiment};

fn with_pipe() -> Place {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    place
}

fn refused(place: &Place, arguments: &[&str], status: i32, words: &str) {
    let begin = Instant::now();
    let done = place.run(arguments);
    assert!(begin.elapsed() < Duration::from_secs(60), "{arguments:?}");
    assert_eq!(done.status, status, "{arguments:?}: {}{}", done.out, done.err);
    let said = done.err.replace('│', " ");
    let said: Vec<&str> = said.split_whitespace().collect();
    assert!(said.join(" ").contains(words), "{arguments:?}: {}", done.err);
}

#[test]
fn an_experiment_may_come_from_a_pipe_but_somebody_must_write_into_it() {
    let place = with_pipe();
    let rooms = std::fs::read(experiment("rooms.toml")).unwrap();
    let mut command = place.command(&["check", "/dev/stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&rooms).unwrap();
    assert!(child.wait().unwrap().success());
    for command in ["check", "run", "ports"] {
        refused(&place, &[command, "pipe"], 2, "it is a pipe, and nobody has written into it for");
    }
}

#[test]
fn a_recording_is_a_file() {
    let place = with_pipe();
    for command in ["replay", "export", "report", "view"] {
        refused(&place, &[command, "pipe"], 2, "cannot read pipe: it is a pipe, not a file");
        refused(&place, &[command, "/dev/zero"], 2, "it is a device, not a file");
    }
    refused(&place, &["compare", "pipe"], 2, "nobody has written into it for");
}

#[test]
fn an_output_that_nobody_reads_is_refused_before_the_run() {
    let place = with_pipe();
    let rooms = experiment("rooms.toml");
    let run = |more: [&'static str; 2]| {
        [&["run", &rooms, "--until", "1 min", "--out", "out"], &more[..]].concat()
    };
    for option in ["--junit", "--trace"] {
        refused(&place, &run([option, "pipe"]), 2, "pipe: it is a pipe, and the output is written");
    }
    assert!(!place.path("out").exists());
    for fine in ["/dev/null", "/dev/stdout"] {
        let done = place.run(&run(["--junit", fine]));
        assert!(done.status < 2, "{fine}: {}", done.err);
        assert_eq!(done.out.contains("<testsuites"), fine == "/dev/stdout", "{}", done.out);
    }
}

#[test]
fn a_file_without_an_end_is_read_no_further_than_a_text_goes() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let zero = "/dev/zero";
    place.write("log.csv", "time_s,a\n0,1\n");
    for arguments in [
        &["run", zero][..],
        &["run", &rooms, "--commands", zero],
        &["compare", "log.csv", "--with", zero],
        &["compare", zero],
        &["tasks", "schedule", zero],
        &["trim", zero, "--airspeed", "20 m/s"],
    ] {
        refused(&place, arguments, 2, "is larger than 16 MiB");
    }
    // Larger than any text, and on the disk all the same.
    let large = std::fs::File::create(place.path("large.toml")).unwrap();
    large.set_len(1 << 40).unwrap();
    refused(&place, &["run", "large.toml"], 2, "is larger than 16 MiB");
    refused(&place, &["run", &rooms, "--commands", "large.toml"], 2, "is larger than 16 MiB");
    refused(&place, &["compare", "large.toml"], 2, "is larger than 2 GiB");
}

#[test]
fn a_folder_for_results_is_told_what_it_is_instead() {
    let place = with_pipe();
    let rooms = experiment("rooms.toml");
    place.write("file", "");
    let to = |folder| ["run", &rooms, "--until", "1 min", "--out", folder];
    refused(&place, &to("pipe"), 3, "cannot write to the folder pipe: it is a pipe");
    refused(&place, &to("file"), 3, "cannot write to the folder file: it is a file");
    refused(&place, &to("/dev/null"), 3, "the folder /dev/null: it is a device");
    #[cfg(target_os = "linux")]
    refused(&place, &to("/proc/x"), 3, "the folder /proc/x: no folders can be made there");
}
