//! A UDP port of a program on a simulated network.

use ironbird_kernel::{Parameter, Time};
use ironbird_native::Datagram;
use ironbird_network::EthernetFrame;
use ironbird_network::udp::{Heard, Host};
use ironbird_test_rig::{Rig, seconds, text};

use crate::mouth::{self, says};

const PEER: Host = Host { mac: [2, 0, 0, 0, 0, 1], ip: std::net::Ipv4Addr::new(10, 0, 0, 1) };

fn rig(port: i64) -> Rig {
    let libraries = [ironbird_native::register, ironbird_network::register, mouth::register];
    let mut rig = Rig::of(&libraries);
    rig.add("program", "test.mouth", &[("script", text(&says(5, b"hello")))]);
    rig.add("card", "native.ethernet", &[("port", Parameter::Integer(port))]);
    rig.link("program.datagrams", "card.sent");
    rig
}

#[test]
fn datagrams_become_frames_for_the_peer() {
    let run = rig(18_570).run(seconds(0.1), &["card.frames_out"]);
    let frames: Vec<(Time, EthernetFrame)> = run.samples("card.frames_out");
    assert_eq!((frames.len(), frames[0].0), (1, seconds(0.005)));
    match PEER.hear(&frames[0].1) {
        Heard::Datagram { from, to_port, payload } => {
            assert_eq!((from.port, to_port, payload), (18_570, 9002, b"hello".as_slice()));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn frames_for_the_port_become_datagrams() {
    // A second card sends from 9002 to 9002 of the first one, which has that port, or another one.
    for (port, expected) in [(9002, 1), (9003, 0)] {
        let mut rig = rig(port);
        let others = [
            ("port", Parameter::Integer(9002)),
            ("ip", text("10.0.0.1")),
            ("mac", text("02:00:00:00:00:01")),
            ("peer_ip", text("10.0.0.2")),
            ("peer_mac", text("02:00:00:00:00:02")),
        ];
        rig.add("other", "native.ethernet", &others);
        rig.link("program.datagrams", "other.sent");
        rig.link("other.frames_out", "card.frames_in");
        let run = rig.run(seconds(0.1), &["card.received"]);
        let heard = run.samples::<Datagram>("card.received");
        assert_eq!(heard.len(), expected);
        for (_, datagram) in heard {
            assert_eq!((datagram.remote_port, &datagram.bytes[..]), (9002, b"hello".as_slice()));
        }
    }
}

#[test]
fn addresses_that_are_none_are_refused() {
    let rig = rig(1);
    let refused = |setting: (&str, Parameter)| {
        rig.refusal("native.ethernet", &[("port", Parameter::Integer(1)), setting])
    };
    assert!(refused(("ip", text("10.0.0"))).contains("\"10.0.0\" is no IPv4 address"));
    assert!(refused(("peer_mac", text("01:00:00:00:00:00"))).contains("is no Ethernet address"));
}
