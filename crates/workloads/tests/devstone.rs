//! DEVStone on our kernel makes exactly the transitions that can be counted on paper.

use ironbird_kernel::{Options, Placement, QueueRegime, Simulation, Time};
use ironbird_workloads::devstone::{Devstone, Wiring, graph};

fn check(model: Devstone, queue: QueueRegime) {
    let options = Options { queue, placement: Placement::AtMost(4), ..Options::default() };
    let mut simulation = Simulation::new(graph(model).unwrap(), options).unwrap();
    simulation.run_until(Time::from_ps(1)).unwrap();
    let (statistics, expected) = (simulation.statistics(), model.tally());
    // The seeder makes one internal transition of its own.
    assert_eq!(statistics.internal, expected.internal + 1, "{model:?} {queue:?}");
    assert_eq!(statistics.external, expected.external, "{model:?} {queue:?}");
    assert_eq!(statistics.placement.partitions, 1, "all is joined without latency");
}

#[test]
fn transitions_equal_the_closed_forms_in_every_queue_regime() {
    for wiring in [Wiring::Li, Wiring::Hi, Wiring::Ho, Wiring::HoMod] {
        for (width, depth) in [(1, 1), (2, 5), (5, 2), (10, 10), (13, 7)] {
            for queue in [QueueRegime::Adaptive, QueueRegime::Heap, QueueRegime::Sweep] {
                check(Devstone { wiring, width, depth }, queue);
            }
        }
    }
}

#[test]
fn the_large_models_are_counted_exactly_too() {
    for wiring in [Wiring::Li, Wiring::Hi, Wiring::Ho] {
        check(Devstone::square(wiring, 200), QueueRegime::Adaptive);
    }
    check(Devstone::square(Wiring::HoMod, 20), QueueRegime::Adaptive);
}
