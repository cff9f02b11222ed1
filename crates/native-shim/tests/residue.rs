//! What a program publishes of memory that it never wrote is the same in every run.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

mod rig;

use ironbird_native_shim::protocol::{Backend, Setup, Unsteady};
use rig::inside::run_inside;
use rig::{Nothing, Run, SECOND, WAYS, Wire, compile, setup_with_charges, supported};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs with all that a user may have: a large environment, a folder with another name, another limit of stacks.
fn command(program: &Path, run: usize) -> (Command, tempfile::TempDir) {
    let folder = tempfile::Builder::new().prefix(&"x".repeat(1 + 37 * run % 180)).tempdir();
    let folder = folder.expect("a folder");
    let own: PathBuf = folder.path().join("program");
    std::fs::copy(program, &own).expect("a copy");
    let mut command = Command::new(own);
    command.current_dir(folder.path()).env_clear();
    if run % 2 == 1 {
        // One text may not be longer than 128 KiB.
        for part in 0..9 {
            command.env(format!("PART_{part}"), "y".repeat(120_000));
        }
    }
    let limit = [8 << 20, libc::RLIM_INFINITY, 1 << 20, 64 << 20][run / 2 % 4];
    // SAFETY: one system call.
    unsafe {
        command.pre_exec(move || {
            let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::getrlimit(libc::RLIMIT_STACK, &mut limits);
            limits.rlim_cur = limit.min(limits.rlim_max);
            libc::setrlimit(libc::RLIMIT_STACK, &limits);
            Ok(())
        });
    }
    (command, folder)
}

/// What a program prints in so many runs, the first and the others.
fn same_in_all_runs(setup: &Setup, wire: Wire, runs: usize) -> String {
    let program = compile("residue.c");
    let mut first = None;
    for number in 0..runs {
        let (command, _folder) = command(&program, number);
        let run = Run::start(command, setup, wire);
        assert_eq!(run.hello.unsteady, Unsteady::default(), "run {number}");
        let outcome = run.play(3600 * SECOND, &mut Nothing);
        outcome.assert_success();
        let first = first.get_or_insert_with(|| outcome.printed.clone());
        assert_eq!(outcome.printed, *first, "run {number}, {:?} {wire:?}", setup.backend);
    }
    first.expect("a run")
}

#[test]
fn memory_that_was_never_written_is_the_same_in_200_runs() {
    if !supported() {
        return;
    }
    for (backend, wire) in WAYS {
        same_in_all_runs(&setup_with_charges(backend), wire, 50);
    }
}

/// What `personality` is asked with; no other call has it as its first argument here.
const ASK: u32 = 0xffff_ffff;

/// Refuses a system call, as some containers do, unless it only asks.
fn refuse(call: libc::c_long) -> std::io::Result<()> {
    const NUMBER: u32 = 0;
    const ARGUMENT: u32 = 16;
    let statement =
        |code: u32, k: u32, jt: u8, jf: u8| libc::sock_filter { code: code as u16, jt, jf, k };
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let (equal, answer) =
        (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, libc::BPF_RET | libc::BPF_K);
    let mut filter = [
        statement(load, NUMBER, 0, 0),
        statement(equal, call as u32, 0, 2),
        statement(load, ARGUMENT, 0, 0),
        statement(equal, ASK, 0, 1),
        statement(answer, libc::SECCOMP_RET_ALLOW, 0, 0),
        statement(answer, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32, 0, 0),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the kernel copies the filter.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program)
    };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[test]
fn what_the_system_refuses_is_told() {
    if !supported() {
        return;
    }
    let told = |call| {
        let mut command = Command::new(compile("residue.c"));
        // SAFETY: system calls only.
        unsafe { command.pre_exec(move || refuse(call)) };
        let run = Run::start(command, &setup_with_charges(Backend::Coroutines), Wire::Memory);
        let unsteady = run.hello.unsteady;
        run.play(3600 * SECOND, &mut Nothing).assert_success();
        unsteady
    };
    let none = Unsteady::default();
    assert_eq!(told(libc::SYS_personality), Unsteady { addresses: true, ..none });
    assert_eq!(told(libc::SYS_ptrace), Unsteady { random: true, ..none });
    assert_eq!(told(libc::SYS_prlimit64), Unsteady { stack: true, ..none });
}

#[test]
fn memory_that_was_never_written_is_the_same_by_memory_and_socket_and_in_all_runs_in_process() {
    if !supported() {
        return;
    }
    for backend in [Backend::Coroutines, Backend::KernelThreads] {
        // As the host inside has it.
        let setup = Setup { leak_net: false, ..setup_with_charges(backend) };
        let memory = same_in_all_runs(&setup, Wire::Memory, 1);
        assert_eq!(same_in_all_runs(&setup, Wire::Socket, 1), memory, "{backend:?}");
        let inside = |number| {
            let (command, _folder) = command(&compile("residue.c"), number);
            run_inside(command, backend, "nothing", 3600).printed
        };
        let first = inside(0);
        for number in 1..8 {
            assert_eq!(inside(number), first, "run {number}, {backend:?} in process");
        }
        // What `main` finds after the last join is other than with a host outside: up to there nothing is.
        let without_end = |printed: &str| printed.split("end ").next().map(str::to_owned);
        assert_eq!(without_end(&first), without_end(&memory), "{backend:?} in process");
    }
}
