//! Calls cost what the setup says.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Backend, Setup, SpinRule};
use rig::{MICROSECOND, Nothing, WAYS, Wire, compile, run, setup, supported};

#[test]
fn ten_million_clock_reads_cost_ten_million_charges() {
    if !supported() {
        return;
    }
    let program = compile("clock_reads.c");
    let charged = Setup { clock_read_charge: 50_000, ..setup(Backend::Coroutines) };
    let outcome = run(&program, &["10000000"], &charged, Wire::Memory, &mut Nothing);
    assert_eq!(outcome.printed, "500000000\n", "{outcome:#?}");
    assert_eq!(outcome.counters().clock_reads, 10_000_001);
    println!("{:.1} ns of wall time for each read", outcome.wall.as_secs_f64() * 1e9 / 1e7);
}

#[test]
fn spinning_on_the_clock_is_jumped_over_if_asked_for() {
    if !supported() {
        return;
    }
    let program = compile("clock_reads.c");
    let spin = Some(SpinRule { reads: 20, at_most: 10 * MICROSECOND });
    let jumping = Setup { clock_read_charge: 50_000, spin, ..setup(Backend::Coroutines) };
    let outcome = run(&program, &["2100"], &jumping, Wire::Memory, &mut Nothing);
    // 2100 reads cost 50 ns each; every 21st of 2101 in a row jumps 10 us.
    assert_eq!(outcome.printed, format!("{}\n", 2100 * 50 + 100 * 10_000), "{outcome:#?}");
}

#[test]
fn sleeps_of_ordinary_threads_end_late_by_the_slack() {
    if !supported() {
        return;
    }
    let program = compile("sleeps.c");
    for (backend, wire) in WAYS {
        let late = Setup { timer_slack: 50 * MICROSECOND, ..setup(backend) };
        let outcome = run(&program, &[], &late, wire, &mut Nothing);
        assert_eq!(outcome.printed, "100000000 50000000\n", "{backend:?} {wire:?}: {outcome:#?}");
    }
}

#[test]
fn a_slower_computer_takes_longer_and_as_long_in_all_ways() {
    if !supported() {
        return;
    }
    let program = compile("lives.c");
    let mut ends = Vec::new();
    for (clock, call) in [(0, 0), (50_000, 500_000), (2_000_000, 10_000_000)] {
        let mut first = None;
        for (backend, wire) in WAYS {
            let charged = Setup { clock_read_charge: clock, call_charge: call, ..setup(backend) };
            let outcome = run(&program, &["many"], &charged, wire, &mut Nothing);
            assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
            let all = (outcome.now, outcome.printed, outcome.events);
            assert_eq!(
                first.get_or_insert_with(|| all.clone()),
                &all,
                "{backend:?} {wire:?}, {clock} {call}"
            );
        }
        ends.extend(first.map(|(now, _, _)| now));
    }
    // 100 rounds; without charges each takes the longest sleep, 16 us.
    assert_eq!(ends[0], 1600 * MICROSECOND);
    assert!(ends.is_sorted() && ends[2] > 10 * ends[1], "{ends:?}");
}
