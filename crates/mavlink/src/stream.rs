//! MAVLink 2 on a stream of bytes (<https://mavlink.io/en/guide/serialization.html>).
//!
//! ```text
//! 0xFD │ length │ incompatible │ compatible │ sequence │ system │ component │ message (3) │ payload │ CRC (2) │ signature (13)
//! ```

use mavlink::{MavHeader, MavlinkVersion, Message, calculate_crc};
use serde::{Deserialize, Serialize};

/// A message of the dialect `common`.
pub type MavMessage = mavlink::dialects::common::MavMessage;

/// What each message begins with.
const START: u8 = 0xFD;
/// Bytes in front of the payload.
const HEADER: usize = 10;
const CHECK: usize = 2;
const SIGNATURE: usize = 13;
/// The only flag that says how to read a message: it is signed.
const IS_SIGNED: u8 = 1;

/// Finds messages among bytes, and the way back to them after what is none.
///
/// Signatures are not checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamParser {
    waiting: Vec<u8>,
    /// What was seen so far.
    pub counts: StreamCounts,
}

/// How a stream of bytes has been so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamCounts {
    /// Messages that were read.
    pub messages: u64,
    /// What looked like a message and had a wrong check sum.
    pub wrong_checks: u64,
    /// Messages that are no part of the dialect, or hold what it does not know.
    pub unknown: u64,
    /// Bytes that belonged to no message.
    pub skipped: u64,
}

/// What begins the bytes that wait.
enum Found {
    /// Too little to tell.
    Part,
    /// No message: the first byte is skipped.
    Nothing,
    /// A message of this length, which may be one that cannot be read.
    Whole(usize, Option<Box<(MavHeader, MavMessage)>>),
}

impl StreamParser {
    /// Takes bytes, and gives the messages that are complete with them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<(MavHeader, MavMessage)> {
        self.waiting.extend_from_slice(bytes);
        let (mut messages, mut at) = (Vec::new(), 0);
        while at < self.waiting.len() {
            match find(&self.waiting[at..], &mut self.counts) {
                Found::Part => break,
                Found::Nothing => {
                    self.counts.skipped += 1;
                    at += 1;
                }
                Found::Whole(length, message) => {
                    at += length;
                    messages.extend(message.map(|message| *message));
                }
            }
        }
        self.waiting.drain(..at);
        messages
    }

    /// Nothing follows what has come: the end of a datagram. Gives what was hidden in an unfinished message.
    pub fn end(&mut self) -> Vec<(MavHeader, MavMessage)> {
        let mut messages = Vec::new();
        while !self.waiting.is_empty() {
            self.waiting.remove(0);
            self.counts.skipped += 1;
            messages.append(&mut self.push(&[]));
        }
        messages
    }
}

fn find(bytes: &[u8], counts: &mut StreamCounts) -> Found {
    if bytes[0] != START {
        return Found::Nothing;
    }
    let Some(header) = bytes.first_chunk::<HEADER>() else { return Found::Part };
    let &[_, length, incompatible, _, sequence, system, component, low, middle, high] = header;
    if incompatible & !IS_SIGNED != 0 {
        return Found::Nothing;
    }
    let checked = HEADER + usize::from(length);
    let whole = checked + CHECK + usize::from(incompatible & IS_SIGNED) * SIGNATURE;
    if bytes.len() < whole {
        return Found::Part;
    }
    let id = u32::from_le_bytes([low, middle, high, 0]);
    if MavMessage::default_message_from_id(id).is_none() {
        // Its check sum cannot be known: what follows may be inside of it.
        counts.unknown += 1;
        return Found::Nothing;
    }
    let sum = calculate_crc(&bytes[1..checked], MavMessage::extra_crc(id));
    if sum.to_le_bytes() != bytes[checked..checked + CHECK] {
        counts.wrong_checks += 1;
        return Found::Nothing;
    }
    let header = MavHeader { system_id: system.into(), component_id: component, sequence };
    match MavMessage::parse(MavlinkVersion::V2, id, &bytes[HEADER..checked]) {
        Ok(message) => {
            counts.messages += 1;
            Found::Whole(whole, Some(Box::new((header, message))))
        }
        Err(_) => {
            counts.unknown += 1;
            Found::Whole(whole, None)
        }
    }
}

/// The bytes of a message.
pub fn encode(header: MavHeader, message: &MavMessage) -> Vec<u8> {
    let mut raw = mavlink::MAVLinkV2MessageRaw::new();
    raw.serialize_message(header, message);
    raw.raw_bytes().to_vec()
}
