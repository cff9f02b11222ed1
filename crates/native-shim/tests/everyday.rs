//! A large program that was never meant for it: the Python interpreter in virtual time.
#![cfg(target_os = "linux")]

mod rig;

use rig::{Nothing, Run, SECOND, WAYS, setup, supported};
use std::path::Path;
use std::process::Command;

/// From the sleeps in `programs/everyday.py`; nothing else costs time.
const REFERENCE: &str = "\
thread 4 0.250000
thread 3 0.500000
thread 2 0.750000
thread 1 1.000000
thread 0 1.250000
task 0 1.250000
task 1 1.750000
task 2 2.250000
queue 0 3.250000
queue 1 4.250000
empty 6.250000
select True b'x' 6.250000
select [] 7.250000
processors 1 time 1700000007
random ";

#[test]
fn python_runs_in_virtual_time() {
    if !supported() {
        return;
    }
    let Some(interpreter) = rig::python() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/everyday.py");
    let mut first = None;
    for (backend, wire) in WAYS {
        let mut command = Command::new(&interpreter);
        // Isolated, and without files of compiled modules, which a first run would write.
        command.args(["-I", "-B"]).arg(&script);
        let outcome = Run::start(command, &setup(backend), wire).play(3600 * SECOND, &mut Nothing);
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
        let (text, random) =
            outcome.printed.split_at_checked(REFERENCE.len()).unwrap_or((&outcome.printed, ""));
        assert_eq!(text, REFERENCE, "{backend:?} {wire:?}");
        assert_eq!(first.get_or_insert_with(|| random.to_owned()), random, "{backend:?} {wire:?}");
    }
}
