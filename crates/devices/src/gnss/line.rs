//! What a receiver says, byte by byte at the rate of its line.

use std::collections::VecDeque;

use ironbird_kernel::{Grid, Rate, Time};
use serde::{Deserialize, Serialize};

use crate::SerialByte;

/// How many bytes may wait; what does not fit is lost as a whole.
const ROOM: usize = 4096;

/// The sending half of a serial line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SerialOut {
    baud: u32,
    /// What will be said later, and when.
    later: VecDeque<(Time, Vec<u8>)>,
    bytes: VecDeque<u8>,
    /// When the first byte of those that follow each other began, and how many of them are over.
    anchor: Time,
    sent: u64,
}

impl SerialOut {
    /// Bits per second.
    pub fn baud(&self) -> u32 {
        self.baud
    }

    /// The next byte is sent at another rate.
    pub fn set_baud(&mut self, now: Time, baud: u32) {
        self.baud = baud;
        (self.anchor, self.sent) = (now, 0);
    }

    /// Says something at an instant.
    pub fn say(&mut self, at: Time, bytes: Vec<u8>) {
        // In the order of their times; later ones behind earlier ones of the same.
        let place = self.later.partition_point(|(other, _)| *other <= at);
        self.later.insert(place, (at, bytes));
    }

    /// When the stop bit of the byte on the line is over.
    fn byte_ends(&self) -> Time {
        if self.bytes.is_empty() {
            return Time::NEVER;
        }
        match Rate::new(u64::from(self.baud), SerialByte::BITS) {
            Ok(rate) => Grid::new(self.anchor, rate).tick(self.sent + 1),
            Err(_) => Time::NEVER,
        }
    }

    /// When something happens.
    pub fn next_event(&self) -> Time {
        self.later.front().map_or(Time::NEVER, |(at, _)| *at).min(self.byte_ends())
    }

    /// Does what is due; returns a byte that is over.
    pub fn act(&mut self, now: Time) -> Option<SerialByte> {
        let mut over = None;
        let ends = self.byte_ends();
        if ends <= now {
            self.sent += 1;
            if ends < now {
                // The component was stopped: the next byte begins now.
                (self.anchor, self.sent) = (now, 0);
            }
            over = self.bytes.pop_front().map(|byte| SerialByte { byte, baud: self.baud });
        }
        while let Some((_, said)) = self.later.pop_front_if(|(at, _)| *at <= now) {
            if self.bytes.len() + said.len() > ROOM {
                continue;
            }
            if self.bytes.is_empty() {
                (self.anchor, self.sent) = (now, 0);
            }
            self.bytes.extend(said);
        }
        over
    }
}
