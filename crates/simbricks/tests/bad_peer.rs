//! Peers that die, hang or speak nonsense: each ends in an error that names the link, the peer, and what is wrong.
#![cfg(not(loom))]

mod peers;

use std::time::Duration;

use ironbird_simbricks::{Problem, SyncMode, Waiter};
use peers::{Bench, LIMIT, exchange, net_link};

/// The error of a handshake with a peer that does this wrong.
fn refused(role: &str, bad: &str) -> (Problem, String) {
    let bench = Bench::new();
    let bad = format!("bad={bad}");
    let _peer = bench.peer(role, &["count=10", "elen=1600", "entries=64", &bad]);
    let error = bench.meet(role, net_link()).expect_err("it is refused");
    assert_eq!(error.link(), "eth0");
    let text = error.to_string();
    (error.into_problem(), text)
}

macro_rules! assert_refused {
    ($role:expr, $bad:expr, $problem:pat) => {
        let (problem, text) = refused($role, $bad);
        assert!(matches!(problem, $problem), "{}: {text}", $bad);
    };
}

#[test]
fn both_roles_refuse_a_wrong_introduction() {
    for role in ["listen", "connect"] {
        assert_refused!(role, "version", Problem::Intro(..));
        assert_refused!(role, "protocol", Problem::Protocol(..));
        assert_refused!(role, "short", Problem::Intro(..));
        assert_refused!(role, "tiny", Problem::Intro(..));
        assert_refused!(role, "long", Problem::LongIntro(..));
        assert_refused!(role, "offset", Problem::Intro(..));
        assert_refused!(role, "eof", Problem::ClosedInHandshake(..));
    }
    let (_, text) = refused("listen", "version");
    assert!(text.contains("link `eth0`: the introduction of the peer (process "), "{text}");
    assert!(text.contains("protocol version 2, but this side speaks version 1"), "{text}");
}

#[test]
fn a_connecter_refuses_shared_memory_that_is_not_what_was_announced() {
    assert_refused!("listen", "nofile", Problem::NoDescriptor(..));
    assert_refused!("listen", "twofiles", Problem::SeveralDescriptors(..));
    assert_refused!("listen", "notafile", Problem::Mapping(..));
    assert_refused!("listen", "empty", Problem::Mapping(..));
    for bad in ["small", "overlap", "elen", "entries", "overflow", "unaligned"] {
        assert_refused!("listen", bad, Problem::Queue(..));
    }
    let (_, text) = refused("listen", "small");
    assert!(
        text.contains("64 slots of 1600 bytes at 102400 do not fit into a file of 204799 bytes")
    );
}

#[test]
fn a_side_that_requires_synchronisation_refuses_a_peer_without_and_the_reverse() {
    for (flags, mode) in [("flags=0", SyncMode::Required), ("flags=3", SyncMode::Disabled)] {
        let bench = Bench::new();
        let _peer = bench.peer("connect", &[flags]);
        let mut link = net_link();
        link.sync = mode;
        let error = bench.meet("connect", link).unwrap_err();
        assert!(matches!(error.problem(), Problem::Sync { .. }), "{error}");
    }
}

#[test]
fn a_peer_that_connects_but_says_nothing_is_given_up() {
    let bench = Bench::new();
    let _peer = bench.peer("connect", &["bad=silent"]);
    let listener = bench.listener(net_link()).unwrap();
    let error = listener.accept(Duration::from_millis(500)).unwrap_err();
    // On a machine so busy that the peer did not even connect in time, nobody came.
    let is_late =
        matches!(error.problem(), Problem::NoIntro { .. } | Problem::NobodyConnected { .. });
    assert!(is_late, "{error}");
    let bench = Bench::new();
    let _peer = bench.peer("listen", &["bad=deaf"]);
    while !bench.socket().exists() {
        std::thread::yield_now();
    }
    let connecter = ironbird_simbricks::Connecter::new(net_link(), bench.socket()).unwrap();
    let error = connecter.connect(Duration::from_millis(100)).unwrap_err();
    assert!(matches!(error.problem(), Problem::NoIntro { .. } | Problem::NobodyListens { .. }));
}

/// The error of an exchange in which the peer does this wrong at packet 5.
fn broken(role: &str, bad: &str, stall_limit: Duration) -> (Problem, String) {
    let bench = Bench::new();
    let bad = format!("bad={bad}");
    let peer = bench.peer(role, &["count=10", "at=5", &bad]);
    let mut endpoint = bench.meet(role, net_link()).unwrap();
    let waiter = &mut Waiter::new(Some(stall_limit));
    let error = exchange(&mut endpoint, 500_000, 10, waiter).expect_err("the peer is bad");
    let text = error.to_string();
    assert!(text.starts_with("link `eth0`: "), "{text}");
    assert!(text.contains(&format!("the peer (process {})", peer.process())), "{text}");
    (error.into_problem(), text)
}

#[test]
fn a_peer_that_dies_or_closes_the_link_is_noticed() {
    for role in ["listen", "connect"] {
        for bad in ["die", "close"] {
            let (problem, text) = broken(role, bad, LIMIT);
            assert!(matches!(problem, Problem::Gone(_)), "{text}");
        }
    }
}

#[test]
fn a_peer_that_stops_is_given_up_after_the_time_allowed() {
    let (problem, text) = broken("listen", "stop", Duration::from_millis(300));
    assert!(matches!(problem, Problem::Stalled { .. }), "{text}");
    assert!(text.ends_with("made no progress for 0.3 s: no message came"), "{text}");
}

#[test]
fn time_that_goes_backwards_is_an_error() {
    let (problem, _) = broken("listen", "backwards", LIMIT);
    // Packet 4 was sent at 4 latencies and is due at 5.
    let (previous, found) = match problem {
        Problem::Backwards { previous, found, .. } => (previous, found),
        other => panic!("{other}"),
    };
    assert_eq!((previous, found), (2_500_000, 2_499_999));
}

#[test]
fn reserved_and_unknown_types_are_errors() {
    let (problem, _) = broken("listen", "type", LIMIT);
    assert!(matches!(problem, Problem::Reserved { kind: 0x10, .. }), "{problem}");
    let (problem, text) = broken("connect", "upper", LIMIT);
    assert!(matches!(problem, Problem::Message(..)), "{problem}");
    assert!(text.ends_with("message type 0x41 is not one of NET"), "{text}");
}

#[test]
fn a_frame_longer_than_its_slot_is_not_read() {
    let bench = Bench::new();
    let _peer = bench.peer("listen", &["count=10", "at=5", "bad=longframe"]);
    let mut endpoint = bench.meet("listen", net_link()).unwrap();
    let error = exchange(&mut endpoint, 500_000, 10, &mut Waiter::new(Some(LIMIT))).unwrap_err();
    let is_long =
        matches!(error.problem(), Problem::PayloadTooLong { length: 60_000, capacity: 1536 });
    assert!(is_long, "{error}");
}

#[test]
fn a_killed_peer_is_noticed_while_this_side_waits_for_room() {
    let bench = Bench::new();
    let mut peer = bench.peer("listen", &["count=10", "at=0", "bad=stop", "entries=4"]);
    let mut endpoint = bench.meet("listen", net_link()).unwrap();
    let mut sent = 0;
    while endpoint.send(0, 0x40, &[0; 48], &[]).unwrap() == ironbird_simbricks::Sent::Done {
        sent += 1;
    }
    assert_eq!(sent, 4);
    peer.kill();
    let need = ironbird_simbricks::Need::Room;
    let error = Waiter::new(Some(LIMIT)).wait(&endpoint, need, [&endpoint]).unwrap_err();
    assert!(matches!(error.problem(), Problem::Gone(_)), "{error}");
}

/// Where the mapping is still backed; behind it the system ends a process that reads (see `pool`).
#[test]
fn a_peer_that_shrinks_the_shared_memory_and_stops_is_found_out() {
    let (problem, text) = broken("listen", "shrink", LIMIT);
    assert!(matches!(problem, Problem::Shrunk(_)), "{text}");
}
