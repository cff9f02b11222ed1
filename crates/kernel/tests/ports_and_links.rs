//! What can be wrong with a system is refused before it runs, with the places named; composites
//! vanish when the system is flattened; a handle that was never declared is a fault of its model.

mod models;

use ironbird_kernel::{
    AnyValue, BuildError, Duration, EventIn, EventOut, Fault, Graph, GraphError, Interposer, Link,
    Model, Outcome, Passage, Periodic, PortKind, Ports, Provider, QueryIn, RandomIn, RandomStream,
    Rate, SignalIn, SignalOut, Simulation, Step, Time, Value,
};
use models::{Collects, Log, Reads, Sends, Ticks, ms, run, spread_over};

/// Sends at 1 ms, once.
fn source() -> Sends {
    Sends::once(ms(1), 1.0)
}

fn refused(graph: Graph) -> GraphError {
    match Simulation::new(graph, spread_over(1)).err() {
        Some(BuildError::Graph(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// A reader of one signal, periodic.
#[derive(Default)]
struct ReadsSignal<T> {
    input: SignalIn<T>,
}

impl<T: Value> Model for ReadsSignal<T> {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.signal_in("in");
    }
}

impl<T: Value> Periodic for ReadsSignal<T> {
    fn step(&mut self, _: &mut Step<'_>) {}
}

#[test]
fn bad_names_are_refused() {
    let mut graph = Graph::new();
    let root = graph.root();
    for name in ["", "a.b", "a b", "quad[01]", "[0]"] {
        let error = graph.add(root, name, source()).unwrap_err();
        assert_eq!(error, GraphError::BadName { name: name.into() });
    }
    let text = "\"a b\" cannot name a component or port: use letters, digits, `_`, `-`, and an index in brackets";
    assert_eq!(GraphError::BadName { name: "a b".into() }.to_string(), text);
    let group = graph.composite(root, "group").unwrap();
    let error = graph.input::<f64>(group, "a..b", PortKind::Event).unwrap_err();
    assert_eq!(error, GraphError::BadName { name: "a..b".into() });
}

#[test]
fn ports_may_have_names_of_several_parts_and_are_found_by_them() {
    let mut graph = Graph::new();
    let root = graph.root();
    let from = graph.add(root, "source", source()).unwrap();
    let inputs = &["quad[3].hit", "quad[3].imu.hit", "rover.hit"];
    let to = graph.add_periodic(root, "world", Declares { inputs, outputs: 0 }, Rate::hz(1));
    let to = to.unwrap();
    for input in inputs {
        graph.link(from.port("out"), to.port(input), Link::direct()).unwrap();
    }
    let error = graph.link(from.port("out"), to.port("quad[4].hit"), Link::direct()).unwrap_err();
    let text = "\"world\" has no input \"quad[4].hit\"; did you mean \"quad[3].hit\"?";
    assert_eq!(error.to_string(), text);
}

/// Declares ports by these names.
struct Declares {
    inputs: &'static [&'static str],
    outputs: usize,
}

impl Model for Declares {
    fn ports(&mut self, ports: &mut Ports) {
        for name in self.inputs {
            ports.event_in::<f64>(name);
        }
        for number in 0..self.outputs {
            ports.event_out::<f64>(&format!("o{number}"));
        }
    }
}

impl Periodic for Declares {
    fn step(&mut self, _: &mut Step<'_>) {}
}

#[test]
fn names_are_used_once_at_their_level() {
    let mut graph = Graph::new();
    let root = graph.root();
    let group = graph.composite(root, "group").unwrap();
    graph.add(group, "x", source()).unwrap();
    let error = graph.add(group, "x", source()).unwrap_err();
    assert_eq!(error, GraphError::DuplicateComponent { path: "group.x".into() });
    assert_eq!(error.to_string(), "there are two components \"group.x\"");
    graph.add(root, "x", source()).unwrap();

    let twice = Declares { inputs: &["a", "b", "a"], outputs: 0 };
    let error = graph.add_periodic(group, "y", twice, Rate::hz(1)).unwrap_err();
    assert_eq!(error, GraphError::DuplicatePort { path: "group.y".into(), name: "a".into() });
    assert_eq!(error.to_string(), "\"group.y\" declares \"a\" twice");
    graph.input::<f64>(group, "in", PortKind::Event).unwrap();
    let error = graph.output::<f64>(group, "in", PortKind::Event).unwrap_err();
    assert_eq!(error, GraphError::DuplicatePort { path: "group".into(), name: "in".into() });

    let bad = Declares { inputs: &["a.b", "a."], outputs: 0 };
    let error = graph.add_periodic(group, "y", bad, Rate::hz(1)).unwrap_err();
    assert_eq!(error, GraphError::BadName { name: "a.".into() });
}

#[test]
fn sixty_five_thousand_ports_are_too_many() {
    let many = |count| Declares { inputs: &[], outputs: count };
    let mut graph = Graph::new();
    let root = graph.root();
    let error = graph.add_periodic(root, "many", many(65_535), Rate::hz(1)).unwrap_err();
    assert_eq!(error, GraphError::TooManyPorts { path: "many".into() });
    assert_eq!(error.to_string(), "\"many\" declares more than 65,534 ports");
}

#[test]
fn nothing_can_be_placed_inside_a_model() {
    let mut graph = Graph::new();
    let root = graph.root();
    let model = graph.add(root, "model", source()).unwrap();
    let expected = GraphError::NotComposite { path: "model".into() };
    assert_eq!(graph.add(model, "x", source()).unwrap_err(), expected);
    assert_eq!(graph.input::<f64>(model, "x", PortKind::Event).unwrap_err(), expected);
    let text = "\"model\" is not a composite: nothing can be placed inside it";
    assert_eq!(expected.to_string(), text);
}

#[test]
fn what_is_not_there_is_refused_with_the_nearest_name() {
    let mut graph = Graph::new();
    let root = graph.root();
    let sensors = graph.composite(root, "sensors").unwrap();
    let dvl = graph.add(sensors, "dvl", source()).unwrap();
    let sink = graph.add(root, "sink", Collects::default()).unwrap();
    let error = graph.find("sensors.dvk").unwrap_err();
    let text = "there is no component \"sensors.dvk\"; did you mean \"sensors.dvl\"?";
    assert_eq!(error.to_string(), text);
    assert_eq!(graph.find("gps").unwrap_err().to_string(), "there is no component \"gps\"");
    let error = graph.link(dvl.port("ouput"), sink.port("in"), Link::direct()).unwrap_err();
    let text = "\"sensors.dvl\" has no output \"ouput\"; did you mean \"out\"?";
    assert_eq!(error.to_string(), text);
    // An input is no output.
    let error = graph.link(sink.port("in"), sink.port("in"), Link::direct()).unwrap_err();
    assert_eq!(error.to_string(), "\"sink\" has no output \"in\"");
    let error = graph.link(dvl.port("out"), sink.port("im"), Link::direct()).unwrap_err();
    assert!(matches!(&error, GraphError::NoSuchPort { direction: "input", .. }));
    assert_eq!(error.to_string(), "\"sink\" has no input \"im\"; did you mean \"in\"?");
}

#[test]
fn types_that_differ_are_refused_with_both_ends_and_both_types() {
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1)).unwrap();
    let reads = graph.add_periodic(root, "reads", ReadsSignal::<[f64; 3]>::default(), Rate::hz(1));
    let error = graph.link(ticks.port("count"), reads.unwrap().port("in"), Link::direct());
    let error = error.unwrap_err();
    assert!(matches!(error, GraphError::TypeMismatch { .. }));
    let text = "ticks.count sends u64 and reads.in takes [f64; 3]: they cannot be linked";
    assert_eq!(error.to_string(), text);
}

#[test]
fn kinds_that_differ_are_refused_with_both_ends() {
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1)).unwrap();
    let reads = graph.add_periodic(root, "reads", ReadsSignal::<f64>::default(), Rate::hz(1));
    let error = graph.link(ticks.port("out"), reads.unwrap().port("in"), Link::direct());
    let error = error.unwrap_err();
    assert!(matches!(error, GraphError::KindMismatch { .. }));
    let text = "ticks.out carries events and reads.in takes signals: they cannot be linked";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_signal_has_one_source_and_needs_it() {
    let mut graph = Graph::new();
    let root = graph.root();
    let a = graph.add_periodic(root, "a", Ticks::default(), Rate::hz(1)).unwrap();
    let b = graph.add_periodic(root, "b", Ticks::default(), Rate::hz(1)).unwrap();
    let reads = graph.add_periodic(root, "reads", Reads::default(), Rate::hz(1)).unwrap();
    graph.link(b.port("count"), reads.port("in"), Link::direct()).unwrap();
    graph.link(a.port("count"), reads.port("in"), Link::direct()).unwrap();
    let text = "the signal input reads.in has two sources, a.count and b.count";
    assert_eq!(refused(graph).to_string(), text);

    let mut graph = Graph::new();
    let group = graph.composite(graph.root(), "group").unwrap();
    graph.add_periodic(group, "reads", Reads::default(), Rate::hz(1)).unwrap();
    let text = "the signal input group.reads.in has no source";
    assert_eq!(refused(graph).to_string(), text);
}

#[test]
fn only_a_signal_has_a_previous_value() {
    let mut graph = Graph::new();
    let root = graph.root();
    let from = graph.add(root, "from", source()).unwrap();
    let to = graph.add(root, "to", Collects::default()).unwrap();
    let error = graph.link(from.port("out"), to.port("in"), Link::direct().previous());
    let text = "from.out -> to.in: only a signal has a previous value";
    assert_eq!(error.unwrap_err().to_string(), text);
}

#[derive(Clone)]
struct Passes;

impl Interposer for Passes {
    fn pass(&mut self, _: Time, _: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        Passage::Deliver
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
}

#[test]
fn two_links_of_one_name_are_refused() {
    let mut graph = Graph::new();
    let root = graph.root();
    let from = graph.add(root, "from", source()).unwrap();
    let to = graph.add(root, "to", Collects::default()).unwrap();
    let link = || Link::direct().via("wire", Passes);
    graph.link(from.port("out"), to.port("in"), link()).unwrap();
    let error = graph.link(from.port("out"), to.port("in"), link()).unwrap_err();
    assert_eq!(error, GraphError::DuplicateLink { name: "wire".into() });
    assert_eq!(error.to_string(), "two links are called \"wire\"");
}

#[derive(Clone)]
struct Answers;

impl Provider<f64, bool> for Answers {
    fn answer(&self, _: Time, _: &f64) -> bool {
        true
    }
}

/// Asks something of type `A`.
struct Asks<A> {
    query: QueryIn<A, bool>,
}

impl<A: 'static> Model for Asks<A> {
    fn ports(&mut self, ports: &mut Ports) {
        self.query = ports.query("field");
    }
}

impl<A: Default + 'static> Periodic for Asks<A> {
    fn step(&mut self, step: &mut Step<'_>) {
        step.ask(self.query, &A::default());
    }
}

#[test]
fn queries_need_a_provider_of_their_types() {
    let mut graph = Graph::new();
    let root = graph.root();
    let field = graph.provide(root, "field", Answers).unwrap();
    let asks = Asks::<u8> { query: QueryIn::default() };
    let asks = graph.add_periodic(root, "asks", asks, Rate::hz(1)).unwrap();
    let error = graph.bind_query(asks.port("field"), field).unwrap_err();
    let text = "asks.field asks u8 -> bool and field answers f64 -> bool: they cannot be bound";
    assert_eq!(error.to_string(), text);
    let error = graph.bind_query(asks.port("feld"), field).unwrap_err();
    assert_eq!(error.to_string(), "\"asks\" has no query \"feld\"; did you mean \"field\"?");
    let error = graph.bind_query(asks.port("field"), asks).unwrap_err();
    assert_eq!(error.to_string(), "\"asks\" is no provider of a query");
    let text = "\"asks\" asks \"field\", but nothing is bound to answer";
    assert_eq!(refused(graph).to_string(), text);
}

#[test]
fn only_a_periodic_component_has_a_priority() {
    let mut graph = Graph::new();
    let model = graph.add(graph.root(), "model", source()).unwrap();
    let error = graph.set_priority(model, 1).unwrap_err();
    assert_eq!(error.to_string(), "\"model\" is not periodic: it has no rate");
}

/// source -> outer.in -> outer.inner.in -> relay…out -> outer.out -> sink, 1 + 2 + 4 + … ms.
#[test]
fn composites_vanish_and_the_latencies_of_all_stretches_add_up() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let from = graph.add(root, "from", source()).unwrap();
        let to = graph.add(root, "to", Collects::into(&log)).unwrap();
        let outer = graph.composite(root, "outer").unwrap();
        let inner = graph.composite(outer, "inner").unwrap();
        for composite in [outer, inner] {
            graph.input::<f64>(composite, "in", PortKind::Event).unwrap();
            graph.output::<f64>(composite, "out", PortKind::Event).unwrap();
        }
        let late = |n| Link::direct().latency(Duration::from_ms(n));
        graph.link(from.port("out"), outer.port("in"), late(1)).unwrap();
        graph.link(outer.port("in"), inner.port("in"), late(2)).unwrap();
        // Straight through the inner composite.
        graph.link(inner.port("in"), inner.port("out"), late(4)).unwrap();
        graph.link(inner.port("out"), outer.port("out"), late(8)).unwrap();
        graph.link(outer.port("out"), to.port("in"), Link::direct()).unwrap();
        let simulation = run(graph, spread_over(partitions), ms(50));
        assert_eq!(simulation.statistics().placement.partitions, partitions);
        assert_eq!(log.entries(), [(ms(16), vec![1.0])], "{partitions} partitions");
    }
}

#[test]
fn previous_on_any_stretch_makes_the_whole_way_previous() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let group = graph.composite(root, "group").unwrap();
    graph.input::<u64>(group, "in", PortKind::Signal).unwrap();
    let reads = graph.add_periodic(group, "reads", Reads::into(&log), Rate::hz(1_000)).unwrap();
    graph.link(ticks.port("count"), group.port("in"), Link::direct().previous()).unwrap();
    graph.link(group.port("in"), reads.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(2), ms(4));
    let seen: Vec<u64> = log.entries().into_iter().map(|(_, value)| value).collect();
    assert_eq!(seen, [0, 0, 1, 2]);
}

#[test]
fn ports_of_composites_that_form_a_loop_are_refused_with_the_loop() {
    let mut graph = Graph::new();
    let root = graph.root();
    let [a, b] = ["a", "b"].map(|name| {
        let composite = graph.composite(root, name).unwrap();
        graph.input::<f64>(composite, "in", PortKind::Event).unwrap();
        graph.output::<f64>(composite, "out", PortKind::Event).unwrap();
        graph.link(composite.port("in"), composite.port("out"), Link::direct()).unwrap();
        composite
    });
    graph.link(a.port("out"), b.port("in"), Link::direct()).unwrap();
    graph.link(b.port("out"), a.port("in"), Link::direct()).unwrap();
    let error = refused(graph);
    let ports = ["a.in", "a.out", "b.in", "b.out", "a.in"].map(String::from).to_vec();
    assert_eq!(error, GraphError::PortLoop { ports });
    let text = "the links of composites form a loop: a.in -> a.out -> b.in -> b.out -> a.in";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_signal_through_a_composite_that_nobody_feeds_is_unconnected() {
    let mut graph = Graph::new();
    let root = graph.root();
    let group = graph.composite(root, "group").unwrap();
    graph.input::<u64>(group, "in", PortKind::Signal).unwrap();
    let reads = graph.add_periodic(group, "reads", Reads::default(), Rate::hz(1)).unwrap();
    graph.link(group.port("in"), reads.port("in"), Link::direct()).unwrap();
    let expected = GraphError::Unconnected { port: "group.reads.in".into() };
    assert_eq!(refused(graph), expected);
}

/// Which handle a [`Careless`] model uses without having declared it.
#[derive(Clone, Copy, Debug)]
enum Misuse {
    SignalIn,
    SignalOut,
    EventIn,
    EventOut,
    Random,
    Query,
    /// Reads its event port as a signal of the same type.
    EventAsSignal,
    /// Sends on its signal port as if it were an event port of the same type.
    SignalAsEvent,
}

/// Has one event input and one signal output of its own, and uses foreign handles.
struct Careless {
    misuse: Misuse,
}

/// The handles of another model, whose first ports are of the other kind.
#[derive(Default)]
struct Foreign {
    signal_in: SignalIn<f64>,
    event_out: EventOut<f64>,
}

impl Foreign {
    fn handles() -> Self {
        let mut ports = Ports::default();
        let signal_in = ports.signal_in("in");
        let event_out = ports.event_out("out");
        Foreign { signal_in, event_out }
    }
}

impl Model for Careless {
    fn ports(&mut self, ports: &mut Ports) {
        ports.event_in::<f64>("in");
        ports.signal_out("out", 0.0);
    }
}

impl Periodic for Careless {
    fn step(&mut self, step: &mut Step<'_>) {
        match self.misuse {
            Misuse::SignalIn => {
                let _ = *step.signal(SignalIn::<f64>::default());
            }
            Misuse::SignalOut => step.write(SignalOut::<f64>::default(), 1.0),
            Misuse::EventIn => drop(step.events(EventIn::<f64>::default()).count()),
            Misuse::EventOut => step.send(EventOut::<f64>::default(), 1.0),
            Misuse::Random => drop(step.random(RandomIn::default()).bits()),
            Misuse::Query => step.ask(QueryIn::<(), ()>::default(), &()),
            Misuse::EventAsSignal => {
                let _ = *step.signal(Foreign::handles().signal_in);
            }
            Misuse::SignalAsEvent => step.send(Foreign::handles().event_out, 1.0),
        }
    }
}

fn assert_fault_of(misuse: Misuse) {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "careless", Careless { misuse }, Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let outcome = simulation.run_until(ms(5)).unwrap();
    let Outcome::Faulted(Fault::Panic { component, at, message }) = &outcome else {
        panic!("{misuse:?}: {outcome:?}");
    };
    assert_eq!((component.as_str(), *at), ("careless", Time::ZERO), "{misuse:?}");
    assert!(message.contains("did not declare"), "{misuse:?}: {message}");
}

#[test]
fn a_handle_that_was_not_declared_is_a_fault_that_names_the_model() {
    use Misuse::*;
    [SignalIn, SignalOut, EventIn, EventOut, Random, Query].into_iter().for_each(assert_fault_of);
}

#[test]
fn a_signal_handle_on_an_event_port_is_a_fault_that_names_the_model() {
    assert_fault_of(Misuse::EventAsSignal);
}

#[test]
fn an_event_handle_on_a_signal_port_is_a_fault_that_names_the_model() {
    assert_fault_of(Misuse::SignalAsEvent);
}

#[test]
fn a_handle_of_another_type_is_a_fault_too() {
    /// Reads its u8 with a handle on an f64.
    struct Mistaken;
    impl Model for Mistaken {
        fn ports(&mut self, ports: &mut Ports) {
            ports.signal_in_or("in", 1u8);
        }
    }
    impl Periodic for Mistaken {
        fn step(&mut self, step: &mut Step<'_>) {
            let _ = *step.signal(Foreign::handles().signal_in);
        }
    }
    let mut graph = Graph::new();
    graph.add_periodic(graph.root(), "x", Mistaken, Rate::hz(1)).unwrap();
    let outcome = Simulation::new(graph, spread_over(1)).unwrap().run_until(ms(5)).unwrap();
    let message = "the model uses a signal input that it did not declare".into();
    let fault = Fault::Panic { component: "x".into(), at: Time::ZERO, message };
    assert_eq!(outcome, Outcome::Faulted(fault));
}
