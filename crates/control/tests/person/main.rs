//! A person in the loop: sticks, instruments, and the model of an operator.

mod crossover;
mod instruments;
mod operator;
mod sticks;

use ironbird_test_rig::Rig;

fn rig() -> Rig {
    Rig::of(&[ironbird_control::register])
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found}, not {expected} within {within:e}");
}
