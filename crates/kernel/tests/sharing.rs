//! Partitions that are used where they pay, as measured.

mod models;

use std::time::Duration as Wall;

use ironbird_kernel::{
    Duration, Graph, Link, Model, Options, Outcome, Periodic, Placement, Ports, Rate, Sharing,
    SharingReport, Simulation, Step,
};
use models::{Relays, Sends, ms, run, spread_over};

/// Two that have nothing to do but to wait for each other.
fn ping_pong() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let first = graph.add(root, "first", Sends::once(ms(0), 1.0)).unwrap();
    let [a, b] = ["a", "b"].map(|name| graph.add(root, name, Relays::default()).unwrap());
    for (from, to) in [(first, a), (a, b), (b, a)] {
        let link = Link::direct().latency(Duration::from_us(1));
        graph.link(from.port("out"), to.port("in"), link).unwrap();
    }
    graph
}

/// Takes a millisecond for each step, whoever else wants the core.
struct Sleeps;

impl Model for Sleeps {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Periodic for Sleeps {
    fn step(&mut self, _: &mut Step<'_>) {
        std::thread::sleep(Wall::from_millis(1));
    }
}

/// Two that do not wait for each other.
fn two_at_work() -> Graph {
    let mut graph = Graph::new();
    for name in ["a", "b"] {
        graph.add_periodic(graph.root(), name, Sleeps, Rate::hz(1_000)).unwrap();
    }
    graph
}

fn measured(graph: Graph) -> Simulation {
    let options = Options { sharing: Sharing::WhereItPays, ..spread_over(2) };
    Simulation::new(graph, options).unwrap()
}

fn report(simulation: &Simulation) -> SharingReport {
    simulation.statistics().sharing.expect("it is measured")
}

#[test]
fn partitions_that_only_wait_for_each_other_are_hardly_used() {
    let mut simulation = measured(ping_pong());
    assert_eq!(simulation.statistics().placement.partitions, 1);
    let mut until = ms(0);
    // Until they have been tried.
    let is_tried = |report: SharingReport| report.percent.is_some();
    while !is_tried(report(&simulation)) || report(&simulation).alone < Wall::from_millis(1500) {
        until += Duration::from_ms(10);
        assert_eq!(simulation.run_until(until), Ok(Outcome::Reached(until)));
    }
    let SharingReport { partitions, alone, shared, percent } = report(&simulation);
    println!("alone {alone:?}, shared {shared:?}, {percent:?} %");
    assert_eq!(partitions, 2);
    assert!(percent.is_some_and(|percent| percent < 110), "{percent:?}");
    assert!(shared * 5 < alone, "{shared:?} of {alone:?}");
    assert_eq!(simulation.statistics().placement.partitions, 1);
    let digest = simulation.digest();
    assert_eq!(run(ping_pong(), spread_over(1), until).digest(), digest);
}

#[test]
fn partitions_that_work_side_by_side_are_used() {
    let mut simulation = measured(two_at_work());
    let mut until = ms(0);
    // At a moment at which the machine is not too busy for it.
    let is_quick = |report: &SharingReport| report.percent.is_some_and(|percent| percent > 120);
    while !(report(&simulation).is_shared() && is_quick(&report(&simulation))) {
        until += Duration::from_ms(100);
        assert_eq!(simulation.run_until(until), Ok(Outcome::Reached(until)));
        assert!(until < ms(30_000), "{:?}", report(&simulation));
    }
    assert_eq!(simulation.statistics().placement.partitions, 2);
    assert_eq!(simulation.components_of(1), ["b"]);
}

#[test]
fn what_somebody_has_placed_is_not_measured() {
    let of = |placement, sharing| {
        let options = Options { placement, sharing, ..Options::default() };
        let simulation = Simulation::new(two_at_work(), options).unwrap();
        (simulation.statistics().sharing, simulation.statistics().placement.partitions)
    };
    let placed = Placement::Explicit([("a".into(), 0), ("b".into(), 1)].into());
    assert_eq!(of(placed, Sharing::WhereItPays), (None, 2));
    assert_eq!(of(Placement::AtMost(1), Sharing::WhereItPays), (None, 1));
    assert_eq!(of(Placement::AtMost(2), Sharing::Always), (None, 2));
}

#[test]
fn a_run_by_turns_counts_and_hashes_what_one_partition_does() {
    let whole = run(ping_pong(), spread_over(1), ms(20));
    let options = Options { sharing: Sharing::InTurns(Wall::from_micros(200)), ..spread_over(2) };
    let turns = run(ping_pong(), options, ms(20));
    assert_eq!(turns.digest(), whole.digest());
    let counts = |simulation: &Simulation| {
        let statistics = simulation.statistics();
        (statistics.internal, statistics.external, statistics.steps)
    };
    assert_eq!(counts(&turns), counts(&whole));
    let SharingReport { alone, shared, .. } = report(&turns);
    assert!(!alone.is_zero() && !shared.is_zero(), "{alone:?}, {shared:?}");
}
