//! Rule 5: latency belongs to the link and acts in any placement. What is sent at t arrives at t+L
//! in phase 1; `previous` shows the last value of an earlier instant.

mod models;

use ironbird_kernel::{
    AnyValue, Duration, Graph, Interposer, Link, Model, Passage, Periodic, Ports, RandomStream,
    Rate, SignalOut, Step, Time,
};
use models::{
    Collects, Log, Polls, Reads, Sends, Ticks, ms, run, spread_over, us, without_hanging,
};

#[test]
fn a_message_arrives_exactly_its_latency_later_in_every_placement() {
    for (partitions, ps) in [(1, 1), (2, 1), (1, 1_234_567_891), (2, 1_234_567_891)] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::new([(ms(0), 1.0), (ms(5), 2.0)])).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let latency = Duration::from_ps(ps);
        graph.link(source.port("out"), sink.port("in"), Link::direct().latency(latency)).unwrap();
        let simulation = run(graph, spread_over(partitions), ms(10));
        assert_eq!(simulation.statistics().placement.partitions, partitions);
        assert_eq!(log.entries(), [(ms(0) + latency, vec![1.0]), (ms(5) + latency, vec![2.0])]);
    }
}

#[test]
fn what_would_arrive_at_the_end_of_a_run_arrives_when_the_run_goes_on() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::once(ms(1), 1.0)).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let link = Link::direct().latency(Duration::from_ms(4));
        graph.link(source.port("out"), sink.port("in"), link).unwrap();
        let mut simulation = run(graph, spread_over(partitions), ms(5));
        assert_eq!(log.entries(), []);
        simulation.run_until(us(5_001)).unwrap();
        assert_eq!(log.entries(), [(ms(5), vec![1.0])]);
    }
}

#[test]
fn a_signal_shows_its_initial_value_until_the_latency_is_over() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add_periodic(root, "source", Ticks::default(), Rate::hz(100)).unwrap();
        let reader = graph.add_periodic(root, "reader", Reads::into(&log), Rate::hz(200)).unwrap();
        let link = Link::direct().latency(Duration::from_ms(15));
        graph.link(source.port("count"), reader.port("in"), link).unwrap();
        run(graph, spread_over(partitions), ms(41));
        // Tick k at 10k ms is seen from 10k + 15 ms on.
        let seen: Vec<u64> = log.entries().iter().map(|(_, value)| *value).collect();
        assert_eq!(seen, [0, 0, 0, 0, 0, 1, 1, 2, 2], "{partitions} partitions");
    }
}

#[test]
fn a_value_that_arrives_at_the_instant_of_a_step_is_seen_by_that_step() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::once(ms(3), 1.0)).unwrap();
        let reader = graph.add_periodic(root, "reader", Polls::into(&log), Rate::hz(200)).unwrap();
        let link = Link::direct().latency(Duration::from_ms(2));
        graph.link(source.port("out"), reader.port("in"), link).unwrap();
        run(graph, spread_over(partitions), ms(11));
        assert_eq!(log.entries(), [(ms(0), vec![]), (ms(5), vec![1.0]), (ms(10), vec![])]);
    }
}

#[test]
fn previous_reads_the_value_of_an_earlier_instant_and_may_be_cut() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add_periodic(root, "source", Ticks::default(), Rate::hz(1_000)).unwrap();
        let reader =
            graph.add_periodic(root, "reader", Reads::into(&log), Rate::hz(1_000)).unwrap();
        graph.link(source.port("count"), reader.port("in"), Link::direct().previous()).unwrap();
        let simulation = run(graph, spread_over(partitions), ms(5));
        assert_eq!(simulation.statistics().placement.partitions, partitions);
        let expected: Vec<_> = (0..5u64).map(|k| (ms(k), k.saturating_sub(1))).collect();
        assert_eq!(log.entries(), expected, "{partitions} partitions");
    }
}

#[test]
fn two_components_that_read_each_others_previous_value_run_on_two_threads() {
    /// Adds one to what it reads.
    #[derive(Default)]
    struct Adds {
        input: ironbird_kernel::SignalIn<u64>,
        out: SignalOut<u64>,
    }
    impl Model for Adds {
        fn ports(&mut self, ports: &mut Ports) {
            self.input = ports.signal_in("in");
            self.out = ports.signal_out("out", 0);
        }
    }
    impl Periodic for Adds {
        fn step(&mut self, step: &mut Step<'_>) {
            let sum = step.signal(self.input) + 1;
            step.write(self.out, sum);
        }
    }
    for partitions in [1, 2] {
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add_periodic(root, "a", Adds::default(), Rate::hz(1_000)).unwrap();
        let b = graph.add_periodic(root, "b", Adds::default(), Rate::hz(1_000)).unwrap();
        graph.link(a.port("out"), b.port("in"), Link::direct().previous()).unwrap();
        graph.link(b.port("out"), a.port("in"), Link::direct().previous()).unwrap();
        let mut simulation =
            ironbird_kernel::Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.record("b", "out").unwrap();
        simulation.run_until(ms(1_000)).unwrap();
        let samples = simulation.samples::<u64>("b", "out").unwrap();
        let expected: Vec<_> = (0..1_000).map(|k| (ms(k), k + 1)).collect();
        assert_eq!(samples, expected, "{partitions} partitions");
    }
}

#[test]
fn previous_with_a_longer_latency_shows_the_latency() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add_periodic(root, "source", Ticks::default(), Rate::hz(1_000)).unwrap();
    let reader = graph.add_periodic(root, "reader", Reads::into(&log), Rate::hz(1_000)).unwrap();
    let link = Link::direct().previous().latency(Duration::from_ms(2));
    graph.link(source.port("count"), reader.port("in"), link).unwrap();
    run(graph, spread_over(2), ms(5));
    let seen: Vec<u64> = log.entries().iter().map(|(_, value)| *value).collect();
    assert_eq!(seen, [0, 0, 0, 1, 2]);
}

/// Does nothing to what passes, except for a delay.
#[derive(Clone)]
struct Passes(Duration);

impl Interposer for Passes {
    fn pass(&mut self, _: Time, _: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        if self.0 == Duration::ZERO { Passage::Deliver } else { Passage::Delay(self.0) }
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
}

#[test]
fn an_interposer_that_does_nothing_leaves_a_direct_link_without_latency() {
    let (events, signals) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add_periodic(root, "source", Ticks::default(), Rate::hz(1_000)).unwrap();
    let sink = graph.add(root, "sink", Collects::into(&events)).unwrap();
    let reader = graph.add_periodic(root, "t", Reads::into(&signals), Rate::hz(1_000)).unwrap();
    let via = |name| Link::direct().via(name, Passes(Duration::ZERO));
    graph.link(source.port("out"), sink.port("in"), via("a")).unwrap();
    graph.link(source.port("count"), reader.port("in"), via("b")).unwrap();
    let simulation = run(graph, spread_over(2), ms(3));
    assert_eq!(simulation.statistics().placement.partitions, 1);
    assert_eq!(events.entries(), [(ms(0), vec![0.0]), (ms(1), vec![1.0]), (ms(2), vec![2.0])]);
    assert_eq!(signals.entries(), [(ms(0), 0), (ms(1), 1), (ms(2), 2)]);
}

#[test]
fn the_delay_of_an_interposer_adds_to_the_latency_in_every_placement() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::once(ms(1), 1.0)).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let delay = Passes(Duration::from_us(30));
        let link = Link::direct().latency(Duration::from_us(500)).via("slow", delay);
        graph.link(source.port("out"), sink.port("in"), link).unwrap();
        run(graph, spread_over(partitions), ms(5));
        assert_eq!(log.entries(), [(us(1_530), vec![1.0])], "{partitions} partitions");
    }
}

#[test]
fn of_two_writes_of_a_signal_in_one_instant_the_last_arrives() {
    // `source` ticks at both rates' common instants once, so an atomic writes twice instead.
    use ironbird_kernel::{Atomic, Context, Inputs, Outputs};
    #[derive(Default)]
    struct WritesTwice {
        out: SignalOut<u64>,
        written: u64,
    }
    impl Model for WritesTwice {
        fn ports(&mut self, ports: &mut Ports) {
            self.out = ports.signal_out("out", 0);
        }
    }
    impl Atomic for WritesTwice {
        fn time_advance(&self) -> Duration {
            match self.written {
                0 => Duration::from_ms(1),
                1 => Duration::ZERO,
                _ => Duration::FOREVER,
            }
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            out.write(self.out, 10 + self.written);
        }
        fn internal(&mut self, _: &mut Context<'_>) {
            self.written += 1;
        }
        fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
    }
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", WritesTwice::default()).unwrap();
        let reader = graph.add_periodic(root, "t", Reads::into(&log), Rate::hz(1_000)).unwrap();
        let link = Link::direct().latency(Duration::from_us(500));
        graph.link(source.port("out"), reader.port("in"), link).unwrap();
        run(graph, spread_over(partitions), ms(4));
        assert_eq!(log.entries(), [(ms(0), 0), (ms(1), 0), (ms(2), 11), (ms(3), 11)]);
    }
}

#[test]
fn five_thousand_messages_of_one_instant_cross_to_another_thread_in_order() {
    let expected: Vec<f64> = (0..5_000).map(f64::from).collect();
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = Sends::new(expected.iter().map(|&value| (ms(1), value)));
        let source = graph.add(root, "source", source).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let link = Link::direct().latency(Duration::from_us(1));
        graph.link(source.port("out"), sink.port("in"), link).unwrap();
        without_hanging(move || drop(run(graph, spread_over(partitions), ms(2))));
        assert_eq!(log.entries(), [(us(1_001), expected.clone())], "{partitions} partitions");
    }
}
