//! Files look the same in every run: their times, their numbers, the order of their names.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Setup;
use rig::{Nothing, Run, SECOND, WAYS, compile, setup, supported};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Files are numbered as they are met: "beta", the old one, ".", "..", and then the others by their names.
const FOUND: &str = "\
beta 1700000000.000000000 1700000000.000000000 same 1 size 5
synced 0 0 0 closed 1 pipe 1
statx 1700000000.000000000 same 1 size 5 born 0
statx of the descriptor same 1 regular 1
no such file -1
older 1000000000
listed Omega=5 alpha=6 beta=1 delta10=7 delta9=8 zebra=9
again Omega=5 alpha=6 beta=1 delta10=7 zebra=9
from alpha on alpha=6 beta=1 delta10=7 zebra=9
";

#[test]
fn times_numbers_and_order_of_files_are_the_same_in_every_run() {
    if !supported() {
        return;
    }
    let program = compile("files.c");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let old = elsewhere.path().join("old");
    let file = std::fs::File::create(&old).expect("a file");
    let begun = SystemTime::now() - Duration::from_secs(1);
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).expect("a time");
    for (backend, wire) in WAYS {
        let folder = tempfile::tempdir().expect("a folder");
        let setup = Setup {
            folder: folder.path().to_string_lossy().into_owned(),
            begun_ns: begun.duration_since(SystemTime::UNIX_EPOCH).expect("it is later").as_nanos()
                as u64,
            ..setup(backend)
        };
        let mut command = Command::new(&program);
        command.arg(&old);
        let outcome = Run::start(command, &setup, wire).play(SECOND, &mut Nothing);
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
        assert_eq!(outcome.printed, FOUND, "{backend:?}, {wire:?}");
    }
}
