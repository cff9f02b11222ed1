//! A link may carry a part of what its source shows: at once, with what sits on the link, in any placement.

mod models;

use ironbird_kernel::{
    AnyValue, Atomic, Context, Duration, EventOut, Graph, GraphError, Inputs, Interposer, Link,
    Model, Outputs, Passage, Periodic, PortKind, Ports, RandomStream, Rate, Scalar, Selection,
    SignalIn, SignalOut, Simulation, Start, Step, Time, Value,
};
use models::{Collects, Log, ms, run, spread_over};

/// What a receiver of satellites shows.
#[derive(Clone, Debug, Default, PartialEq, Value)]
struct Fix {
    place: [f64; 3],
    satellites: u16,
    taken: Time,
    valid: bool,
}

/// Shows and sends a fix at every tick; its numbers follow from the tick.
#[derive(Default)]
struct Receiver {
    fix: SignalOut<Fix>,
    message: EventOut<Fix>,
}

fn fix(tick: u64, now: Time) -> Fix {
    let x = tick as f64;
    Fix { place: [x, x + 0.25, -x], satellites: 5 + tick as u16, taken: now, valid: tick > 0 }
}

impl Model for Receiver {
    fn ports(&mut self, ports: &mut Ports) {
        self.fix = ports.signal_out("fix", Fix::default());
        self.message = ports.event_out("message");
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        start.write(self.fix, Fix { place: [9.0, 8.0, 7.0], ..Fix::default() });
    }
}

impl Periodic for Receiver {
    fn step(&mut self, step: &mut Step<'_>) {
        let fix = fix(step.tick(), step.now());
        step.write(self.fix, fix.clone());
        step.send(self.message, fix);
    }
}

/// Logs what it reads at the start and at every tick.
struct Reader<T: Value> {
    input: SignalIn<T>,
    log: Log<(Time, T)>,
}

impl<T: Value> Reader<T> {
    fn into(log: &Log<(Time, T)>) -> Self {
        Reader { input: SignalIn::default(), log: log.clone() }
    }
}

impl<T: Value> Model for Reader<T> {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.signal_in("in");
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        self.log.push((start.now(), start.signal(self.input).clone()));
    }
}

impl<T: Value> Periodic for Reader<T> {
    fn step(&mut self, step: &mut Step<'_>) {
        self.log.push((step.now(), step.signal(self.input).clone()));
    }
}

/// Logs what wakes it.
#[derive(Default)]
struct Watcher {
    input: SignalIn<bool>,
    log: Log<(Time, bool)>,
}

impl Model for Watcher {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.waking_signal_in("in");
    }
}

impl Atomic for Watcher {
    fn time_advance(&self) -> Duration {
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.log.push((context.now(), *inputs.signal(self.input)));
    }
}

/// Adds to the number of a leaf.
#[derive(Clone)]
struct Adds(usize, f64);

impl Interposer for Adds {
    fn pass(&mut self, _: Time, value: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        let number = value.leaf_at(self.0).unwrap().as_f64();
        value.set_leaf_at(self.0, Scalar::Float(number + self.1)).unwrap();
        Passage::Deliver
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
}

fn part<T: Value>(first: usize) -> Link {
    Link::direct().select(Selection::from_leaf::<T>(first).unwrap())
}

/// What a reader of a part sees, with this link, at 100 Hz for 30 ms.
fn seen<T: Value>(link: Link, partitions: usize) -> Vec<T> {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let gps = graph.add_periodic(root, "gps", Receiver::default(), Rate::hz(100)).unwrap();
    let reader = graph.add_periodic(root, "z", Reader::<T>::into(&log), Rate::hz(100)).unwrap();
    graph.link(gps.port("fix"), reader.port("in"), link).unwrap();
    run(graph, spread_over(partitions), ms(30));
    log.entries().into_iter().map(|(_, value)| value).collect()
}

#[test]
fn a_part_is_there_in_the_step_in_which_the_whole_is_written() {
    // At the start, then ticks 0, 1 and 2.
    assert_eq!(seen::<f64>(part::<f64>(2), 1), [7.0, -0.0, -1.0, -2.0]);
    assert_eq!(seen::<[f64; 3]>(part::<[f64; 3]>(0), 1)[2], [1.0, 1.25, -1.0]);
    assert_eq!(seen::<bool>(part::<bool>(5), 1), [false, false, true, true]);
    // A whole number of 16 bits is exactly a real one.
    assert_eq!(seen::<f64>(part::<f64>(3), 1), [0.0, 5.0, 6.0, 7.0]);
}

#[test]
fn a_part_behind_a_latency_is_the_same_in_two_partitions() {
    for partitions in [1, 2] {
        let late = part::<f64>(1).latency(Duration::from_ms(10));
        assert_eq!(seen::<f64>(late, partitions), [8.0, 8.0, 0.25, 1.25], "{partitions}");
        assert_eq!(seen::<f64>(part::<f64>(1).previous(), partitions), [8.0, 8.0, 0.25, 1.25]);
    }
}

#[test]
fn what_sits_on_the_link_sees_the_part() {
    let broken = part::<f64>(1).via("fault", Adds(0, 100.0));
    // The first value passes no interposer.
    assert_eq!(seen::<f64>(broken, 1), [8.0, 100.25, 101.25, 102.25]);
}

#[test]
fn interposers_of_stretches_before_see_all_and_those_after_see_the_part() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let gps = graph.add_periodic(root, "gps", Receiver::default(), Rate::hz(100)).unwrap();
    let whole = graph.composite(root, "a").unwrap();
    graph.input::<Fix>(whole, "fix", PortKind::Signal).unwrap();
    let half = graph.composite(root, "b").unwrap();
    graph.input::<[f64; 3]>(half, "place", PortKind::Signal).unwrap();
    let reader = graph.add_periodic(root, "z", Reader::<f64>::into(&log), Rate::hz(100)).unwrap();
    let first = Link::direct().via("of the whole", Adds(1, 10.0));
    graph.link(gps.port("fix"), whole.port("fix"), first).unwrap();
    let second = part::<[f64; 3]>(0).via("of the vector", Adds(1, 200.0));
    graph.link(whole.port("fix"), half.port("place"), second).unwrap();
    let third = part::<f64>(1).via("of the number", Adds(0, 3000.0));
    graph.link(half.port("place"), reader.port("in"), third).unwrap();
    run(graph, spread_over(1), ms(30));
    let seen: Vec<f64> = log.entries().into_iter().map(|(_, value)| value).collect();
    assert_eq!(seen, [8.0, 3210.25, 3211.25, 3212.25]);
}

#[test]
fn parts_of_messages_arrive_and_parts_of_signals_wake() {
    let (numbers, truths) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let gps = graph.add_periodic(root, "gps", Receiver::default(), Rate::hz(100)).unwrap();
    let collects = graph.add(root, "collects", Collects::into(&numbers)).unwrap();
    let watcher = Watcher { log: truths.clone(), ..Watcher::default() };
    let watcher = graph.add(root, "watcher", watcher).unwrap();
    graph.link(gps.port("message"), collects.port("in"), part::<f64>(0)).unwrap();
    graph.link(gps.port("fix"), watcher.port("in"), part::<bool>(5)).unwrap();
    run(graph, spread_over(1), ms(20));
    assert_eq!(numbers.entries(), [(ms(0), vec![0.0]), (ms(10), vec![1.0])]);
    assert_eq!(truths.entries(), [(ms(0), false), (ms(10), true)]);
}

#[test]
fn a_part_that_the_value_does_not_have_is_refused() {
    let refused = |link: Link| {
        let mut graph = Graph::new();
        let root = graph.root();
        let gps = graph.add_periodic(root, "gps", Receiver::default(), Rate::hz(100)).unwrap();
        let log = Log::default();
        let reader = graph.add_periodic(root, "z", Reader::<f64>::into(&log), Rate::hz(1)).unwrap();
        graph.link(gps.port("fix"), reader.port("in"), link).unwrap_err()
    };
    // A time is a whole number of 64 bits, which a real number would round; leaf 6 does not exist.
    let wrong = [4, 5, 6, usize::MAX].map(part::<f64>);
    for link in wrong.into_iter().chain([part::<bool>(5), Link::direct()]) {
        let error = refused(link);
        assert!(matches!(error, GraphError::TypeMismatch { .. }), "{error}");
    }
}

#[test]
fn all_signals_can_be_listed_as_they_are() {
    let mut graph = Graph::new();
    let root = graph.root();
    let gps = graph.add_periodic(root, "gps", Receiver::default(), Rate::hz(100)).unwrap();
    let log = Log::default();
    let reader = graph.add_periodic(root, "z", Reader::<f64>::into(&log), Rate::hz(1)).unwrap();
    graph.link(gps.port("fix"), reader.port("in"), part::<f64>(1)).unwrap();
    let simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let all = simulation.port_values();
    assert_eq!(all["z"].inputs["in"], 8.0f64.to_le_bytes());
    assert_eq!(all["gps"].outputs["fix"][..8], 9.0f64.to_le_bytes());
    // What sends messages holds no value.
    assert!(!all["gps"].outputs.contains_key("message"));
}
