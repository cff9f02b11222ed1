//! ArduPilot's SITL programs over its JSON interface. The experiments are checked without them; they fly and drive where
//! IRONBIRD_ARDUCOPTER_SITL, IRONBIRD_ARDUPLANE_SITL or IRONBIRD_ARDUROVER_SITL names one.

use std::path::Path;
use std::process::Command;

use crate::inside::TRANSPORTS;
use crate::{fly, hash};

/// What names the program, its experiment, and how many requirements that has.
const EXAMPLES: [(&str, &str, usize); 3] = [
    ("IRONBIRD_ARDUCOPTER_SITL", "ardupilot-json.toml", 5),
    ("IRONBIRD_ARDUPLANE_SITL", "arduplane.toml", 8),
    ("IRONBIRD_ARDUROVER_SITL", "ardurover.toml", 6),
];

#[test]
fn the_experiments_of_ardupilots_sitl_programs_are_without_problems() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native");
    for (_, example, _) in EXAMPLES {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
        command.args(["check", "--set", "autopilot.command=cat"]).arg(examples.join(example));
        let done = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let messages = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && said.contains("no problems"), "{said}{messages}");
    }
}

#[test]
fn ardupilots_sitl_programs_do_the_same_whatever_way_they_are_run() {
    for (named, example, requirements) in EXAMPLES {
        let Ok(program) = std::env::var(named) else {
            println!("{example} is skipped: {named} names no program");
            continue;
        };
        let mut hashes = Vec::new();
        for transport in TRANSPORTS {
            for backend in ["coroutines", "kernel-threads"] {
                let way = format!("autopilot.transport={transport}");
                let threads = format!("autopilot.backend={backend}");
                let flown = fly(example, &program, &[&way, &threads]);
                let verdicts = flown["runs"][0]["verdicts"].as_array().expect("verdicts");
                assert_eq!(verdicts.len(), requirements);
                for verdict in verdicts {
                    assert_eq!(verdict["status"], "passed", "{example}: {verdict}");
                }
                hashes.push(hash(&flown).to_owned());
            }
        }
        assert!(hashes.iter().all(|other| *other == hashes[0]), "{example}: {hashes:?}");
    }
}
