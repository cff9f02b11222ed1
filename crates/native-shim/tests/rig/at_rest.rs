//! The world of Betaflight's simulator target, at rest on the ground.

use super::{MILLISECOND, SECOND, World, setup};
use ironbird_native_shim::protocol::{Backend, Input, Networks, Output, Setup, Socket, SocketKind};

const STATE: u32 = 0;
const RC: u32 = 1;
const MOTORS: u32 = 2;
const SERVOS: u32 = 3;

/// At rest on the ground: 1 kHz of state, 50 Hz of sticks, nothing moves.
pub struct AtRest {
    pub next: u64,
}

fn state_packet(now: u64) -> Vec<u8> {
    let seconds = now as f64 / SECOND as f64;
    let mut numbers = [0.0; 18];
    numbers[0] = seconds;
    // Specific force of a body at rest, forward-right-down turned to the axes of the packet; unit quaternion.
    numbers[6] = -9.80665;
    numbers[7] = 1.0;
    numbers[17] = 101_325.0;
    numbers.iter().flat_map(|number: &f64| number.to_le_bytes()).collect()
}

fn rc_packet(now: u64) -> Vec<u8> {
    let mut bytes = (now as f64 / SECOND as f64).to_le_bytes().to_vec();
    for channel in 0..16 {
        let pulse: u16 = if channel == 2 { 1000 } else { 1500 };
        bytes.extend_from_slice(&pulse.to_le_bytes());
    }
    bytes
}

impl World for AtRest {
    fn next(&self) -> Option<u64> {
        Some(self.next)
    }

    fn happen(&mut self, now: u64) -> Vec<Input> {
        self.next = now + MILLISECOND;
        let mut inputs =
            vec![Input::DatagramIn { port: STATE, from_port: 40_000, bytes: state_packet(now) }];
        if now.is_multiple_of(20 * MILLISECOND) {
            inputs.push(Input::DatagramIn { port: RC, from_port: 40_001, bytes: rc_packet(now) });
        }
        inputs
    }
}

pub fn betaflight_setup(backend: Backend) -> Setup {
    let socket = |port, kind| Socket { port, kind };
    Setup {
        clock_read_charge: 50_000,
        call_charge: 500_000,
        networks: Networks::Silent,
        sockets: vec![
            socket(STATE, SocketKind::Datagram { local: 9003, remote: 0 }),
            socket(RC, SocketKind::Datagram { local: 9004, remote: 0 }),
            socket(MOTORS, SocketKind::Datagram { local: 0, remote: 9002 }),
            socket(SERVOS, SocketKind::Datagram { local: 0, remote: 9001 }),
        ],
        ..setup(backend)
    }
}

/// FNV-1a over time, port and bytes of every packet, and how many there were.
pub fn hash(events: &[(u64, Output)]) -> (u64, usize) {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut count = 0;
    for (now, event) in events {
        if let Output::DatagramOut { to_port, bytes, .. } = event {
            count += 1;
            for byte in now.to_le_bytes().iter().chain(&to_port.to_le_bytes()).chain(bytes) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    (hash, count)
}
