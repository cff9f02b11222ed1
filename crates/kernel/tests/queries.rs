//! Rule 9: a query is a pure function of parameters, arguments and time, replicated per partition.

mod models;

use ironbird_kernel::{
    Action, Fault, Graph, LoadError, Model, Options, Outcome, Parameter, ParameterError, Periodic,
    Ports, Provider, QueryIn, Rate, SaveError, SignalOut, Simulation, StateReader, StateWriter,
    Step, Time,
};
use models::{Ticks, ms, spread_over, us};

/// depth(x, t) = base + x + t in seconds.
#[derive(Clone)]
struct SeaBed {
    base: f64,
}

impl Provider<f64, f64> for SeaBed {
    fn answer(&self, now: Time, x: &f64) -> f64 {
        self.base + x + now.as_secs_f64()
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("base", Parameter::Real(base)) if base > 0.0 => self.base = base,
            (name, value) => {
                let expected = "a depth".into();
                return Err(ParameterError::Invalid { name: name.into(), value, expected });
            }
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.base)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.base = state.get()?;
        Ok(())
    }
}

/// Asks for the depth at `x`.
struct Sonar {
    x: f64,
    query: QueryIn<f64, f64>,
    depth: SignalOut<f64>,
}

impl Sonar {
    fn at(x: f64) -> Self {
        Sonar { x, query: QueryIn::default(), depth: SignalOut::default() }
    }
}

impl Model for Sonar {
    fn ports(&mut self, ports: &mut Ports) {
        self.query = ports.query("bed");
        self.depth = ports.signal_out("depth", 0.0);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.x)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.x = state.get()?;
        Ok(())
    }
}

impl Periodic for Sonar {
    fn step(&mut self, step: &mut Step<'_>) {
        let depth = step.ask(self.query, &self.x);
        step.write(self.depth, depth);
    }
}

fn sonars(xs: &[f64]) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let bed = graph.provide(root, "bed", SeaBed { base: 100.0 }).unwrap();
    for (n, &x) in xs.iter().enumerate() {
        let sonar = graph.add_periodic(root, &format!("s[{n}]"), Sonar::at(x), Rate::hz(1_000));
        graph.bind_query(sonar.unwrap().port("bed"), bed).unwrap();
    }
    graph
}

fn set_base(base: f64) -> Action {
    let (component, name) = ("bed".into(), "base".into());
    Action::SetParameter { component, name, value: Parameter::Real(base) }
}

fn depths(simulation: &Simulation, path: &str) -> Vec<f64> {
    let samples = simulation.samples::<f64>(path, "depth").unwrap();
    samples.into_iter().map(|(_, depth)| depth).collect()
}

#[test]
fn all_partitions_get_the_same_answers_and_a_parameter_changes_at_an_exact_time() {
    for partitions in 1..=4 {
        let mut simulation = Simulation::new(sonars(&[0.0; 4]), spread_over(partitions)).unwrap();
        assert_eq!(simulation.statistics().placement.partitions, partitions);
        for n in 0..4 {
            simulation.record(&format!("s[{n}]"), "depth").unwrap();
        }
        simulation.schedule(ms(2), set_base(200.0)).unwrap();
        simulation.schedule(us(3_001), set_base(300.0)).unwrap();
        simulation.run_until(ms(5)).unwrap();
        for n in 0..4 {
            let expected = [100.0, 100.001, 200.002, 200.003, 300.004];
            assert_eq!(depths(&simulation, &format!("s[{n}]")), expected, "s[{n}] of {partitions}");
        }
    }
}

#[test]
fn an_answer_depends_on_the_argument() {
    let mut simulation = Simulation::new(sonars(&[1.0, 2.5]), spread_over(2)).unwrap();
    simulation.record("s[0]", "depth").unwrap();
    simulation.record("s[1]", "depth").unwrap();
    simulation.run_until(us(500)).unwrap();
    assert_eq!(depths(&simulation, "s[0]"), [101.0]);
    assert_eq!(depths(&simulation, "s[1]"), [102.5]);
}

#[test]
fn a_refused_parameter_of_a_provider_names_it_in_every_placement() {
    for partitions in [1, 3] {
        let mut simulation = Simulation::new(sonars(&[0.0; 3]), spread_over(partitions)).unwrap();
        simulation.schedule(ms(2), set_base(-1.0)).unwrap();
        let outcome = simulation.run_until(ms(5)).unwrap();
        let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
        assert!(matches!(fault, Fault::RefusedParameter { .. }));
        let text = "\"bed\" refused a change at 0.002 s: parameter \"base\" cannot be -1: a depth";
        assert_eq!(fault.to_string(), text);
    }
}

#[test]
fn a_parameter_that_is_set_while_nobody_asks_is_kept_for_who_asks_later() {
    for partitions in [1, 2] {
        let mut graph = sonars(&[]);
        graph.add_periodic(graph.root(), "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.schedule(ms(2), set_base(500.0)).unwrap();
        simulation
            .edit_at(ms(4), |graph| {
                let sonar = Sonar::at(0.0);
                let late = graph.add_periodic(graph.root(), "late", sonar, Rate::hz(1_000))?;
                graph.bind_query(late.port("bed"), graph.find("bed")?)
            })
            .unwrap();
        simulation.run_until(us(4_001)).unwrap();
        simulation.record("late", "depth").unwrap();
        simulation.run_until(us(5_001)).unwrap();
        assert_eq!(depths(&simulation, "late"), [500.005], "{partitions} partitions");
    }
}

#[test]
fn a_provider_that_panics_is_reported_as_a_fault_of_who_asked() {
    #[derive(Clone)]
    struct Breaks;
    impl Provider<f64, f64> for Breaks {
        fn answer(&self, now: Time, _: &f64) -> f64 {
            assert!(now < ms(2), "no map here");
            0.0
        }
    }
    let mut graph = Graph::new();
    let root = graph.root();
    let bed = graph.provide(root, "bed", Breaks).unwrap();
    let sonar = graph.add_periodic(root, "sonar", Sonar::at(0.0), Rate::hz(1_000)).unwrap();
    graph.bind_query(sonar.port("bed"), bed).unwrap();
    let outcome = Simulation::new(graph, spread_over(1)).unwrap().run_until(ms(5)).unwrap();
    let message = "no map here".into();
    let fault = Fault::Panic { component: "sonar".into(), at: ms(2), message };
    assert_eq!(outcome, Outcome::Faulted(fault));
}

/// Two sonars, bound to one bed, to which another one is offered.
fn with_offer() -> Graph {
    let mut graph = sonars(&[0.0, 0.5]);
    let root = graph.root();
    let chart = graph.provide(root, "chart", SeaBed { base: 1_000.0 }).unwrap();
    for path in ["s[0]", "s[1]"] {
        let sonar = graph.find(path).unwrap();
        graph.offer_query(sonar.port("bed"), chart).unwrap();
    }
    graph
}

fn bind(component: &str, provider: &str) -> Action {
    Action::Bind { component: component.into(), query: "bed".into(), provider: provider.into() }
}

/// The whole part of what a sonar saw.
fn bases(simulation: &Simulation, path: &str) -> Vec<f64> {
    depths(simulation, path).into_iter().map(|depth| depth - depth % 10.0).collect()
}

#[test]
fn an_action_binds_another_provider_of_one_component() {
    for partitions in [1, 2] {
        let mut simulation = Simulation::new(with_offer(), spread_over(partitions)).unwrap();
        simulation.record("s[0]", "depth").unwrap();
        simulation.record("s[1]", "depth").unwrap();
        simulation.schedule(ms(2), bind("s[1]", "chart")).unwrap();
        simulation.schedule(ms(4), bind("s[1]", "bed")).unwrap();
        simulation.run_until(ms(6)).unwrap();
        assert_eq!(bases(&simulation, "s[0]"), [100.0; 6]);
        assert_eq!(bases(&simulation, "s[1]"), [100.0, 100.0, 1e3, 1e3, 100.0, 100.0]);
    }
}

#[test]
fn what_an_action_bound_outlives_a_checkpoint_and_an_edit() {
    let mut simulation = Simulation::new(with_offer(), Options::default()).unwrap();
    simulation.schedule(ms(2), bind("s[0]", "chart")).unwrap();
    simulation.run_until(ms(3)).unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    let mut again = Simulation::restore(with_offer(), spread_over(2), &checkpoint).unwrap();
    again.record("s[0]", "depth").unwrap();
    again
        .edit_at(ms(4), |graph| {
            let root = graph.root();
            graph.composite(root, "new").map(|_| ())
        })
        .unwrap();
    // An edit that binds the query itself counts more.
    again
        .edit_at(ms(5), |graph| {
            let (sonar, bed) = (graph.find("s[0]")?, graph.find("bed")?);
            graph.bind_query(sonar.port("bed"), bed)
        })
        .unwrap();
    again.run_until(ms(6)).unwrap();
    assert_eq!(bases(&again, "s[0]"), [1e3, 1e3, 100.0]);
}

#[test]
fn who_was_not_offered_cannot_be_bound() {
    let mut graph = sonars(&[0.0]);
    let root = graph.root();
    graph.provide(root, "chart", SeaBed { base: 1.0 }).unwrap();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    let refused = simulation.schedule(ms(1), bind("s[0]", "chart")).unwrap_err();
    let text =
        "\"chart\" was not offered to \"s[0].bed\": it cannot be bound while the system runs";
    assert_eq!(refused.to_string(), text);
}
