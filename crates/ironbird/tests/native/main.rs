//! Real autopilots in virtual time.
//!
//! Betaflight is named by the environment variable IRONBIRD_BETAFLIGHT; without it its tests are skipped. A build of
//! ArduCopter for Linux is named by IRONBIRD_ARDUCOPTER; without it a stand-in does on the buses what ArduCopter does.
#![cfg(target_os = "linux")]

mod ardupilot;
mod inside;
mod interrupted;
mod registers;
mod sitl;
mod steady;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Betaflight's SITL program, if there is one.
fn betaflight() -> Option<String> {
    let program =
        std::env::var("IRONBIRD_BETAFLIGHT").ok().filter(|path| Path::new(path).is_file());
    if program.is_none() {
        println!("skipped: IRONBIRD_BETAFLIGHT does not name Betaflight's SITL program");
    }
    program
}

/// Flies an example with more settings: what the program printed as JSON.
fn fly(example: &str, program: &str, settings: &[&str]) -> Value {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native").join(example);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
    command.args(["run", "--json"]).arg(example).current_dir(folder.path());
    let own = format!("autopilot.command={program}");
    for setting in [own.as_str()].iter().chain(settings) {
        command.args(["--set", setting]);
    }
    let done = command.output().expect("it starts");
    let messages = String::from_utf8_lossy(&done.stderr).into_owned();
    serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("no JSON: {messages}"))
}

fn hash(json: &Value) -> &str {
    json["runs"][0]["hash"].as_str().expect("a hash")
}

#[test]
fn betaflight_takes_off_hovers_rolls_turns_and_lands() {
    let Some(program) = betaflight() else { return };
    let flown = fly("betaflight.toml", &program, &[]);
    let verdicts = flown["runs"][0]["verdicts"].as_array().expect("verdicts").clone();
    assert_eq!(verdicts.len(), 7);
    for verdict in verdicts {
        assert_eq!(verdict["status"], "passed", "{verdict}");
    }
}

#[test]
fn betaflight_flies_the_same_whatever_way_it_is_run() {
    let Some(program) = betaflight() else { return };
    let short = "duration=20s";
    let first = fly("betaflight.toml", &program, &[short]);
    for transport in inside::TRANSPORTS {
        for backend in ["coroutines", "kernel-threads"] {
            let way = format!("autopilot.transport={transport}");
            let threads = format!("autopilot.backend={backend}");
            let flown = fly("betaflight.toml", &program, &[short, &way, &threads]);
            assert_eq!(hash(&flown), hash(&first), "{transport}, {backend}");
        }
    }
    let slower = fly("betaflight.toml", &program, &[short, "autopilot.clock_read=200 ns"]);
    assert_ne!(hash(&slower), hash(&first), "another computer flies another flight");
}

#[test]
fn betaflight_goes_on_in_branches_as_in_whole_flights() {
    let Some(program) = betaflight() else { return };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let done = |what: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
        command.args([what, "--json", "--until", "29 s"]).arg(examples.join("branches.toml"));
        command.args(["--set", &format!("autopilot.command={program}")]);
        let done = command.args(more).current_dir(folder.path()).output().expect("it starts");
        let messages = String::from_utf8_lossy(&done.stderr).into_owned();
        serde_json::from_slice::<Value>(&done.stdout)
            .unwrap_or_else(|_| panic!("no JSON: {messages}"))
    };
    let stuck = ["a-moment", "too-long"]
        .map(|span| examples.join(format!("stuck-for-{span}.commands.toml")).display().to_string());
    let [moment, long] = &stuck;
    let branches = done("branch", &["--at", "26 s", "--commands", moment, "--commands", long]);
    let whole = [
        done("run", &[]),
        done("run", &["--commands", moment]),
        done("run", &["--commands", long]),
    ];
    let branches = branches["runs"].as_array().expect("runs").clone();
    assert_eq!(branches.len(), 3);
    for (branch, whole) in branches.iter().zip(&whole) {
        assert_eq!(branch["hash"], hash(whole));
    }
    assert!(
        branches[0]["hash"] != branches[1]["hash"] && branches[1]["hash"] != branches[2]["hash"]
    );
}

#[test]
fn betaflight_survives_a_gyroscope_that_sticks_but_not_for_long() {
    let Some(program) = betaflight() else { return };
    let flown = fly("gyroscope-loss.toml", &program, &[]);
    let runs = flown["runs"].as_array().expect("runs");
    let failed: Vec<usize> = runs
        .iter()
        .map(|run| {
            let verdicts = run["verdicts"].as_array().expect("verdicts");
            verdicts.iter().filter(|verdict| verdict["status"] == "failed").count()
        })
        .collect();
    assert_eq!(failed, [0, 0, 2], "a moment, half a second, too long");
}
