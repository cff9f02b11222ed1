//! A program starts under the shim, in all ways.
#![cfg(target_os = "linux")]

mod rig;

use rig::{Nothing, WAYS, compile, run, setup, supported};

#[test]
fn a_program_runs_in_virtual_time_in_all_ways() {
    if !supported() {
        return;
    }
    let program = compile("hello.c");
    for (backend, wire) in WAYS {
        let outcome = run(&program, &[], &setup(backend), wire, &mut Nothing);
        assert_eq!(
            outcome.printed, "other 42\njoined 42 at 1.001500000\nreal 1700000000.001500000\n",
            "{backend:?} {wire:?}: {outcome:#?}"
        );
        assert_eq!(outcome.hello.backend, backend);
        assert_eq!(outcome.exit_code(), Some(3));
    }
}

#[test]
fn a_shim_without_a_host_refuses_to_run() {
    if !supported() {
        return;
    }
    let output = std::process::Command::new(compile("hello.c"))
        .env("LD_PRELOAD", rig::shim())
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(70));
    assert_eq!(output.stdout, b"");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        text,
        "ironbird shim: IRONBIRD_SHIM is not set: this library is loaded by `host.native` only\n"
    );
}
