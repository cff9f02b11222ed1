//! Two first problems, solved by every method: a bouncing ball and a buck converter.
//!
//! ```text
//!   h' = v                         24 V ──/ switch ──┬── L ──┬──── uC
//!   v' = -g                               10 kHz     │       │   │
//!   h = 0: v becomes -0.8 v                      diode ▲     C   R
//!                                                    └───────┴───┘
//! ```
//!
//! `cargo run --release -p ironbird-solvers --example first_study [picture.svg]` prints what each
//! method did and draws the picture.

#[path = "first_study/plot.rs"]
mod plot;

use std::error::Error;
use std::time::Instant;

use ironbird_kernel::{Duration, Rate, Time};
use ironbird_solvers::{Advance, Block, Method, Settings, Solver, Statistics};
use ironbird_workloads::continuous::{Ball, Buck};
use plot::{Panel, Picture, Series};

const BLUE: &str = "#1d4ed8";
const ORANGE: &str = "#ea580c";
const GREY: &str = "#94a3b8";

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "target/first-study.svg".to_owned());
    println!("bouncing ball, 10 s");
    println!("  method     steps     time   error of the impacts");
    for settings in [
        Settings::new(Method::Qss1).tolerance(1e-4, 1e-4),
        Settings::new(Method::Qss2),
        Settings::new(Method::Qss3),
        Settings::new(Method::Liqss1).tolerance(1e-4, 1e-4),
        Settings::new(Method::Liqss2),
        Settings::new(Method::Rk4).step(Rate::hz(100)),
        Settings::new(Method::Dopri5),
    ] {
        let mut solver = Solver::new(Ball::default(), settings)?;
        let started = Instant::now();
        solver.run(Time::ZERO + Duration::from_secs(10))?;
        let impacts = solver.block().impacts.iter().zip(Ball::exact_impacts());
        let errors = impacts.map(|(impact, exact)| (impact.as_secs_f64() - exact).abs());
        let error = errors.fold(0.0, f64::max);
        row(settings, solver.statistics(), started, format!("{error:.1e} s"));
    }
    println!("\nbuck converter, 100 periods");
    println!("  method     steps     time   mean voltage of the last 50 periods");
    for settings in [
        Settings::new(Method::Liqss1),
        Settings::new(Method::Liqss2),
        Settings::new(Method::Qss2),
        Settings::new(Method::Rk4).step(Rate::hz(250_000_000)),
        Settings::new(Method::Dopri5),
    ] {
        let started = Instant::now();
        let (mut sum, mut solver) = (0.0, Solver::new(Buck::default(), settings)?);
        for us in 1..=10_000 {
            let t = Time::ZERO + Duration::from_us(us);
            solver.run(t)?;
            sum += if us > 5_000 { solver.sample(Buck::VOLTAGE, t)? } else { 0.0 };
        }
        row(settings, solver.statistics(), started, format!("{:.3} V", sum / 5_000.0));
    }
    let picture = draw()?;
    if let Some(folder) = std::path::Path::new(&path).parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&path, picture.svg())?;
    println!("\n{path}");
    Ok(())
}

fn row(settings: Settings, done: Statistics, started: Instant, result: String) {
    let ms = started.elapsed().as_secs_f64() * 1e3;
    println!("  {:<7} {:>8} {ms:>6.1} ms   {result}", settings.method.name(), done.steps);
}

/// A state, sampled at equal distances.
fn sampled<B: Block>(
    solver: &mut Solver<B>,
    state: usize,
    from: Time,
    every: Duration,
    count: u64,
) -> Result<Vec<(f64, f64)>, ironbird_solvers::Error> {
    let mut points = Vec::new();
    for k in 0..=count {
        let t = from + Duration::from_ps(k * every.as_ps());
        solver.run(t)?;
        points.push((t.as_secs_f64(), solver.sample(state, t)?));
    }
    Ok(points)
}

fn draw() -> Result<Picture, ironbird_solvers::Error> {
    let mut ball = Solver::new(Ball::default(), Settings::new(Method::Qss2))?;
    let height = sampled(&mut ball, Ball::HEIGHT, Time::ZERO, Duration::from_ms(10), 900)?;
    let impacts: Vec<_> = ball.block().impacts.iter().map(|t| (t.as_secs_f64(), 0.0)).collect();

    let mut buck = Solver::new(Buck::default(), Settings::new(Method::Liqss2))?;
    let voltage = sampled(&mut buck, Buck::VOLTAGE, Time::ZERO, Duration::from_us(5), 1_000)?;

    // Three periods in the steady state, with the instants at which LIQSS2 looked at the current.
    let (from, to) = (Duration::from_us(5_000), Duration::from_us(5_300));
    let settings = Settings::new(Method::Dopri5);
    let mut reference = Solver::new(Buck::default(), settings)?;
    let line =
        sampled(&mut reference, Buck::CURRENT, Time::ZERO + from, Duration::from_ns(250), 1_200)?;
    let mut buck = Solver::new(Buck::default(), Settings::new(Method::Liqss2))?;
    buck.run(Time::ZERO + from)?;
    buck.watch(Buck::CURRENT)?;
    let mut steps = Vec::new();
    while let Advance::Event(t) = buck.advance(Time::ZERO + to)? {
        steps.push((t.as_secs_f64(), buck.sample(Buck::CURRENT, t)?));
    }
    let micro =
        |points: Vec<(f64, f64)>| points.into_iter().map(|(t, y)| (t * 1e6 - 5e3, y)).collect();
    let milli = |points: Vec<(f64, f64)>| points.into_iter().map(|(t, y)| (t * 1e3, y)).collect();

    Ok(Picture::new(960.0, 640.0)
        .panel(
            Panel::new("A ball that keeps 80 % of its speed", "time / s", "height / m")
                .place(0.0, 0.0, 480.0, 310.0)
                .range((0.0, 9.0, 1.0), (0.0, 10.0, 2.0))
                .draw(Series::line("QSS2", BLUE, height))
                .draw(Series::dots("impacts, found to 2 ps", ORANGE, impacts)),
        )
        .panel(
            Panel::new("A buck converter starts up", "time / ms", "output voltage / V")
                .place(480.0, 0.0, 480.0, 310.0)
                .range((0.0, 5.0, 1.0), (0.0, 25.0, 5.0))
                .draw(Series::line("LIQSS2", BLUE, milli(voltage))),
        )
        .panel(
            Panel::new(
                "Three periods of its coil current: a step where something happens",
                "time after 5 ms / µs",
                "coil current / A",
            )
            .place(0.0, 320.0, 960.0, 320.0)
            .range((0.0, 300.0, 50.0), (0.0, 5.0, 1.0))
            .draw(Series::line("Dormand-Prince", GREY, micro(line)))
            .draw(Series::dots("steps of LIQSS2", ORANGE, micro(steps))),
        ))
}
