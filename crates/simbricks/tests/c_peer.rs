//! Against a peer in C that was written from the byte layout alone, in both roles.
#![cfg(not(loom))]

mod peers;

use ironbird_simbricks::{Sent, SyncMode, Waiter};
use peers::{Bench, LIMIT, exchange, net_link};

const COUNT: u64 = 500;

fn exchange_packets(role: &str, interval: u64, options: &[&str]) {
    let bench = Bench::new();
    let interval_option = format!("interval={interval}");
    let peer = bench.peer(role, &[&["count=500", &interval_option], options].concat());
    let mut link = net_link();
    link.sync_interval = interval;
    link.sends_terminate = true;
    let mut endpoint = bench.meet(role, link).unwrap();
    assert!(endpoint.is_synchronised() && !endpoint.peer_rings());
    assert_eq!(endpoint.peer().process, Some(peer.process()));
    assert_eq!(endpoint.peer_intro(), [0; 4]);
    let done = exchange(&mut endpoint, 500_000, COUNT, &mut Waiter::new(Some(LIMIT))).unwrap();
    assert_eq!((done.received, done.sum), (COUNT, COUNT * (COUNT - 1) / 2));
    assert_eq!(done.now, (COUNT + 2) * 500_000);
    assert_eq!(peer.finish(), "received 500 sum 124750 synchronised 1 ended 0\n");
}

#[test]
fn packets_and_times_go_both_ways_with_a_listener_in_c() {
    exchange_packets("listen", 500_000, &["entries=7"]);
}

#[test]
fn packets_and_times_go_both_ways_with_a_connecter_in_c() {
    exchange_packets("connect", 500_000, &[]);
}

#[test]
fn both_may_synchronise_more_often_than_the_latency_asks_for() {
    exchange_packets("listen", 100_000, &[]);
    exchange_packets("connect", 130_000, &[]);
}

#[test]
fn syncs_repeated_at_time_0_are_tolerated() {
    exchange_packets("listen", 500_000, &["syncs=3"]);
}

#[test]
fn a_peer_that_requires_synchronisation_gets_it() {
    exchange_packets("connect", 500_000, &["flags=3"]);
}

#[test]
fn a_terminate_from_c_ends_the_link_and_holds_nobody_back() {
    for role in ["listen", "connect"] {
        let bench = Bench::new();
        let peer = bench.peer(role, &["count=3", "terminate=1"]);
        let mut endpoint = bench.meet(role, net_link()).unwrap();
        // Runs on past where the peer stops.
        let waiter = &mut Waiter::new(Some(LIMIT));
        let done = exchange(&mut endpoint, 500_000, 1000, waiter).unwrap();
        assert_eq!(done.received, 3);
        assert!(endpoint.has_ended());
        assert_eq!(endpoint.horizon(), u64::MAX);
        assert_eq!(endpoint.send(u64::MAX, 0x40, &[0; 48], &[]).unwrap(), Sent::Ended);
        // It stopped at 5 latencies: the packets sent at 0 to 3 latencies were due before.
        assert!(peer.finish().starts_with("received 4 sum 6 "));
    }
}

#[test]
fn our_terminate_bears_the_latency_less_one_and_ends_the_peer_s_waiting() {
    let bench = Bench::new();
    let peer = bench.peer("listen", &["count=20"]);
    let mut link = net_link();
    link.sends_terminate = true;
    let mut endpoint = bench.meet("listen", link).unwrap();
    assert_eq!(endpoint.terminate(), Sent::Done);
    assert_eq!(endpoint.terminate(), Sent::Ended);
    // The peer complains on its error output of any other time stamp; it reaches its end without us.
    assert_eq!(peer.finish(), "received 0 sum 0 synchronised 1 ended 1\n");
}

#[test]
fn without_synchronisation_everything_is_due_at_once() {
    for (flags, mode) in [("flags=0", SyncMode::Optional), ("flags=1", SyncMode::Disabled)] {
        let bench = Bench::new();
        let peer = bench.peer("listen", &["count=40", flags]);
        let mut link = net_link();
        link.sync = mode;
        let mut endpoint = bench.meet("listen", link).unwrap();
        assert!(!endpoint.is_synchronised());
        assert_eq!((endpoint.horizon(), endpoint.next_sync()), (u64::MAX, u64::MAX));
        assert_eq!(endpoint.sync(0).unwrap(), Sent::Done);
        assert_eq!(endpoint.counts().syncs_sent, 0);
        let waiter = &mut Waiter::new(Some(LIMIT));
        let mut received = 0;
        for number in 0..40_u64 {
            let mut frame = [number as u8; 64];
            frame[..8].copy_from_slice(&number.to_le_bytes());
            let mut fields = [0; 48];
            fields[0] = 64;
            assert_eq!(endpoint.send(number, 0x40, &fields, &frame).unwrap(), Sent::Done);
            while received <= number {
                waiter.wait(&endpoint, ironbird_simbricks::Need::Message, [&endpoint]).unwrap();
                received += u64::from(endpoint.receive(0).unwrap().is_some());
            }
        }
        assert_eq!(peer.finish(), "received 40 sum 780 synchronised 0 ended 0\n");
    }
}
