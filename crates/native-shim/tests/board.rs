//! The computer that a program finds is the same on every machine.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Setup;
use rig::{MICROSECOND, Nothing, Run, SECOND, WAYS, compile, setup, supported};
use std::process::Command;

const FOUND: &str = "\
/proc/uptime: 10 1.25 1.25
/proc/loadavg: 21 0.00 0.00 0.00 1/1 1
/proc/stat: 83 cpu  0 0 0 125 0 0 0 0 0 0
cpu0 0 0 0 125 0 0 0 0 0 0
btime 1699999999
processes 1
/etc/machine-id: 33 1b0b1bd000000006000000075bd1e995
/proc/sys/kernel/random/boot_id: 37 1b0b1bd0-0000-0006-0000-00075bd1e995
/etc/hostname: 9 ironbird
memory 1048576 524288
memory 1048576 524288
stat good 1
sysinfo 1 1073741824 0
loads 3 0
room good 8589934592 good 8589934592 ENOENT
name ironbird ironbird
locked good 0
ticks 50 of 100, clock 1, usage 0.50 faults 0
ENOENT ENOENT ENOENT ENOENT ENOENT ENOENT ENOENT
ENOENT ENOENT ENOENT good
EPERM EPERM
interfaces good 0
can0 ENODEV
can EAFNOSUPPORT
broadcast good
sent 3 received 3 one two three 10
place ESPIPE ESPIPE 25 25 1 two 3.00 4 5 6 7 8.5 9| good 4
flock EAGAIN
flock good after 0.0040
fcntl EAGAIN
fcntl good after 0.0050
";

#[test]
fn load_memory_room_names_and_pins_are_those_of_the_virtual_computer() {
    if !supported() {
        return;
    }
    let program = compile("board.c");
    for (backend, wire) in WAYS {
        let folder = tempfile::tempdir().expect("a folder");
        let setup = Setup {
            call_charge: 5 * MICROSECOND,
            folder: folder.path().to_string_lossy().into_owned(),
            ..setup(backend)
        };
        let outcome =
            Run::start(Command::new(&program), &setup, wire).play(60 * SECOND, &mut Nothing);
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
        assert_eq!(outcome.printed, FOUND, "{backend:?}, {wire:?}");
    }
}
