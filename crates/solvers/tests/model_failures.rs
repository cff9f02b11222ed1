//! What a block cannot do ends the run with the component, the state and the instant.

mod systems;

use ironbird_kernel::{Fault, Graph, Link, Outcome, Simulation, Time};
use ironbird_solvers::{Block, Continuous, Number, Point, Settings};
use serde::{Deserialize, Serialize};
use systems::{Corridor, Script, add_bystanders, at, every_method, spread};

/// A level that falls by one a second, and something that needs its logarithm.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Leak;

impl Block for Leak {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [1.0, 0.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        if state == 0 { N::constant(-1.0) } else { at.x(0).ln() }
    }
}

fn failure(settings: Settings, bystanders: &[u64], partitions: usize) -> Fault {
    let mut graph = Graph::new();
    let plant = graph.composite(graph.root(), "plant").unwrap();
    let leak = Continuous::new(Leak, settings).unwrap();
    let leak = leak.output("level", 0).unwrap().output("pressure", 1).unwrap();
    graph.add_run_ahead(plant, "tank", leak).unwrap();
    add_bystanders(&mut graph, bystanders);
    let mut simulation = Simulation::new(graph, spread(partitions, true)).unwrap();
    match simulation.run_until(at(3.0)).unwrap() {
        Outcome::Faulted(fault) => fault,
        other => panic!("{}: {other:?}", settings.method),
    }
}

#[test]
fn a_failing_state_is_named_with_its_component_and_instant() {
    for settings in every_method() {
        let fault = failure(settings, &[], 1);
        let Fault::Failed { component, at: when, reason } = &fault else { panic!("{fault}") };
        assert_eq!(component, "plant.tank");
        assert!((0.9..=1.02).contains(&when.as_secs_f64()), "{}: {when}", settings.method);
        assert!(reason.contains("state 1"), "{}: {reason}", settings.method);
        assert!(reason.contains("\"pressure\""), "{}: {reason}", settings.method);
    }
}

#[test]
fn who_else_runs_does_not_move_the_failure() {
    for settings in every_method() {
        let alone = failure(settings, &[], 1);
        assert_eq!(failure(settings, &[3, 170], 1), alone, "{}", settings.method);
        assert_eq!(failure(settings, &[3, 170], 3), alone, "{}", settings.method);
    }
}

#[test]
fn an_input_that_is_not_a_number_is_named_by_its_port() {
    for settings in every_method() {
        let mut graph = Graph::new();
        let place = Continuous::new(Corridor, settings).unwrap().held_input("outside", 0).unwrap();
        let place = graph.add_run_ahead(graph.root(), "place", place).unwrap();
        let script = Script::new(10.0, &[(at(0.7), f64::NAN)]);
        let script = graph.add(graph.root(), "script", script).unwrap();
        graph.link(script.port("signal"), place.port("outside"), Link::direct()).unwrap();
        let mut simulation = Simulation::new(graph, spread(1, true)).unwrap();
        let outcome = simulation.run_until(at(3.0)).unwrap();
        let Outcome::Faulted(Fault::Failed { component, at: when, reason }) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!((component.as_str(), when), ("place", at(0.7)));
        assert!(reason.contains("\"outside\""), "{reason}");
    }
}

#[test]
fn a_first_value_that_is_not_a_number_fails_before_the_first_instant() {
    let settings = every_method().next().unwrap();
    let mut graph = Graph::new();
    let place = Continuous::new(Corridor, settings).unwrap().held_input("outside", 0).unwrap();
    let place = graph.add_run_ahead(graph.root(), "place", place).unwrap();
    let script = graph.add(graph.root(), "script", Script::new(f64::NAN, &[])).unwrap();
    graph.link(script.port("signal"), place.port("outside"), Link::direct()).unwrap();
    let error = Simulation::new(graph, spread(1, true)).err().unwrap().to_string();
    assert!(error.contains("place") && error.contains("\"outside\""), "{error}");
    assert!(error.contains(&Time::ZERO.to_string()), "{error}");
}
