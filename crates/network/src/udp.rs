//! UDP over IPv4 over Ethernet, as much as a component needs to talk: datagrams, and ARP so that it is found.
//!
//! A [`Host`] has one address. It takes frames apart and puts datagrams together; it does no input or output itself.
//! It answers who asks for its address, and never asks: it sends to those who have sent to it.

use std::net::Ipv4Addr;

use etherparse::{
    ArpEthIpv4Packet, ArpOperation, NetSlice, PacketBuilder, SlicedPacket, TransportSlice,
};
use serde::{Deserialize, Serialize};

use crate::EthernetFrame;

/// An Ethernet address.
pub type MacAddress = [u8; 6];

const TO_ALL: MacAddress = [0xff; 6];
const TIME_TO_LIVE: u8 = 64;

/// Who can be sent a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Endpoint {
    /// Where its frames go.
    pub mac: MacAddress,
    /// Its address.
    pub ip: Ipv4Addr,
    /// Its UDP port.
    pub port: u16,
}

/// What a frame means to a host.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard<'a> {
    /// Somebody asked for the address; this is the answer to be sent.
    Asked(EthernetFrame),
    /// A datagram for the host.
    Datagram {
        /// Who sent it.
        from: Endpoint,
        /// The port to which it was sent.
        to_port: u16,
        /// What it carries.
        payload: &'a [u8],
    },
    /// Nothing: for others, of another protocol, or damaged.
    Nothing,
}

/// One end of UDP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its Ethernet address.
    pub mac: MacAddress,
    /// Its IPv4 address.
    pub ip: Ipv4Addr,
}

impl Host {
    /// Takes a frame apart.
    pub fn hear<'a>(&self, frame: &'a EthernetFrame) -> Heard<'a> {
        let bytes: &'a [u8] = &frame.bytes;
        let (Some(destination), Some(source)) = (address(bytes, 0), address(bytes, 6)) else {
            return Heard::Nothing;
        };
        if destination != self.mac && destination[0] & 1 == 0 {
            return Heard::Nothing;
        }
        let Ok(packet) = SlicedPacket::from_ethernet(bytes) else { return Heard::Nothing };
        match (packet.net, packet.transport) {
            (Some(NetSlice::Arp(arp)), _) => self.answer(&arp.to_packet()),
            (Some(NetSlice::Ipv4(ip)), Some(TransportSlice::Udp(udp))) => {
                let header = ip.header();
                let is_mine = header.destination_addr() == self.ip
                    || header.destination_addr().is_broadcast()
                    || header.destination_addr() == self.everybody()
                    || header.destination_addr().is_multicast();
                let is_whole =
                    header.to_header().calc_header_checksum() == header.header_checksum();
                let sum = udp.to_header().calc_checksum_ipv4_raw(
                    header.source(),
                    header.destination(),
                    udp.payload(),
                );
                // A sum of 0 says that the sender made none (RFC 768).
                let is_right = udp.checksum() == 0 || sum == Ok(udp.checksum());
                if !(is_mine && is_whole && is_right) {
                    return Heard::Nothing;
                }
                let from =
                    Endpoint { mac: source, ip: header.source_addr(), port: udp.source_port() };
                let to_port = udp.destination_port();
                Heard::Datagram { from, to_port, payload: udp.payload() }
            }
            _ => Heard::Nothing,
        }
    }

    /// The address of all hosts of its network, which has a prefix of 24 bits.
    fn everybody(&self) -> Ipv4Addr {
        let [a, b, c, _] = self.ip.octets();
        Ipv4Addr::new(a, b, c, 255)
    }

    /// The answer to who asks for the address of this host (RFC 826).
    fn answer(&self, packet: &etherparse::ArpPacket) -> Heard<'static> {
        let Ok(asked) = packet.try_eth_ipv4() else { return Heard::Nothing };
        if asked.operation != ArpOperation::REQUEST || asked.target_ipv4 != self.ip.octets() {
            return Heard::Nothing;
        }
        let answer = ArpEthIpv4Packet {
            operation: ArpOperation::REPLY,
            sender_mac: self.mac,
            sender_ipv4: self.ip.octets(),
            target_mac: asked.sender_mac,
            target_ipv4: asked.sender_ipv4,
        };
        Heard::Asked(arp_frame(self.mac, asked.sender_mac, answer))
    }

    /// A frame with a question for the address of `ip`.
    pub fn ask(&self, ip: Ipv4Addr) -> EthernetFrame {
        let question = ArpEthIpv4Packet {
            operation: ArpOperation::REQUEST,
            sender_mac: self.mac,
            sender_ipv4: self.ip.octets(),
            target_mac: [0; 6],
            target_ipv4: ip.octets(),
        };
        arp_frame(self.mac, TO_ALL, question)
    }

    /// A frame with a datagram from `port` of this host; none if it is too long for one.
    pub fn datagram(&self, port: u16, to: Endpoint, payload: &[u8]) -> Option<EthernetFrame> {
        const LONGEST: usize = 1500 - 20 - 8;
        if payload.len() > LONGEST {
            return None;
        }
        let builder = PacketBuilder::ethernet2(self.mac, to.mac)
            .ipv4(self.ip.octets(), to.ip.octets(), TIME_TO_LIVE)
            .udp(port, to.port);
        let mut bytes = Vec::with_capacity(builder.size(payload.len()));
        builder.write(&mut bytes, payload).ok()?;
        Some(EthernetFrame::new(bytes))
    }
}

fn address(bytes: &[u8], at: usize) -> Option<MacAddress> {
    bytes.get(at..at + 6)?.try_into().ok()
}

fn arp_frame(from: MacAddress, to: MacAddress, packet: ArpEthIpv4Packet) -> EthernetFrame {
    let mut bytes = Vec::with_capacity(14 + ArpEthIpv4Packet::LEN);
    bytes.extend_from_slice(&to);
    bytes.extend_from_slice(&from);
    bytes.extend_from_slice(&etherparse::EtherType::ARP.0.to_be_bytes());
    bytes.extend_from_slice(&packet.to_bytes());
    EthernetFrame::new(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATION: Host = Host { mac: [2, 0, 0, 0, 0, 1], ip: Ipv4Addr::new(10, 0, 0, 1) };
    const DRONE: Host = Host { mac: [2, 0, 0, 0, 0, 2], ip: Ipv4Addr::new(10, 0, 0, 2) };

    fn at(host: Host, port: u16) -> Endpoint {
        Endpoint { mac: host.mac, ip: host.ip, port }
    }

    #[test]
    fn a_datagram_arrives_as_it_was_sent() {
        let frame = DRONE.datagram(14_555, at(STATION, 14_550), b"hello").expect("it is short");
        let from = at(DRONE, 14_555);
        let heard = Heard::Datagram { from, to_port: 14_550, payload: b"hello" };
        assert_eq!(STATION.hear(&frame), heard);
        assert_eq!(DRONE.hear(&frame), Heard::Nothing, "it is for another one");
    }

    #[test]
    fn who_asks_for_the_address_gets_it() {
        let Heard::Asked(answer) = STATION.hear(&DRONE.ask(STATION.ip)) else {
            panic!("it is asked")
        };
        let packet = SlicedPacket::from_ethernet(&answer.bytes).expect("an answer");
        let Some(NetSlice::Arp(arp)) = packet.net else { panic!("an answer") };
        let arp = arp.to_packet().try_eth_ipv4().expect("of Ethernet");
        assert_eq!((arp.operation, arp.sender_mac), (ArpOperation::REPLY, STATION.mac));
        assert_eq!(answer.bytes[..6], DRONE.mac);
        assert_eq!(DRONE.hear(&answer), Heard::Nothing);
        assert_eq!(STATION.hear(&DRONE.ask(Ipv4Addr::new(10, 0, 0, 3))), Heard::Nothing);
    }

    #[test]
    fn a_damaged_datagram_is_not_heard() {
        let frame = DRONE.datagram(1, at(STATION, 2), b"hello").expect("it is short");
        // Not the addresses of Ethernet, which no sum covers, and not what says which protocol it is.
        for byte in 14..frame.bytes.len() {
            let mut bytes = frame.bytes.to_vec();
            bytes[byte] ^= 0x10;
            assert_eq!(STATION.hear(&EthernetFrame::new(bytes)), Heard::Nothing, "byte {byte}");
        }
        for length in 0..frame.bytes.len() {
            let bytes = frame.bytes[..length].to_vec();
            assert_eq!(STATION.hear(&EthernetFrame::new(bytes)), Heard::Nothing);
        }
    }

    #[test]
    fn a_datagram_for_all_is_for_everyone() {
        let all = Endpoint { mac: TO_ALL, ip: Ipv4Addr::BROADCAST, port: 9 };
        let frame = DRONE.datagram(1, all, b"x").expect("it is short");
        assert!(matches!(STATION.hear(&frame), Heard::Datagram { to_port: 9, .. }));
        assert_eq!(DRONE.datagram(1, all, &[0; 1473]), None);
    }
}
