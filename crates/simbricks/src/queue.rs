//! The queue: slots in a ring, each owned by one side at a time.
//!
//! The owner is bit 7 of the slot's last header byte, and nothing else is shared: both sides start at
//! slot 0 and count by themselves. The producer may write a slot whose bit is clear, and gives it away
//! with a release store of the type with the bit set. The consumer may read a slot whose bit it has
//! seen set (acquire), and gives it back with a release store of the type with the bit clear; only the
//! bit says who owns, so a free slot may hold the type of an old message.
//!
//! Each side looks only at the slot that is next for it, so a peer that sets bits as it likes can make
//! this side read nonsense or wait, but never leave the ring.

use crate::atomics::{AtomicU8, Ordering};
use crate::layout::{CONSUMER_OWNS, TYPE_MASK};

/// The slots of a queue, wherever they lie.
pub trait Slots {
    /// How many there are, at least one.
    fn count(&self) -> usize;

    /// The byte with owner and type of slot `index`, which is below [`count`](Self::count).
    fn own_type(&self, index: usize) -> &AtomicU8;
}

/// The side that writes messages.
#[derive(Debug)]
pub struct Producer<S> {
    slots: S,
    next: usize,
}

impl<S: Slots> Producer<S> {
    /// The producer of a queue in which every slot is free.
    pub fn new(slots: S) -> Self {
        Self { slots, next: 0 }
    }

    /// The slot to write next, if it is free. Write it, then [`publish`](Self::publish).
    #[inline]
    pub fn free_slot(&self) -> Option<usize> {
        let owner = self.slots.own_type(self.next).load(Ordering::Acquire);
        (owner & CONSUMER_OWNS == 0).then_some(self.next)
    }

    /// Gives the slot that [`free_slot`](Self::free_slot) named to the consumer, as a message of type
    /// `kind`.
    #[inline]
    pub fn publish(&mut self, kind: u8) {
        let own_type = CONSUMER_OWNS | (kind & TYPE_MASK);
        self.slots.own_type(self.next).store(own_type, Ordering::Release);
        self.next = following(self.next, self.slots.count());
    }

    /// The slots.
    pub fn slots(&self) -> &S {
        &self.slots
    }
}

/// The side that reads messages.
#[derive(Debug)]
pub struct Consumer<S> {
    slots: S,
    next: usize,
}

impl<S: Slots> Consumer<S> {
    /// The consumer of a queue in which no message was taken yet.
    pub fn new(slots: S) -> Self {
        Self { slots, next: 0 }
    }

    /// The slot of the next message and its type, if it is there. Read it, then
    /// [`release`](Self::release).
    #[inline]
    pub fn ready_slot(&self) -> Option<(usize, u8)> {
        let own_type = self.slots.own_type(self.next).load(Ordering::Acquire);
        (own_type & CONSUMER_OWNS != 0).then_some((self.next, own_type & TYPE_MASK))
    }

    /// Gives the slot that [`ready_slot`](Self::ready_slot) named, and that held a message of type
    /// `kind`, back to the producer.
    #[inline]
    pub fn release(&mut self, kind: u8) {
        self.slots.own_type(self.next).store(kind & TYPE_MASK, Ordering::Release);
        self.next = following(self.next, self.slots.count());
    }

    /// The slots.
    pub fn slots(&self) -> &S {
        &self.slots
    }
}

#[inline]
fn following(index: usize, count: usize) -> usize {
    if index + 1 == count { 0 } else { index + 1 }
}
