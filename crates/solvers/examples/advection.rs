//! What a step of LIQSS2 costs, and what it saves: a front that travels through 20,000 cells.
//!
//! ```text
//! u_j' = (u_(j-1) - u_j) N - 1000 u_j (u_j - 1/2) (u_j - 1)
//! ```
//!
//! `cargo run --release -p ironbird-solvers --example advection`

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{Block, Error, Method, Number, Point, Settings, Solver, Values};

const CELLS: usize = 20_000;
const END: Time = Time::from_ps(Duration::from_secs(1).as_ps());

struct Advection;

impl Block for Advection {
    fn states(&self) -> usize {
        CELLS
    }

    fn initial(&self, state: usize) -> f64 {
        if state < CELLS / 3 { 1.0 } else { 0.0 }
    }

    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let u = at.x(state);
        let before = if state == 0 { N::constant(1.0) } else { at.x(state - 1) };
        (before - u) * CELLS as f64 - u * (u - 0.5) * (u - 1.0) * 1000.0
    }

    fn derivatives(&self, at: &Values<'_>, out: &mut [f64]) {
        let x = at.states();
        let cell =
            |before: f64, u: f64| (before - u) * CELLS as f64 - u * (u - 0.5) * (u - 1.0) * 1000.0;
        out[0] = cell(1.0, x[0]);
        for (slot, pair) in out[1..].iter_mut().zip(x.windows(2)) {
            *slot = cell(pair[0], pair[1]);
        }
    }
}

fn main() -> Result<(), Error> {
    let hold = hold();
    println!("one hold on a std::collections::BinaryHeap of 1,024: {hold:.1} ns\n");
    let reference = run(Settings::new(Method::Dopri5).tolerance(1e-9, 1e-9))?;
    println!("method   tolerance    steps     time   ns/step    error");
    let mut times = Vec::new();
    for (method, tolerance) in
        [(Method::Liqss2, 1e-3), (Method::Dopri5, 1e-3), (Method::Dopri5, 1e-4)]
    {
        let settings = Settings::new(method).tolerance(tolerance, tolerance);
        // The best of three, because machines are shared.
        let mut best = run(settings)?;
        for _ in 0..2 {
            let again = run(settings)?;
            best = if again.seconds < best.seconds { again } else { best };
        }
        let errors = best.states.iter().zip(&reference.states).map(|(x, y)| (x - y).abs());
        let error = errors.fold(0.0, f64::max);
        let (steps, seconds) = (best.steps, best.seconds);
        let each = seconds * 1e9 / steps as f64;
        println!(
            "{method:<7} {tolerance:>10.0e} {steps:>8} {seconds:>7.3}s {each:>9.1} {error:>8.1e}"
        );
        times.push((seconds, each));
    }
    println!("\na step of LIQSS2 costs {:.1} holds", times[0].1 / hold);
    println!(
        "Dormand-Prince takes {:.1} and {:.1} times as long",
        times[1].0 / times[0].0,
        times[2].0 / times[0].0
    );
    Ok(())
}

struct Outcome {
    steps: u64,
    seconds: f64,
    states: Vec<f64>,
}

fn run(settings: Settings) -> Result<Outcome, Error> {
    let mut solver = Solver::new(Advection, settings)?;
    let started = Instant::now();
    solver.run(END)?;
    let seconds = started.elapsed().as_secs_f64();
    let states = (0..CELLS).map(|state| solver.sample(state, END)).collect::<Result<_, _>>()?;
    Ok(Outcome { steps: solver.statistics().steps, seconds, states })
}

/// Nanoseconds to take the earliest of 1,024 events and put in a later one; the best of five.
fn hold() -> f64 {
    let mut random = 88_172_645_463_325_252u64;
    let mut draw = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random >> 40
    };
    let mut heap: BinaryHeap<Reverse<(u64, u32)>> =
        (0..1_024).map(|id| Reverse((draw(), id))).collect();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        for _ in 0..1_000_000 {
            if let Some(Reverse((t, id))) = heap.pop() {
                heap.push(Reverse((t + draw(), id)));
            }
        }
        best = best.min(started.elapsed().as_secs_f64() * 1e3);
    }
    black_box(heap);
    best
}
