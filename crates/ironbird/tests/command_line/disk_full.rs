//! A disk that is full ends a run with a clear error; what was recorded stays readable.
//!
//! A limit on the size of files stands for the disk: writing beyond it fails in the same way.

use std::process::{Command, Stdio};

use ironbird_record::Recording;

use crate::program::{Ended, Place, ended, experiment};

/// Runs the program with files of at most so many blocks (of 512 or 1024 bytes, as the shell counts).
fn with_small_files(place: &Place, blocks: u32, arguments: &[&str]) -> Ended {
    // The signal is ignored so that the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let program = env!("CARGO_BIN_EXE_ironbird");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", program]).args(arguments);
    ended(command.current_dir(place.path("")).stdin(Stdio::null()))
}

fn check(done: &Ended, place: &Place, channel: &str) {
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    assert!(done.err.contains("error: cannot write out/recording.mcap: "), "{}", done.err);
    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    assert!(recording.damaged.is_some());
    assert!(recording.samples(channel).unwrap().len() > 100);
    let report = place.run(&["report", "out/recording.mcap"]);
    assert_eq!(report.status, 0, "{}", report.err);
    assert!(report.err.contains("cut short"), "{}", report.err);
}

#[test]
fn a_disk_that_gets_full_in_mid_run_is_named_and_the_run_ends() {
    let place = Place::new();
    let endless = experiment("endless.toml");
    let done = with_small_files(&place, 1_000, &["run", &endless, "--out", "out"]);
    check(&done, &place, "thermometer.reading");
}

#[test]
fn a_disk_that_gets_full_does_not_hang_several_partitions() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    for sharing in ["always", "turns"] {
        let several = ["--partitions", "4", "--sharing", sharing];
        let arguments = [&["run", &*rooms, "--out", "out"], &several[..]].concat();
        let done = with_small_files(&place, 300, &arguments);
        check(&done, &place, "flat[0].thermometer.reading");
    }
}

#[test]
fn a_disk_that_is_full_from_the_start_is_named() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let done = with_small_files(&place, 0, &["run", &rooms, "--out", "out"]);
    assert_eq!(done.status, 3, "{}", done.err);
    assert!(done.err.contains("error: cannot write out/recording.mcap: "), "{}", done.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_is_no_table() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    assert_eq!(place.run(&["run", &rooms, "--out", "out", "--until", "1 min"]).status, 0);
    for format in ["csv", "parquet"] {
        let arguments = ["export", "out/recording.mcap", "--out", "/dev/full", "--format", format];
        let done = place.run(&arguments);
        assert_eq!(done.status, 3, "{format}: {}", done.err);
        assert!(done.err.contains("/dev/full: "), "{format}: {}", done.err);
    }
}
