//! `native.ethernet`: a UDP port of a native program on a simulated network.
//!
//! ```text
//! program ──datagrams──► [ address ] ──Ethernet frames──► cable, switch, radio, ground station
//! ```

use std::net::Ipv4Addr;

use ironbird_component::Component;
use ironbird_kernel::{Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs, Payload};
use ironbird_mavlink::mac_address;
use ironbird_network::EthernetFrame;
use ironbird_network::udp::{Endpoint, Heard, Host, MacAddress};

use crate::Datagram;

/// The network card of a native program: one of its UDP ports as Ethernet frames.
///
/// Link `sent` to what the program sends (`autopilot.udp[0].sent`), and what it receives to `received`; `frames_out` and
/// `frames_in` to a ground station, a `network.link`, a switch or a radio. A native program sees all others at the local
/// host; here all that it sends goes to `peer_ip`. Frames take no time.
#[derive(Component)]
#[component(type = "native.ethernet", event_driven, check = Self::fits)]
pub struct NativeEthernet {
    /// The UDP port from which the program sends.
    #[parameter(min = 1, max = 65535, fixed)]
    port: u32,
    /// Its IPv4 address.
    #[parameter(default = "10.0.0.2", fixed)]
    ip: String,
    /// Its Ethernet address.
    #[parameter(default = "02:00:00:00:00:02", fixed)]
    mac: String,
    /// The IPv4 address to which it sends.
    #[parameter(default = "10.0.0.1", fixed)]
    peer_ip: String,
    /// The Ethernet address of that.
    #[parameter(default = "02:00:00:00:00:01", fixed)]
    peer_mac: String,
    /// Datagrams that the program sends.
    #[input]
    sent: EventIn<Datagram>,
    /// Frames from the network.
    #[input]
    frames_in: EventIn<EthernetFrame>,
    /// Datagrams for the program.
    #[output]
    received: EventOut<Datagram>,
    /// Frames to the network.
    #[output]
    frames_out: EventOut<EthernetFrame>,
    /// What leaves in this instant.
    #[skip]
    to_program: Vec<Datagram>,
    #[skip]
    to_network: Vec<EthernetFrame>,
}

fn address(ip: &str, mac: &str) -> Result<(Ipv4Addr, MacAddress), String> {
    let no_ip = |_| format!("\"{ip}\" is no IPv4 address; expected one like 10.0.0.1");
    let parsed = ip.parse().map_err(no_ip)?;
    let mac = mac_address(mac).ok_or_else(|| {
        format!(
            "\"{mac}\" is no Ethernet address of one; expected six bytes like 02:00:00:00:00:01, the first of them even"
        )
    })?;
    Ok((parsed, mac))
}

impl NativeEthernet {
    fn fits(&self) -> Result<(), String> {
        address(&self.ip, &self.mac)?;
        address(&self.peer_ip, &self.peer_mac).map(|_| ())
    }

    fn own_port(&self) -> u16 {
        u16::try_from(self.port).unwrap_or(u16::MAX)
    }

    /// The two ends; they were checked.
    fn ends(&self) -> Option<(Host, (Ipv4Addr, MacAddress))> {
        let (ip, mac) = address(&self.ip, &self.mac).ok()?;
        Some((Host { mac, ip }, address(&self.peer_ip, &self.peer_mac).ok()?))
    }
}

impl Atomic for NativeEthernet {
    fn time_advance(&self) -> Duration {
        let is_idle = self.to_program.is_empty() && self.to_network.is_empty();
        if is_idle { Duration::FOREVER } else { Duration::ZERO }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        for datagram in self.to_program.drain(..) {
            out.send(self.received, datagram);
        }
        for frame in self.to_network.drain(..) {
            out.send(self.frames_out, frame);
        }
    }

    fn internal(&mut self, _: &mut Context<'_>) {}

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let Some((host, (ip, mac))) = self.ends() else { return };
        for datagram in inputs.events(self.sent) {
            let to = Endpoint { mac, ip, port: datagram.remote_port };
            match host.datagram(self.own_port(), to, &datagram.bytes) {
                Some(frame) => self.to_network.push(frame),
                None => context.fail(format!(
                    "the program sends {} bytes at once, which no frame can hold",
                    datagram.bytes.len()
                )),
            }
        }
        for frame in inputs.events(self.frames_in) {
            match host.hear(frame) {
                Heard::Asked(answer) => self.to_network.push(answer),
                Heard::Datagram { from, to_port, payload } if to_port == self.own_port() => {
                    let bytes = Payload::new(payload.to_vec());
                    self.to_program.push(Datagram { remote_port: from.port, bytes });
                }
                Heard::Datagram { .. } | Heard::Nothing => {}
            }
        }
    }
}
