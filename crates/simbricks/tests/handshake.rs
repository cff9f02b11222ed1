//! How two sides find each other, and what they say if they do not.
#![cfg(not(loom))]

mod peers;

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use ironbird_simbricks::layout::{ConnecterIntro, ListenerIntro};
use ironbird_simbricks::{
    Connecter, Link, Listener, Place, Problem, Protocol, QueueSize, SyncMode, establish,
};
use peers::{LIMIT, SMALL, net_link, pair};
use proptest::prelude::*;

const SOON: Duration = Duration::from_millis(50);

fn bind(socket: &std::path::Path) -> Result<Listener, ironbird_simbricks::LinkError> {
    Listener::bind(net_link(), socket, &Place::Memory, SMALL)
}

#[test]
fn a_stale_socket_is_replaced_and_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    drop(UnixListener::bind(&socket).unwrap());
    assert!(socket.exists(), "std leaves the file behind, as a killed process does");
    let listener = bind(&socket).unwrap();
    assert!(listener.replaced_stale());
    drop(listener);
    assert!(!socket.exists(), "ours is removed");
    assert!(!bind(&socket).unwrap().replaced_stale());
}

#[test]
fn a_socket_somebody_listens_at_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let other = UnixListener::bind(&socket).unwrap();
    let error = bind(&socket).unwrap_err();
    assert!(matches!(error.problem(), Problem::InUse { .. }), "{error}");
    assert!(socket.exists());
    // Nobody connected to it just to look: its first peer is still to come.
    other.set_nonblocking(true).unwrap();
    assert_eq!(other.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn something_else_at_the_socket_s_path_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    std::fs::write(&socket, "precious").unwrap();
    let error = bind(&socket).unwrap_err();
    assert!(matches!(error.problem(), Problem::NotASocket { .. }), "{error}");
    assert_eq!(std::fs::read(&socket).unwrap(), b"precious");
}

#[test]
fn a_socket_that_took_another_s_name_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let first = bind(&socket).unwrap();
    std::fs::remove_file(&socket).unwrap();
    let second = bind(&socket).unwrap();
    drop(first);
    assert!(socket.exists());
    drop(second);
}

#[test]
fn paths_that_no_socket_can_have_are_refused() {
    let long = "x".repeat(200);
    let error = Connecter::new(net_link(), &long).unwrap_err();
    assert!(error.to_string().contains("longer than the 107 bytes"), "{error}");
    let error = bind(long.as_ref()).unwrap_err();
    assert!(matches!(error.problem(), Problem::SocketPath { .. }), "{error}");
    let error = bind("/nowhere/at/all".as_ref()).unwrap_err();
    assert!(matches!(error.problem(), Problem::Bind { .. }), "{error}");
}

#[test]
fn times_that_would_make_both_sides_wait_for_ever_are_refused() {
    let wrong = |change: fn(&mut Link)| {
        let mut link = net_link();
        change(&mut link);
        Connecter::new(link, "socket").unwrap_err().into_problem()
    };
    assert!(matches!(wrong(|link| link.latency = 0), Problem::NoLatency));
    assert!(matches!(wrong(|link| link.sync_interval = 0), Problem::NoInterval));
    let over = wrong(|link| link.sync_interval = link.latency + 1);
    assert!(matches!(over, Problem::IntervalOverLatency { .. }));
    assert!(over.to_string().contains("500001 ps exceeds its latency of 500000 ps"));
    // Without synchronisation the interval does not matter.
    let mut link = net_link();
    (link.sync, link.sync_interval) = (SyncMode::Disabled, 0);
    Connecter::new(link, "socket").unwrap();
}

#[test]
fn queues_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (elen, nentries) in [(63, 1), (64, 0), (65, 4), (!7, 2), (1 << 62, 1)] {
        let size = QueueSize { elen, nentries };
        let socket = folder.path().join("socket");
        let error = Listener::bind(net_link(), &socket, &Place::Memory, size).unwrap_err();
        let is_refused =
            matches!(error.problem(), Problem::QueueSize(_) | Problem::MakePool { .. });
        assert!(is_refused, "{error}");
        assert!(!socket.exists());
    }
}

#[test]
fn nobody_coming_is_an_error_after_the_time_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let error = Connecter::new(net_link(), &socket).unwrap().connect(SOON).unwrap_err();
    assert!(matches!(error.problem(), Problem::NobodyListens { .. }), "{error}");
    assert!(error.to_string().contains("within 0.05 s: No such file"), "{error}");
    let error = bind(&socket).unwrap().accept(SOON).unwrap_err();
    assert!(matches!(error.problem(), Problem::NobodyConnected { .. }), "{error}");
}

#[test]
fn a_connecter_waits_for_its_listener() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let connecter = Connecter::new(net_link(), &socket).unwrap();
    let waiting = std::thread::spawn(move || connecter.connect(LIMIT).map(|_| ()));
    // Whichever comes first.
    std::thread::yield_now();
    let _listener = bind(&socket).unwrap().accept(LIMIT).unwrap();
    waiting.join().unwrap().unwrap();
}

/// Each side listens on one link and connects on the other, in the order in which one link after the other would
/// wait for ever.
#[test]
fn links_in_a_circle_are_established_together() {
    let folder = tempfile::tempdir().unwrap();
    let sockets = [folder.path().join("a"), folder.path().join("b")];
    let sides = [0, 1].map(|side| {
        let sockets = sockets.clone();
        std::thread::spawn(move || {
            let connecter = Connecter::new(net_link(), &sockets[1 - side]).unwrap();
            let listener = bind(&sockets[side]).unwrap();
            establish([connecter.into(), listener.into()], LIMIT).unwrap().len()
        })
    });
    assert_eq!(sides.map(|side| side.join().unwrap()), [2, 2]);
}

#[test]
fn a_pool_at_a_path_replaces_what_was_left_there_and_goes_with_the_link() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, path) = (folder.path().join("socket"), folder.path().join("pool"));
    std::fs::write(&path, [0xff; 1000]).unwrap();
    let place = Place::Path(path.clone());
    let listener = Listener::bind(net_link(), &socket, &place, SMALL).unwrap();
    let content = std::fs::read(&path).unwrap();
    assert!(content.len() > 2 * 1600 * 16);
    assert!(content[..2 * 1600 * 16].iter().all(|byte| *byte == 0));
    let connecter = Connecter::new(net_link(), &socket).unwrap();
    let links = establish([listener.into(), connecter.into()], LIMIT).unwrap();
    assert!(!links[0].is_sealed() && !links[1].is_sealed());
    assert!(links[0].peer_rings() && links[1].peer_rings());
    drop(links);
    assert!(!socket.exists() && !path.exists());
}

#[test]
fn a_pool_in_memory_cannot_shrink() {
    let (listener, connecter) = pair(net_link());
    assert!(listener.is_sealed() && connecter.is_sealed());
}

/// What both sides send, byte by byte, as a peer that knows nothing of ours sees it.
#[test]
fn our_introductions_are_those_of_simbricks_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let size = QueueSize::standard(Protocol::NET);
    let listener = Listener::bind(net_link(), &socket, &Place::Memory, size).unwrap();
    let accepting = std::thread::spawn(move || listener.accept(LIMIT));
    let mut peer = UnixStream::connect(&socket).unwrap();
    let mut bytes = [0; 200];
    let length = peer.read(&mut bytes).unwrap();
    let words = [1_u64, 1, 13_107_200, 1600, 8192, 0, 1600, 8192, 1, 80];
    let mut observed: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    observed.extend_from_slice(&[0; 4]);
    assert_eq!(&bytes[..length], observed);
    drop(peer);
    assert!(accepting.join().unwrap().is_err());

    let other = folder.path().join("other");
    let listener = UnixListener::bind(&other).unwrap();
    let mut link = net_link();
    link.sync = SyncMode::Required;
    let connecting =
        std::thread::spawn(move || Connecter::new(link, other).unwrap().connect(LIMIT));
    let (mut peer, _) = listener.accept().unwrap();
    let length = peer.read(&mut bytes).unwrap();
    let words = [1_u64, 3, 1, 32];
    let mut expected: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    expected.extend_from_slice(&[0; 4]);
    assert_eq!(&bytes[..length], expected);
    drop(peer);
    assert!(connecting.join().unwrap().is_err());
}

/// Random bytes, and introductions that are right but for some bytes.
fn introductions() -> impl Strategy<Value = Vec<u8>> {
    let right = prop_oneof![
        Just(ConnecterIntro { flags: 1, protocol: Protocol::NET, upper: vec![0; 4] }.encode()),
        (any::<[u64; 3]>(), any::<[u64; 3]>()).prop_map(|(l2c, c2l)| {
            let place = |words: [u64; 3]| ironbird_simbricks::layout::QueuePlace {
                offset: words[0],
                elen: words[1],
                nentries: words[2],
            };
            let (l2c, c2l, upper) = (place(l2c), place(c2l), vec![0; 4]);
            ListenerIntro { flags: 1, l2c, c2l, protocol: Protocol::NET, upper }.encode()
        }),
    ];
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 1..300),
        (right, edits).prop_map(|(mut bytes, edits)| {
            for (at, byte) in edits {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_introduction_is_either_taken_or_refused(bytes in introductions(), listens: bool) {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        // Nobody closes or sends more before the outcome: no outcome would be a hang.
        let outcome = if listens {
            let peer = UnixListener::bind(&socket).unwrap();
            let connecting = std::thread::spawn(move || {
                Connecter::new(net_link(), socket).unwrap().connect(LIMIT)
            });
            let (mut peer, _) = peer.accept().unwrap();
            peer.write_all(&bytes).unwrap();
            // Without a descriptor there is no link, whatever the bytes are.
            let outcome = connecting.join().unwrap();
            prop_assert!(outcome.is_err());
            outcome.map(|_| ())
        } else {
            let listener = bind(&socket).unwrap();
            let accepting = std::thread::spawn(move || listener.accept(LIMIT));
            let mut peer = UnixStream::connect(folder.path().join("socket")).unwrap();
            peer.write_all(&bytes).unwrap();
            accepting.join().unwrap().map(|_| ())
        };
        if let Err(error) = outcome {
            prop_assert!(error.to_string().starts_with("link `eth0`: "));
            let is_late = matches!(error.problem(), Problem::NoIntro { .. });
            prop_assert!(!is_late);
        }
    }
}
