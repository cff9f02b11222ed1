//! The system itself may change at an instant: components and links come and go, and everybody
//! else goes on as if nothing had happened.

mod models;

use std::collections::BTreeMap;

use ironbird_kernel::{
    AnyValue, BuildError, Duration, Graph, GraphError, Interposer, Link, Outcome, Passage,
    RandomStream, Rate, Simulation, Time,
};
use models::{Chatter, Collects, Log, Reads, Sends, Ticks, ms, run, spread_over, us};

type Drawn = BTreeMap<String, Vec<(Time, u64)>>;

/// Eight residents in a ring; visitors come and go at random instants and talk to residents. The
/// digest, and what every model drew.
fn with_visitors(visitors: usize, partitions: usize) -> (u64, Drawn) {
    let mut graph = Graph::new();
    let root = graph.root();
    let mut logs: BTreeMap<String, Log<(Time, u64)>> = BTreeMap::new();
    let residents: Vec<_> = (0..8)
        .map(|n| {
            let name = format!("resident[{n}]");
            let log = logs.entry(name.clone()).or_default();
            graph.add(root, &name, Chatter::logging(log)).unwrap()
        })
        .collect();
    let link = || Link::direct().latency(Duration::from_us(150));
    for n in 0..8 {
        let (from, to) = (residents[n], residents[(n + 1) % 8]);
        graph.link(from.port("out"), to.port("in"), link()).unwrap();
    }
    let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
    let mut dice = RandomStream::from_key(42);
    for visitor in 0..visitors {
        let name = format!("visitor[{visitor}]");
        let comes = us(dice.below(40_000));
        let goes = comes + Duration::from_us(1 + dice.below(40_000));
        let hears = residents[dice.below(8) as usize];
        let log = logs.entry(name.clone()).or_default().clone();
        let added = name.clone();
        simulation
            .edit_at(comes, move |graph| {
                let visitor = graph.add(graph.root(), &added, Chatter::logging(&log))?;
                graph.link(hears.port("out"), visitor.port("in"), link())
            })
            .unwrap();
        simulation.edit_at(goes, move |graph| graph.remove(graph.find(&name)?)).unwrap();
    }
    assert_eq!(simulation.run_until(ms(100)).unwrap(), Outcome::Reached(ms(100)));
    let drawn = logs.into_iter().map(|(name, log)| (name, log.entries())).collect();
    (simulation.digest(), drawn)
}

#[test]
fn fifty_models_come_and_go_with_the_same_digest_on_one_to_eight_partitions() {
    let (digest, drawn) = with_visitors(50, 1);
    assert_eq!(drawn.len(), 58);
    assert!(drawn.values().all(|numbers| !numbers.is_empty()));
    for partitions in 2..=8 {
        let (other, theirs) = with_visitors(50, partitions);
        assert_eq!(theirs, drawn, "{partitions} partitions");
        assert_eq!(other, digest, "{partitions} partitions");
    }
}

#[test]
fn visitors_leave_the_random_numbers_of_residents_as_they_were() {
    let (_, quiet) = with_visitors(0, 1);
    let (_, busy) = with_visitors(50, 3);
    for (name, numbers) in &quiet {
        assert!(numbers.len() > 50);
        assert_eq!(&busy[name], numbers, "{name}");
    }
}

#[test]
fn an_added_component_starts_at_its_instant_and_its_grid_is_anchored_there() {
    for partitions in [1, 2] {
        let log = Log::default();
        let mut simulation = Simulation::new(Graph::new(), spread_over(partitions)).unwrap();
        let model = Ticks::into(&log);
        simulation
            .edit_at(us(1_234), |graph| {
                graph.add_periodic(graph.root(), "late", model, Rate::hz(1_000)).map(drop)
            })
            .unwrap();
        simulation.run_until(us(4_000)).unwrap();
        assert_eq!(log.entries(), [(us(1_234), 0), (us(2_234), 1), (us(3_234), 2)]);
    }
}

#[test]
fn an_edit_comes_before_everything_else_of_its_instant() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", Sends::new([(ms(1), 1.0), (ms(2), 2.0)])).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let sink = Collects::into(&log);
    simulation
        .edit_at(ms(2), move |graph| {
            let sink = graph.add(graph.root(), "sink", sink)?;
            graph.link(source.port("out"), sink.port("in"), Link::direct())
        })
        .unwrap();
    simulation.run_until(ms(3)).unwrap();
    assert_eq!(log.entries(), [(ms(2), vec![2.0])]);
}

#[test]
fn what_is_under_way_survives_an_edit_elsewhere() {
    for partitions in [1, 3] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", Sends::once(ms(1), 1.0)).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let link = Link::direct().latency(Duration::from_ms(4));
        graph.link(source.port("out"), sink.port("in"), link).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        for at in [ms(2), ms(3), ms(4)] {
            simulation
                .edit_at(at, move |graph| {
                    let name = format!("a{}", at.as_ps());
                    graph.add(graph.root(), &name, Chatter::default()).map(drop)
                })
                .unwrap();
        }
        simulation.run_until(ms(10)).unwrap();
        assert_eq!(log.entries(), [(ms(5), vec![1.0])]);
    }
}

#[test]
fn a_new_reader_behind_a_latency_first_reads_the_present_value() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(2)).unwrap();
    let reader = Reads::into(&log);
    simulation
        .edit_at(us(5_500), move |graph| {
            let reader = graph.add_periodic(graph.root(), "reader", reader, Rate::hz(1_000))?;
            let link = Link::direct().latency(Duration::from_ms(2));
            graph.link(ticks.port("count"), reader.port("in"), link)
        })
        .unwrap();
    simulation.run_until(us(9_000)).unwrap();
    let seen: Vec<u64> = log.entries().into_iter().map(|(_, value)| value).collect();
    // At 5.5, 6.5, 7.5, 8.5 ms; what is written from 6 ms on arrives from 8 ms on.
    assert_eq!(seen, [5, 5, 5, 6]);
}

#[test]
fn a_path_can_be_used_again_and_so_can_the_name_of_a_link() {
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
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", Sends::new((1..6).map(|n| (ms(n), n as f64)))).unwrap();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    let via = || Link::direct().via("wire", Passes);
    graph.link(source.port("out"), sink.port("in"), via()).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let again = Collects::into(&log);
    simulation
        .edit_at(ms(3), move |graph| {
            graph.remove(sink)?;
            let sink = graph.add(graph.root(), "sink", again)?;
            graph.link(source.port("out"), sink.port("in"), via())
        })
        .unwrap();
    assert_eq!(simulation.run_until(ms(10)), Ok(Outcome::Reached(ms(10))));
    assert_eq!(log.entries().len(), 5);
}

#[test]
fn what_a_removed_component_recorded_can_still_be_read() {
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    simulation.record("ticks", "count").unwrap();
    simulation.edit_at(us(2_500), move |graph| graph.remove(ticks)).unwrap();
    simulation.run_until(ms(5)).unwrap();
    let samples = simulation.samples::<u64>("ticks", "count");
    assert_eq!(samples, Ok(vec![(ms(0), 0), (ms(1), 1), (ms(2), 2)]));
}

#[test]
fn a_reader_left_without_its_source_is_an_error_that_names_the_port() {
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let reads = graph.add_periodic(root, "reads", Reads::default(), Rate::hz(1_000)).unwrap();
    graph.link(ticks.port("count"), reads.port("in"), Link::direct()).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    simulation.edit_at(ms(2), move |graph| graph.remove(ticks)).unwrap();
    let error = simulation.run_until(ms(5)).unwrap_err();
    assert_eq!(error, BuildError::Graph(GraphError::Unconnected { port: "reads.in".into() }));
    assert_eq!(error.to_string(), "the signal input reads.in has no source");
    assert_eq!(simulation.now(), ms(2));
}

#[test]
fn an_edit_in_the_past_is_refused() {
    let mut simulation = run(Graph::new(), spread_over(1), ms(5));
    let error = simulation.edit_at(ms(4), |_| Ok(())).unwrap_err();
    let text = "the action on \"the system\" at 0.004 s lies before 0.005 s, which has passed";
    assert_eq!(error.to_string(), text);
}
