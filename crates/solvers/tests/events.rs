//! Zero crossings and time events: where they are found, and what their handlers bring about.

mod problems;

use ironbird_kernel::{Duration, Rate, Time};
use ironbird_solvers::{
    Advance, Block, Direction, Edit, Error, Method, Number, Point, Settings, Solver, Watched,
};
use ironbird_workloads::continuous::Ball;
use problems::{at, every_method};

/// The largest error of the first ten impacts.
fn impact_error(settings: Settings) -> f64 {
    let mut solver = Solver::new(Ball::default(), settings).unwrap();
    solver.run(at(12.0)).unwrap();
    let impacts = &solver.block().impacts;
    assert!(impacts.len() >= 10, "{}: {} impacts", settings.method, impacts.len());
    let errors = impacts.iter().zip(Ball::exact_impacts()).take(10);
    errors.map(|(found, exact)| (found.as_secs_f64() - exact).abs()).fold(0.0, f64::max)
}

#[test]
fn a_ball_bounces_at_the_instants_of_the_geometric_series() {
    for (method, limit) in [
        (Method::Qss1, 2e-2),
        (Method::Qss2, 1e-9),
        (Method::Qss3, 1e-9),
        (Method::Liqss1, 2e-2),
        (Method::Liqss2, 1e-9),
        (Method::Rk4, 1e-9),
        (Method::Dopri5, 1e-9),
    ] {
        let error = impact_error(Settings::new(method).tolerance(1e-4, 1e-4).step(Rate::hz(97)));
        assert!(error < limit, "{method}: impacts are off by {error} s");
    }
}

#[test]
fn a_ball_that_never_rests_is_an_error_with_the_name_of_the_crossing() {
    // The flights shrink geometrically: before 12.9 s there are infinitely many of them.
    for method in [Method::Qss2, Method::Liqss2, Method::Rk4, Method::Dopri5] {
        let mut solver = Solver::new(Ball::default(), Settings::new(method)).unwrap();
        let error = solver.run(at(20.0)).unwrap_err();
        assert!(matches!(error, Error::Chatter { crossing: 0, .. }), "{method}: {error}");
        assert!(solver.now() < at(13.0));
    }
}

/// x' = 1; fires when sin x, or x itself, passes through zero.
struct Clock {
    seen: Vec<(usize, Direction, Time)>,
}

impl Block for Clock {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        -1.0
    }
    fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
        N::constant(1.0)
    }
    fn crossings(&self) -> usize {
        2
    }
    fn crossing<N: Number>(&self, crossing: usize, at: &impl Point<N>) -> N {
        match crossing {
            0 => (at.x(0) * std::f64::consts::PI).sin(),
            _ => at.time() * at.time() - 2.0,
        }
    }
    fn on_crossing(&mut self, crossing: usize, direction: Direction, edit: &mut Edit<'_>) {
        self.seen.push((crossing, direction, edit.now()));
        edit.affects_only(&[], &[]);
    }
}

#[test]
fn crossings_of_nonlinear_functions_are_found_to_the_picosecond() {
    for settings in every_method(1e-3) {
        // The first zero of the sine lies at the start, where it is on its way down.
        let mut solver =
            Solver::new(Clock { seen: Vec::new() }, settings.step(Rate::hz(7))).unwrap();
        solver.run(at(10.5)).unwrap();
        let seen = &solver.block().seen;
        let zeros: Vec<_> = seen.iter().filter(|event| event.0 == 0).collect();
        assert_eq!(zeros.len(), 10, "{}: {seen:?}", settings.method);
        for (k, (_, direction, t)) in zeros.iter().enumerate() {
            let expected = if k % 2 == 0 { Direction::Rising } else { Direction::Falling };
            assert_eq!(*direction, expected, "{}", settings.method);
            let error = (t.as_secs_f64() - (k + 1) as f64).abs();
            assert!(error < 3e-12, "{}: off by {error} s", settings.method);
        }
        let root = seen.iter().find(|event| event.0 == 1).expect("the square passes 2");
        assert!((root.2.as_secs_f64() - 2f64.sqrt()).abs() < 3e-12, "{}", settings.method);
    }
}

/// A room at `x` degrees whose heater switches at 19 and 21.
struct Thermostat {
    heating: bool,
    switched: u32,
}

impl Block for Thermostat {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        15.0
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        -(at.x(0) - 10.0) * 0.1 + if self.heating { 2.0 } else { 0.0 }
    }
    fn crossings(&self) -> usize {
        1
    }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        if self.heating { at.x(0) - 21.0 } else { -at.x(0) + 19.0 }
    }
    fn watches(&self, _: usize) -> Watched {
        Watched::Rising
    }
    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        self.heating = !self.heating;
        self.switched += 1;
        edit.announce();
    }
}

#[test]
fn a_thermostat_with_hysteresis_switches_back_and_forth() {
    for settings in every_method(1e-4) {
        let room = Thermostat { heating: true, switched: 0 };
        let mut solver = Solver::new(room, settings.step(Rate::hz(10))).unwrap();
        let mut instants = Vec::new();
        while let Advance::Event(t) = solver.advance(at(40.0)).unwrap() {
            instants.push(t.as_secs_f64());
        }
        // Heating: x = 30 - 15 e^(-t/10); cooling: x = 10 + 11 e^(-t/10).
        let first = 10.0 * libm::log(15.0 / 9.0);
        let cool = 10.0 * libm::log(11.0 / 9.0);
        let heat = 10.0 * libm::log(11.0 / 9.0);
        let mut expected = first;
        for (k, t) in instants.iter().enumerate() {
            assert!((t - expected).abs() < 0.05, "{}: {t}, not {expected}", settings.method);
            expected += if k % 2 == 0 { cool } else { heat };
        }
        assert_eq!(instants.len() as u32, solver.block().switched);
        assert!(instants.len() > 10, "{}", settings.method);
    }
}

/// A relay without hysteresis: x' = -1 above zero, +1 below.
struct Relay {
    pushes: f64,
}

impl Block for Relay {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        1.0
    }
    fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
        N::constant(self.pushes)
    }
    fn crossings(&self) -> usize {
        1
    }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.x(0)
    }
    fn on_crossing(&mut self, _: usize, direction: Direction, _: &mut Edit<'_>) {
        self.pushes = if direction == Direction::Rising { -1.0 } else { 1.0 };
    }
}

/// Two functions of which each handler throws the other one over, at one instant.
struct Quarrel {
    mine: f64,
    yours: f64,
}

impl Block for Quarrel {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        -1.0
    }
    fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
        N::constant(1.0)
    }
    fn crossings(&self) -> usize {
        2
    }
    fn crossing<N: Number>(&self, crossing: usize, at: &impl Point<N>) -> N {
        match crossing {
            0 => at.x(0) * self.mine,
            _ => N::constant(self.yours),
        }
    }
    fn on_crossing(&mut self, crossing: usize, _: Direction, _: &mut Edit<'_>) {
        match crossing {
            0 => self.yours = -self.yours,
            _ => self.mine = -self.mine,
        }
    }
}

#[test]
fn endless_chattering_is_an_error_that_names_the_crossing() {
    for settings in every_method(1e-3) {
        let mut relay = Solver::new(Relay { pushes: -1.0 }, settings).unwrap();
        let error = relay.run(at(2.0)).unwrap_err();
        assert!(matches!(error, Error::Chatter { crossing: 0, .. }), "{error}");
        assert!(
            error.to_string().starts_with("crossing 0 fired 200 times within 0.000000001 s at 1")
        );
        let mut quarrel = Solver::new(Quarrel { mine: 1.0, yours: 1.0 }, settings).unwrap();
        let error = quarrel.run(at(2.0)).unwrap_err();
        assert!(
            matches!(error, Error::Chatter { at: when, .. } if when <= at(1.000001)),
            "{error}"
        );
    }
}

/// A counter that is reset to zero every 0.3 s, and one that nobody resets.
struct Sawtooth {
    teeth: u64,
}

impl Block for Sawtooth {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => N::constant(1.0),
            _ => at.x(0),
        }
    }
    fn next_time_event(&self) -> Time {
        Time::ZERO + Duration::from_ms(300 * (self.teeth + 1))
    }
    fn on_time_event(&mut self, edit: &mut Edit<'_>) {
        self.teeth += 1;
        edit.set(0, 0.0);
    }
}

#[test]
fn time_events_happen_at_their_instants_and_make_states_jump() {
    for settings in every_method(1e-5) {
        let mut solver = Solver::new(Sawtooth { teeth: 0 }, settings.step(Rate::hz(7))).unwrap();
        solver.run(at(3.1)).unwrap();
        assert_eq!(solver.block().teeth, 10);
        assert!((solver.sample(0, at(3.1)).unwrap() - 0.1).abs() < 2e-5, "{}", settings.method);
        let area = 10.0 * 0.045 + 0.005;
        assert!((solver.sample(1, at(3.1)).unwrap() - area).abs() < 1e-4, "{}", settings.method);
    }
}

#[test]
fn an_event_from_outside_is_like_one_of_the_block() {
    for settings in every_method(1e-5) {
        let mut solver = Solver::new(Sawtooth { teeth: 0 }, settings).unwrap();
        solver.run(at(0.1)).unwrap();
        solver.disturb(at(0.1), |_, edit| edit.set(0, 5.0)).unwrap();
        solver.run(at(0.2)).unwrap();
        let x = solver.sample(0, at(0.2)).unwrap();
        assert!((x - 5.1).abs() < 2e-5, "{}: {x}", settings.method);
    }
}

/// A thermometer in unsteady air that warms up, with a mark at every tenth of a degree.
struct Marks {
    watched: Watched,
    passed: [u32; 80],
}

impl Block for Marks {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, _: usize) -> f64 {
        15.0
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => -(at.x(0) - 26.0) * 0.3 + (at.time() * 5.0).sin() * 0.5,
            _ => (at.x(0) - at.x(1)) * 0.5,
        }
    }
    fn crossings(&self) -> usize {
        80
    }
    fn crossing<N: Number>(&self, mark: usize, at: &impl Point<N>) -> N {
        at.x(1) - (16.05 + 0.1 * mark as f64)
    }
    fn watches(&self, _: usize) -> Watched {
        self.watched
    }
    fn on_crossing(&mut self, mark: usize, _: Direction, edit: &mut Edit<'_>) {
        self.passed[mark] += 1;
        edit.affects_only(&[], &[]);
    }
}

#[test]
fn a_state_that_only_rises_passes_each_mark_once_and_never_falls() {
    for (watched, expected) in [(Watched::Rising, 1), (Watched::Falling, 0), (Watched::Both, 1)] {
        for settings in every_method(1e-3) {
            let mut solver = Solver::new(Marks { watched, passed: [0; 80] }, settings).unwrap();
            solver.run(at(60.0)).unwrap();
            for (mark, passed) in solver.block().passed.iter().enumerate() {
                assert_eq!(*passed, expected, "{}: mark {mark}, {watched:?}", settings.method);
            }
        }
    }
}
