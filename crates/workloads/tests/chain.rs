//! A chain of lags gives the bits of its recurrence, and the recurrence is the known answer.

use std::sync::Arc;

use ironbird_kernel::{Options, Simulation};
use ironbird_workloads::chain::{Chain, GAIN, Kept, SETPOINT, TICKS_PER_KEPT};

fn kept_in_a_run(chain: Chain, options: Options) -> Vec<f64> {
    let mut simulation = Simulation::new(chain.graph().unwrap(), options).unwrap();
    let kept = Arc::new(Kept::default());
    simulation.observe(vec![chain.tap()], kept.clone()).unwrap();
    let (at, action) = chain.change();
    simulation.schedule(at, action).unwrap();
    simulation.run_until(chain.end()).unwrap();
    assert_eq!(simulation.statistics().steps, chain.steps());
    kept.values()
}

#[test]
fn a_run_gives_the_bits_of_the_recurrence_fused_or_not() {
    for length in [1, 2, 8] {
        let chain = Chain { length, ticks: 2_000 };
        for fused in [true, false] {
            let options = Options { fused, ..Options::default() };
            assert_eq!(kept_in_a_run(chain, options), chain.kept(), "length {length}, {fused}");
        }
    }
}

#[test]
fn before_the_change_the_recurrence_is_the_negative_binomial_law() {
    let chain = Chain { length: 8, ticks: 1_000 };
    let last = (chain.changed_tick() - 1) / TICKS_PER_KEPT;
    for number in 0..=last {
        // Each term follows from the one before: C(j + n, n - 1) = C(j + n - 1, n - 1) (j + n) / (j + 1).
        let mut term = SETPOINT * (0..8).map(|_| GAIN).product::<f64>();
        let mut expected = 0.0;
        for j in 0..=number * TICKS_PER_KEPT {
            expected += term;
            term *= (1.0 - GAIN) * (j as f64 + 8.0) / (j as f64 + 1.0);
        }
        let found = chain.kept()[number as usize];
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected} at {number}");
    }
}
