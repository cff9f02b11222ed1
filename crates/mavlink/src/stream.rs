//! MAVLink on a stream of bytes (<https://mavlink.io/en/guide/serialization.html>). Version 2 is spoken and understood,
//! version 1 understood: PX4 begins with it, and goes over to version 2 when it hears that.
//!
//! ```text
//! 0xFD │ length │ incompatible │ compatible │ sequence │ system │ component │ message (3) │ payload │ CRC (2) │ signature (13)
//! 0xFE │ length │ sequence │ system │ component │ message │ payload │ CRC (2)
//! ```

use mavlink::{MavHeader, MavlinkVersion, Message, calculate_crc};
use serde::{Deserialize, Serialize};

/// A message of the dialect `common`.
pub type MavMessage = mavlink::dialects::common::MavMessage;

/// What messages of the versions 2 and 1 begin with.
const START: u8 = 0xFD;
const START_1: u8 = 0xFE;
/// Bytes in front of the payload.
const HEADER: usize = 10;
const HEADER_1: usize = 6;
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

/// What the beginning of a message says of it.
struct Frame {
    version: MavlinkVersion,
    header: MavHeader,
    id: u32,
    /// Where the payload is, and how long all of it is.
    payload: std::ops::Range<usize>,
    whole: usize,
}

impl Frame {
    /// Reads it off the first bytes; nothing or too little of it may be there.
    fn at(bytes: &[u8]) -> Result<Frame, Found> {
        match bytes[0] {
            START => {
                let header = bytes.first_chunk::<HEADER>().ok_or(Found::Part)?;
                let &[_, length, incompatible, _, sequence, system, component, low, middle, high] =
                    header;
                if incompatible & !IS_SIGNED != 0 {
                    return Err(Found::Nothing);
                }
                let end = HEADER + usize::from(length);
                Ok(Frame {
                    version: MavlinkVersion::V2,
                    header: MavHeader {
                        system_id: system.into(),
                        component_id: component,
                        sequence,
                    },
                    id: u32::from_le_bytes([low, middle, high, 0]),
                    payload: HEADER..end,
                    whole: end + CHECK + usize::from(incompatible & IS_SIGNED) * SIGNATURE,
                })
            }
            START_1 => {
                let header = bytes.first_chunk::<HEADER_1>().ok_or(Found::Part)?;
                let &[_, length, sequence, system, component, id] = header;
                let end = HEADER_1 + usize::from(length);
                Ok(Frame {
                    version: MavlinkVersion::V1,
                    header: MavHeader {
                        system_id: system.into(),
                        component_id: component,
                        sequence,
                    },
                    id: id.into(),
                    payload: HEADER_1..end,
                    whole: end + CHECK,
                })
            }
            _ => Err(Found::Nothing),
        }
    }
}

fn find(bytes: &[u8], counts: &mut StreamCounts) -> Found {
    let Frame { version, header, id, payload, whole } = match Frame::at(bytes) {
        Ok(frame) => frame,
        Err(found) => return found,
    };
    if bytes.len() < whole {
        return Found::Part;
    }
    if MavMessage::default_message_from_id(id).is_none() {
        // Its check sum cannot be known. Where another message begins behind it, it was one of another dialect, and what
        // is inside of it is none; else it was none itself.
        let Some(behind) = bytes.get(whole) else { return Found::Part };
        counts.unknown += 1;
        let follows = [START, START_1].contains(behind);
        return if follows { Found::Whole(whole, None) } else { Found::Nothing };
    }
    let sum = calculate_crc(&bytes[1..payload.end], MavMessage::extra_crc(id));
    if sum.to_le_bytes() != bytes[payload.end..payload.end + CHECK] {
        counts.wrong_checks += 1;
        return Found::Nothing;
    }
    match MavMessage::parse(version, id, &bytes[payload]) {
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
