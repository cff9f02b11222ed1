//! Limits that the shell sets: a run that meets one ends with a message, and programs meet their own.

use std::process::{Command, Stdio};

use ironbird_record::Recording;

use crate::program::{Ended, Place, ended, example, experiment};

/// Runs the program under a limit of the shell.
fn limited(place: &Place, limit: &str, arguments: &[&str]) -> Ended {
    let script = format!("ulimit -c 0; {limit}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_ironbird")]).args(arguments);
    ended(command.current_dir(place.path("")).stdin(Stdio::null()))
}

#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk_and_no_signal() {
    let place = Place::new();
    let run = ["run", &experiment("endless.toml"), "--out", "out"];
    let done = limited(&place, "ulimit -f 1000", &run);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    assert!(done.err.contains("error: cannot write out/recording.mcap: "), "{}", done.err);
    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    assert!(recording.samples("thermometer.reading").unwrap().len() > 100);
}

#[test]
fn programs_of_an_experiment_meet_the_limit_as_they_would_without_it() {
    let place = Place::new();
    let text = r#"ironbird = 1
duration = "1 s"
[system.wave]
type = "block.sine"
rate = "10 Hz"
amplitude = 1
frequency = "1 Hz"
[program.large]
command = ["sh", "-c", "exec head -c 10000000 /dev/zero > large"]
"#;
    place.write("study.toml", text);
    let done = limited(&place, "ulimit -f 1000", &["run", "study.toml"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    let text = done.out + &done.err;
    assert!(text.contains("the program \"large\" was killed by signal 25"), "{text}");
}

/// How a run under a limit of memory ended; it says why, if badly.
fn with_memory(place: &Place, kilobytes: u64, arguments: &[&str]) -> i32 {
    let done = limited(place, &format!("ulimit -v {kilobytes}"), arguments);
    if done.status != 0 {
        assert_eq!(done.status, 3, "with {kilobytes} kB: {}{}", done.out, done.err);
        assert!(done.err.contains("error: "), "with {kilobytes} kB: {}", done.err);
    }
    done.status
}

/// Bytes that the program maps before it does anything.
#[cfg(target_os = "linux")]
fn at_rest(place: &Place) -> u64 {
    let fits = |kilobytes: &u64| {
        let done = limited(place, &format!("ulimit -v {kilobytes}"), &["types", "sensor.gps"]);
        done.status == 0
    };
    let steps: Vec<u64> = (0..1_000).map(|step| 10_000 + 1_000 * step).collect();
    steps[steps.partition_point(|kilobytes| !fits(kilobytes))]
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_gets_no_more_memory_says_so() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let least = at_rest(&place);
    for partitions in ["1", "4"] {
        let run = ["run", &rooms, "--until", "1 min", "--out", "out", "--partitions", partitions];
        // The last is ample.
        let more = (0..24).map(|step| 4_000 * step).chain([1_000_000]);
        let all: Vec<i32> = more.map(|more| with_memory(&place, least + more, &run)).collect();
        assert!(all.contains(&3) && all.contains(&0), "from {least} kB: {all:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_get_no_more_memory_say_so_and_do_not_wait_for_each_other() {
    let place = Place::new();
    let placed = example("processes/placed.toml");
    let least = at_rest(&place);
    let run = ["run", &placed, "--until", "1 s", "--out", "out"];
    let more = (0..12).map(|step| 20_000 * step).chain([4_000_000]);
    let all: Vec<i32> = more.map(|more| with_memory(&place, least + more, &run)).collect();
    assert!(all.contains(&3) && all.contains(&0), "from {least} kB: {all:?}");
}

/// Links to programs lie in /dev/shm.
#[cfg(target_os = "linux")]
#[test]
fn shared_memory_without_room_is_told_as_such() {
    let place = Place::new();
    let script = "mount -t tmpfs -o size=64k tmpfs /dev/shm && exec \"$@\"";
    let alone = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script, "sh"]).args(arguments);
        ended(command.current_dir(place.path("")).stdin(Stdio::null()))
    };
    if alone(&["true"]).status != 0 {
        eprintln!("skipped: this machine lets nobody mount for himself");
        return;
    }
    let ping = example("network/ping.toml");
    let done = alone(&[env!("CARGO_BIN_EXE_ironbird"), "run", &ping, "--out", "out"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    let text = done.out + &done.err;
    assert!(text.contains("there is no room left for 25600 kB of shared memory"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_samples() {
    let place = Place::new();
    let text = r#"ironbird = 1
duration = "1 s"
[system.air]
type = "environment.outside-air"
[system.thermometer]
type = "sensor.thermometer"
rate = "10 Hz"
in.temperature = "air.temperature"
[[record]]
signals = ["thermometer.reading"]
every = "1 ps"
"#;
    place.write("dense.toml", text);
    // All of them at once would take 200 MB.
    let run = ["run", "dense.toml", "--until", "6 us", "--out", "out"];
    let limit = at_rest(&place) + 150_000;
    assert_eq!(with_memory(&place, limit, &run), 0);
    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    let channel = recording.channels.iter().find(|one| one.name == "thermometer.reading");
    assert_eq!(channel.unwrap().messages, 6_000_001);
    let checked = place.run(&["check", "dense.toml"]);
    assert_eq!(checked.status, 0, "{}", checked.err);
    assert!(checked.err.contains("about 1e12 values of each signal"), "{}", checked.err);
}
