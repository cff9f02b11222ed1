//! Small systems in which placement, or the way of running, once changed the result or hung.

mod random_graph;

use std::collections::BTreeMap;

use ironbird_kernel::{
    Advance, Atomic, Context, Duration, EventIn, EventOut, Graph, Inputs, Link, Model, Monitor,
    Options, Outputs, Placement, Ports, QueueRegime, RunAhead, SignalOut, Simulation, Time,
    Watched,
};
use random_graph::runs::watched;

/// Sends its count every `period`, first after one period, and shows it as a signal; sums up what
/// it gets.
#[derive(Default)]
struct Clock {
    input: EventIn<u64>,
    output: EventOut<u64>,
    shown: SignalOut<f64>,
    period: Duration,
    left: Duration,
    count: u64,
    sum: u64,
    /// Messages sent at once beyond the first.
    more: u32,
}

impl Clock {
    fn every(period: Duration) -> Self {
        Clock { period, left: period, ..Clock::default() }
    }
}

impl Model for Clock {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.output = ports.event_out("out");
        self.shown = ports.signal_out("shown", 0.0);
    }
}

impl Atomic for Clock {
    fn time_advance(&self) -> Duration {
        self.left
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        for _ in 0..=self.more {
            out.send(self.output, self.sum.wrapping_add(self.count));
        }
        out.write(self.shown, self.sum as f64);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.count += 1;
        self.left = self.period;
    }
    fn external(&mut self, _: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>) {
        self.left = Duration::from_ps(self.left.as_ps() - elapsed.as_ps());
        let arrived = inputs.events(self.input).fold(1, |sum: u64, &x| sum.wrapping_add(x));
        self.sum = self.sum.wrapping_mul(31).wrapping_add(arrived);
    }
}

/// Shows something every `period`, found only by executing.
struct Cpu {
    output: EventOut<u64>,
    next: Time,
    period: Duration,
}

impl Cpu {
    fn new(first: Duration, period: Duration) -> Self {
        Cpu { output: EventOut::default(), next: Time::ZERO + first, period }
    }
}

impl Model for Cpu {
    fn ports(&mut self, ports: &mut Ports) {
        self.output = ports.event_out("out");
    }
}

impl RunAhead for Cpu {
    fn advance(&mut self, _: &mut Context<'_>, until: Time) -> Advance {
        if self.next >= until {
            return Advance::Reached;
        }
        let at = self.next;
        self.next = at + self.period;
        Advance::Output(at)
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.output, 1);
    }
    fn input(&mut self, _: &mut Context<'_>, _: &Inputs<'_>) {}
}

fn us(us: u64) -> Duration {
    Duration::from_us(us)
}

fn options(places: &[(&str, usize)]) -> Options {
    let places: BTreeMap<String, usize> = places.iter().map(|&(p, n)| (p.into(), n)).collect();
    Options { placement: Placement::Explicit(places), digest: true, ..Options::default() }
}

fn digest_after(graph: Graph, options: Options, end: Duration) -> u64 {
    watched(&format!("{options:?}"), || {
        let mut simulation = Simulation::new(graph, options).unwrap();
        simulation.run_until(Time::ZERO + end).unwrap();
        simulation.digest()
    })
}

/// `a` and `b` exchange messages over one picosecond; `a` also sends to `c`, over so long a latency
/// that `c` is done before anything arrives.
#[test]
fn a_partition_that_is_done_does_not_slow_the_others_down() {
    let graph = || {
        let mut graph = Graph::new();
        let [a, b, c] = ["a", "b", "c"]
            .map(|name| graph.add(graph.root(), name, Clock::every(us(100))).unwrap());
        let short = || Link::direct().latency(Duration::EPSILON);
        graph.link(a.port("out"), b.port("in"), short()).unwrap();
        graph.link(b.port("out"), a.port("in"), short()).unwrap();
        graph.link(a.port("out"), c.port("in"), Link::direct().latency(us(5_000))).unwrap();
        graph
    };
    let alone = digest_after(graph(), options(&[("a", 0), ("b", 0), ("c", 0)]), us(2_000));
    let apart = digest_after(graph(), options(&[("a", 0), ("b", 1), ("c", 2)]), us(2_000));
    assert_eq!(alone, apart);
}

/// More messages than a lane holds, all of which arrive after the end of the stretch.
#[test]
fn messages_beyond_the_end_of_a_stretch_do_not_block_their_sender() {
    let graph = || {
        let mut graph = Graph::new();
        let a = graph.add(graph.root(), "a", Clock::every(us(1))).unwrap();
        let b = graph.add(graph.root(), "b", Clock::every(us(100))).unwrap();
        graph.link(a.port("out"), b.port("in"), Link::direct().latency(us(5_000))).unwrap();
        graph
    };
    let alone = digest_after(graph(), options(&[("a", 0), ("b", 0)]), us(3_000));
    let apart = digest_after(graph(), options(&[("a", 0), ("b", 1)]), us(3_000));
    assert_eq!(alone, apart);
}

/// More messages than a lane holds in one instant, while the receiver is asleep.
#[test]
fn a_burst_wakes_a_receiver_that_waits() {
    let graph = || {
        let mut graph = Graph::new();
        let burst = Clock { more: 5_000, ..Clock::every(us(1_000)) };
        let a = graph.add(graph.root(), "a", burst).unwrap();
        let b = graph.add(graph.root(), "b", Clock::every(us(5_000))).unwrap();
        graph.link(a.port("out"), b.port("in"), Link::direct().latency(us(10))).unwrap();
        graph
    };
    let alone = digest_after(graph(), options(&[("a", 0), ("b", 0)]), us(6_000));
    let apart = digest_after(graph(), options(&[("a", 0), ("b", 1)]), us(6_000));
    assert_eq!(alone, apart);
}

/// `early` shows something that arrives at `reader` at the very instant at which `late`, which
/// reaches it at once, shows something too: whatever shares a partition, the arrival comes first.
#[test]
fn a_run_ahead_model_comes_after_arrivals_in_its_unit() {
    let graph = || {
        let mut graph = Graph::new();
        let root = graph.root();
        let reader = graph.add(root, "reader", Clock::every(us(7_000))).unwrap();
        let early = graph.add_run_ahead(root, "early", Cpu::new(us(95), us(500))).unwrap();
        let late = graph.add_run_ahead(root, "late", Cpu::new(us(100), us(500))).unwrap();
        let delayed = Link::direct().latency(us(5));
        graph.link(early.port("out"), reader.port("in"), delayed).unwrap();
        graph.link(late.port("out"), reader.port("in"), Link::direct()).unwrap();
        graph
    };
    let places = |early: usize| options(&[("early", early), ("late", 0), ("reader", 0)]);
    let alone = digest_after(graph(), places(0), us(8_000));
    let apart = digest_after(graph(), places(1), us(8_000));
    assert_eq!(alone, apart);
}

/// `a` sends every microsecond and ends the run at half a millisecond: what it has sent until then
/// reaches `b`, which runs elsewhere.
#[test]
fn what_was_sent_before_a_stop_still_arrives() {
    let graph = || {
        let mut graph = Graph::new();
        let a = graph.add(graph.root(), "a", Clock::every(us(1))).unwrap();
        let b = graph.add(graph.root(), "b", Clock::every(us(7))).unwrap();
        graph.link(a.port("out"), b.port("in"), Link::direct().latency(us(10))).unwrap();
        let watched = Watched { component: "a".into(), port: "shown".into() };
        let late = |readings: &ironbird_kernel::Readings<'_>| {
            readings.now() >= Time::ZERO + Duration::from_us(500)
        };
        graph.monitor(Monitor::stop_when("late", vec![watched], late)).unwrap();
        graph
    };
    let alone = digest_after(graph(), options(&[("a", 0), ("b", 0)]), us(1_000));
    let apart = digest_after(graph(), options(&[("a", 0), ("b", 1)]), us(1_000));
    assert_eq!(alone, apart);
}

/// A stop that is noticed where few models are active ends the run there too, wherever the last
/// stretch began.
#[test]
fn a_stop_ends_the_run_at_its_instant_in_every_queue_regime() {
    let stopped_after = |queue: QueueRegime, first: Duration| {
        let mut graph = Graph::new();
        graph.add(graph.root(), "a", Clock::every(us(1))).unwrap();
        let watched = Watched { component: "a".into(), port: "shown".into() };
        let late = |readings: &ironbird_kernel::Readings<'_>| {
            readings.now() >= Time::ZERO + Duration::from_us(500)
        };
        graph.monitor(Monitor::stop_when("late", vec![watched], late)).unwrap();
        let mut simulation =
            Simulation::new(graph, Options { queue, digest: true, ..Options::default() }).unwrap();
        simulation.run_until(Time::ZERO + first).unwrap();
        simulation.run_until(Time::ZERO + us(1_000)).unwrap();
        (simulation.now(), simulation.statistics().internal, simulation.digest())
    };
    let expected = stopped_after(QueueRegime::Sweep, us(1_000));
    assert_eq!((expected.0, expected.1), (Time::ZERO + us(500), 500));
    for queue in [QueueRegime::Heap, QueueRegime::Adaptive, QueueRegime::Sweep] {
        for first in [us(1_000), us(333)] {
            assert_eq!(stopped_after(queue, first), expected, "{queue:?} {first}");
        }
    }
}
