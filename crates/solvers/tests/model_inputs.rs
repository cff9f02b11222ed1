//! A block in a system is solved as it is alone, and watching it changes nothing.

mod systems;

use ironbird_kernel::{Duration, Graph, Link, Options, Rate, Simulation, Time};
use ironbird_solvers::{
    Advance, Block, Continuous, Error, Number, Point, Settings, Solver, Trajectory,
};
use serde::{Deserialize, Serialize};
use systems::{Sampler, Script, at, every_method, run};

/// A mass on a spring, pushed by u: x0' = x1, x1' = u - 4 x0 - 0.4 x1.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Mass;

impl Block for Mass {
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
            _ => at.u(0) - at.x(0) * 4.0 - at.x(1) * 0.4,
        }
    }
}

/// When the force changes: inside steps, on a tick of the fixed step, and twice within 1 ps.
fn pushes() -> Vec<(Time, f64)> {
    let close = at(1.7);
    vec![
        (at(0.314_159_265), 1.5),
        (at(0.5), -2.0),
        (close, 0.25),
        (close + Duration::EPSILON, 0.3),
        (at(3.0), f64::from(1u8) / 3.0),
    ]
}

fn pushed(settings: Settings) -> (Graph, ironbird_kernel::ComponentRef) {
    let mass = Continuous::new(Mass, settings).unwrap();
    let mass = mass.held_input("force", 0).unwrap().output("position", 0).unwrap();
    system(mass)
}

fn system(mass: Continuous<Mass>) -> (Graph, ironbird_kernel::ComponentRef) {
    let mut graph = Graph::new();
    let mass = graph.add_run_ahead(graph.root(), "mass", mass).unwrap();
    let script = graph.add(graph.root(), "script", Script::new(0.5, &pushes())).unwrap();
    graph.link(script.port("signal"), mass.port("force"), Link::direct()).unwrap();
    (graph, mass)
}

/// What the solver shows when it is driven by hand.
fn by_hand(settings: Settings, end: Time) -> Vec<(Time, Trajectory)> {
    let mut solver = Solver::new(Mass, settings).unwrap();
    solver.watch(0).unwrap();
    solver.set_input(Time::ZERO, 0, Trajectory::constant(0.5)).unwrap();
    let mut shown: Vec<(Time, Trajectory)> = Vec::new();
    let first = Trajectory::constant(1.0);
    let mut stops: Vec<(Time, Option<f64>)> =
        pushes().into_iter().map(|(t, force)| (t, Some(force))).collect();
    stops.push((end, None));
    for (stop, force) in stops {
        while let Advance::Event(t) = solver.advance(stop).unwrap() {
            let output = solver.output(0).unwrap();
            // Several changes of one instant are shown as one, and what did not change is not.
            shown.retain(|(before, _)| *before != t);
            if output != shown.last().map_or(first, |(_, before)| *before) {
                shown.push((t, output));
            }
        }
        if let Some(force) = force {
            solver.set_input(stop, 0, Trajectory::constant(force)).unwrap();
        }
    }
    shown
}

#[test]
fn an_input_inside_a_step_acts_as_it_does_on_the_bare_solver() {
    for settings in every_method() {
        let mut simulation = Simulation::new(pushed(settings).0, Options::default()).unwrap();
        simulation.record("mass", "position").unwrap();
        run(&mut simulation, at(5.0));
        let shown: Vec<(Time, Trajectory)> = simulation.samples("mass", "position").unwrap();
        assert!(shown.len() > 10, "{}: {}", settings.method, shown.len());
        assert!(shown == by_hand(settings, at(5.0)), "{}", settings.method);
    }
}

#[test]
fn dormand_prince_is_cut_at_the_input_and_starts_anew_there() {
    let settings = Settings::new("dopri5".parse().unwrap()).tolerance(1e-6, 1e-6);
    let mut simulation = Simulation::new(pushed(settings).0, Options::default()).unwrap();
    simulation.record("mass", "position").unwrap();
    run(&mut simulation, at(5.0));
    let shown: Vec<(Time, Trajectory)> = simulation.samples("mass", "position").unwrap();
    for (push, _) in pushes() {
        let cut = shown.iter().position(|(t, _)| *t == push).expect("a step starts at the push");
        let (before, after) = (shown[cut - 1].1, shown[cut].1);
        assert_eq!(after.start, push);
        // The old step is left on its continuous solution, of which the port shows the cubic part.
        assert!((before.at(push) - after.at(push)).abs() < 1e-4);
    }
}

#[test]
fn observing_changes_no_step() {
    for settings in every_method() {
        let (graph, _) = pushed(settings);
        let mut plain = Simulation::new(graph, Options::default()).unwrap();
        run(&mut plain, at(4.0));
        plain.record("mass", "position").unwrap();
        run(&mut plain, at(5.0));

        let mass = Continuous::new(Mass, settings).unwrap();
        let mass = mass.held_input("force", 0).unwrap().output("position", 0).unwrap();
        let (mut graph, mass) = system(mass.output("speed", 1).unwrap());
        for (name, port, rate) in [("slow", "position", 7), ("fast", "speed", 1_000)] {
            let sampler = Sampler::default();
            let reader = graph.add_periodic(graph.root(), name, sampler, Rate::hz(rate)).unwrap();
            graph.link(mass.port(port), reader.port("signal"), Link::direct()).unwrap();
        }
        let mut watched = Simulation::new(graph, Options::default()).unwrap();
        watched.record("mass", "position").unwrap();
        watched.record("mass", "speed").unwrap();
        watched.record("slow", "value").unwrap();
        run(&mut watched, at(5.0));

        let alone: Vec<(Time, Trajectory)> = plain.samples("mass", "position").unwrap();
        let mut seen: Vec<(Time, Trajectory)> = watched.samples("mass", "position").unwrap();
        seen.retain(|(t, _)| *t >= at(4.0));
        assert!(!alone.is_empty());
        assert!(alone == seen, "{}", settings.method);
        // And whoever samples is not woken: it has stepped on its grid and not once more.
        let samples: Vec<(Time, f64)> = watched.samples("slow", "value").unwrap();
        assert_eq!(samples.len(), 35);
    }
}

#[test]
fn a_sampled_reader_sees_the_state_within_the_tolerance() {
    for settings in every_method() {
        let (mut graph, mass) = pushed(settings);
        let sampler = Sampler::default();
        let reader = graph.add_periodic(graph.root(), "reader", sampler, Rate::hz(100)).unwrap();
        graph.link(mass.port("position"), reader.port("signal"), Link::direct()).unwrap();
        let mut simulation = Simulation::new(graph, Options::default()).unwrap();
        simulation.record("reader", "value").unwrap();
        run(&mut simulation, at(5.0));
        let read: Vec<(Time, f64)> = simulation.samples("reader", "value").unwrap();
        assert_eq!(read[0].1, 1.0, "the initial value stands before the first instant");

        let precise = Settings::new("dopri5".parse().unwrap()).tolerance(1e-10, 1e-10);
        let mut exact = Solver::new(Mass, precise).unwrap();
        exact.set_input(Time::ZERO, 0, Trajectory::constant(0.5)).unwrap();
        let mut forces = pushes().into_iter().peekable();
        for (t, value) in read {
            while let Some((at, force)) = forces.next_if(|(at, _)| *at <= t) {
                exact.run(at).unwrap();
                exact.set_input(at, 0, Trajectory::constant(force)).unwrap();
            }
            exact.run(t).unwrap();
            let error = (value - exact.sample(0, t).unwrap()).abs();
            assert!(error < 1e-2, "{}: {error} at {t}", settings.method);
        }
    }
}

#[test]
fn ports_that_the_block_does_not_have_are_refused() {
    let settings = every_method().next().unwrap();
    let mass = || Continuous::new(Mass, settings).unwrap();
    let error = mass().output("colour", 2).unwrap_err();
    assert_eq!(error, Error::UnknownState { state: 2, states: 2 });
    let error = mass().input("wind", 1).unwrap_err();
    assert_eq!(error, Error::UnknownInput { input: 1, inputs: 1 });
    let error = mass().input("force", 0).unwrap().held_input("push", 0).unwrap_err();
    assert_eq!(error.to_string(), "input 0 has two ports, `force` and `push`");
}
