//! Blocks: what each computes, its units, its limits, what is refused, and a controller made of them.

mod arithmetic;
mod dynamics;
mod nonlinear;
mod roll_loop;
mod tables;
mod units;

use ironbird_kernel::{Rate, Time};
use ironbird_test_rig::{Rig, Setting, seconds};

fn rig() -> Rig {
    Rig::of(&[ironbird_control::register])
}

/// What a block shows at 10 Hz if its input `in` shows these values from these times on.
fn shown(block: &str, settings: &[Setting<'_>], input: &[(f64, f64)]) -> Vec<f64> {
    let script: Vec<(Time, f64)> = input.iter().map(|(at, x)| (seconds(*at), *x)).collect();
    let until = script.last().map_or(Time::ZERO, |(at, _)| *at).max(seconds(1.0));
    let mut rig = rig();
    rig.script("source", &script);
    rig.add_at("block", block, Some(Rate::hz(10)), settings);
    rig.link("source.out", "block.in");
    rig.run(until, &["block.out"]).numbers("block.out")
}

/// A new value at each of the steps of [`shown`].
fn at_each_step(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(k, x)| (k as f64 / 10.0, *x)).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(found.len() >= expected.len() && near, "{found:?}, not {expected:?}");
}
