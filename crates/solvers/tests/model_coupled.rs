//! Two blocks that exchange trajectories, beside the same equations in one block.
//!
//! ```text
//! left  x' = v, v' = -x + 2 (y - x)        left ──position──► right
//! right y' = w, w' = -y + 2 (x - y)             ◄──position──
//! ```

mod systems;

use ironbird_kernel::{Duration, Graph, Link, Simulation, Time};
use ironbird_solvers::{Block, Continuous, Method, Number, Point, Settings, Solver, Trajectory};
use serde::{Deserialize, Serialize};
use systems::{at, run, spread};

/// One of the masses; u is the position of the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Half {
    start: f64,
}

impl Block for Half {
    fn states(&self) -> usize {
        2
    }
    fn inputs(&self) -> usize {
        1
    }
    fn initial(&self, state: usize) -> f64 {
        if state == 0 { self.start } else { 0.0 }
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        if state == 0 { at.x(1) } else { -at.x(0) + (at.u(0) - at.x(0)) * 2.0 }
    }
}

/// Both: x, v, y, w.
struct Whole;

impl Block for Whole {
    fn states(&self) -> usize {
        4
    }
    fn initial(&self, state: usize) -> f64 {
        [1.0, 0.0, 0.0, 0.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let (x, y) = (at.x(0), at.x(2));
        match state {
            0 => at.x(1),
            1 => -x + (y - x) * 2.0,
            2 => at.x(3),
            _ => -y + (x - y) * 2.0,
        }
    }
}

fn halves(settings: [Settings; 2]) -> Graph {
    let mut graph = Graph::new();
    let mut add = |name, start, settings| {
        let half = Continuous::new(Half { start }, settings).unwrap();
        let half = half.input("other", 0).unwrap().output("position", 0).unwrap();
        graph.add_run_ahead(graph.root(), name, half).unwrap()
    };
    let (left, right) = (add("left", 1.0, settings[0]), add("right", 0.0, settings[1]));
    for (from, to) in [(left, right), (right, left)] {
        let link = Link::direct().latency(Duration::from_ms(1));
        graph.link(from.port("position"), to.port("other"), link).unwrap();
    }
    graph
}

fn solved(settings: [Settings; 2], partitions: usize) -> (u64, f64) {
    let mut simulation = Simulation::new(halves(settings), spread(partitions, true)).unwrap();
    assert_eq!(simulation.statistics().placement.partitions, partitions);
    simulation.record("right", "position").unwrap();
    run(&mut simulation, at(10.0));
    let shown: Vec<(Time, Trajectory)> = simulation.samples("right", "position").unwrap();
    (simulation.digest(), shown.last().unwrap().1.at(at(10.0)))
}

#[test]
fn two_halves_move_as_the_whole_does_on_one_partition_and_on_two() {
    let mut whole =
        Solver::new(Whole, Settings::new(Method::Dopri5).tolerance(1e-10, 1e-10)).unwrap();
    whole.run(at(10.0)).unwrap();
    let exact = whole.sample(2, at(10.0)).unwrap();
    let settings = |method| Settings::new(method).tolerance(1e-4, 1e-4);
    for methods in [
        [Method::Qss2, Method::Qss2],
        [Method::Qss3, Method::Qss3],
        [Method::Liqss2, Method::Qss3],
        [Method::Qss3, Method::Rk4],
        [Method::Dopri5, Method::Qss2],
        [Method::Rk4, Method::Rk4],
    ] {
        let (digest, end) = solved(methods.map(settings), 1);
        assert!((end - exact).abs() < 1e-2, "{methods:?}: {end}, not {exact}");
        assert_eq!(solved(methods.map(settings), 2).0, digest, "{methods:?}");
    }
}

#[test]
fn without_latency_two_blocks_that_need_each_other_are_refused() {
    let mut graph = halves([Settings::new(Method::Qss2); 2]);
    let (left, right) = (graph.find("left").unwrap(), graph.find("right").unwrap());
    graph.remove(right).unwrap();
    let half = Continuous::new(Half { start: 0.0 }, Settings::new(Method::Qss2)).unwrap();
    let half = half.input("other", 0).unwrap().output("position", 0).unwrap();
    let right = graph.add_run_ahead(graph.root(), "near", half).unwrap();
    for (from, to) in [(left, right), (right, left)] {
        graph.link(from.port("position"), to.port("other"), Link::direct()).unwrap();
    }
    let error = Simulation::new(graph, spread(1, true)).err().unwrap().to_string();
    assert!(error.contains("left") && error.contains("near"), "{error}");
}
