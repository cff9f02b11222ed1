//! Blocks without states: they watch what others do, and send each event through a port of its own.

mod systems;

use ironbird_kernel::{Graph, Link, Options, Simulation, Time};
use ironbird_solvers::{
    Block, Continuous, Direction, Edit, Method, Number, Point, Settings, Watched,
};
use serde::{Deserialize, Serialize};
use systems::{at, every_method, run};

/// A stone thrown upwards with 20 m/s: h = 20 t - 5 t².
#[derive(Serialize, Deserialize)]
struct Stone;

impl Block for Stone {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [0.0, 20.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        if state == 0 { at.x(1) } else { N::constant(-10.0) }
    }
}

/// Announces when the stone passes 15 m upwards (0) and downwards (1).
#[derive(Serialize, Deserialize)]
struct Watcher;

impl Block for Watcher {
    fn states(&self) -> usize {
        0
    }
    fn inputs(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
        N::constant(0.0)
    }
    fn crossings(&self) -> usize {
        2
    }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.u(0) - 15.0
    }
    fn watches(&self, crossing: usize) -> Watched {
        if crossing == 0 { Watched::Rising } else { Watched::Falling }
    }
    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        edit.announce();
    }
}

fn times_of_events(watcher: Settings) -> [Vec<(Time, u32)>; 2] {
    let stone = Continuous::new(Stone, Settings::new(Method::Dopri5)).unwrap();
    let stone = stone.output("height", 0).unwrap();
    let watcher = Continuous::new(Watcher, watcher).unwrap().input("height", 0).unwrap();
    let watcher = watcher.event("rose", 0).event("fell", 1);
    let mut graph = Graph::new();
    let stone = graph.add_run_ahead(graph.root(), "stone", stone).unwrap();
    let watcher = graph.add_run_ahead(graph.root(), "watcher", watcher).unwrap();
    graph.link(stone.port("height"), watcher.port("height"), Link::direct()).unwrap();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    for port in ["rose", "fell"] {
        simulation.record("watcher", port).unwrap();
    }
    run(&mut simulation, at(4.0));
    ["rose", "fell"].map(|port| simulation.samples::<u32>("watcher", port).unwrap())
}

#[test]
fn a_block_without_states_announces_at_the_exact_time_whatever_its_method() {
    for settings in every_method() {
        let [rose, fell] = times_of_events(settings);
        // 20 t - 5 t² = 15 at 1 s and at 3 s.
        for (events, expected, number) in [(rose, 1.0, 0), (fell, 3.0, 1)] {
            assert_eq!(events.len(), 1, "{:?}", settings.method);
            let (time, sent) = events[0];
            assert_eq!(sent, number);
            let off = (time.as_secs_f64() - expected).abs();
            assert!(off < 1e-9, "{:?}: {time}", settings.method);
        }
    }
}
