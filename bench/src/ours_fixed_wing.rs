//! Our side of the suite `fixed-wing`: experiment files as a user runs them, and the aircraft alone.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use ironbird_component::{Place, Settings as Given, derive};
use ironbird_experiment::open;
use ironbird_kernel::{Duration, Parameter, Time};
use ironbird_plant::aircraft::Aircraft;
use ironbird_record::{Recording, Status};
use ironbird_runner::{How, Interrupt, Job, run};
use ironbird_solvers::{Settings, Solver, Trajectory};

use crate::measure::{by_process_cpu_time, by_thread_cpu_time};
use crate::row::{Sample, Side};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/fixed-wing")
}

/// Runs the coverage mission with a solver (method, absolute and relative tolerance; none for that of the
/// file), recorded at 50 Hz: simulated seconds by the CPU time of all threads, from the checked experiment
/// to the finished recording. Also gives the recorded path.
fn coverage(solver: Option<(&str, f64, f64)>) -> (Sample, Vec<Vec<f64>>) {
    let sets = solver.map_or_else(Vec::new, |(method, absolute, relative)| {
        vec![
            format!("system.plane.solver.method={method}"),
            format!("system.plane.solver.absolute={absolute:e}"),
            format!("system.plane.solver.relative={relative:e}"),
        ]
    });
    let registry = ironbird::registry().expect("all types have names of their own");
    let file = folder().join("coverage.toml");
    let (experiment, _) = open(&file, &sets, &registry).expect("the experiment is well formed");
    let experiment = Arc::new(experiment);
    let seconds = experiment.scenarios[0].duration.as_ps() / 1_000_000_000_000;
    let path = super::ours_experiment::scratch("coverage");
    let how = How { recording: Some(path.clone()), ..How::default() };
    let job = Job {
        experiment: experiment.clone(),
        registry: &registry,
        scenario: 0,
        repetition: 0,
        how,
    };
    let sample = by_process_cpu_time(|| {
        let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
        let verdicts = &outcomes.verdicts;
        assert!(!verdicts.is_empty() && verdicts.iter().all(|v| v.status == Status::Passed));
        seconds
    });
    let recording = Recording::open(&path).expect("it was recorded");
    let samples = recording.samples("view.position").expect("it was recorded");
    assert_eq!(samples.len() as u64, seconds * 50 + 1);
    let _ = std::fs::remove_file(&path);
    (sample, samples.into_iter().map(|(_, place)| place).collect())
}

/// The coverage mission with the solver of its file.
pub fn whole_stack() -> Side {
    Box::new(|| coverage(None).0)
}

/// The coverage mission with quantized states. Its path must be within `bound` metres of that of
/// Dormand-Prince at 1e-10, at every sample.
pub fn whole_stack_by(method: &'static str, absolute: f64, relative: f64, bound: f64) -> Side {
    let compared = Once::new();
    Box::new(move || {
        let (sample, path) = coverage(Some((method, absolute, relative)));
        compared.call_once(|| {
            let (_, exact) = coverage(Some(("dopri5", 1e-10, 1e-10)));
            let apart = |(p, q): (&Vec<f64>, &Vec<f64>)| {
                p.iter().zip(q).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
            };
            let far = path.iter().zip(&exact).map(apart).fold(0.0, f64::max);
            eprintln!("  {method}: {far:.3} m from Dormand-Prince at 1e-10");
            assert!(far < bound, "{far} m from Dormand-Prince at 1e-10");
        });
        sample
    })
}

/// An aircraft in flight at 17 m/s, without a system around it.
fn aircraft(name: &str, propelled: bool) -> Aircraft {
    let mut given = Given::new();
    let mut set = |path: &str, value: Parameter| given.insert(path.into(), value);
    set("file", Parameter::Text(format!("aircraft/{name}.toml")));
    set("propelled", Parameter::Bool(propelled));
    if propelled {
        set("initial.trim_airspeed", Parameter::Real(17.0));
        set("initial.about_trim", Parameter::Bool(true));
    } else {
        set("initial.velocity[0]", Parameter::Real(17.0));
    }
    set("initial.position[2]", Parameter::Real(-500.0));
    let place = Place { folder: &folder() };
    derive::create(&given, &place).expect("the aircraft of the examples")
}

/// A gliding aircraft alone: steps by CPU time.
pub fn steps(name: &'static str, settings: Settings, count: u64, step: Duration) -> Side {
    Box::new(move || {
        let mut solver = Solver::new(aircraft(name, false), settings).expect("good settings");
        let elevator = Trajectory::constant(-0.05);
        solver.set_input(Time::ZERO, 1, elevator).expect("an elevator");
        let end = Time::ZERO + Duration::from_ps(step.as_ps() * count);
        by_thread_cpu_time(|| {
            solver.run(end).expect("it flies");
            assert!(solver.statistics().steps.abs_diff(count) <= 1);
            count
        })
    })
}

/// A minute of powered flight, with the elevator moved every two seconds: the states at its end, and the
/// steps that it took.
fn minute(settings: Settings) -> (Vec<f64>, u64) {
    let mut solver =
        Solver::new(aircraft("ultra-stick-25e", true), settings).expect("good settings");
    for pulse in 0..30u32 {
        let at = Time::ZERO + Duration::from_secs(2 * u64::from(pulse));
        solver.run(at).expect("it flies");
        let deflection = if pulse % 2 == 0 { 0.01 } else { -0.01 };
        solver.set_input(at, 1, Trajectory::constant(deflection)).expect("an elevator");
    }
    let end = Time::ZERO + Duration::from_secs(60);
    solver.run(end).expect("it flies");
    let states = (0..13).map(|state| solver.sample(state, end).expect("it has come there"));
    (states.collect(), solver.statistics().steps)
}

/// Minutes of flight: runs by CPU time. Says once how many steps one takes, and how far it ends from the
/// reference.
pub fn minutes(name: &'static str, settings: Settings) -> Side {
    let told = Once::new();
    Box::new(move || {
        let mut found = None;
        let sample = by_thread_cpu_time(|| {
            found = Some(minute(settings));
            1
        });
        told.call_once(|| {
            let exact = Settings::new(ironbird_solvers::Method::Dopri5).tolerance(1e-12, 1e-12);
            let ((states, steps), (exact, _)) = (found.expect("it flew"), minute(exact));
            let far = (0..3).map(|k| (states[k] - exact[k]).abs()).fold(0.0, f64::max);
            eprintln!("  {name}: {steps} steps, {far:.1e} m off after a minute");
        });
        sample
    })
}
