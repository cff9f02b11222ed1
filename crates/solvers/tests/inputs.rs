//! Inputs: polynomials that change at any instant.

mod problems;

use ironbird_kernel::{Rate, Time};
use ironbird_solvers::{Block, Error, Method, Number, Point, Solver, Trajectory};
use problems::{at, every_method};

/// x' = u - x
struct Lag;

impl Block for Lag {
    fn states(&self) -> usize {
        1
    }
    fn inputs(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.u(0) - at.x(0)
    }
}

fn limit(method: Method) -> f64 {
    if method == Method::Liqss1 { 4e-4 } else { 2e-4 }
}

#[test]
fn an_input_that_jumps_within_a_step_acts_at_its_instant() {
    for settings in every_method(1e-4) {
        let mut solver = Solver::new(Lag, settings.step(Rate::hz(10))).unwrap();
        solver.set_input(Time::ZERO, 0, Trajectory::constant(1.0)).unwrap();
        solver.run(at(0.537)).unwrap();
        solver.set_input(at(0.537), 0, Trajectory::constant(-1.0)).unwrap();
        solver.run(at(2.0)).unwrap();
        let turn = 1.0 - libm::exp(-0.537);
        let exact = -1.0 + (turn + 1.0) * libm::exp(-(2.0 - 0.537));
        let error = (solver.sample(0, at(2.0)).unwrap() - exact).abs();
        assert!(error < limit(settings.method), "{}: {error}", settings.method);
    }
}

#[test]
fn an_input_of_third_degree_is_followed_by_every_method() {
    for settings in every_method(1e-4) {
        let mut solver = Solver::new(Lag, settings.step(Rate::hz(100))).unwrap();
        let cubic = Trajectory { start: Time::ZERO, coefficients: [0.0, 0.0, 0.0, 1.0] };
        solver.set_input(Time::ZERO, 0, cubic).unwrap();
        for k in 1..=20 {
            let t = f64::from(k) * 0.1;
            solver.run(at(t)).unwrap();
            // x' = t^3 - x: x = t^3 - 3 t^2 + 6 t - 6 + 6 e^-t
            let exact = t * t * t - 3.0 * t * t + 6.0 * t - 6.0 + 6.0 * libm::exp(-t);
            let error = (solver.sample(0, at(t)).unwrap() - exact).abs();
            assert!(error < 20.0 * limit(settings.method), "{}: {error}", settings.method);
        }
    }
}

#[test]
fn inputs_act_neither_in_the_past_nor_beyond_what_is_still_to_happen() {
    for settings in every_method(1e-4) {
        let mut solver = Solver::new(Lag, settings.step(Rate::hz(10))).unwrap();
        solver.set_input(Time::ZERO, 0, Trajectory::constant(1.0)).unwrap();
        let ahead = solver.set_input(at(1.0), 0, Trajectory::constant(2.0)).unwrap_err();
        assert!(matches!(ahead, Error::Ahead { .. }), "{ahead}");
        solver.run(at(1.0)).unwrap();
        let past = solver.set_input(at(0.01), 0, Trajectory::constant(2.0)).unwrap_err();
        assert!(matches!(past, Error::Past { .. }), "{past}");
        let past = solver.sample(0, at(0.01)).unwrap_err();
        assert!(matches!(past, Error::Past { .. }), "{past}");
    }
}

#[test]
fn watching_a_state_shows_every_change_of_its_output() {
    for settings in every_method(1e-3) {
        let mut solver = Solver::new(Lag, settings.step(Rate::hz(10))).unwrap();
        solver.set_input(Time::ZERO, 0, Trajectory::constant(1.0)).unwrap();
        solver.watch(0).unwrap();
        let mut published = Vec::new();
        while let ironbird_solvers::Advance::Event(t) = solver.advance(at(3.0)).unwrap() {
            let output = solver.output(0).unwrap();
            assert!(output.start <= t);
            published.push((t, output));
        }
        assert!(published.len() > 5, "{}", settings.method);
        // Whoever holds the latest output knows the state to within the quantum.
        for pair in published.windows(2) {
            for (t, output) in [(pair[0].0, pair[0].1), (pair[1].0, pair[0].1)] {
                let exact = 1.0 - libm::exp(-t.as_secs_f64());
                assert!((output.at(t) - exact).abs() < 5e-3, "{}", settings.method);
            }
        }
    }
}
