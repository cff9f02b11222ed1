//! A partition whose thread vanishes without a word ends the run with an error, not with a hang.

mod models;

use ironbird_kernel::{Duration, Fault, Graph, Link, Outcome, Rate, Simulation};
use models::{Chatter, Ticks, ms, spread_over, without_hanging};

/// Chatterers that talk in a ring over links of 50 µs: one partition each.
fn ring(count: usize) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let members: Vec<_> = (0..count)
        .map(|n| graph.add(root, &format!("chatter[{n}]"), Chatter::default()).unwrap())
        .collect();
    for n in 0..count {
        let link = Link::direct().latency(Duration::from_us(50));
        let (from, to) = (members[n], members[(n + 1) % count]);
        graph.link(from.port("out"), to.port("in"), link).unwrap();
    }
    graph
}

#[test]
fn the_others_notice_and_the_run_ends_with_the_number_of_the_dead() {
    for (count, dead) in [(2, 0), (2, 1), (4, 3), (8, 5)] {
        let (outcome, now) = without_hanging(move || {
            let mut simulation = Simulation::new(ring(count), spread_over(count)).unwrap();
            simulation.let_partition_die(dead, ms(5));
            let outcome = simulation.run_until(ms(60_000)).unwrap();
            assert_eq!(simulation.run_until(ms(70_000)).unwrap(), outcome);
            (outcome, simulation.now())
        });
        let Outcome::Faulted(Fault::PartitionDied { partition, at, .. }) = &outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((*partition, *at), (dead, now));
        // It died in the first instant from 5 ms on in which its chatterer did something.
        assert!(*at <= ms(6), "{at}");
    }
}

#[test]
fn the_error_names_a_component_of_the_dead_partition() {
    let outcome = without_hanging(|| {
        let mut simulation = Simulation::new(ring(3), spread_over(3)).unwrap();
        simulation.let_partition_die(1, ms(5));
        simulation.run_until(ms(60_000)).unwrap()
    });
    let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
    let Fault::PartitionDied { component, .. } = &fault else { panic!("{fault:?}") };
    assert_eq!(component, "chatter[1]", "{fault}");
}

#[test]
fn the_death_of_a_partition_to_which_nobody_listens_is_noticed_too() {
    let outcome = without_hanging(|| {
        let mut graph = Graph::new();
        let root = graph.root();
        for name in ["a", "b"] {
            graph.add_periodic(root, name, Ticks::default(), Rate::hz(10_000)).unwrap();
        }
        let mut simulation = Simulation::new(graph, spread_over(2)).unwrap();
        simulation.let_partition_die(1, ms(5));
        simulation.run_until(ms(100)).unwrap()
    });
    assert!(
        matches!(outcome, Outcome::Faulted(Fault::PartitionDied { partition: 1, .. })),
        "{outcome:?}"
    );
}

#[test]
fn the_outcome_is_the_same_every_time() {
    let outcome = || {
        without_hanging(|| {
            let mut simulation = Simulation::new(ring(3), spread_over(3)).unwrap();
            simulation.let_partition_die(2, ms(5));
            simulation.run_until(ms(60_000)).unwrap()
        })
    };
    let first = outcome();
    for _ in 0..20 {
        assert_eq!(outcome(), first);
    }
}

#[test]
fn a_pause_that_is_asked_for_while_a_partition_dies_does_not_hang() {
    without_hanging(|| {
        for _ in 0..20 {
            let mut simulation = Simulation::new(ring(4), spread_over(4)).unwrap();
            simulation.let_partition_die(2, ms(5));
            let handle = simulation.pause_handle();
            let pauser = std::thread::spawn(move || handle.pause());
            let mut outcome = simulation.run_until(ms(60_000)).unwrap();
            pauser.join().unwrap();
            while matches!(outcome, Outcome::Paused(_)) {
                outcome = simulation.run_until(ms(60_000)).unwrap();
            }
            assert!(
                matches!(outcome, Outcome::Faulted(Fault::PartitionDied { partition: 2, .. })),
                "{outcome:?}"
            );
        }
    });
}
