//! The buck converter: a stiff circuit that changes its shape four times a period.

mod problems;

use ironbird_kernel::Rate;
use ironbird_solvers::{Method, Settings, Solver, Statistics};
use ironbird_workloads::continuous::Buck;
use problems::at;

/// Runs 100 periods. Returns the mean voltage over the second half.
fn run(settings: Settings) -> (Statistics, f64) {
    let mut solver = Solver::new(Buck::default(), settings).unwrap();
    let mut sum = 0.0;
    for k in 1..=10_000 {
        let t = at(f64::from(k) * 1e-6);
        solver.run(t).unwrap();
        if k > 5_000 {
            sum += solver.sample(0, t).unwrap();
        }
    }
    (solver.statistics(), sum / 5_000.0)
}

#[test]
fn liqss2_needs_as_few_steps_as_the_reference_implementation() {
    let (done, mean) = run(Settings::new(Method::Liqss2));
    // qss-solver 4.3.0 takes 2,523.
    assert!((2_271..=2_775).contains(&done.steps), "{} steps", done.steps);
    assert!((mean - 15.85).abs() < 0.05, "the mean voltage is {mean} V");
    assert_eq!(done.time_events, 200);
    // The diode opens and closes once a period.
    assert!((200..=210).contains(&done.crossings), "{} crossings", done.crossings);
}

#[test]
fn every_method_finds_the_same_mean_voltage() {
    // With the diode open the time constant is 2 ns: Runge-Kutta has to walk through it.
    for settings in [
        Settings::new(Method::Liqss1).tolerance(1e-3, 1e-3),
        Settings::new(Method::Liqss2).tolerance(1e-4, 1e-4),
        Settings::new(Method::Qss2).tolerance(1e-3, 1e-3),
        Settings::new(Method::Rk4).step(Rate::hz(250_000_000)),
        Settings::new(Method::Dopri5).tolerance(1e-6, 1e-6),
    ] {
        let (_, mean) = run(settings);
        assert!((mean - 15.846).abs() < 0.02, "{}: {mean} V", settings.method);
    }
}
