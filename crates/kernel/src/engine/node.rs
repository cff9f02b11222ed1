//! What an engine is made of: models, and the ways of what they write.

use super::assemble::LinkKey;
use crate::context::{Counts, Share};
use crate::interpose::Interposed;
use crate::model::AnyModel;
use crate::selection::Selections;
use crate::time::{Duration, Time};

/// A model and what the engine keeps of it where it needs it in every cycle: one cache line.
#[repr(align(64))]
pub(crate) struct Node {
    /// When it last made a transition.
    pub last: Time,
    pub inbox_head: u32,
    pub inbox_tail: u32,
    /// First output slot, and first input slot; slots of inputs are followed by those of queries
    /// and random streams.
    pub out_base: u32,
    pub in_base: u32,
    /// Number of its [`Counts`].
    pub counts: u16,
    pub flags: u16,
    pub model: AnyModel,
}

impl Node {
    /// Has pipes that it looks into when it is called.
    pub const PULLS: u16 = 1;
    pub const STOPPED: u16 = 2;
    /// Its bag of this cycle is not in order yet.
    pub const UNSORTED: u16 = 4;
    pub const RUN_AHEAD: u16 = 8;
    pub const PERIODIC: u16 = 16;

    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Which part of all values belongs to it.
    #[inline]
    pub(super) fn share(&self, counts: &[Counts]) -> Share {
        let counts = counts[self.counts as usize];
        Share { in_base: self.in_base, out_base: self.out_base, counts }
    }

    /// Whether a step needs no preparation: nothing is pulled. Its bag is always empty then.
    pub(super) fn steps_plainly(&self) -> bool {
        !self.has(Node::PULLS)
    }
}

/// Where a written value goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// A node, or a pipe.
    pub target: u32,
    pub port: u16,
    pub kind: RouteKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteKind {
    /// Into the bag of an event-driven or run-ahead model; a signal only wakes it.
    Bag,
    Pipe,
}

/// How a pipe's far end is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PipeEnd {
    /// What arrives wakes the target; the number is that of the pipe in the event queue.
    Waking(u32),
    /// The target looks into the pipe when it is called.
    Pulled,
    /// It goes on in another partition: through a channel, to a pipe there.
    Remote { channel: u16, pipe: u32 },
}

/// What lies between a source and a reader that does not see the value at once.
pub(crate) struct Pipe {
    pub store: u16,
    pub typed: u32,
    pub latency: Duration,
    pub signal: bool,
    pub interposer: Option<Box<Interposed>>,
    /// Where the reader takes a part of what the source shows; the pipe holds parts then.
    pub selections: Option<Box<Selections>>,
    pub end: PipeEnd,
    /// Slot of the far end, in the target's partition.
    pub slot: u32,
    /// Slot of the source, in the source's partition.
    pub source: u32,
    /// Node and port of the target, in the target's partition.
    pub target: u32,
    pub port: u16,
    /// Another pipe owns the queue that this one leads into.
    pub shared: bool,
    /// Number of the flat link, and what identifies it when the system changes.
    pub link: u32,
    pub key: LinkKey,
}
