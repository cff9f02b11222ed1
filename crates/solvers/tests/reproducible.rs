//! The result depends on the block and its inputs, on nothing else.

mod problems;

use ironbird_kernel::{Duration, Rate, Time};
use ironbird_solvers::{
    Block, Direction, Edit, Method, Number, Point, Settings, Solver, Trajectory, Watched,
};
use ironbird_workloads::continuous::{Advection, Ball, Buck};
use problems::{at, every_method};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// A driven, damped pendulum that loses speed when it passes below.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pendulum {
    passes: u32,
    next: Time,
}

impl Pendulum {
    fn new() -> Self {
        Pendulum { passes: 0, next: at(0.7) }
    }
}

impl Block for Pendulum {
    fn states(&self) -> usize {
        2
    }
    fn inputs(&self) -> usize {
        1
    }
    fn initial(&self, state: usize) -> f64 {
        [1.0, 0.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => at.x(1),
            _ => -at.x(0).sin() * 9.81 - at.x(1) * 0.1 + at.u(0) + (at.time() * 3.0).cos(),
        }
    }
    fn crossings(&self) -> usize {
        1
    }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.x(0)
    }
    fn watches(&self, _: usize) -> Watched {
        Watched::Rising
    }
    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        self.passes += 1;
        edit.set(1, 0.95 * edit.x(1));
    }
    fn next_time_event(&self) -> Time {
        self.next
    }
    fn on_time_event(&mut self, edit: &mut Edit<'_>) {
        self.next = edit.now() + Duration::from_ms(700);
        edit.set(1, edit.x(1) + 0.1);
        edit.announce();
    }
}

/// Runs to 3 s with an input that changes at 1.1 s, pausing and sampling on the way.
fn run(settings: Settings, pauses: &[u64]) -> (Vec<u64>, u32) {
    let mut solver = Solver::new(Pendulum::new(), settings).unwrap();
    solver.watch(0).unwrap();
    let change = at(1.1);
    let mut changed = false;
    let mut pauses: Vec<Time> = pauses.iter().map(|ps| Time::from_ps(*ps)).collect();
    pauses.extend([change, at(3.0)]);
    pauses.sort_unstable();
    for pause in pauses {
        solver.run(pause).unwrap();
        solver.sample(0, pause).unwrap();
        if pause == change && !changed {
            solver.set_input(change, 0, Trajectory::line(change, 0.5, -0.3)).unwrap();
            changed = true;
        }
    }
    let bits = (0..2).map(|k| solver.sample(k, at(3.0)).unwrap().to_bits()).collect();
    (bits, solver.block().passes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]
    #[test]
    fn where_a_run_pauses_changes_no_bit(
        pauses in prop::collection::vec(0..3_000_000_000_000u64, 0..30),
    ) {
        for settings in every_method(1e-3) {
            let settings = settings.step(Rate::hz(30));
            prop_assert_eq!(run(settings, &pauses), run(settings, &[]), "{}", settings.method);
        }
    }
}

/// Saves at `save`, runs on to `end`, and compares with the loaded copy doing the same.
fn continues<B>(block: B, settings: Settings, save: f64, end: f64)
where
    B: Block + Clone + Serialize + for<'de> Deserialize<'de>,
{
    let mut solver = Solver::new(block, settings).unwrap();
    solver.run(at(save)).unwrap();
    let bytes = postcard::to_stdvec(&solver).unwrap();
    let mut loaded: Solver<B> = postcard::from_bytes(&bytes).unwrap();
    solver.run(at(end)).unwrap();
    loaded.run(at(end)).unwrap();
    let saved = |solver: &Solver<B>| postcard::to_stdvec(solver).unwrap();
    assert!(saved(&solver) == saved(&loaded), "{}", settings.method);
}

#[test]
fn a_run_that_was_saved_goes_on_bit_for_bit() {
    for settings in every_method(1e-3) {
        continues(Pendulum::new(), settings.step(Rate::hz(30)), 1.234, 3.0);
        continues(Ball::default(), settings.step(Rate::hz(30)), 2.2, 6.0);
    }
    continues(Buck::default(), Settings::new(Method::Liqss2), 0.00123, 0.004);
    continues(Advection { cells: 500 }, Settings::new(Method::Liqss2), 0.2, 0.5);
}

#[test]
fn a_run_that_starts_later_is_the_same_run_later() {
    for settings in every_method(1e-3) {
        let settings = settings.step(Rate::hz(32));
        let later = Duration::from_secs(1_000_000);
        let mut early = Solver::new(Ball::default(), settings).unwrap();
        let mut late = Solver::starting_at(Ball::default(), settings, Time::ZERO + later).unwrap();
        early.run(at(6.0)).unwrap();
        late.run(at(6.0) + later).unwrap();
        let moved: Vec<Time> = early.block().impacts.iter().map(|t| *t + later).collect();
        assert_eq!(late.block().impacts, moved, "{}", settings.method);
        for state in 0..2 {
            let x = early.sample(state, at(6.0)).unwrap();
            assert_eq!(late.sample(state, at(6.0) + later).unwrap().to_bits(), x.to_bits());
        }
    }
}

#[test]
fn a_state_that_belongs_to_another_block_is_refused() {
    for settings in every_method(1e-3) {
        let solver = Solver::new(Advection { cells: 5 }, settings).unwrap();
        let error = Solver::restore(Advection { cells: 6 }, solver.state().clone()).unwrap_err();
        assert!(error.to_string().starts_with("the saved state does not fit"), "{error}");
    }
}
