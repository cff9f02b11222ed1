//! What a scenario does to a block: parameters, stops, starts, resets, late arrivals.

mod systems;

use ironbird_kernel::{Action, Fault, Graph, Outcome, Parameter, ParameterError, Simulation, Time};
use ironbird_solvers::{Block, Continuous, Edit, Number, Point, Settings, Solver, Trajectory};
use serde::{Deserialize, Serialize};
use systems::{add_bystanders, at, every_method, run, spread};

/// A tank that fills at a rate: x' = rate (1 - 0.1 x).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tank {
    rate: f64,
}

impl Block for Tank {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        1.0
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        (-(at.x(0) * 0.1) + 1.0) * self.rate
    }
    fn set_parameter(
        &mut self,
        name: &str,
        value: &Parameter,
        edit: &mut Edit<'_>,
    ) -> Result<(), ParameterError> {
        match (name, value) {
            ("rate", Parameter::Real(rate)) => self.rate = *rate,
            ("level", Parameter::Real(level)) => edit.set(0, *level),
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
}

/// The level after `elapsed` seconds at a rate.
fn filled(level: f64, rate: f64, elapsed: f64) -> f64 {
    10.0 + (level - 10.0) * libm::exp(-0.1 * rate * elapsed)
}

fn tank(settings: Settings) -> Graph {
    let mut graph = Graph::new();
    let tank = Continuous::new(Tank { rate: 1.0 }, settings).unwrap().output("level", 0).unwrap();
    graph.add_run_ahead(graph.root(), "tank", tank).unwrap();
    graph
}

fn set(name: &str, value: f64) -> Action {
    Action::SetParameter {
        component: "tank".into(),
        name: name.into(),
        value: Parameter::Real(value),
    }
}

/// Runs with actions to 5 s: what the level shows, and its last value there.
fn levels(
    settings: Settings,
    actions: &[(f64, Action)],
    bystanders: &[u64],
) -> (Vec<(Time, Trajectory)>, f64) {
    let mut graph = tank(settings);
    add_bystanders(&mut graph, bystanders);
    let mut simulation = Simulation::new(graph, spread(2, true)).unwrap();
    simulation.record("tank", "level").unwrap();
    for (s, action) in actions {
        simulation.schedule(at(*s), action.clone()).unwrap();
    }
    run(&mut simulation, at(5.0));
    let shown: Vec<(Time, Trajectory)> = simulation.samples("tank", "level").unwrap();
    let last = shown.last().unwrap().1.at(at(5.0));
    (shown, last)
}

#[test]
fn parameters_change_at_their_instant_as_on_the_bare_solver() {
    for settings in every_method() {
        let actions =
            [(0.0, set("rate", 2.0)), (1.234, set("rate", -3.0)), (2.5, set("level", 7.0))];
        let (shown, level) = levels(settings, &actions, &[]);
        let mut solver = Solver::new(Tank { rate: 1.0 }, settings).unwrap();
        solver.watch(0).unwrap();
        for (t, action) in &actions {
            let Action::SetParameter { name, value, .. } = action else { continue };
            solver.run(at(*t)).unwrap();
            let disturb = |block: &mut Tank, edit: &mut Edit<'_>| {
                block.set_parameter(name, value, edit).unwrap();
            };
            solver.disturb(at(*t), disturb).unwrap();
        }
        solver.run(at(5.0)).unwrap();
        assert_eq!(shown.last().unwrap().1, solver.output(0).unwrap(), "{}", settings.method);
        let exact = filled(7.0, -3.0, 2.5);
        assert!((level - exact).abs() < 5e-2, "{}: {level}, not {exact}", settings.method);
        assert!(shown.iter().any(|(t, level)| *t == at(2.5) && (level.at(*t) - 7.0).abs() < 2e-2));
        let (among, _) = levels(settings, &actions, &[111]);
        assert!(among == shown, "{}", settings.method);
    }
}

#[test]
fn a_parameter_that_the_block_does_not_have_is_refused_by_name() {
    let settings = every_method().next().unwrap();
    let mut simulation = Simulation::new(tank(settings), spread(1, true)).unwrap();
    simulation.schedule(at(1.0), set("colour", 1.0)).unwrap();
    let outcome = simulation.run_until(at(2.0)).unwrap();
    let Outcome::Faulted(Fault::RefusedParameter { component, at: when, error }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!((component.as_str(), when), ("tank", at(1.0)));
    assert_eq!(error, ParameterError::Unknown { name: "colour".into() });
}

#[test]
fn a_value_that_the_solver_refuses_is_a_fault_of_the_component() {
    for settings in every_method() {
        let mut simulation = Simulation::new(tank(settings), spread(1, true)).unwrap();
        simulation.schedule(at(1.0), set("level", f64::NAN)).unwrap();
        let outcome = simulation.run_until(at(2.0)).unwrap();
        let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
        assert!(fault.to_string().contains("state 0 is not finite"), "{fault}");
    }
}

#[test]
fn a_stopped_block_stands_still_and_goes_on_where_it_was() {
    let component = || "tank".to_owned();
    for settings in every_method() {
        let actions = [
            (1.0, Action::Stop { component: component() }),
            (3.3, Action::Start { component: component() }),
        ];
        let (shown, level) = levels(settings, &actions, &[]);
        let exact = filled(1.0, 1.0, 1.0 + 5.0 - 3.3);
        assert!((level - exact).abs() < 2e-2, "{}: {level}, not {exact}", settings.method);
        let standing: Vec<_> =
            shown.iter().filter(|(t, _)| (at(1.0)..at(3.3)).contains(t)).collect();
        // What it shows while it stands still is the level that it stopped at.
        assert_eq!(standing.len(), 1, "{}", settings.method);
        let (when, held) = standing[0];
        assert_eq!((*when, held.at(at(1.0))), (at(1.0), held.at(at(3.0))), "{}", settings.method);
        assert!((held.at(at(2.0)) - filled(1.0, 1.0, 1.0)).abs() < 2e-2, "{}", settings.method);
        assert!(shown.iter().any(|(t, _)| *t == at(3.3)), "{}", settings.method);
        let (among, _) = levels(settings, &actions, &[90]);
        assert!(among == shown, "{}", settings.method);
    }
}

#[test]
fn a_reset_block_begins_again() {
    for settings in every_method() {
        let actions = [(0.5, set("rate", 4.0)), (2.0, Action::Reset { component: "tank".into() })];
        let (shown, level) = levels(settings, &actions, &[]);
        let exact = filled(1.0, 1.0, 3.0);
        assert!((level - exact).abs() < 2e-2, "{}: {level}, not {exact}", settings.method);
        let (among, _) = levels(settings, &actions, &[90]);
        assert!(among == shown, "{}", settings.method);
    }
}

#[test]
fn a_block_that_is_added_later_starts_then() {
    for settings in every_method() {
        let mut graph = Graph::new();
        add_bystanders(&mut graph, &[90]);
        let mut simulation = Simulation::new(graph, spread(1, true)).unwrap();
        let add = move |graph: &mut Graph| {
            let late = Continuous::new(Tank { rate: 1.0 }, settings).unwrap();
            graph.add_run_ahead(graph.root(), "tank", late.output("level", 0).unwrap())?;
            Ok(())
        };
        simulation.edit_at(at(2.5), add).unwrap();
        run(&mut simulation, at(2.6));
        simulation.record("tank", "level").unwrap();
        run(&mut simulation, at(5.0));
        let shown: Vec<(Time, Trajectory)> = simulation.samples("tank", "level").unwrap();
        let level = shown.last().unwrap().1.at(at(5.0));
        let exact = filled(1.0, 1.0, 2.5);
        assert!((level - exact).abs() < 2e-2, "{}: {level}, not {exact}", settings.method);
    }
}
