//! Ctrl-C ends a run, not a recording.

use std::process::Command;

use ironbird_record::Recording;
use serde_json::Value;

use crate::program::{Place, experiment};

/// Starts the endless experiment, interrupts it, and gives back its exit status and what it printed.
fn interrupt(place: &Place, option: &[&str]) -> (Option<i32>, String) {
    let endless = experiment("endless.toml");
    let arguments = [&["run", &endless, "--out", "out"], option].concat();
    let child = place.start(&arguments, "out/recording.mcap", 500_000);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!err.contains("panicked"), "{err}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn an_interrupted_run_ends_cleanly_and_can_be_replayed() {
    let place = Place::new();
    let (status, out) = interrupt(&place, &[]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("interrupted at"), "{out}");
    assert!(out.contains("1 of 1 requirements stayed undecided"), "{out}");

    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    assert_eq!(recording.damaged, None);
    let result = &recording.metadata["result"];
    assert!(result["outcome"].starts_with("interrupted at "), "{result:?}");
    assert_eq!(result["hash"], recording.output_hash().unwrap());
    assert!(place.text("out/report.html").contains("nterrupted at"));

    let replay = place.run(&["replay", "out/recording.mcap"]);
    assert_eq!(replay.status, 0, "{}{}", replay.out, replay.err);
    assert!(replay.out.contains("the same bits again"), "{}", replay.out);
}

#[test]
fn the_json_and_junit_of_an_interrupted_run_say_so() {
    let place = Place::new();
    let (status, out) = interrupt(&place, &["--json", "--junit", "junit.xml"]);
    assert_eq!(status, Some(1));
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["runs"][0]["ending"], "interrupted");
    assert!(place.text("junit.xml").contains("interrupted at"));
}

#[test]
fn a_run_in_slow_motion_is_interrupted_while_it_waits() {
    let place = Place::new();
    let endless = experiment("endless.toml");
    let arguments = ["run", &endless, "--out", "out", "--speed", "1e-6"];
    // The beginning of the file is written before the first instant.
    let child = place.start(&arguments, "out/recording.mcap", 1);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("interrupted at"));
    assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
}
