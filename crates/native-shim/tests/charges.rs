//! Calls cost what the setup says.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Backend, Setup, SpinRule};
use rig::{MICROSECOND, Nothing, Wire, compile, run, setup, supported};

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
