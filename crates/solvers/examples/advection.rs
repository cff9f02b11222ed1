//! What LIQSS2 saves: a front that travels through 20,000 cells, of which few move at a time.
//!
//! ```text
//! u_j' = (u_(j-1) - u_j) N - 1000 u_j (u_j - 1/2) (u_j - 1)
//! ```
//!
//! `cargo run --release -p ironbird-solvers --example advection`; `bench/` measures it with care.

use std::time::Instant;

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{Error, Method, Settings, Solver};
use ironbird_workloads::continuous::Advection;

const CELLS: usize = 20_000;
const END: Time = Time::from_ps(Duration::from_secs(1).as_ps());

fn main() -> Result<(), Error> {
    let reference = run(Settings::new(Method::Dopri5).tolerance(1e-9, 1e-9))?;
    println!("method   tolerance    steps     time   ns/step    error");
    for (method, tolerance) in
        [(Method::Liqss2, 1e-3), (Method::Dopri5, 1e-3), (Method::Dopri5, 1e-4)]
    {
        let Outcome { steps, seconds, states } =
            run(Settings::new(method).tolerance(tolerance, tolerance))?;
        let errors = states.iter().zip(&reference.states).map(|(x, y)| (x - y).abs());
        let error = errors.fold(0.0, f64::max);
        let each = seconds * 1e9 / steps as f64;
        println!(
            "{method:<7} {tolerance:>10.0e} {steps:>8} {seconds:>7.3}s {each:>9.1} {error:>8.1e}"
        );
    }
    Ok(())
}

struct Outcome {
    steps: u64,
    seconds: f64,
    states: Vec<f64>,
}

fn run(settings: Settings) -> Result<Outcome, Error> {
    let mut solver = Solver::new(Advection { cells: CELLS }, settings)?;
    let started = Instant::now();
    solver.run(END)?;
    let seconds = started.elapsed().as_secs_f64();
    let states = (0..CELLS).map(|state| solver.sample(state, END)).collect::<Result<_, _>>()?;
    Ok(Outcome { steps: solver.statistics().steps, seconds, states })
}
