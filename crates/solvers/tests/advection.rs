//! A front that travels through 20,000 cells: few of them move at a time.

mod problems;

use ironbird_kernel::Time;
use ironbird_solvers::{Method, Settings, Solver};
use ironbird_workloads::continuous::Advection;
use problems::at;

const CELLS: usize = 20_000;

/// The last cell that the front has passed.
fn front(x: &[f64]) -> usize {
    x.iter().position(|value| *value < 0.5).unwrap_or(CELLS)
}

fn states(solver: &mut Solver<Advection>, t: Time) -> Vec<f64> {
    solver.run(t).unwrap();
    (0..CELLS).map(|state| solver.sample(state, t).unwrap()).collect()
}

#[test]
fn liqss2_follows_the_front_with_as_few_steps_as_the_reference_implementation() {
    let block = || Advection { cells: CELLS };
    let precise = Settings::new(Method::Dopri5).tolerance(1e-9, 1e-9);
    let mut quantized = Solver::new(block(), Settings::new(Method::Liqss2)).unwrap();
    let mut reference = Solver::new(block(), precise).unwrap();
    for t in [0.25, 0.5, 1.0] {
        let (x, exact) = (states(&mut quantized, at(t)), states(&mut reference, at(t)));
        let (found, expected) = (front(&x), front(&exact));
        assert!(found.abs_diff(expected) <= 1, "the front is at {found}, not {expected}");
        for cell in 0..CELLS {
            let error = (x[cell] - exact[cell]).abs();
            let away = expected == CELLS || cell.abs_diff(expected) > 20;
            assert!(error < if away { 1e-2 } else { 1e-1 }, "cell {cell} errs by {error} at {t}");
        }
    }
    // qss-solver 4.3.0 takes 807,546.
    let steps = quantized.statistics().steps;
    assert!(steps < 888_300, "{steps} steps");
}
