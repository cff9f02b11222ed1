//! Frames over links.

use ironbird_kernel::{Options, Outcome, Placement, Simulation, Time};
use ironbird_test_rig::Rig;

use crate::peer::{Sockets, forwarder, heard, on, rig};

const BACK: crate::peer::Forward = |from, _| from;
const US: u64 = 1_000_000;

fn us(us: u64) -> Time {
    Time::from_ps(us * US)
}

/// A beacon of ten frames, a µs apart, over a link to something that sends them back.
fn beacon(link: &str) -> Rig {
    let mut rig = rig();
    rig.add("beacon", "test.beacon", &[]);
    rig.add("net", "simbricks.net", &on(link, &[]));
    rig.link("beacon.frames", "net.send");
    rig
}

/// What came back, and what the other side saw.
type Echoes = (Vec<(u64, u8)>, Vec<(u64, usize, u8)>);

fn echo(here: &str, there: &str) -> Echoes {
    let peer = forwarder(vec![there.to_owned()], us(20), BACK);
    let back = run_in(1, beacon(here), &["net"]).remove(0);
    (back, peer.join().unwrap())
}

#[test]
fn a_frame_arrives_after_the_latency_of_its_sender() {
    let sockets = Sockets::new();
    let listen = &sockets.link("eth", ":latency=300")[0];
    let connect =
        format!("connect:{}:latency=200:sync_interval=200", sockets.path("eth").display());
    let (back, seen) = echo(listen, &connect);
    let expected: Vec<_> = (0..10).map(|k| (1000 * k + 300, 0, k as u8)).collect();
    assert_eq!(seen, expected);
    let expected: Vec<_> = (0..10).map(|k| (1000 * k + 500, k as u8)).collect();
    assert_eq!(back, expected);
    assert!(sockets.is_empty(), "the socket is gone with the run");
}

#[test]
fn both_parts_and_any_interval_give_the_same() {
    let mut all = Vec::new();
    for options in ["", ":sync_interval=500", ":sync_interval=130", ":sync_interval=20"] {
        for swapped in [false, true] {
            let sockets = Sockets::new();
            let [listen, connect] = sockets.link("eth", options);
            all.push(if swapped { echo(&connect, &listen) } else { echo(&listen, &connect) });
        }
    }
    assert_eq!(all[0].0.len(), 10);
    assert!(all.iter().all(|echoes| *echoes == all[0]), "{all:?}");
}

#[test]
fn shared_memory_in_a_file_is_removed_with_the_link() {
    let sockets = Sockets::new();
    let [socket, file] = ["eth", "pool"].map(|name| sockets.path(name).display().to_string());
    let (back, _) = echo(&format!("listen:{socket}:{file}"), &format!("connect:{socket}"));
    assert_eq!(back.len(), 10);
    assert!(sockets.is_empty());
}

/// Runs in at most so many partitions; what some outputs sent.
fn run_in(partitions: usize, rig: Rig, outputs: &[&str]) -> Vec<Vec<(u64, u8)>> {
    let options = Options { placement: Placement::AtMost(partitions), ..Options::default() };
    let mut simulation = Simulation::new(rig.into_graph(), options).unwrap();
    outputs.iter().for_each(|name| simulation.record(name, "received").unwrap());
    let outcome = simulation.run_until(us(20)).unwrap();
    assert!(matches!(outcome, Outcome::Reached(_)), "{outcome:?}");
    outputs.iter().map(|name| heard(simulation.samples(name, "received").unwrap())).collect()
}

/// Two links to one peer, which sends on over the one what comes over the other. Each side takes them in another order,
/// and is the listener of one of them.
fn ring(latencies: [u64; 2], partitions: usize) -> Vec<(u64, u8)> {
    let sockets = Sockets::new();
    let [first, second] = [0, 1].map(|at| {
        let options = format!(":latency={0}:sync_interval={0}", latencies[at]);
        sockets.link(&format!("eth-{at}"), &options)
    });
    let [[listen_first, connect_first], [listen_second, connect_second]] = [first, second];
    let peer = forwarder(vec![connect_second, listen_first], us(20), |from, _| 1 - from);
    let mut rig = beacon(&connect_first);
    rig.add("other", "simbricks.net", &on(&listen_second, &[]));
    let heard = run_in(partitions, rig, &["net", "other"]);
    assert!(heard[0].is_empty());
    assert_eq!(peer.join().unwrap().len(), 10);
    heard[1].clone()
}

#[test]
fn two_links_to_one_peer_do_not_wait_for_each_other() {
    for (latencies, way) in [([500, 500], 1000), ([300, 700], 1000), ([2000, 7], 2007)] {
        let expected: Vec<_> = (0..10).map(|k| (1000 * k + way, k as u8)).collect();
        for partitions in [1, 2] {
            assert_eq!(ring(latencies, partitions), expected, "{latencies:?}, {partitions}");
        }
    }
}

/// Two of ours against two of ours, with two links between them: all tell their time at the same instants.
#[test]
fn two_experiments_with_two_links_keep_step() {
    let sockets = Sockets::new();
    let links = ["a", "b"].map(|name| sockets.link(name, ""));
    let [[a_listen, a_connect], [b_listen, b_connect]] = links;
    let experiment = |first: &str, second: &str| {
        let mut rig = beacon(first);
        rig.add("mirror", "test.mirror", &[]);
        rig.add("other", "simbricks.net", &on(second, &[]));
        rig.link("other.received", "mirror.frames");
        rig.link("mirror.back", "other.send");
        rig
    };
    let (left, right) = (experiment(&a_listen, &b_connect), experiment(&b_listen, &a_connect));
    let both = std::thread::scope(|threads| {
        let left = threads.spawn(|| run_in(1, left, &["net"]));
        let right = threads.spawn(|| run_in(1, right, &["net"]));
        [left.join().unwrap(), right.join().unwrap()]
    });
    let expected: Vec<_> = (0..10).map(|k| (1000 * (k + 1), k as u8)).collect();
    assert_eq!(both, [vec![expected.clone()], vec![expected]]);
}

/// `net` and `tap` joined crosswise are a wire between two other simulators.
#[test]
fn two_components_are_a_wire_between_two_simulators() {
    let sockets = Sockets::new();
    let [left, right] = ["left", "right"].map(|name| sockets.link(name, ""));
    let wire = |left: &str, right: &str| {
        let mut rig = rig();
        rig.add("net", "simbricks.net", &on(left, &[]));
        rig.add("tap", "simbricks.net", &on(right, &[]));
        rig.link("net.received", "tap.send");
        rig.link("tap.received", "net.send");
        rig
    };
    let near = wire(&left[0], &right[0]);
    // A beacon at the left end; at the right end something that sends back.
    let peer = forwarder(vec![right[1].clone()], us(20), BACK);
    let [there, heard_on_wire] = std::thread::scope(|threads| {
        let beacon = beacon(&left[1]);
        let beacon = threads.spawn(|| run_in(1, beacon, &["net"]));
        let wire = threads.spawn(|| run_in(1, near, &["tap"]));
        [beacon.join().unwrap(), wire.join().unwrap()]
    });
    assert_eq!(peer.join().unwrap().len(), 10);
    let times = |after: u64| (0..10).map(|k| (1000 * k + after, k as u8)).collect::<Vec<_>>();
    assert_eq!((&there[0], &heard_on_wire[0]), (&times(2000), &times(1500)));
}

#[test]
fn a_run_can_be_made_without_being_started() {
    let sockets = Sockets::new();
    let simulation =
        Simulation::new(beacon(&sockets.link("eth", "")[0]).into_graph(), Options::default());
    assert!(simulation.is_ok());
    assert!(sockets.is_empty(), "nothing listens before the first instant");
}

#[test]
fn no_checkpoint_is_made_of_a_peer() {
    let sockets = Sockets::new();
    let graph = beacon(&sockets.link("eth", "")[0]).into_graph();
    let simulation = Simulation::new(graph, Options::default()).unwrap();
    let refused = simulation.checkpoint().err().unwrap().to_string();
    assert!(refused.contains("net"), "{refused}");
}
