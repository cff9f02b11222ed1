//! Peers that die, hang or speak nonsense end the run with a fault that names component and link.

use std::time::Duration;

use ironbird_kernel::Time;
use ironbird_simbricks::{Link, Protocol, QueueSize, Sent, SyncMode, Url, establish};
use ironbird_test_rig::{Rig, real, text};

use crate::peer::{LIMIT, Sockets, forward_until, on, open, rig};

fn ms(ms: u64) -> Time {
    Time::from_ps(ms * 1_000_000_000)
}

/// A component that connects.
fn connecting(link: &str) -> Rig {
    let mut rig = rig();
    rig.add("net", "simbricks.net", &on(link, &[]));
    rig
}

/// How a run ends whose peer does something with its end of a link.
fn fault(peer: impl FnOnce(Vec<String>) + Send) -> String {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("eth", "");
    let message = std::thread::scope(|threads| {
        threads.spawn(|| peer(vec![listen]));
        connecting(&connect).failure(ms(1000))
    });
    assert!(message.contains("\"net\" failed") && message.contains("link `eth`"), "{message}");
    message
}

#[test]
fn a_peer_that_dies_at_any_time_is_noticed() {
    for until in [0, 1, 499_999, 500_000, 3_141_592, 271_828_182] {
        let message = fault(|urls| {
            let mut links = open(Protocol::NET, &urls);
            forward_until(&mut links, until, |from, _| from).unwrap();
        });
        assert!(message.contains("is gone"), "{message}");
    }
}

#[test]
fn a_peer_that_hangs_is_given_up() {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("eth", "");
    let mut rig = rig();
    rig.add("net", "simbricks.net", &[("link", text(&connect)), ("patience", real(0.2))]);
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let peer = std::thread::spawn(move || {
        let links = open(Protocol::NET, &[listen]);
        // Alive, but silent.
        let _ = wait.recv_timeout(LIMIT);
        drop(links);
    });
    let message = rig.failure(ms(1));
    drop(done);
    peer.join().unwrap();
    assert!(message.contains("made no progress for 0.2 s: no message came"), "{message}");
}

#[test]
fn nobody_there_is_said() {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("eth", "");
    for (link, expected) in [(listen, "nobody connected"), (connect, "nobody listened")] {
        let mut rig = rig();
        rig.add("net", "simbricks.net", &[("link", text(&link)), ("patience", real(0.1))]);
        let message = rig.failure(ms(1));
        assert!(message.contains(expected), "{message}");
        assert!(sockets.is_empty());
    }
}

#[test]
fn another_protocol_is_refused() {
    let message = fault(|urls| {
        let url = Url::parse(&urls[0]).unwrap();
        let link = Link::new("mem", Protocol::MEM);
        let pending = url.open(link, QueueSize { elen: 1600, nentries: 4 }).unwrap();
        let _ = establish([pending], LIMIT);
    });
    assert!(message.contains("speaks protocol"), "{message}");
}

#[test]
fn a_peer_that_does_not_synchronise_is_refused() {
    let message = fault(|urls| {
        let url = Url::parse(&urls[0]).unwrap();
        let url = Url { sync: SyncMode::Disabled, ..url };
        let size = QueueSize { elen: 1600, nentries: 4 };
        let pending = url.open(Link::new("eth", Protocol::NET), size).unwrap();
        let _ = establish([pending], LIMIT);
    });
    assert!(message.contains("synchronisation is required"), "{message}");
}

#[test]
fn nonsense_is_named() {
    type Nonsense = fn(&mut ironbird_simbricks::Endpoint);
    let cases: [(Nonsense, &str); 2] = [
        (
            |link| assert_eq!(link.send(0, 0x55, &[0; 48], &[]).unwrap(), Sent::Done),
            "message type 0x55 is not one of NET",
        ),
        (
            // A frame longer than a slot.
            |link| assert_eq!(link.send(0, 0x40, &[255; 48], &[]).unwrap(), Sent::Done),
            "do not fit",
        ),
    ];
    for (nonsense, expected) in cases {
        let message = fault(|urls| {
            let mut links = open(Protocol::NET, &urls);
            nonsense(&mut links[0]);
            let _ = forward_until(&mut links, 10_000_000, |from, _| from);
        });
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_frame_that_does_not_fit_is_a_fault() {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("eth", "");
    let mut rig = connecting(&connect);
    rig.add("beacon", "test.beacon", &[("length", ironbird_kernel::Parameter::Integer(2000))]);
    rig.link("beacon.frames", "net.send");
    let message = std::thread::scope(|threads| {
        threads.spawn(|| {
            let mut links = open(Protocol::NET, &[listen]);
            let _ = forward_until(&mut links, 10_000_000, |from, _| from);
        });
        rig.failure(ms(1))
    });
    let expected = "2000 bytes of payload do not fit into a slot with room for 1536";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_run_that_ends_gives_its_handshake_up() {
    let sockets = Sockets::new();
    let mut rig = rig();
    // The one fails at once, the other would wait for long.
    let nowhere = format!("listen:{}/no-folder/eth:", sockets.folder().display());
    rig.add("a", "simbricks.net", &on(&sockets.link("eth", "")[0], &[]));
    rig.add("b", "simbricks.net", &[("link", text(&nowhere)), ("patience", real(1e6))]);
    let start = std::time::Instant::now();
    let message = rig.failure(ms(1));
    assert!(message.contains("cannot listen"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(sockets.is_empty());
}
