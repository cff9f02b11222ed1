//! After its start, a program in virtual time asks the kernel for no time, no wait and no wake-up.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Backend;
use rig::{Nothing, Run, SECOND, Wire, compile, setup, supported};
use std::collections::BTreeMap;
use std::process::Command;

const FORBIDDEN: [&str; 21] = [
    "clock_gettime",
    "gettimeofday",
    "time",
    "times",
    "nanosleep",
    "clock_nanosleep",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "epoll_wait",
    "epoll_pwait",
    "timerfd_create",
    "timerfd_settime",
    "timer_create",
    "timer_settime",
    "setitimer",
    "eventfd2",
    "rt_sigtimedwait",
    "futex",
    "futex_waitv",
];

#[test]
fn strace_sees_no_call_for_time() {
    if !supported() {
        return;
    }
    if Command::new("strace").arg("--version").output().is_err() {
        println!("skipped: strace is not installed");
        return;
    }
    let program = compile("primitives.c");
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-o"]).arg(&trace);
    let run = Run::start_with(
        command,
        &setup(Backend::Coroutines),
        Wire::Socket,
        |command, preload, transport| {
            command.arg("-E").arg(format!("LD_PRELOAD={}", preload.display()));
            command.arg("-E").arg(format!("IRONBIRD_SHIM={transport}")).arg(&program);
        },
    );
    let outcome = run.play(3600 * SECOND, &mut Nothing);
    assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    let text = std::fs::read_to_string(&trace).expect("the trace");
    let (_, after_start) =
        text.split_once("seccomp(SECCOMP_SET_MODE_FILTER").expect("the net is closed");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in after_start.lines() {
        // "PID name(arguments"; lines that resume a call are its second half.
        let call = line.split_whitespace().nth(1).unwrap_or_default();
        if let Some((name, _)) = call.split_once('(') {
            *counts.entry(name).or_default() += 1;
        }
    }
    println!("{counts:?}");
    for name in FORBIDDEN {
        assert_eq!(counts.get(name), None, "{name}: {counts:?}");
    }
    // libc asks once for its heap; the net catches it and answers from the seed.
    assert!(counts.get("getrandom").is_none_or(|count| *count == 1), "{counts:?}");
    // Every thread has a pthread.
    assert!(counts["clone3"] > 200, "{counts:?}");
}
