//! What the controllers of SPI and I2C have in common: a transfer under way.

use ironbird_devices::{BusReply, BusRequest};
use ironbird_kernel::{Payload, Time};
use serde::{Deserialize, Serialize};

use crate::memory::Memory;

pub const BUSY: u32 = 1;
pub const DONE: u32 = 2;
pub const FAILED: u32 = 4;
pub const NOT_ACKNOWLEDGED: u32 = 8;

/// The side of a controller that does not depend on the bus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transfers {
    pub status: u32,
    pub interrupt: bool,
    /// Software has asked for a transfer that has not begun.
    pub wanted: bool,
    number: u32,
    under_way: Option<UnderWay>,
}

/// A transfer under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UnderWay {
    into: u32,
    length: u32,
    /// What a chip has answered: whether it acknowledged, and what is read.
    answer: Option<(bool, Vec<u8>)>,
    /// Until when it must have been acknowledged, where that matters.
    acknowledged_by: Option<Time>,
    ends: Time,
}

/// A transfer as the registers describe it.
pub struct Wish {
    pub chip: u8,
    pub clock: u32,
    /// Where what is written comes from, and how much it is.
    pub from: (u32, u32),
    /// Where what is read goes to, and how much it is.
    pub into: (u32, u32),
    /// How many bytes the request asks for beyond those that are written.
    pub asks: u32,
    pub longest: u32,
    /// When the chip must have acknowledged, where that matters.
    pub acknowledged_by: Option<Time>,
    pub ends: Time,
}

impl Transfers {
    pub fn line(&self) -> bool {
        self.interrupt && self.status & DONE != 0
    }

    /// Bits of the status that are written as 1 are cleared; whether it is busy cannot be changed.
    pub fn clear(&mut self, bits: u32) {
        self.status &= !(bits & !BUSY);
    }

    /// Software asks for a transfer.
    pub fn want(&mut self) {
        self.wanted = self.status & BUSY == 0;
    }

    /// Begins what is wanted. `None` if it cannot be: that is in the status then.
    pub fn begin(&mut self, wish: &Wish, memory: &Memory) -> Option<BusRequest> {
        self.wanted = false;
        let (from, written) = wish.from;
        let (into, read) = wish.into;
        let lengths = 0..=wish.longest;
        let mut bytes = vec![0; if lengths.contains(&written) { written as usize } else { 0 }];
        let fits = lengths.contains(&written)
            && lengths.contains(&read)
            && written + read > 0
            && memory.read(from, &mut bytes).is_ok()
            && (read == 0 || memory.holds_ram(into, read));
        if !fits {
            self.status |= DONE | FAILED;
            return None;
        }
        self.number = self.number.wrapping_add(1);
        self.status = self.status & !(DONE | FAILED | NOT_ACKNOWLEDGED) | BUSY;
        self.under_way = Some(UnderWay {
            into,
            length: read,
            answer: None,
            acknowledged_by: wish.acknowledged_by,
            ends: wish.ends,
        });
        Some(BusRequest {
            transfer: self.number,
            chip: wish.chip,
            clock: wish.clock,
            written: Payload::new(bytes),
            read: wish.asks,
        })
    }

    /// A chip has answered. Of several answers to one request the bits are wired together: a 0 wins.
    pub fn answer(&mut self, reply: &BusReply) {
        let Some(under_way) = &mut self.under_way else { return };
        if reply.transfer != self.number {
            return;
        }
        match &mut under_way.answer {
            None => under_way.answer = Some((reply.acknowledged, reply.read.to_vec())),
            Some((acknowledged, bytes)) => {
                *acknowledged |= reply.acknowledged;
                bytes.iter_mut().zip(reply.read.iter()).for_each(|(all, one)| *all &= one);
            }
        }
    }

    /// When something happens.
    pub fn next(&self) -> Time {
        let Some(under_way) = &self.under_way else { return Time::NEVER };
        match under_way.acknowledged_by {
            Some(by) => by,
            None => under_way.ends,
        }
    }

    /// What is due now: the acknowledgement is looked at, or the transfer ends.
    pub fn event(&mut self, memory: &mut Memory) {
        let Some(mut under_way) = self.under_way.take() else { return };
        if under_way.acknowledged_by.take().is_some() {
            if matches!(under_way.answer, Some((true, _))) {
                self.under_way = Some(under_way);
            } else {
                self.status = self.status & !BUSY | DONE | NOT_ACKNOWLEDGED;
            }
            return;
        }
        // What nobody drives is high.
        let mut bytes = under_way.answer.map(|(_, bytes)| bytes).unwrap_or_default();
        bytes.resize(under_way.length as usize, 0xFF);
        self.status = self.status & !BUSY | DONE;
        if memory.write(under_way.into, &bytes).is_err() {
            self.status |= FAILED;
        }
    }
}
