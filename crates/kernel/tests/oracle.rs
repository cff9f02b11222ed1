//! The kernel against a second, naive simulator of the same semantics: every value of every output
//! of random systems, with its time, is the same in both.

#[path = "oracle/mod.rs"]
mod naive;
mod random_graph;

use proptest::test_runner::{Config, TestCaseError, TestRunner};
use random_graph::runs::{baseline, difference, run, watched};
use random_graph::{Knobs, generate, knobs};

fn cases(default: u32) -> u32 {
    std::env::var("IRONBIRD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn agree(knobs: &Knobs) -> Result<usize, TestCaseError> {
    // The order of messages over parallel links is the kernel's choice.
    let plan = generate(&Knobs { parallel: false, ..knobs.clone() });
    let variant = baseline(&plan);
    let (found, _) = watched(&format!("{knobs:?}"), || run(&plan, &variant));
    let expected = watched(&format!("oracle {knobs:?}"), || naive::trace(&plan));
    match difference(&expected, &found.samples) {
        None => Ok(expected.values().map(Vec::len).sum()),
        Some(difference) => Err(TestCaseError::fail(difference)),
    }
}

#[test]
fn the_kernel_and_a_naive_simulator_agree_on_every_value() {
    let config = Config {
        cases: cases(150),
        max_shrink_iters: 400,
        failure_persistence: None,
        ..Config::default()
    };
    let cases = config.cases as usize;
    let values = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(config);
    let result = runner.run(&knobs(), |knobs| {
        values.set(values.get() + agree(&knobs)?);
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(values.get() > 100 * cases, "too little happens: {} values", values.get());
}

/// A monitor that watches one computer resets a periodic model, which shows that at once to another computer: that one
/// must not have run ahead of it.
#[test]
fn no_computer_runs_ahead_of_what_a_monitor_does_to_a_periodic_model() {
    let knobs = Knobs {
        seed: 12_615_566_728_412_642_153,
        atomics: 4,
        periodics: 4,
        run_aheads: 3,
        composites: 3,
        fan_in: 3,
        immediate_percent: 60,
        disturbed_percent: 0,
        fields: 2,
        actions: 0,
        monitors: 1,
        stops: false,
        parallel: true,
    };
    agree(&knobs).unwrap();
}
