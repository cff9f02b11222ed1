//! Runs in several processes: the same results, and an end of all of them whatever ends one.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Ended, HANGS_AT_2_S, Place, example, experiment, hanging_network};

/// The process that began the run, and the others, have so long to notice that one was killed.
const LIMIT: Duration = Duration::from_secs(2);

#[test]
fn the_file_and_its_hash_are_the_same_in_any_number_of_threads_and_processes() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let ways = [
        ("--partitions", "1", 1),
        ("--partitions", "3", 3),
        ("--processes", "1", 1),
        ("--processes", "2", 2),
        ("--processes", "6", 6),
        ("--processes", "7", 6),
    ];
    let mut first = None;
    for (option, count, used) in ways {
        let out = format!("out{option}-{count}");
        let how = [option, count, "--sharing", "always"];
        let json = place.run_json(&[&[&*network, "--out", &out], &how[..]].concat());
        let run = &json["runs"][0];
        assert_eq!(run["partitions"], used, "{out}");
        let hash = run["hash"].as_str().unwrap().to_owned();
        let file = place.read(&format!("{out}/recording.mcap"));
        let (one, same) = first.get_or_insert((hash.clone(), file.clone()));
        assert_eq!(*one, hash, "{out}");
        assert!(*same == file, "the file of {out} differs");
    }
}

#[test]
fn components_are_placed_in_processes_by_name() {
    let place = Place::new();
    let expected = place.hash(&[&example("processes/network.toml")]);
    let placed = example("processes/placed.toml");
    let json = place.run_json(&[&placed]);
    let run = &json["runs"][0];
    assert_eq!(run["partitions"], 4, "three names, and the amplifier");
    assert_eq!(run["hash"].as_str().unwrap(), expected);
    let both = place.run(&["run", &placed, "--processes", "2"]);
    assert_eq!(both.status, 2);
    assert!(both.err.contains("leave out --processes"), "{}", both.err);
    // Other commands advance the same parts on threads.
    let verified = place.run(&["verify", &placed, "--until", "1 s"]);
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
}

#[test]
fn every_scenario_and_repetition_has_its_own_processes() {
    let place = Place::new();
    let scenarios = experiment("scenarios.toml");
    let hashes = |option: &[&str]| {
        let json = place.run_json(&[&[scenarios.as_str(), "--out", "out"], option].concat());
        let runs = json["runs"].as_array().unwrap().clone();
        runs.iter().map(|run| run["hash"].to_string()).collect::<Vec<_>>()
    };
    let expected = hashes(&[]);
    assert!(expected.len() > 1);
    assert_eq!(hashes(&["--processes", "2"]), expected);
}

#[test]
fn a_profile_tells_of_all_processes_and_changes_nothing() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let expected = place.hash(&[&network]);
    let args = ["run", &network, "--processes", "3", "--profile", "--trace", "trace.json"];
    let ran = place.run(&args);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(&format!("hash {expected}")), "{}", ran.out);
    for piece in [
        "3 of at most 6 partitions, in 3 processes",
        "profile: who waits for whom",
        "cart.angle -> theta.measured",
        "trace     trace.json",
    ] {
        assert!(ran.out.contains(piece), "{piece} is not in\n{}", ran.out);
    }
    let json: serde_json::Value = serde_json::from_slice(&place.read("trace.json")).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let names: Vec<_> = events.iter().filter(|event| event["name"] == "process_name").collect();
    assert_eq!(names.len(), 4, "the run and three processes: {names:?}");
    let page = String::from_utf8(place.read("out/network/report.html")).unwrap();
    assert!(page.contains("Who waits for whom") && page.contains("Slowdown"));

    let json = place.run_json(&[&network, "--processes", "3", "--profile"]);
    let run = &json["runs"][0];
    assert_eq!((run["processes"].as_u64(), run["hash"].as_str()), (Some(3), Some(&*expected)));
    let parts = run["profile"].as_array().unwrap();
    assert_eq!(parts.len(), 3);
    for part in parts {
        assert!(part["computing"].as_u64() > Some(0), "{part}");
        assert!(!part["moments"].as_array().unwrap().is_empty());
    }
    // Wall-clock figures are shown where they are asked for.
    let plain = place.run(&["run", &network]);
    assert!(!plain.out.contains("profile"), "{}", plain.out);
    let page = String::from_utf8(place.read("out/network/report.html")).unwrap();
    assert!(!page.contains("Who waits for whom"));
    let both = place.run(&["run", &experiment("scenarios.toml"), "--trace", "trace.json"]);
    assert_eq!(both.status, 2);
    assert!(both.err.contains("--trace is of one run"), "{}", both.err);
}

/// The number of the other processes that the program has started, and their process ids.
fn members(parent: u32) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(line) = std::fs::read(entry.path().join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&line).into_owned();
        let mut words = line.split('\0').skip_while(|word| *word != "--member").skip(1);
        let Some(mut place) = words.next().map(|place| place.split('/')) else { continue };
        let number = place.next().and_then(|number| number.parse().ok());
        let of = place.nth(1).and_then(|parent| parent.parse::<u32>().ok());
        if let (Some(number), true) = (number, of == Some(parent)) {
            found.push((number, id));
        }
    }
    found
}

fn start(place: &Place) -> Child {
    let network = example("processes/network.toml");
    let mut command = place.command(&["run", &network, "--out", "out", "--processes", "6"]);
    command.args(["--set", "duration=100000 s"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn kill(process: u32) {
    let _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
}

/// Waits until `done`, and says how long it took.
fn wait_until(mut done: impl FnMut() -> bool, what: &str) -> Duration {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
    begin.elapsed()
}

fn wait_until_it_records(place: &Place, child: &mut Child) {
    let recording = place.path("out/recording.mcap");
    let length = || std::fs::metadata(&recording).map_or(0, |file| file.len());
    wait_until(|| length() > 100_000 || child.try_wait().unwrap().is_some(), "it records");
}

/// Whether the folder for the sockets of a run is there.
fn has_folder(parent: u32) -> bool {
    let beginning = format!("ironbird-run-{parent:07}-");
    let entries = std::fs::read_dir("/dev/shm").unwrap().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(&beginning))
}

/// Kills process `number` of a run after a while; how long it took until all was over, and what was said.
fn kill_one(number: usize, after: Duration) -> (Duration, Ended) {
    let place = Place::new();
    let mut child = start(&place);
    let parent = child.id();
    std::thread::sleep(after);
    let mut target = Some(parent);
    if number > 0 {
        target = None;
        wait_until(
            || {
                let found = members(parent).into_iter().find(|(member, _)| *member == number);
                target = found.map(|(_, id)| id);
                target.is_some()
            },
            "the process is started",
        );
    }
    kill(target.unwrap());
    let mut took = wait_until(|| child.try_wait().unwrap().is_some(), "the run ends");
    took += wait_until(|| members(parent).is_empty(), "no process is left");
    took += wait_until(|| !has_folder(parent), "no file is left");
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap_or(-1);
    (took, Ended { status, out: text(output.stdout), err: text(output.stderr) })
}

/// Each process in turn, at times that are spread over the start and the run; `IRONBIRD_KILLS` says how often.
#[test]
fn a_process_that_is_killed_ends_the_run_with_its_name_and_leaves_nothing() {
    let rounds = std::env::var("IRONBIRD_KILLS").ok().and_then(|text| text.parse().ok());
    let mut longest = Duration::ZERO;
    for round in 0..rounds.unwrap_or(24_usize) {
        let number = round % 6;
        // A sequence without a pattern: multiples of the golden ratio.
        let share = (round as f64 * 0.618_033_988_749_895).fract();
        let after = Duration::from_secs_f64(0.6 * share);
        let (took, ended) = kill_one(number, after);
        longest = longest.max(took);
        assert!(took < LIMIT, "process {number} after {after:?}: {took:?}");
        if number == 0 {
            continue;
        }
        let said = format!("{}{}", ended.out, ended.err);
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(ended.status, 3, "process {number} after {after:?}: {said}");
        let named = format!("process {number} was killed by signal 9");
        assert!(said.contains(&named), "process {number} after {after:?}: {said}");
    }
    println!("the longest end took {longest:?}");
}

/// User code that never comes back is waited for by the process that it is a part of, for as long as it says.
#[test]
fn a_process_that_hangs_is_given_up_with_its_name() {
    let place = Place::new();
    place.write("hang.toml", hanging_network());
    place.write("hang.py", HANGS_AT_2_S);
    let arguments = ["run", "hang.toml", "--out", "out", "--patience", "2 s"];
    let mut command = place.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| child.try_wait().unwrap().is_some(), "the run ends");
    let parent = child.id();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("process 1 hangs: it gave no sign of life for 2 s"), "{said}");
    wait_until(|| members(parent).is_empty(), "no process is left");
}

fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// As with Ctrl-Z and `fg`: the run itself, of which the others know, or one of its processes.
#[test]
fn a_run_that_is_stopped_for_longer_than_patience_goes_on() {
    let patience = Duration::from_secs(2);
    for number in [0, 2] {
        let place = Place::new();
        let network = example("processes/network.toml");
        let arguments = ["run", &network, "--out", "out", "--processes", "3", "--patience", "2 s"];
        let mut command = place.command(&arguments);
        command.args(["--set", "duration=100000 s"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        wait_until_it_records(&place, &mut child);
        let parent = child.id();
        let of_number = || members(parent).into_iter().find(|(member, _)| *member == number);
        let stopped = of_number().map_or(parent, |(_, id)| id);
        signal(stopped, "-STOP");
        std::thread::sleep(patience * 4);
        let recorded = std::fs::metadata(place.path("out/recording.mcap")).unwrap().len();
        signal(stopped, "-CONT");
        let length = || std::fs::metadata(place.path("out/recording.mcap")).unwrap().len();
        let more = || length() > recorded + 100_000 || child.try_wait().unwrap().is_some();
        wait_until(more, "it records more");
        signal(parent, "-INT");
        let output = child.wait_with_output().unwrap();
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("interrupted at"), "process {number}: {said}");
        let replay = place.run(&["replay", "out/recording.mcap"]);
        assert!(replay.out.contains("the same bits again"), "{}{}", replay.out, replay.err);
    }
}

#[test]
fn an_interruption_ends_all_processes_in_good_order() {
    let place = Place::new();
    let mut child = start(&place);
    let parent = child.id();
    wait_until_it_records(&place, &mut child);
    let sent = Command::new("kill").args(["-INT", &parent.to_string()]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("interrupted at"), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        ironbird_record::Recording::open(&place.path("out/recording.mcap")).unwrap().damaged,
        None
    );
    wait_until(|| members(parent).is_empty(), "no process is left");
    let replay = place.run(&["replay", "out/recording.mcap"]);
    assert!(replay.out.contains("the same bits again"), "{}{}", replay.out, replay.err);
}

#[test]
fn a_pipe_in_the_place_of_a_lock_holds_nobody_up() {
    // Any user of the machine can make one.
    let trap = tempfile::Builder::new().prefix("ironbird-run-").tempdir_in("/dev/shm").unwrap();
    let made = Command::new("mkfifo").arg(trap.path().join(".lock")).status();
    assert!(made.unwrap().success());
    let place = Place::new();
    let network = example("processes/network.toml");
    let arguments = ["run", &network, "--processes", "2", "--until", "100 ms"];
    let mut child = place.command(&arguments).stdout(Stdio::null()).spawn().unwrap();
    wait_until(|| child.try_wait().unwrap().is_some(), "the run ends");
    assert!(child.wait().unwrap().success());
}

#[test]
fn there_are_no_more_processes_than_components() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let json = place.run_json(&[&network, "--processes", "100000", "--until", "100 ms"]);
    assert_eq!(json["runs"][0]["partitions"], 6);
    assert_eq!(json["runs"][0]["parts"].as_array().unwrap().len(), 6);
}

#[test]
fn a_process_that_is_asked_to_end_ends_the_run() {
    let place = Place::new();
    let mut child = start(&place);
    let parent = child.id();
    wait_until_it_records(&place, &mut child);
    let (_, id) = members(parent).into_iter().find(|(number, _)| *number == 3).unwrap();
    assert!(Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap().success());
    wait_until(|| child.try_wait().unwrap().is_some(), "the run ends");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("process 3 was killed by signal 15; it advanced"), "{said}");
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_started() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let zero = place.run(&["run", &network, "--processes", "0"]);
    assert_eq!(zero.status, 2);
    assert!(zero.err.contains("--processes is at least 1"), "{}", zero.err);
    let both = place.run(&["run", &network, "--processes", "2", "--partitions", "2"]);
    assert_eq!(both.status, 2);
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
    let going = format!(
        "ironbird = 1\nextends = \"{network}\"\n[[at]]\nname = \"dark\"\ntime = \"1 s\"\nremove = \"lamp\"\n"
    );
    place.write("going.toml", going);
    let gone = place.run(&["run", "going.toml", "--processes", "2"]);
    assert_eq!(gone.status, 2);
    assert!(gone.err.contains("remove \"lamp\" at 1 s: components cannot"), "{}", gone.err);
    for member in ["1/2", "0/2/1/9/x", "2/2/1/9/x", "a/b/c/d/e", "1/2/3/4"] {
        let wrong = place.run(&["run", &network, "--job", "0/0", "--member", member]);
        assert_eq!(wrong.status, 2, "{member}");
        assert!(wrong.err.contains("says of no process which"), "{}", wrong.err);
    }
}
