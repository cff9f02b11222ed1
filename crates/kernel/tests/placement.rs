//! Rule 7: `AtMost` is an upper limit and the report says what holds units together; an explicit
//! placement that cuts a unit is an error.

mod models;

use std::collections::BTreeMap;

use ironbird_kernel::{
    BuildError, Duration, Graph, GraphError, Link, Monitor, Options, Placement, Simulation, Watched,
};
use models::{Chatter, ms, run, spread_over};

/// a -> b -> c without latency, c -> d and d -> e with.
fn chain() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let members =
        ["a", "b", "c", "d", "e"].map(|name| graph.add(root, name, Chatter::default()).unwrap());
    for (n, latency) in [0, 0, 1, 1].into_iter().enumerate() {
        let link = Link::direct().latency(Duration::from_us(latency));
        graph.link(members[n].port("out"), members[n + 1].port("in"), link).unwrap();
    }
    graph
}

fn explicit(places: &[(&str, usize)]) -> Options {
    let places: BTreeMap<String, usize> =
        places.iter().map(|&(path, partition)| (path.to_owned(), partition)).collect();
    Options { placement: Placement::Explicit(places), digest: true, ..Options::default() }
}

fn refused(graph: Graph, options: Options) -> GraphError {
    match Simulation::new(graph, options).err() {
        Some(BuildError::Graph(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn at_most_uses_no_more_partitions_than_there_are_units_and_says_why() {
    for (limit, used) in [(1, 1), (2, 2), (3, 3), (4, 3), (100, 3)] {
        let report = Simulation::new(chain(), spread_over(limit)).unwrap().statistics().placement;
        assert_eq!((report.partitions, report.units), (used, 3), "at most {limit}");
        let held: Vec<_> =
            report.held_together_by.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        if limit <= 3 {
            assert_eq!(held, [], "at most {limit}");
        } else {
            assert_eq!(held, [("a.out", "b.in"), ("b.out", "c.in")], "at most {limit}");
        }
    }
}

#[test]
fn no_partition_at_all_is_refused() {
    assert_eq!(refused(chain(), spread_over(0)), GraphError::NoPartition);
    assert_eq!(GraphError::NoPartition.to_string(), "a run needs at least one partition");
}

#[test]
fn an_explicit_placement_is_followed_and_its_numbers_need_no_order() {
    let alone = run(chain(), spread_over(1), ms(20)).digest();
    for places in [
        [("a", 0), ("b", 0), ("c", 0), ("d", 1), ("e", 2)],
        [("a", 40), ("b", 40), ("c", 40), ("d", 7), ("e", 40)],
        [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)],
    ] {
        let simulation = run(chain(), explicit(&places), ms(20));
        let mut numbers: Vec<usize> = places.iter().map(|(_, partition)| *partition).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(simulation.statistics().placement.partitions, numbers.len());
        assert_eq!(simulation.digest(), alone, "{places:?}");
    }
}

#[test]
fn an_explicit_placement_that_cuts_a_unit_is_refused_with_both_ends() {
    let options = explicit(&[("a", 0), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]);
    let error = refused(chain(), options);
    assert_eq!(error, GraphError::CutUnit { from: "a.out".into(), to: "b.in".into() });
    let text = "the placement separates a.out and b.in, which are linked without latency";
    assert_eq!(error.to_string(), text);
}

#[test]
fn an_explicit_placement_must_not_cut_what_a_monitor_watches() {
    let mut graph = chain();
    let watch = |component: &str| Watched { component: component.into(), port: "state".into() };
    let monitor = Monitor::stop_when("both", vec![watch("d"), watch("e")], |_| false);
    graph.monitor(monitor).unwrap();
    let options = explicit(&[("a", 0), ("b", 0), ("c", 0), ("d", 1), ("e", 2)]);
    assert_eq!(refused(graph, options), GraphError::CutUnit { from: "d".into(), to: "e".into() });
}

#[test]
fn an_unplaced_component_is_named() {
    let options = explicit(&[("a", 0), ("b", 0), ("c", 0), ("e", 2)]);
    let error = refused(chain(), options);
    assert_eq!(error, GraphError::Unplaced { path: "d".into() });
    assert_eq!(error.to_string(), "the placement does not say where \"d\" goes");
}

#[test]
fn a_placement_of_something_that_is_not_there_is_refused() {
    let options = explicit(&[("a", 0), ("b", 0), ("c", 0), ("d", 0), ("f", 2)]);
    let error = refused(chain(), options);
    assert!(matches!(error, GraphError::NoSuchComponent { path, .. } if path == "f"));
}

#[test]
fn components_inside_a_placed_composite_follow_it_unless_placed_themselves() {
    let mut graph = Graph::new();
    let root = graph.root();
    let group = graph.composite(root, "group").unwrap();
    let inner = graph.composite(group, "inner").unwrap();
    for (parent, name) in [(group, "a"), (inner, "b"), (inner, "c")] {
        graph.add(parent, name, Chatter::default()).unwrap();
    }
    let options = explicit(&[("group", 0), ("group.inner.c", 1)]);
    let simulation = Simulation::new(graph, options).unwrap();
    assert_eq!(simulation.statistics().placement.partitions, 2);
}

#[test]
fn a_system_without_models_runs() {
    let simulation = run(Graph::new(), spread_over(4), ms(1_000));
    assert_eq!(simulation.statistics().placement.partitions, 1);
    assert_eq!(simulation.now(), ms(1_000));
}
