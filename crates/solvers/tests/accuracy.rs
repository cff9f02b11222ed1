//! Solutions that are known in closed form, or known to keep something.

mod problems;

use ironbird_kernel::Rate;
use ironbird_solvers::{Block, Method, Number, Point, Settings, Solver};
use problems::{Linear, LotkaVolterra, Oscillator, Stiff, VanDerPol, at, states_at};

#[test]
fn a_linear_system_stays_within_the_theoretical_bound_at_all_times() {
    for quantum in [1e-2, 1e-4] {
        // |q - x| may reach two quanta with LIQSS1, one with the others.
        let bands = [
            (Method::Qss1, 1.0),
            (Method::Qss2, 1.0),
            (Method::Qss3, 1.0),
            (Method::Liqss1, 2.0),
            (Method::Liqss2, 1.0),
        ];
        for (method, band) in bands {
            let settings = Settings::new(method).tolerance(quantum, 0.0);
            let mut solver = Solver::new(Linear, settings).unwrap();
            let bound = Linear::bound(band * quantum);
            for k in 1..=1_000 {
                let t = f64::from(k) * 0.01;
                let (x, exact) = (states_at(&mut solver, t).unwrap(), Linear::exact(t));
                for i in 0..2 {
                    let error = (x[i] - exact[i]).abs();
                    assert!(error <= bound[i], "{method}: {error} > {} at {t}", bound[i]);
                }
            }
        }
    }
}

#[test]
fn the_linearly_implicit_methods_solve_the_stiff_problem_in_few_steps() {
    let solve = |method| {
        let settings = Settings::new(method).tolerance(1e-3, 1e-3);
        let mut solver = Solver::new(Stiff, settings).unwrap();
        let mut worst: f64 = 0.0;
        for k in 1..=500 {
            let t = f64::from(k);
            let (x, exact) = (states_at(&mut solver, t).unwrap(), Stiff::exact(t));
            worst = worst.max((x[0] - exact[0]).abs()).max((x[1] - exact[1]).abs());
        }
        (solver.statistics().steps, worst)
    };
    let (liqss2, error) = solve(Method::Liqss2);
    assert!(error < 0.1, "LIQSS2 errs by {error}");
    assert!(liqss2 < 600, "LIQSS2 took {liqss2} steps");
    let (liqss1, error) = solve(Method::Liqss1);
    assert!(error < 0.2, "LIQSS1 errs by {error}");
    assert!(liqss1 < 20_000, "LIQSS1 took {liqss1} steps");
    let (qss2, _) = solve(Method::Qss2);
    assert!(qss2 > 50 * liqss2, "QSS2 took {qss2} steps");
}

#[test]
fn a_stiff_nonlinear_oscillator_is_followed_through_its_jumps() {
    let precise = Settings::new(Method::Dopri5).tolerance(1e-10, 1e-10);
    let mut reference = Solver::new(VanDerPol, precise).unwrap();
    let mut quantized = Solver::new(VanDerPol, Settings::new(Method::Liqss2)).unwrap();
    for t in [50.0, 150.0, 210.0] {
        let exact = states_at(&mut reference, t).unwrap();
        let x = states_at(&mut quantized, t).unwrap();
        assert!((x[0] - exact[0]).abs() < 1e-2, "{x:?}, not {exact:?} at {t}");
    }
    let (few, many) = (quantized.statistics().steps, reference.statistics().steps);
    assert!(10 * few < many, "LIQSS2 took {few} steps, Dormand-Prince {many}");
}

#[test]
fn predators_and_prey_keep_their_invariant() {
    let start = LotkaVolterra::invariant(&[0.5, 0.5]);
    let limits = [
        (Method::Qss2, 1e-5, 1e-2),
        (Method::Qss3, 1e-6, 1e-3),
        (Method::Liqss2, 1e-5, 1e-2),
        (Method::Rk4, 1e-3, 1e-9),
        (Method::Dopri5, 1e-9, 1e-6),
    ];
    for (method, tolerance, drift) in limits {
        let settings = Settings::new(method).tolerance(tolerance, tolerance).step(Rate::hz(10));
        let mut solver = Solver::new(LotkaVolterra, settings).unwrap();
        let x = states_at(&mut solver, 300.0).unwrap();
        let change = (LotkaVolterra::invariant(&x) - start).abs();
        assert!(change < drift, "{method}: the invariant moved by {change}");
    }
}

#[test]
fn qss3_takes_few_steps_where_solutions_are_smooth() {
    let settings = Settings::new(Method::Qss3).tolerance(1e-6, 1e-3);
    let mut solver = Solver::new(LotkaVolterra, settings).unwrap();
    solver.run(at(300.0)).unwrap();
    let steps = solver.statistics().steps;
    assert!((200..400).contains(&steps), "{steps} steps; qss-solver takes 295");
}

#[test]
fn an_oscillator_keeps_its_energy() {
    for (method, tolerance, drift) in [
        (Method::Qss2, 1e-5, 2e-3),
        (Method::Qss3, 1e-6, 2e-4),
        (Method::Rk4, 1e-3, 1e-6),
        (Method::Dopri5, 1e-9, 1e-7),
    ] {
        let settings = Settings::new(method).tolerance(tolerance, 0.0).step(Rate::hz(50));
        let mut solver = Solver::new(Oscillator, settings).unwrap();
        let x = states_at(&mut solver, 100.0).unwrap();
        let energy = x[0] * x[0] + x[1] * x[1];
        assert!((energy - 1.0).abs() < drift, "{method}: the energy is {energy}");
    }
}

#[test]
fn runge_kutta_is_of_fourth_order() {
    let error = |rate| {
        let settings = Settings::new(Method::Rk4).step(Rate::hz(rate));
        let mut solver = Solver::new(Oscillator, settings).unwrap();
        let x = states_at(&mut solver, 10.0).unwrap();
        libm::hypot(x[0] - libm::cos(10.0), x[1] + libm::sin(10.0))
    };
    for rate in [10, 20, 40] {
        let order = libm::log2(error(rate) / error(2 * rate));
        assert!((order - 4.0).abs() < 0.15, "order {order} at {rate} Hz");
    }
}

#[test]
fn the_error_of_adams_bashforth_falls_with_the_cube_of_its_step() {
    let error = |hz| {
        let settings = Settings::new(Method::Adams3).step(Rate::hz(hz));
        let mut solver = Solver::new(Linear, settings).unwrap();
        let (x, exact) = (states_at(&mut solver, 2.0).unwrap(), Linear::exact(2.0));
        x.iter().zip(exact).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(100), error(200));
    let ratio = coarse / fine;
    assert!((6.5..9.5).contains(&ratio), "{coarse} / {fine} = {ratio}");
}

#[test]
fn adams_bashforth_evaluates_once_a_step_and_starts_anew_after_an_input() {
    /// Counts how often its right-hand side is asked for.
    struct Counted(std::cell::Cell<u32>);
    impl Block for Counted {
        fn states(&self) -> usize {
            1
        }
        fn inputs(&self) -> usize {
            1
        }
        fn initial(&self, _: usize) -> f64 {
            1.0
        }
        fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
            self.0.set(self.0.get() + 1);
            at.u(0) - at.x(0)
        }
    }
    let settings = Settings::new(Method::Adams3).step(Rate::hz(100));
    let mut solver = Solver::new(Counted(Default::default()), settings).unwrap();
    solver.run(at(0.5)).unwrap();
    // One at the start, four in each of two steps of Runge-Kutta, then one a step.
    let count = solver.block().0.get();
    assert!((56..=58).contains(&count), "{count}");
    solver.set_input(at(0.5), 0, ironbird_solvers::Trajectory::constant(1.0)).unwrap();
    solver.run(at(1.0)).unwrap();
    let more = solver.block().0.get() - count;
    assert!((56..=58).contains(&more), "{more}");
    // x = 1 + (e^-0.5 - 1) e^-(t - 0.5)
    let exact = 1.0 + (libm::exp(-0.5) - 1.0) * libm::exp(-0.5);
    assert!((solver.sample(0, at(1.0)).unwrap() - exact).abs() < 1e-7);
}

#[test]
fn the_error_of_dormand_prince_follows_the_tolerance() {
    let error = |tolerance| {
        let settings = Settings::new(Method::Dopri5).tolerance(tolerance, tolerance);
        let mut solver = Solver::new(Oscillator, settings).unwrap();
        let x = states_at(&mut solver, 20.0).unwrap();
        libm::hypot(x[0] - libm::cos(20.0), x[1] + libm::sin(20.0))
    };
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let ratio = error(tolerance) / tolerance;
        assert!((0.05..200.0).contains(&ratio), "error {ratio} times the tolerance {tolerance}");
    }
}

#[test]
fn between_the_steps_the_solution_is_as_good_as_at_their_ends() {
    for (settings, limit) in [
        (Settings::new(Method::Dopri5).tolerance(1e-8, 1e-8), 1e-6),
        (Settings::new(Method::Rk4).step(Rate::hz(100)), 1e-8),
    ] {
        let mut solver = Solver::new(Oscillator, settings).unwrap();
        for k in 1..=3_000 {
            let t = f64::from(k) * 0.00337;
            let x = states_at(&mut solver, t).unwrap();
            let error = (x[0] - libm::cos(t)).abs().max((x[1] + libm::sin(t)).abs());
            assert!(error < limit, "{}: {error} at {t}", settings.method);
        }
    }
}

/// x1' = 1, x2' = x1^2, x3' = cos t: every highest derivative vanishes at the start.
struct Sleepy;

impl Block for Sleepy {
    fn states(&self) -> usize {
        3
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => N::constant(1.0),
            1 => at.x(0) * at.x(0),
            _ => at.time().cos(),
        }
    }
}

#[test]
fn a_vanishing_derivative_does_not_put_a_state_to_sleep() {
    for method in [Method::Qss1, Method::Qss2, Method::Qss3, Method::Liqss1, Method::Liqss2] {
        let mut solver = Solver::new(Sleepy, Settings::new(method).tolerance(1e-4, 0.0)).unwrap();
        for k in 1..=40 {
            let t = f64::from(k) * 0.1;
            let x = states_at(&mut solver, t).unwrap();
            assert!((x[1] - t * t * t / 3.0).abs() < 5e-3, "{method}: x2 is {} at {t}", x[1]);
            assert!((x[2] - libm::sin(t)).abs() < 5e-3, "{method}: x3 is {} at {t}", x[2]);
        }
    }
}

/// x' = 100 x
struct Diverging;

impl Block for Diverging {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        1.0
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.x(0) * 100.0
    }
}

#[test]
fn what_grows_without_bound_is_followed_to_the_end_of_the_numbers_and_then_refused() {
    for method in Method::ALL {
        let settings = Settings::new(method).tolerance(1e-3, 1e-3);
        let mut solver = Solver::new(Diverging, settings).unwrap();
        // e^600 = 10^260
        let x = states_at(&mut solver, 6.0).unwrap_or_else(|error| panic!("{method}: {error}"))[0];
        let (found, exact) = (libm::log(x), 600.0);
        assert!((found - exact).abs() < 0.1 * exact, "{method}: e^{found}");
        // e^800 is no number.
        assert!(states_at(&mut solver, 8.0).is_err(), "{method}");
    }
}
