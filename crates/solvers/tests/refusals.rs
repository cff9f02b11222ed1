//! What is wrong is refused with its name, place and time.

mod problems;

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{
    Block, Edit, Error, Function, Method, Number, Point, Reads, Settings, Solver, Trajectory,
};
use problems::{Linear, at, every_method};

#[test]
fn an_unknown_method_is_answered_with_the_names_of_all() {
    let error = "euler".parse::<Method>().unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("there is no method `euler`; choose one of `qss1`"), "{message}");
    for method in Method::ALL {
        assert_eq!(method.name().parse(), Ok(method));
        assert!(message.contains(method.name()));
    }
}

#[test]
fn settings_outside_their_range_are_refused() {
    let bad = [
        Settings::new(Method::Qss2).tolerance(0.0, 1e-3),
        Settings::new(Method::Qss2).tolerance(f64::NAN, 1e-3),
        Settings::new(Method::Dopri5).tolerance(1e-3, -1.0),
        Settings::new(Method::Dopri5).tolerance(1e-3, 1.0),
        Settings::new(Method::Dopri5).max_step(Duration::ZERO),
    ];
    for settings in bad {
        let error = Solver::new(Linear, settings).unwrap_err();
        assert!(matches!(error, Error::BadSetting { .. }), "{error}");
    }
}

/// x0' = 1, and something that goes wrong with x1' once x0 has passed 1.
struct Faulty(fn(f64) -> f64);

impl Block for Faulty {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [0.0, 1.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => N::constant(1.0),
            _ => at.x(1) * (self.0)(at.x(0).value()),
        }
    }
}

#[test]
fn a_right_hand_side_that_is_not_a_number_names_the_state_and_the_time() {
    for settings in every_method(1e-2) {
        let wrong = |x| if x > 1.0 { f64::NAN } else { -1.0 };
        let mut solver = Solver::new(Faulty(wrong), settings).unwrap();
        let error = solver.run(at(3.0)).unwrap_err();
        let Error::NotFinite { function, at: when, .. } = error else {
            panic!("{}: {error}", settings.method);
        };
        assert_eq!(function, Function::Derivative(1));
        assert!(when > at(0.9) && when < at(2.5), "{}: {when}", settings.method);
        let again = solver.run(at(3.0)).unwrap_err();
        assert_eq!(again.to_string(), error.to_string(), "an error is not forgotten");
    }
}

#[test]
fn a_jump_without_a_crossing_makes_the_adaptive_step_underflow() {
    let settings = Settings::new(Method::Dopri5).tolerance(1e-13, 1e-13);
    let explodes = |x: f64| 1.0 / ((1.0 - x) * (1.0 - x));
    let mut solver = Solver::new(Faulty(explodes), settings).unwrap();
    let error = solver.run(at(3.0)).unwrap_err();
    let known = matches!(
        error,
        Error::StepUnderflow { state: 1, .. }
            | Error::NotFinite { function: Function::Derivative(1), .. }
            | Error::StateNotFinite { state: 1, .. }
    );
    assert!(known, "{error}");
}

/// Starts, resets, reads or repeats what it must not.
struct Rogue {
    start: f64,
    reads: usize,
    sets: (usize, f64),
    stuck: bool,
}

impl Rogue {
    const GOOD: Rogue = Rogue { start: 0.0, reads: 0, sets: (0, 0.0), stuck: false };
}

impl Block for Rogue {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        self.start
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.x(self.reads)
    }
    fn next_time_event(&self) -> Time {
        if self.stuck { at(1.0) } else { Time::NEVER }
    }
    fn on_time_event(&mut self, edit: &mut Edit<'_>) {
        edit.set(self.sets.0, self.sets.1);
    }
    fn also_reads(&self, _: Function, reads: &mut Reads) {
        reads.state(0);
    }
}

#[test]
fn rogue_blocks_get_errors_instead_of_panics() {
    for settings in every_method(1e-3) {
        let fails = |rogue| Solver::new(rogue, settings).unwrap().run(at(2.0)).unwrap_err();
        let start = fails(Rogue { start: f64::INFINITY, ..Rogue::GOOD });
        assert!(matches!(start, Error::StateNotFinite { state: 0, .. }), "{start}");
        let reads = fails(Rogue { reads: 7, ..Rogue::GOOD });
        let known = matches!(reads, Error::UnknownState { state: 7, states: 1 })
            || matches!(reads, Error::NotFinite { .. });
        assert!(known, "{reads}");
        let stuck = fails(Rogue { stuck: true, ..Rogue::GOOD });
        assert!(matches!(stuck, Error::TimeEventNotLater { .. }), "{stuck}");
        let mut solver = Solver::new(Rogue::GOOD, settings).unwrap();
        solver.run(at(0.5)).unwrap();
        let set = |state, value| {
            let mut copy = Solver::restore(Rogue::GOOD, solver.state().clone()).unwrap();
            copy.disturb(at(0.5), |_, edit| edit.set(state, value)).unwrap_err()
        };
        let unknown = set(3, 0.0);
        assert!(matches!(unknown, Error::UnknownState { state: 3, states: 1 }), "{unknown}");
        let wrong = set(0, f64::NAN);
        assert!(matches!(wrong, Error::StateNotFinite { state: 0, .. }), "{wrong}");
        let sample = solver.sample(9, at(0.5)).unwrap_err();
        assert!(matches!(sample, Error::UnknownState { state: 9, .. }), "{sample}");
        let input = solver.set_input(at(0.5), 0, Trajectory::default()).unwrap_err();
        assert!(matches!(input, Error::UnknownInput { input: 0, inputs: 0 }), "{input}");
    }
}

#[test]
fn a_block_without_states_is_allowed_and_does_nothing() {
    struct Empty;
    impl Block for Empty {
        fn states(&self) -> usize {
            0
        }
        fn initial(&self, _: usize) -> f64 {
            0.0
        }
        fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
            N::constant(0.0)
        }
    }
    for settings in every_method(1e-3) {
        Solver::new(Empty, settings).unwrap().run(at(1.0)).unwrap();
    }
}
