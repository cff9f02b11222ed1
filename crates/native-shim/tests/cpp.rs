//! What the C++ library does by itself is the same in all ways to run a program.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Backend;
use rig::inside::run_inside;
use rig::{Nothing, WAYS, compile, run, setup_with_charges, supported};
use std::process::Command;

#[test]
fn the_cpp_library_makes_the_same_calls_wherever_the_host_is() {
    if !supported() {
        return;
    }
    let program = compile("cpp_start.cpp");
    let mut first: Option<(String, String)> = None;
    let mut compare = |way: &str, printed: String, end: String| {
        let (expected, expected_end) = first.get_or_insert((printed.clone(), end.clone()));
        assert_eq!(printed, *expected, "{way}");
        assert_eq!(end, *expected_end, "{way}");
    };
    for (backend, wire) in WAYS {
        let setup = setup_with_charges(backend);
        let outcome = run(&program, &[], &setup, wire, &mut Nothing);
        outcome.assert_success();
        let end = format!("{} {:?}", outcome.now, outcome.counters());
        compare(&format!("{backend:?} {wire:?}"), outcome.printed, end);
    }
    for backend in [Backend::Coroutines, Backend::KernelThreads] {
        let inside = run_inside(Command::new(&program), backend, "nothing", 3600);
        let end = inside.report.lines().nth(1).unwrap_or_default().to_owned();
        compare(&format!("{backend:?} in process"), inside.printed, end);
    }
    // The flag is what libc would have told, at each moment.
    let (printed, _) = first.expect("it ran");
    let told = printed.lines().filter_map(|line| line.split_once(", alone: "));
    let is_before = |when: &str| !when.contains("thread") || when.contains("before the first");
    for (when, alone) in told {
        assert_eq!(alone == "1", is_before(when), "{when}: {alone}");
    }
}
