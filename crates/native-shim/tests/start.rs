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

#[test]
fn a_program_whose_host_is_gone_ends() {
    if !supported() {
        return;
    }
    // Its bell is its input, which ends with `sleep`: the host dies without a word.
    let memory = tempfile::NamedTempFile::new().expect("a file");
    let mut header = vec![0; ironbird_native_shim::protocol::memory::LENGTH];
    header[..8].copy_from_slice(b"IBSHIM01");
    header[8] = ironbird_native_shim::protocol::VERSION;
    std::fs::write(memory.path(), header).expect("the memory");
    let script = "sleep 0.2 | LD_PRELOAD=$1 IRONBIRD_SHIM=memory:$2,0,1 $3";
    let output = std::process::Command::new("sh")
        .args(["-c", script, "sh"])
        .args([rig::shim(), memory.path(), &compile("hello.c")])
        .output()
        .expect("a shell");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaint, "ironbird shim: the host is gone\n", "{output:?}");
}
