//! A test rig: component types of a registry, wired by names, driven by scripts and listened to.
//!
//! It is for the tests of model libraries, which know component types but no experiment files.
//! Whatever goes wrong is a panic with its reason.

mod python;

use std::path::Path;

pub use python::python;

use ironbird_component::{Place, Registry, RegistryError, ServiceType, ValueType};
use ironbird_kernel::{
    Action, ComponentRef, Duration, Graph, Interposer, Link, Options, Outcome, Parameter, PortKind,
    Rate, Simulation, Time, Value, Wire,
};
use ironbird_solvers::Trajectory;

/// A system in the making.
pub struct Rig {
    registry: Registry,
    graph: Graph,
    components: Vec<(String, ComponentRef)>,
    actions: Vec<(Time, Action)>,
}

/// What a library of models has: a function that registers its types.
pub type Register = fn(&mut Registry) -> Result<(), RegistryError>;

/// What a component gets: a path and a value in the declared unit.
pub type Setting<'a> = (&'a str, Parameter);

/// A number as a parameter.
pub fn real(number: f64) -> Parameter {
    Parameter::Real(number)
}

/// A text as a parameter.
pub fn text(text: &str) -> Parameter {
    Parameter::Text(text.into())
}

/// An instant, to the nearest picosecond.
pub fn seconds(seconds: f64) -> Time {
    Time::from_ps((seconds * 1e12).round() as u64)
}

/// An instant.
pub fn hours(hours: f64) -> Time {
    seconds(3600.0 * hours)
}

/// A run that is saved in the middle and loaded again ends as one that is not: with the same bits.
pub fn assert_goes_on_after_a_checkpoint(graph: impl Fn() -> Graph, middle: Time, end: Time) {
    let mut whole = Simulation::new(graph(), Options::default()).expect("it fits");
    whole.run_until(end).expect("it runs");
    let mut first = Simulation::new(graph(), Options::default()).expect("it fits");
    first.run_until(middle).expect("it runs");
    let saved = first.checkpoint().expect("it can be saved");
    let mut second = Simulation::restore(graph(), Options::default(), &saved).expect("it fits");
    second.run_until(end).expect("it runs");
    assert_eq!(second.digest(), whole.digest());
    let bytes = |run: &Simulation| run.checkpoint().expect("it can be saved").to_bytes();
    assert!(bytes(&second) == bytes(&whole), "the states at the end differ");
}

impl Rig {
    /// An empty system of the types that these functions register.
    pub fn of(libraries: &[Register]) -> Self {
        let mut registry = Registry::with_builtin();
        for register in libraries {
            register(&mut registry).expect("the types have names of their own");
        }
        Rig { registry, graph: Graph::new(), components: Vec::new(), actions: Vec::new() }
    }

    /// Adds a component.
    pub fn add(&mut self, name: &str, type_name: &str, settings: &[Setting<'_>]) {
        self.add_at(name, type_name, None, settings);
    }

    /// Adds a component with a rate.
    pub fn add_at(
        &mut self,
        name: &str,
        type_name: &str,
        rate: Option<Rate>,
        settings: &[Setting<'_>],
    ) {
        let settings = settings.iter().map(|(path, value)| ((*path).into(), value.clone()));
        let place = Place { folder: Path::new(".") };
        let found = self.registry.get(type_name).expect("a known type");
        let instance = found.instantiate(&settings.collect(), &place).expect("it can be made");
        let root = self.graph.root();
        let added = instance.add_to(&mut self.graph, root, name, rate).expect("it can be added");
        self.components.push((name.into(), added));
    }

    /// Why a component cannot be made.
    pub fn refusal(&self, type_name: &str, settings: &[Setting<'_>]) -> String {
        let settings = settings.iter().map(|(path, value)| ((*path).into(), value.clone()));
        let place = Place { folder: Path::new(".") };
        let found = self.registry.get(type_name).expect("a known type");
        let made = found.instantiate(&settings.collect(), &place);
        made.err().expect("it is refused").to_string()
    }

    /// Adds a source whose output `out` shows these values from these times on.
    pub fn script<T: Value>(&mut self, name: &str, values: &[(Time, T)]) {
        let samples: Vec<(Time, Vec<u8>)> =
            values.iter().map(|(time, value)| (*time, encode(value))).collect();
        let (root, kind) = (self.graph.root(), PortKind::Signal);
        let added = ValueType::of::<T>().add_player(&mut self.graph, root, name, kind, &samples);
        self.components.push((name.into(), added.expect("a script")));
    }

    /// Links `component.output` to `component.input`.
    pub fn link(&mut self, from: &str, to: &str) {
        self.link_with(from, to, Link::direct());
    }

    /// Links so that the reader sees the value of an earlier instant, as a closed loop needs once.
    pub fn link_previous(&mut self, from: &str, to: &str) {
        self.link_with(from, to, Link::direct().previous());
    }

    /// Lets a provider answer `component.query`.
    pub fn bind(&mut self, query: &str, provider: &str) {
        let (asker, name) = self.port(query);
        let found = self.components.iter().find(|(other, _)| other == provider);
        let provider = found.expect("a component of this name").1;
        self.graph.bind_query(asker.port(name), provider).expect("a question that it answers");
    }

    /// Links through an interposer.
    pub fn link_via(&mut self, from: &str, to: &str, interposer: impl Interposer) {
        self.link_with(from, to, Link::direct().via("wire", interposer));
    }

    fn link_with(&mut self, from: &str, to: &str, link: Link) {
        let ((source, output), (reader, input)) = (self.port(from), self.port(to));
        self.graph.link(source.port(output), reader.port(input), link).expect("ports that fit");
    }

    /// Changes `component.parameter` at an instant.
    pub fn set(&mut self, at: Time, parameter: &str, value: Parameter) {
        let (component, name) = parameter.split_once('.').expect("component.parameter");
        let (component, name) = (component.into(), name.into());
        self.actions.push((at, Action::SetParameter { component, name, value }));
    }

    /// Stops a component at one instant and lets it go on at another.
    pub fn pause(&mut self, from: Time, until: Time, component: &str) {
        self.actions.push((from, Action::Stop { component: component.into() }));
        self.actions.push((until, Action::Start { component: component.into() }));
    }

    /// Calls `component.service` at an instant.
    pub fn call<A: Value, R: Value>(&mut self, at: Time, service: &str, argument: &A) {
        let (provider, service) = self.port(service);
        let name = format!("caller-{}", self.components.len());
        let (root, service_type) = (self.graph.root(), ServiceType::of::<A, R>());
        let caller = service_type.add_caller(&mut self.graph, root, &name, &encode(argument));
        let caller = caller.expect("a caller");
        self.graph
            .bind_call(caller.port("call"), provider.port(service), Duration::ZERO)
            .expect("a service of these types");
        self.components.push((name.clone(), caller));
        self.set(at, &format!("{name}.fire"), Parameter::Bool(true));
    }

    fn port<'a>(&self, path: &'a str) -> (ComponentRef, &'a str) {
        let (name, port) = path.split_once('.').expect("component.port");
        let found = self.components.iter().find(|(other, _)| other == name);
        (found.expect("a component of this name").1, port)
    }

    /// The graph that was built, to be run, saved and restored by other means.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// Runs to an instant and everything in it, listening to these outputs.
    pub fn run(self, until: Time, outputs: &[&str]) -> Run {
        let mut simulation = Simulation::new(self.graph, Options::default()).expect("it fits");
        for output in outputs {
            let (component, port) = output.split_once('.').expect("component.port");
            simulation.record(component, port).expect("an output");
        }
        for (at, action) in self.actions {
            simulation.schedule(at, action).expect("a component");
        }
        let outcome = simulation.run_until(until + Duration::EPSILON).expect("it runs");
        Run { simulation, outcome }
    }

    /// Why a component fails before an instant.
    pub fn failure(self, until: Time) -> String {
        match self.run(until, &[]).outcome {
            Outcome::Faulted(fault) => fault.to_string(),
            outcome => panic!("it does not fail: {outcome:?}"),
        }
    }
}

fn encode<T: Value>(value: &T) -> Vec<u8> {
    let mut wire = Wire::default();
    value.encode(&mut wire);
    wire.fixed().to_vec()
}

/// What a run has shown.
pub struct Run {
    simulation: Simulation,
    /// How it ended.
    pub outcome: Outcome,
}

impl Run {
    /// What an output has shown.
    pub fn samples<T: Value>(&self, output: &str) -> Vec<(Time, T)> {
        let (component, port) = output.split_once('.').expect("component.port");
        self.simulation.samples(component, port).expect("it was listened to")
    }

    /// The numbers that an output has shown.
    pub fn numbers(&self, output: &str) -> Vec<f64> {
        self.samples(output).into_iter().map(|(_, number)| number).collect()
    }

    /// A continuous output.
    pub fn track(&self, output: &str) -> Track {
        Track(self.samples(output))
    }
}

/// A continuous signal over time.
pub struct Track(Vec<(Time, Trajectory)>);

impl Track {
    /// Its value at an instant.
    pub fn at(&self, time: Time) -> f64 {
        let after = self.0.partition_point(|(start, _)| *start <= time);
        let (_, trajectory) = &self.0[after.max(1) - 1];
        trajectory.at(time)
    }

    /// Its lowest and highest value, looked at in steps of this many seconds.
    pub fn range(&self, from: Time, until: Time, step: f64) -> (f64, f64) {
        let count = ((until - from).as_secs_f64() / step) as u64;
        let values = (0..=count).map(|k| self.at(seconds(from.as_secs_f64() + k as f64 * step)));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }
}
