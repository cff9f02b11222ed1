//! Rule 4: order never decides a result. A bag is sorted by source path (indices numerically),
//! port declaration, send time, cycle, index, in every placement.

mod models;

use ironbird_kernel::{
    AnyValue, Atomic, Context, Duration, EventOut, Graph, Inputs, Interposer, Link, Model, Outputs,
    Passage, Ports, RandomStream, Rate, Time,
};
use models::{Bag, Collects, Log, Polls, Relays, Sends, ms, run, spread_over};

/// Links every `(name, value, latency)` to one collector, in this order; what it got.
fn collected(sources: &[(&str, f64, Duration)], partitions: usize) -> Vec<Bag> {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    for &(name, value, latency) in sources {
        // All arrive at 10 ms.
        let at = Time::from_ps(ms(10).as_ps() - latency.as_ps());
        let source = graph.add(root, name, Sends::once(at, value)).unwrap();
        graph.link(source.port("out"), sink.port("in"), Link::direct().latency(latency)).unwrap();
    }
    run(graph, spread_over(partitions), ms(20));
    log.entries()
}

const NONE: Duration = Duration::ZERO;

#[test]
fn a_bag_is_ordered_by_path_with_indices_as_numbers_whatever_the_order_of_links() {
    let sources =
        [("quad[10]", 10.0, NONE), ("b", 2.0, NONE), ("quad[9]", 9.0, NONE), ("quad", 8.0, NONE)];
    assert_eq!(collected(&sources, 1), [(ms(10), vec![2.0, 8.0, 9.0, 10.0])]);
    let mut reversed = sources;
    reversed.reverse();
    assert_eq!(collected(&reversed, 1), [(ms(10), vec![2.0, 8.0, 9.0, 10.0])]);
}

#[test]
fn path_decides_before_latency_and_in_every_placement() {
    let sources = [
        ("quad[10]", 10.0, Duration::from_ms(7)),
        ("z", 26.0, NONE),
        ("a", 1.0, Duration::from_ps(1)),
        ("quad[9]", 9.0, Duration::from_ms(3)),
        ("b", 2.0, Duration::from_ms(10)),
    ];
    for partitions in 1..=5 {
        let expected = [(ms(10), vec![1.0, 2.0, 9.0, 10.0, 26.0])];
        assert_eq!(collected(&sources, partitions), expected, "{partitions} partitions");
    }
}

#[test]
fn a_composite_is_ordered_by_its_own_name_first() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    for (outer, inner, value) in [("b[2]", "a", 3.0), ("b[10]", "a", 4.0), ("a", "z", 1.0)] {
        let composite = graph.composite(root, outer).unwrap();
        let source = graph.add(composite, inner, Sends::once(ms(1), value)).unwrap();
        graph.link(source.port("out"), sink.port("in"), Link::direct()).unwrap();
    }
    let source = graph.add(root, "aa", Sends::once(ms(1), 2.0)).unwrap();
    graph.link(source.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(2));
    assert_eq!(log.entries(), [(ms(1), vec![1.0, 2.0, 3.0, 4.0])]);
}

/// Sends on its ports against the order of their declaration.
#[derive(Default)]
struct Backwards {
    ports: Vec<EventOut<f64>>,
    done: bool,
}

impl Model for Backwards {
    fn ports(&mut self, ports: &mut Ports) {
        self.ports = ["z", "m", "a"].map(|name| ports.event_out(name)).to_vec();
    }
}

impl Atomic for Backwards {
    fn time_advance(&self) -> Duration {
        if self.done { Duration::FOREVER } else { Duration::from_ms(1) }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        for (number, &port) in self.ports.iter().enumerate().rev() {
            out.send(port, 10.0 * number as f64);
            out.send(port, 10.0 * number as f64 + 1.0);
        }
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.done = true;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

#[test]
fn ports_count_in_the_order_of_their_declaration_and_messages_of_one_port_in_the_order_sent() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let source = graph.add(root, "source", Backwards::default()).unwrap();
        let link = || Link::direct().latency(Duration::from_us(1));
        for port in ["a", "m", "z"] {
            graph.link(source.port(port), sink.port("in"), link()).unwrap();
        }
        run(graph, spread_over(partitions), ms(2));
        let bag = vec![0.0, 1.0, 10.0, 11.0, 20.0, 21.0];
        assert_eq!(log.entries(), [(ms(1) + Duration::from_us(1), bag)], "{partitions} partitions");
    }
}

#[test]
fn of_one_port_what_was_sent_earlier_comes_first_over_whatever_link() {
    // Sent at 1, 2, 3 ms over links of 2, 1 and 0 ms: all arrive at 3 ms.
    for latencies in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let sends = Sends::new([(ms(1), 1.0), (ms(2), 2.0), (ms(3), 3.0)]);
        let source = graph.add(root, "source", sends).unwrap();
        for latency in latencies {
            let link = Link::direct().latency(Duration::from_ms(latency));
            graph.link(source.port("out"), sink.port("in"), link).unwrap();
        }
        run(graph, spread_over(1), ms(10));
        let at_3_ms = log.entries().into_iter().find(|(at, _)| *at == ms(3)).unwrap();
        assert_eq!(at_3_ms.1, [1.0, 2.0, 3.0], "{latencies:?}");
    }
}

#[test]
fn a_periodic_reader_finds_the_messages_of_one_port_by_send_time_over_two_links() {
    // Both links carry 1, 2, 3 and 4; the slow one brings each 1 ms later than the direct one.
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let sink = graph.add_periodic(root, "sink", Polls::into(&log), Rate::hz(100)).unwrap();
    let sends = Sends::new((1..=4).map(|n| (ms(n), n as f64)));
    let source = graph.add(root, "source", sends).unwrap();
    let slow = Link::direct().latency(Duration::from_ms(1));
    graph.link(source.port("out"), sink.port("in"), slow).unwrap();
    graph.link(source.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(11));
    let expected = vec![1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0];
    assert_eq!(log.entries(), [(ms(0), vec![]), (ms(10), expected)]);
}

/// Delays everything below a limit.
#[derive(Clone)]
struct DelaysBelow {
    limit: f64,
    delay: Duration,
}

impl Interposer for DelaysBelow {
    fn pass(&mut self, _: Time, value: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        let value = value.leaf_at(0).unwrap().as_f64();
        if value < self.limit { Passage::Delay(self.delay) } else { Passage::Deliver }
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
}

#[test]
fn a_delayed_and_a_direct_message_of_one_link_that_meet_both_arrive_the_earlier_first() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    let sends = Sends::new([(ms(1), 1.0), (ms(3), 30.0), (ms(3), 31.0)]);
    let source = graph.add(root, "source", sends).unwrap();
    let delays = DelaysBelow { limit: 10.0, delay: Duration::from_ms(2) };
    graph.link(source.port("out"), sink.port("in"), Link::direct().via("slow", delays)).unwrap();
    run(graph, spread_over(1), ms(10));
    assert_eq!(log.entries(), [(ms(3), vec![1.0, 30.0, 31.0])]);
}

#[test]
fn send_time_and_not_the_latency_of_the_link_orders_what_an_interposer_delayed() {
    // 1 is sent at 1 ms and delayed by 4 ms; 20 is sent at 2 ms over a link of 3 ms.
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    let source = graph.add(root, "source", Sends::new([(ms(1), 1.0), (ms(2), 20.0)])).unwrap();
    let delays = DelaysBelow { limit: 10.0, delay: Duration::from_ms(4) };
    graph.link(source.port("out"), sink.port("in"), Link::direct().via("slow", delays)).unwrap();
    let three = Link::direct().latency(Duration::from_ms(3));
    graph.link(source.port("out"), sink.port("in"), three).unwrap();
    run(graph, spread_over(1), ms(10));
    let expected = [(ms(2), vec![20.0]), (ms(4), vec![1.0]), (ms(5), vec![1.0, 20.0])];
    assert_eq!(log.entries(), expected);
}

#[test]
fn what_passes_a_relay_arrives_a_cycle_later_in_a_bag_of_its_own() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    let source = graph.add(root, "source", Sends::once(ms(1), 7.0)).unwrap();
    let relay = graph.add(root, "a", Relays::default()).unwrap();
    graph.link(source.port("out"), relay.port("in"), Link::direct()).unwrap();
    graph.link(source.port("out"), sink.port("in"), Link::direct()).unwrap();
    graph.link(relay.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(2));
    assert_eq!(log.entries(), [(ms(1), vec![7.0]), (ms(1), vec![7.0])]);
}

#[test]
fn messages_that_cycles_of_one_instant_sent_arrive_in_one_bag_in_the_order_of_cycles() {
    // The relay sends 1 and 2 in two cycles of the instant 1 ms; with latency they meet again.
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let late = Link::direct().latency(Duration::from_ms(1));
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let first = graph.add(root, "first", Relays::default()).unwrap();
        let second = graph.add(root, "second", Relays::default()).unwrap();
        let source = graph.add(root, "source", Sends::once(ms(1), 1.0)).unwrap();
        let other = graph.add(root, "zz", Sends::once(ms(1), 2.0)).unwrap();
        // `second` hears 1 at once and 2 a cycle later, through `first`.
        graph.link(source.port("out"), second.port("in"), Link::direct()).unwrap();
        graph.link(other.port("out"), first.port("in"), Link::direct()).unwrap();
        graph.link(first.port("out"), second.port("in"), Link::direct()).unwrap();
        graph.link(second.port("out"), sink.port("in"), late).unwrap();
        run(graph, spread_over(partitions), ms(5));
        assert_eq!(log.entries(), [(ms(2), vec![1.0, 2.0])], "{partitions} partitions");
    }
}
