//! Real autopilots in virtual time.
//!
//! Betaflight is named by the environment variable IRONBIRD_BETAFLIGHT; without it its tests are skipped. A build of
//! ArduCopter for Linux is named by IRONBIRD_ARDUCOPTER; without it a stand-in does on the buses what ArduCopter does.
#![cfg(target_os = "linux")]

mod ardupilot;
mod inside;
mod registers;

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

/// Flies the example with more settings: what the program printed as JSON.
fn fly(program: &str, settings: &[&str]) -> Value {
    let example =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native/betaflight.toml");
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
    let flown = fly(&program, &[]);
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
    let first = fly(&program, &[short]);
    for transport in inside::transports() {
        for backend in ["coroutines", "kernel-threads"] {
            let (transport, backend) = (
                format!("autopilot.transport={transport}"),
                format!("autopilot.backend={backend}"),
            );
            let flown = fly(&program, &[short, &transport, &backend]);
            assert_eq!(hash(&flown), hash(&first), "{transport}, {backend}");
        }
    }
    let slower = fly(&program, &[short, "autopilot.clock_read=200 ns"]);
    assert_ne!(hash(&slower), hash(&first), "another computer flies another flight");
}
