//! Unless asked, we announce ourselves on the loopback interface, and nowhere else.

mod peer;

use std::net::{Ipv4Addr, UdpSocket};

use ironbird_kernel::{Options, Parameter, Simulation, Time};
use ironbird_test_rig::{Rig, text};
use peer::{LONGEST, domain, own};

/// The parameters of an announcement that are addresses: the four kinds of locators (RTPS 2.5, table 9.14).
const LOCATORS: [u16; 4] = [0x31, 0x32, 0x33, 0x48];

/// The addresses that an SPDP message announces.
fn announced(message: &[u8]) -> Vec<Ipv4Addr> {
    // A parameter list, little-endian; before it stand headers of no interest.
    let header = [0, 3, 0, 0];
    let start = message.windows(4).position(|bytes| bytes == header).expect("a parameter list");
    let mut rest = &message[start + 4..];
    let mut found = Vec::new();
    while let [a, b, c, d, tail @ ..] = rest {
        let (kind, length) = (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]));
        if kind == 1 {
            return found; // the end of the list
        }
        let (value, after) = tail.split_at(length.into());
        if LOCATORS.contains(&kind) {
            // Kind, port, and 16 bytes of which an IPv4 address is the last four.
            let address: [u8; 4] = value[20..24].try_into().expect("four bytes");
            found.push(address.into());
        }
        rest = after;
    }
    panic!("the list has no end: {message:?}");
}

#[test]
fn only_the_loopback_address_is_announced() {
    // The first place of a domain, which every program on the loopback interface tells of itself.
    let place = |domain: u16| {
        let port = 7400 + 250 * domain + 10;
        UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).ok().map(|listener| (domain, listener))
    };
    let mut domains = (0..100).map(|k| 1 + (domain() + k) % 100);
    let (domain, listener) = domains.find_map(place).expect("a free domain");
    listener.set_read_timeout(Some(LONGEST)).unwrap();

    let mut rig = Rig::of(&[ironbird_ros2::register]);
    let domain = ("domain", Parameter::Integer(domain.into()));
    rig.add("clock", "ros2.clock", &[("topic", text(&own("clock"))), domain]);
    let mut simulation = Simulation::new(rig.into_graph(), Options::default()).expect("it fits");
    simulation.run_until(Time::from_ps(1)).expect("it runs");

    let mut buffer = [0; 65_536];
    let (length, from) = listener.recv_from(&mut buffer).expect("an announcement");
    assert!(from.ip().is_loopback());
    let addresses = announced(&buffer[..length]);
    assert!(!addresses.is_empty() && addresses.iter().all(Ipv4Addr::is_loopback), "{addresses:?}");
}
