//! The sending end of a line: frames wait in a queue and leave one after the other.

use std::collections::VecDeque;

use ironbird_component::Parameters;
use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use crate::EthernetFrame;
use crate::held::Held;
use crate::wire::{BitRate, passage};

/// How much may wait. What does not fit is dropped: the newest frame goes.
#[derive(Clone, Parameters)]
pub struct Queue {
    /// Frames that may wait, without the one that is being sent.
    #[parameter(default = 100, min = 0, max = 1e9)]
    frames: u64,
    /// Bytes of frames that may wait.
    #[parameter(unit = "B", default = 1e6, min = 0, max = 1e12)]
    bytes: f64,
}

/// A line in one direction, and the frames that wait for it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Transmitter {
    waiting: VecDeque<Held>,
    waiting_bytes: u64,
    /// When the next frame may begin.
    free: Time,
    /// Picoseconds for which the line was taken, or is going to be.
    taken: u64,
}

/// A frame has begun.
#[derive(Debug, PartialEq)]
pub(crate) struct Departure {
    pub frame: EthernetFrame,
    /// When its last bit is on the line.
    pub left: Time,
}

impl Transmitter {
    /// Takes a frame, or not if there is no room.
    pub fn offer(&mut self, frame: &EthernetFrame, queue: &Queue, now: Time) -> bool {
        let bytes = frame.bytes.len() as u64;
        // Where the line is free, the first of those that wait begins in this very instant.
        let begins = self.waiting.front().filter(|_| self.free <= now);
        let ahead = begins.map_or(0, |Held(first)| first.bytes.len() as u64);
        let frames = self.waiting.len() - usize::from(begins.is_some());
        let is_idle = self.waiting.is_empty() && self.free <= now;
        let fits = (frames as u64) < queue.frames
            && (self.waiting_bytes - ahead + bytes) as f64 <= queue.bytes;
        let is_taken = is_idle || fits;
        if is_taken {
            self.waiting.push_back(Held(frame.clone()));
            self.waiting_bytes += bytes;
        }
        is_taken
    }

    /// The next frame begins, if there is one and the line is free.
    pub fn begin(&mut self, rate: BitRate, now: Time) -> Option<Departure> {
        if self.free > now {
            return None;
        }
        let Held(frame) = self.waiting.pop_front()?;
        self.waiting_bytes -= frame.bytes.len() as u64;
        let passage = passage(&frame.bytes, rate, now);
        self.free = passage.free;
        self.taken += passage.free.since(now).as_ps();
        Some(Departure { frame, left: passage.left })
    }

    /// When the next frame may begin; never, if none waits.
    pub fn due(&self) -> Time {
        if self.waiting.is_empty() { Time::NEVER } else { self.free }
    }

    /// The share of the time since the start for which the line was taken.
    pub fn busy(&self, now: Time) -> f64 {
        let taken = self.taken - self.free.since(now).as_ps();
        if now == Time::ZERO { 0.0 } else { taken as f64 / now.as_ps() as f64 }
    }
}
