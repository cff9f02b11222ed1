//! Rule 3: a DEVS cycle. All imminent models give output, outputs are routed, imminent models and
//! receivers make one transition: internal, external with the elapsed time, or confluent.

mod models;

use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Graph, Inputs, Link, Model, Outputs, Ports,
    SignalIn, SignalOut,
};
use models::{Log, Sends, ms, run, spread_over};

/// Tells each transition: due every 10 ms, unless something arrives.
#[derive(Default)]
struct Tells {
    input: EventIn<f64>,
    out: EventOut<f64>,
    log: Log<String>,
    /// Leaves the confluent transition as it is by default.
    by_default: bool,
}

impl Model for Tells {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.out = ports.event_out("out");
    }
}

impl Atomic for Tells {
    fn time_advance(&self) -> Duration {
        Duration::from_ms(10)
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.log.push(format!("output {}", out.now()));
        out.send(self.out, 1.0);
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        self.log.push(format!("internal {}", context.now()));
    }
    fn external(&mut self, context: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>) {
        let bag: Vec<f64> = inputs.events(self.input).copied().collect();
        self.log.push(format!("external {} after {elapsed} {bag:?}", context.now()));
    }
    fn confluent(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        if self.by_default {
            self.internal(context);
            self.external(context, Duration::ZERO, inputs);
            return;
        }
        let bag: Vec<f64> = inputs.events(self.input).copied().collect();
        self.log.push(format!("confluent {} {bag:?}", context.now()));
    }
}

fn told(at: &[u64], until: u64) -> Vec<String> {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source =
        graph.add(root, "source", Sends::new(at.iter().map(|&n| (ms(n), n as f64)))).unwrap();
    let tells = graph.add(root, "tells", Tells { log: log.clone(), ..Tells::default() }).unwrap();
    graph.link(source.port("out"), tells.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(until));
    log.entries()
}

#[test]
fn without_input_there_is_an_output_and_then_an_internal_transition() {
    let expected = ["output 0.01 s", "internal 0.01 s", "output 0.02 s", "internal 0.02 s"];
    assert_eq!(told(&[], 30), expected);
}

#[test]
fn an_input_counts_the_time_since_the_last_transition_and_starts_the_time_anew() {
    let expected = [
        "external 0.004 s after 0.004 s [4.0]",
        "external 0.007 s after 0.003 s [7.0]",
        "output 0.017 s",
        "internal 0.017 s",
        "external 0.018 s after 0.001 s [18.0]",
    ];
    assert_eq!(told(&[4, 7, 18], 20), expected);
}

#[test]
fn an_input_at_the_instant_at_which_the_time_is_over_is_one_confluent_transition() {
    let expected =
        ["output 0.01 s", "confluent 0.01 s [10.0]", "external 0.015 s after 0.005 s [15.0]"];
    assert_eq!(told(&[10, 15], 20), expected);
}

#[test]
fn by_default_confluent_is_internal_and_then_external_with_nothing_elapsed() {
    /// Leaves `confluent` to the trait.
    #[derive(Default)]
    struct Default_ {
        inner: Tells,
    }
    impl Model for Default_ {
        fn ports(&mut self, ports: &mut Ports) {
            self.inner.ports(ports);
        }
    }
    impl Atomic for Default_ {
        fn time_advance(&self) -> Duration {
            self.inner.time_advance()
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            self.inner.output(out);
        }
        fn internal(&mut self, context: &mut Context<'_>) {
            self.inner.internal(context);
        }
        fn external(&mut self, context: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>) {
            self.inner.external(context, elapsed, inputs);
        }
    }
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", Sends::once(ms(10), 5.0)).unwrap();
    let inner = Tells { log: log.clone(), by_default: true, ..Tells::default() };
    let tells = graph.add(root, "tells", Default_ { inner }).unwrap();
    graph.link(source.port("out"), tells.port("in"), Link::direct()).unwrap();
    let simulation = run(graph, spread_over(1), ms(15));
    let expected = ["output 0.01 s", "internal 0.01 s", "external 0.01 s after 0 s [5.0]"];
    assert_eq!(log.entries(), expected);
    // A confluent transition counts as both; the source made an internal one too.
    let statistics = simulation.statistics();
    assert_eq!((statistics.internal, statistics.external), (2, 1));
}

#[test]
fn two_models_that_send_to_each_other_at_one_instant_are_both_confluent() {
    let (a, b) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let first = graph.add(root, "a", Tells { log: a.clone(), ..Tells::default() }).unwrap();
    let second = graph.add(root, "b", Tells { log: b.clone(), ..Tells::default() }).unwrap();
    graph.link(first.port("out"), second.port("in"), Link::direct()).unwrap();
    graph.link(second.port("out"), first.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(15));
    assert_eq!(a.entries(), ["output 0.01 s", "confluent 0.01 s [1.0]"]);
    assert_eq!(b.entries(), a.entries());
}

#[test]
fn a_model_hears_itself_over_a_link_to_itself() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let tells = graph.add(root, "a", Tells { log: log.clone(), ..Tells::default() }).unwrap();
    graph.link(tells.port("out"), tells.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(15));
    assert_eq!(log.entries(), ["output 0.01 s", "confluent 0.01 s [1.0]"]);
}

#[test]
fn a_transition_reads_the_signals_that_were_written_in_its_cycle_whoever_comes_first() {
    // Each writes 1 at 10 ms and reads the other's signal in the same cycle's transition.
    #[derive(Default)]
    struct Both {
        input: SignalIn<u64>,
        out: SignalOut<u64>,
        written: bool,
        seen: Log<u64>,
        poke: EventIn<f64>,
    }
    impl Model for Both {
        fn ports(&mut self, ports: &mut Ports) {
            self.input = ports.waking_signal_in("in");
            self.out = ports.signal_out("out", 0);
            self.poke = ports.event_in("poke");
        }
    }
    impl Atomic for Both {
        fn time_advance(&self) -> Duration {
            if self.written { Duration::FOREVER } else { Duration::from_ms(10) }
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            out.write(self.out, 1);
        }
        fn internal(&mut self, _: &mut Context<'_>) {
            self.written = true;
        }
        fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
            assert!(inputs.is_written(self.input));
            self.seen.push(*inputs.signal(self.input));
        }
    }
    let (a, b) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let first = graph.add(root, "a", Both { seen: a.clone(), ..Both::default() }).unwrap();
    let second = graph.add(root, "b", Both { seen: b.clone(), ..Both::default() }).unwrap();
    graph.link(first.port("out"), second.port("in"), Link::direct()).unwrap();
    graph.link(second.port("out"), first.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(15));
    assert_eq!((a.entries(), b.entries()), (vec![1], vec![1]));
}
