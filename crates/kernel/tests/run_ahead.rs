//! Rule 8: run-ahead models get `until` = the earliest instant at which an input could still
//! arrive. Their state depends on their inputs, never on the sequence of `until`s.

mod models;

use ironbird_kernel::{
    Advance, BuildError, Context, Duration, EventIn, EventOut, Fault, Graph, GraphError, Inputs,
    Link, Model, Outcome, Outputs, Periodic, Ports, Rate, RunAhead, Simulation, Step, Time,
};
use models::{
    Bag, Collects, Log, Polls, Processor, Reads, Sends, Ticks, ms, run, spread_over, us,
    without_hanging,
};

/// Two processors that talk over links of 300 µs, with or without unrelated tickers beside them.
fn two_processors(tickers: &[u64]) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let a = Processor::showing((1..20).map(|k| us(500 * k)));
    let b = Processor::showing((1..30).map(|k| us(333 * k + 1)));
    let a = graph.add_run_ahead(root, "a", a).unwrap();
    let b = graph.add_run_ahead(root, "b", b).unwrap();
    let link = || Link::direct().latency(Duration::from_us(300));
    graph.link(a.port("out"), b.port("in"), link()).unwrap();
    graph.link(b.port("out"), a.port("in"), link()).unwrap();
    for &rate in tickers {
        let name = format!("ticker[{rate}]");
        graph.add_periodic(root, &name, Ticks::default(), Rate::hz(rate)).unwrap();
    }
    graph
}

/// What the processors showed, and when.
fn shown(graph: Graph, partitions: usize, stops: &[Time]) -> Vec<Vec<(Time, u64)>> {
    let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
    simulation.record("a", "count").unwrap();
    simulation.record("b", "count").unwrap();
    for &stop in stops {
        assert_eq!(simulation.run_until(stop).unwrap(), Outcome::Reached(stop));
    }
    ["a", "b"].iter().map(|path| simulation.samples(path, "count").unwrap()).collect()
}

#[test]
fn unrelated_models_in_any_partition_and_any_stops_leave_the_result_as_it_was() {
    let alone = shown(two_processors(&[]), 1, &[ms(10)]);
    assert_eq!((alone[0].len(), alone[1].len()), (19, 29));
    assert_eq!(alone[0][0].0, us(500));
    for partitions in 1..=4 {
        let stops: Vec<Time> = (1..=100).map(|k| us(100 * k)).collect();
        for stops in [&[ms(10)][..], &stops] {
            assert_eq!(shown(two_processors(&[]), partitions, stops), alone);
            // 2 kHz and 3 kHz tick at the very instants at which the processors show something.
            let busy = shown(two_processors(&[2_000, 3_000, 7_919]), partitions, stops);
            assert_eq!(busy, alone, "{partitions} partitions, {} stops", stops.len());
        }
    }
}

#[test]
fn the_digest_is_the_same_for_every_placement() {
    let digests: Vec<u64> = (1..=5)
        .map(|n| run(two_processors(&[2_000, 3_000, 100]), spread_over(n), ms(10)).digest())
        .collect();
    assert_eq!(digests, [digests[0]; 5]);
}

#[test]
fn a_processor_has_executed_exactly_what_starts_before_an_input() {
    // Instruction k starts at k µs: before 2 ms and before 2.0000005 ms.
    for at in [ms(2), Time::from_ps(2_000_500_000), Time::from_ps(1_999_999_999)] {
        let processor = Processor::default();
        let heard = processor.heard.clone();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::once(at, 7.0)).unwrap();
        let processor = graph.add_run_ahead(root, "processor", processor).unwrap();
        graph.link(source.port("out"), processor.port("in"), Link::direct()).unwrap();
        run(graph, spread_over(1), ms(5));
        let executed = at.as_ps().div_ceil(1_000_000);
        assert_eq!(heard.entries(), [(at, executed, vec![7.0])]);
    }
}

#[test]
fn an_output_at_an_instant_at_which_others_are_due_comes_in_a_round_of_its_own() {
    let log: Log<Bag> = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let processor = graph.add_run_ahead(root, "a", Processor::showing([ms(2)])).unwrap();
    let sends = graph.add(root, "b", Sends::once(ms(2), 50.0)).unwrap();
    let sink = graph.add(root, "c", Collects::into(&log)).unwrap();
    graph.link(processor.port("out"), sink.port("in"), Link::direct()).unwrap();
    graph.link(sends.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(3));
    let bags = log.entries();
    assert_eq!(bags.len(), 2, "{bags:?}");
    assert_eq!(bags[0], (ms(2), vec![50.0]));
    assert_eq!((bags[1].0, bags[1].1.len()), (ms(2), 1));
}

#[test]
fn a_step_at_the_instant_of_an_output_does_not_see_it_yet() {
    let (events, signals) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let processor = graph.add_run_ahead(root, "a", Processor::showing([ms(2)])).unwrap();
    let polls = graph.add_periodic(root, "b", Polls::into(&events), Rate::hz(1_000)).unwrap();
    let reads = graph.add_periodic(root, "c", Reads::into(&signals), Rate::hz(1_000)).unwrap();
    graph.link(processor.port("out"), polls.port("in"), Link::direct()).unwrap();
    graph.link(processor.port("count"), reads.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(5));
    let counts: Vec<usize> = events.entries().iter().map(|(_, bag)| bag.len()).collect();
    assert_eq!(counts, [0, 0, 0, 1, 0]);
    let seen: Vec<bool> = signals.entries().iter().map(|(_, value)| *value != 0).collect();
    assert_eq!(seen, [false, false, false, true, true]);
}

#[test]
fn an_input_at_the_instant_of_an_output_comes_first() {
    // The output at 2 ms already contains what arrived at 2 ms, wherever the sender is.
    let shown = |partitions, value| {
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::once(ms(1), value)).unwrap();
        let processor = graph.add_run_ahead(root, "processor", Processor::showing([ms(2)]));
        let processor = processor.unwrap();
        let link = Link::direct().latency(Duration::from_ms(1));
        graph.link(source.port("out"), processor.port("in"), link).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.record("processor", "count").unwrap();
        simulation.run_until(ms(3)).unwrap();
        simulation.samples::<u64>("processor", "count").unwrap()
    };
    let (seven, eight) = (shown(1, 7.0), shown(1, 8.0));
    assert_eq!((seven.len(), seven[0].0), (1, ms(2)));
    assert_ne!(seven, eight);
    assert_eq!(shown(2, 7.0), seven);
}

#[test]
fn an_idle_model_is_not_advanced_until_an_input_wakes_it() {
    for partitions in [1, 3] {
        let processor = Processor::showing([us(10), ms(7)]).resting();
        let (untils, heard) = (processor.untils.clone(), processor.heard.clone());
        let mut graph = Graph::new();
        let root = graph.root();
        let processor = graph.add_run_ahead(root, "processor", processor).unwrap();
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(1_000)).unwrap();
        let sends = Sends::new([(ms(8), 1.0), (ms(9), 2.0)]);
        let source = graph.add(root, "source", sends).unwrap();
        let link = Link::direct().latency(Duration::from_us(100));
        graph.link(source.port("out"), processor.port("in"), link).unwrap();
        run(graph, spread_over(partitions), ms(20));
        let heard: Vec<_> = heard.entries().into_iter().map(|(at, _, bag)| (at, bag)).collect();
        assert_eq!(heard, [(us(8_100), vec![1.0]), (us(9_100), vec![2.0])]);
        let late = untils.entries().into_iter().filter(|&until| until > us(9_100)).count();
        assert!(late <= 1, "advanced {late} times while idle; {partitions} partitions");
    }
}

#[test]
fn one_way_without_latency_the_source_comes_first_and_the_reader_hears_it_at_once() {
    for tickers in [false, true] {
        let reader = Processor::showing([ms(2), ms(4)]);
        let heard = reader.heard.clone();
        let mut graph = Graph::new();
        let root = graph.root();
        // By path the reader comes first.
        let reader = graph.add_run_ahead(root, "a", reader).unwrap();
        let source = graph.add_run_ahead(root, "b", Processor::showing([ms(2), ms(3)])).unwrap();
        graph.link(source.port("out"), reader.port("in"), Link::direct()).unwrap();
        if tickers {
            graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(1_000)).unwrap();
        }
        let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
        simulation.record("a", "count").unwrap();
        simulation.run_until(ms(5)).unwrap();
        let heard: Vec<_> = heard.entries().into_iter().map(|(at, n, _)| (at, n)).collect();
        assert_eq!(heard, [(ms(2), 2_000), (ms(3), 3_000)], "tickers: {tickers}");
        let samples = simulation.samples::<u64>("a", "count").unwrap();
        let times: Vec<Time> = samples.into_iter().map(|(at, _)| at).collect();
        assert_eq!(times, [ms(2), ms(4)]);
    }
}

#[test]
fn two_models_that_show_something_at_one_instant_fill_one_bag() {
    for tickers in [false, true] {
        let log: Log<Bag> = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        for name in ["b", "a"] {
            let source = graph.add_run_ahead(root, name, Processor::showing([ms(2)])).unwrap();
            graph.link(source.port("out"), sink.port("in"), Link::direct()).unwrap();
        }
        if tickers {
            graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(1_000)).unwrap();
        }
        run(graph, spread_over(1), ms(3));
        let bags = log.entries();
        assert_eq!((bags.len(), bags[0].0, bags[0].1.len()), (1, ms(2), 2), "tickers: {tickers}");
    }
}

#[test]
fn a_message_of_another_run_ahead_model_and_an_output_of_one_instant_meet_alike_in_every_placement()
{
    // peer shows at 2 ms, 3 ms away from sink; cpu shows at 5 ms, beside sink.
    let bags = |partitions| {
        let log: Log<Bag> = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let cpu = graph.add_run_ahead(root, "cpu", Processor::showing([ms(5)])).unwrap();
        let peer = graph.add_run_ahead(root, "peer", Processor::showing([ms(2)])).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        graph.link(cpu.port("out"), sink.port("in"), Link::direct()).unwrap();
        let far = Link::direct().latency(Duration::from_ms(3));
        graph.link(peer.port("out"), sink.port("in"), far).unwrap();
        let simulation = run(graph, spread_over(partitions), ms(10));
        assert_eq!(simulation.statistics().placement.partitions, partitions);
        log.entries().into_iter().map(|(at, bag)| (at, bag.len())).collect::<Vec<_>>()
    };
    // A run-ahead model comes after everything else that is due in its unit.
    assert_eq!(bags(2), [(ms(5), 1), (ms(5), 1)]);
    assert_eq!(bags(1), bags(2));
}

#[test]
fn a_loop_of_two_run_ahead_models_without_latency_is_refused() {
    for through_a_relay in [false, true] {
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add_run_ahead(root, "a", Processor::showing([ms(1)])).unwrap();
        let b = graph.add_run_ahead(root, "b", Processor::showing([ms(1)])).unwrap();
        graph.link(a.port("out"), b.port("in"), Link::direct()).unwrap();
        if through_a_relay {
            let relay = graph.add(root, "relay", models::Relays::default()).unwrap();
            graph.link(b.port("out"), relay.port("in"), Link::direct()).unwrap();
            graph.link(relay.port("out"), a.port("in"), Link::direct()).unwrap();
        } else {
            graph.link(b.port("out"), a.port("in"), Link::direct()).unwrap();
        }
        let error = without_hanging(move || Simulation::new(graph, spread_over(1)).err());
        let expected = GraphError::RunAheadCycle { a: "a".into(), b: "b".into() };
        assert_eq!(error, Some(BuildError::Graph(expected)));
        let text = error.unwrap().to_string();
        assert!(text.starts_with("the components \"a\" and \"b\" run ahead of others"), "{text}");
    }
}

#[test]
fn a_loop_with_a_latency_on_one_side_is_accepted_and_goes_on() {
    let mut graph = Graph::new();
    let root = graph.root();
    let b = Processor::showing((1..5).map(ms));
    let heard = b.heard.clone();
    let a = graph.add_run_ahead(root, "a", Processor::showing((1..5).map(ms))).unwrap();
    let b = graph.add_run_ahead(root, "b", b).unwrap();
    graph.link(a.port("out"), b.port("in"), Link::direct()).unwrap();
    let link = Link::direct().latency(Duration::from_us(10));
    graph.link(b.port("out"), a.port("in"), link).unwrap();
    without_hanging(move || drop(run(graph, spread_over(1), ms(6))));
    let times: Vec<Time> = heard.entries().into_iter().map(|(at, ..)| at).collect();
    assert_eq!(times, [ms(1), ms(2), ms(3), ms(4)]);
}

/// Passes on at its steps what has come since the last one.
#[derive(Default)]
struct World {
    input: EventIn<f64>,
    out: EventOut<f64>,
}

impl Model for World {
    fn ports(&mut self, ports: &mut Ports) {
        (self.input, self.out) = (ports.event_in("in"), ports.event_out("out"));
    }
}

impl Periodic for World {
    fn step(&mut self, step: &mut Step<'_>) {
        let come: f64 = step.events(self.input).sum();
        step.send(self.out, come);
    }
}

/// Two processors that reach each other through a periodic component only.
fn two_processors_in_a_world(link: fn() -> Link) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let world = graph.add_periodic(root, "world", World::default(), Rate::hz(1_000)).unwrap();
    for (name, every) in [("a", 170), ("b", 333)] {
        let processor = Processor::showing((1..30).map(|k| us(every * k)));
        let processor = graph.add_run_ahead(root, name, processor).unwrap();
        graph.link(processor.port("out"), world.port("in"), link()).unwrap();
        graph.link(world.port("out"), processor.port("in"), link()).unwrap();
    }
    graph
}

#[test]
fn a_periodic_component_between_run_ahead_models_lets_them_run_to_its_next_step() {
    let direct = shown(two_processors_in_a_world(Link::direct), 1, &[ms(10)]);
    let stops: Vec<Time> = (1..=100).map(|k| us(100 * k)).collect();
    assert_eq!(shown(two_processors_in_a_world(Link::direct), 1, &stops), direct);
    let advances = |link: fn() -> Link| {
        let simulation = run(two_processors_in_a_world(link), spread_over(1), ms(10));
        simulation.statistics().advances
    };
    // 58 outputs and 10 steps, each seen by two processors: not one advance per picosecond.
    let previous = || Link::direct().latency(Duration::from_ps(1));
    assert!(advances(Link::direct) < 200, "{}", advances(Link::direct));
    assert!(advances(previous) < 200, "{}", advances(previous));
    let apart = shown(two_processors_in_a_world(previous), 1, &[ms(10)]);
    for partitions in 2..=3 {
        assert_eq!(shown(two_processors_in_a_world(previous), partitions, &[ms(10)]), apart);
    }
}

/// Claims to stop where it must not.
struct Liar {
    out: EventOut<f64>,
    /// Where it says it stopped, when it has advanced to `from`.
    claim: fn(from: Time, until: Time) -> Time,
}

impl Liar {
    fn claiming(claim: fn(Time, Time) -> Time) -> Self {
        Liar { out: EventOut::default(), claim }
    }
}

impl Model for Liar {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.event_out("out");
    }
}

impl RunAhead for Liar {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        if context.now() < ms(2) {
            return Advance::Reached;
        }
        Advance::Output((self.claim)(context.now(), until))
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn input(&mut self, _: &mut Context<'_>, _: &Inputs<'_>) {}
}

#[test]
fn a_model_that_stops_behind_until_or_in_its_past_breaks_its_contract() {
    let claims: [fn(Time, Time) -> Time; 2] = [|_, until| until, |_, _| ms(1)];
    for (claim, stopped) in claims.into_iter().zip([ms(3), ms(1)]) {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_run_ahead(root, "liar", Liar::claiming(claim)).unwrap();
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(1_000)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
        let outcome = simulation.run_until(ms(10)).unwrap();
        let component = "liar".into();
        let fault = Fault::BadAdvance { component, from: ms(2), until: ms(3), stopped };
        assert_eq!(outcome, Outcome::Faulted(fault.clone()));
        let text = format!(
            "\"liar\" was to advance from 0.002 s to before 0.003 s and stopped at {stopped}"
        );
        assert_eq!(fault.to_string(), text);
    }
}

/// Fails when it executes the instruction at 3.5 ms.
struct Fails;

impl Model for Fails {
    fn ports(&mut self, _: &mut Ports) {}
}

impl RunAhead for Fails {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        if until > us(3_500) {
            context.fail_at(us(3_500), "illegal instruction");
        }
        Advance::Reached
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn input(&mut self, _: &mut Context<'_>, _: &Inputs<'_>) {}
}

#[test]
fn a_model_that_fails_on_its_way_ends_the_run_alike_in_every_placement() {
    let outcome = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_run_ahead(root, "cpu", Fails).unwrap();
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(1_000)).unwrap();
        Simulation::new(graph, spread_over(partitions)).unwrap().run_until(ms(10)).unwrap()
    };
    let (component, reason) = ("cpu".into(), "illegal instruction".into());
    let fault = Fault::Failed { component, at: us(3_500), reason };
    for partitions in [1, 2] {
        assert_eq!(outcome(partitions), Outcome::Faulted(fault.clone()), "{partitions} partitions");
    }
}
