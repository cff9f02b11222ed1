//! A room, its thermostat and what is around it: the same bits however they are spread.
//!
//! ```text
//! thermostat ──heater──► room ──air──► corridor        all links with a latency,
//!      ▲                  │ ▲             │            so that there are four units
//!      └─────passed───────┤ └────air──────┘
//!                         └────air──► meter (100 Hz)
//! ```

mod systems;

use ironbird_kernel::{Checkpoint, Duration, Graph, Link, Rate, Simulation, Time};
use ironbird_solvers::{Method, Settings, Trajectory};
use proptest::prelude::*;
use systems::{Corridor, Room, Sampler, Thermostat, add_bystanders, at, every_method, run, spread};

const END: f64 = 5.0;

/// The system above; with the thermostat and the meter joined to the room if `tight`.
fn house(settings: Settings, tight: bool) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let room = graph.add_run_ahead(root, "room", Room::model(settings)).unwrap();
    let corridor = graph.add_run_ahead(root, "corridor", Corridor::model(settings)).unwrap();
    let thermostat = graph.add(root, "thermostat", Thermostat::default()).unwrap();
    let meter = graph.add_periodic(root, "meter", Sampler::default(), Rate::hz(100)).unwrap();
    let wire = || Link::direct().latency(Duration::from_us(if tight { 0 } else { 3_300 }));
    let wall = || Link::direct().latency(Duration::from_ms(5));
    graph.link(room.port("passed"), thermostat.port("passed"), wire()).unwrap();
    graph.link(thermostat.port("heater"), room.port("heater"), wire()).unwrap();
    graph.link(room.port("air"), meter.port("signal"), wire()).unwrap();
    graph.link(room.port("air"), corridor.port("behind_wall"), wall()).unwrap();
    graph.link(corridor.port("air"), room.port("behind_wall"), wall()).unwrap();
    graph
}

fn digest(graph: Graph, partitions: usize, fused: bool) -> u64 {
    let mut simulation = Simulation::new(graph, spread(partitions, fused)).unwrap();
    run(&mut simulation, at(END));
    simulation.digest()
}

/// Lowest and highest temperature that the meter reads after 20 s, and the times of switching.
fn swing(settings: Settings) -> (f64, f64, Vec<Time>) {
    let mut simulation = Simulation::new(house(settings, false), spread(1, true)).unwrap();
    simulation.record("meter", "value").unwrap();
    simulation.record("thermostat", "switched").unwrap();
    run(&mut simulation, at(60.0));
    let air: Vec<(Time, f64)> = simulation.samples("meter", "value").unwrap();
    assert_eq!(air.len(), 6_000);
    let settled = air[2_000..].iter().map(|(_, x)| *x);
    let switched: Vec<(Time, u32)> = simulation.samples("thermostat", "switched").unwrap();
    let times = switched.iter().map(|(t, _)| *t).collect();
    (settled.clone().fold(f64::MAX, f64::min), settled.fold(f64::MIN, f64::max), times)
}

#[test]
fn every_method_sees_the_thermostat_switch_at_the_same_times() {
    let precise = Settings::new(Method::Dopri5).tolerance(1e-8, 1e-8);
    let (low, high, switched) = swing(precise);
    assert!(low > 15.0 && high < 24.0 && switched.len() > 8, "{low} {high} {switched:?}");
    for (settings, tolerance) in every_method().flat_map(|s| [(s, 1e-3), (s, 2e-4)]) {
        let method = settings.method;
        let (lowest, highest, times) = swing(settings.tolerance(tolerance, tolerance));
        assert!((lowest - low).abs() < 0.1 && (highest - high).abs() < 0.1, "{method}");
        assert_eq!(times.len(), switched.len(), "{method}");
        for (found, expected) in times.iter().zip(&switched) {
            let error = found.as_secs_f64() - expected.as_secs_f64();
            assert!(error.abs() < 500.0 * tolerance, "{method} switched {error} s late");
        }
    }
}

#[test]
fn partitions_and_fusing_change_no_bit() {
    for settings in every_method() {
        for tight in [false, true] {
            let expected = digest(house(settings, tight), 1, true);
            for (partitions, fused) in [(1, false), (2, true), (3, false), (4, true)] {
                let found = digest(house(settings, tight), partitions, fused);
                assert_eq!(found, expected, "{} on {partitions}, {tight}", settings.method);
            }
        }
    }
}

#[test]
fn four_units_really_run_on_four_partitions() {
    let graph = house(Settings::new(Method::Qss2), false);
    let simulation = Simulation::new(graph, spread(4, true)).unwrap();
    assert_eq!(simulation.statistics().placement.partitions, 4);
}

#[test]
fn a_checkpoint_goes_on_under_another_split() {
    for settings in every_method() {
        let expected = digest(house(settings, false), 1, true);
        for (before, after) in [(1, 4), (4, 1), (3, 2)] {
            let mut first = Simulation::new(house(settings, false), spread(before, true)).unwrap();
            run(&mut first, at(3.0 + 1e-12 * before as f64));
            let bytes = first.checkpoint().unwrap().to_bytes();
            let saved = Checkpoint::from_bytes(&bytes).unwrap();
            let mut second =
                Simulation::restore(house(settings, false), spread(after, false), &saved).unwrap();
            run(&mut second, at(END));
            assert_eq!(second.digest(), expected, "{} {before} {after}", settings.method);
        }
    }
}

/// All that the room shows, with others in the same partition.
fn room_among(settings: Settings, rates: &[u64], pauses: &[u64]) -> Vec<(Time, Trajectory)> {
    let mut graph = house(settings, false);
    add_bystanders(&mut graph, rates);
    let mut simulation = Simulation::new(graph, spread(1, true)).unwrap();
    simulation.record("room", "air").unwrap();
    let mut pauses: Vec<Time> = pauses.iter().map(|ms| at(*ms as f64 * 1e-3)).collect();
    pauses.sort_unstable();
    for pause in pauses {
        run(&mut simulation, pause);
    }
    run(&mut simulation, at(6.0));
    simulation.samples("room", "air").unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..Default::default() })]
    #[test]
    fn who_shares_the_partition_and_where_it_pauses_changes_no_bit(
        rates in prop::collection::vec(1..3_000u64, 0..3),
        pauses in prop::collection::vec(1..6_000u64, 0..4),
    ) {
        for settings in every_method() {
            let alone = room_among(settings, &[], &[]);
            prop_assert!(alone.len() > 5);
            prop_assert_eq!(room_among(settings, &rates, &pauses), alone, "{}", settings.method);
        }
    }
}
