//! How messages get to vehicles and back: as UDP datagrams, and over a serial line.

use std::collections::{BTreeMap, VecDeque};

use ironbird_devices::SerialByte;
use ironbird_kernel::{Duration, Time};
use ironbird_network::EthernetFrame;
use ironbird_network::udp::{Endpoint, Heard, Host};
use mavlink::MavHeader;
use serde::{Deserialize, Serialize};

use crate::stream::{MavMessage, StreamCounts, StreamParser, encode};

/// A way on which vehicles were heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Route {
    Serial,
    Udp(Endpoint),
}

/// Bytes that wait for the serial line at most; a message that does not fit is not sent.
const SERIAL_ROOM: usize = 16_384;

/// Who sends, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sender {
    pub host: Host,
    pub port: u16,
    pub baud: u32,
    pub system: u8,
    pub component: u8,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Lines {
    /// The ways, and the number of the next message on each.
    routes: BTreeMap<Route, u8>,
    datagrams: StreamParser,
    serial: StreamParser,
    /// Bytes for the serial line, and when the stop bit of the first one is over.
    bytes: VecDeque<u8>,
    byte_due: Option<Time>,
    /// Frames that leave in this instant.
    #[serde(skip)]
    frames: Vec<EthernetFrame>,
}

impl Lines {
    /// Takes a frame, and gives the messages in it and where they came from.
    pub fn hear_frame(
        &mut self,
        sender: &Sender,
        frame: &EthernetFrame,
    ) -> Option<(Route, Vec<(MavHeader, MavMessage)>)> {
        match sender.host.hear(frame) {
            Heard::Asked(answer) => {
                self.frames.push(answer);
                None
            }
            Heard::Datagram { from, to_port, payload } if to_port == sender.port => {
                let mut messages = self.datagrams.push(payload);
                messages.append(&mut self.datagrams.end());
                Some((Route::Udp(from), messages))
            }
            Heard::Datagram { .. } | Heard::Nothing => None,
        }
    }

    /// Takes a byte of the serial line, and gives the messages that it completes.
    pub fn hear_byte(&mut self, sender: &Sender, byte: SerialByte) -> Vec<(MavHeader, MavMessage)> {
        // Noise is no byte, but it takes the place of one.
        let byte = if byte.is_readable_at(sender.baud) { byte.byte } else { !byte.byte };
        self.serial.push(&[byte])
    }

    /// Takes note of a way on which a vehicle was heard.
    pub fn open(&mut self, route: Route) {
        self.routes.entry(route).or_insert(0);
    }

    /// All ways on which vehicles were heard.
    pub fn routes(&self) -> Vec<Route> {
        self.routes.keys().copied().collect()
    }

    /// Sends a message.
    pub fn send(&mut self, sender: &Sender, now: Time, route: Route, message: &MavMessage) {
        let sequence = self.routes.entry(route).or_insert(0);
        let header = MavHeader {
            system_id: sender.system.into(),
            component_id: sender.component,
            sequence: *sequence,
        };
        *sequence = sequence.wrapping_add(1);
        let bytes = encode(header, message);
        match route {
            Route::Udp(to) => {
                self.frames.extend(sender.host.datagram(sender.port, to, &bytes));
            }
            Route::Serial if self.bytes.len() + bytes.len() <= SERIAL_ROOM => {
                self.bytes.extend(bytes);
                self.byte_due.get_or_insert(now + byte_time(sender.baud));
            }
            Route::Serial => {}
        }
    }

    /// Whether frames leave in this instant.
    pub fn has_frames(&self) -> bool {
        !self.frames.is_empty()
    }

    /// The frames that leave in this instant.
    pub fn take_frames(&mut self) -> Vec<EthernetFrame> {
        std::mem::take(&mut self.frames)
    }

    /// When the next byte is through.
    pub fn byte_due(&self) -> Time {
        self.byte_due.unwrap_or(Time::NEVER)
    }

    /// The byte whose stop bit is over now. The next one begins at once.
    pub fn take_byte(&mut self, sender: &Sender, now: Time) -> Option<SerialByte> {
        self.byte_due.filter(|due| *due <= now)?;
        let byte = self.bytes.pop_front()?;
        self.byte_due = (!self.bytes.is_empty()).then(|| now + byte_time(sender.baud));
        Some(SerialByte { byte, baud: sender.baud })
    }

    /// How the streams have been.
    pub fn counts(&self) -> [StreamCounts; 2] {
        [self.datagrams.counts, self.serial.counts]
    }
}

/// How long a byte takes, rounded up to a picosecond.
fn byte_time(baud: u32) -> Duration {
    const PICOSECONDS: u64 = 1_000_000_000_000;
    Duration::from_ps((SerialByte::BITS * PICOSECONDS).div_ceil(u64::from(baud)))
}
