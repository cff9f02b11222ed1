//! Receiving, by the rules of the [module](super).

use super::Endpoint;
use crate::error::{LinkError, Problem};
use crate::layout::{FIRST_UPPER, Fields, SYNC, TERMINATE, Upper};
use crate::queue::Slots;

/// SYNCs in a row for the same time that are taken for those of a peer that will never come further. SimBricks'
/// own repeat them at time 0, but no more than a queue holds.
const MOST_IDLE_SYNCS: u32 = 1_000_000;

impl Endpoint {
    /// The next message that is due at `now`, if there is one. Messages that only carry time are taken
    /// on the way; the horizon rises to the time stamp of the first message that is not due.
    ///
    /// # Errors
    /// If the peer's time went backwards, or a type is reserved.
    #[inline]
    pub fn receive(&mut self, now: u64) -> Result<Option<Message<'_>>, LinkError> {
        match self.look(now)? {
            Some((slot, kind, timestamp)) => {
                self.counts.received += 1;
                Ok(Some(Message { endpoint: self, slot, kind, timestamp }))
            }
            None => Ok(None),
        }
    }

    /// Type and time stamp of the message that [`receive`](Self::receive) would return.
    ///
    /// # Errors
    /// As for [`receive`](Self::receive).
    #[inline]
    pub fn peek(&mut self, now: u64) -> Result<Option<(u8, u64)>, LinkError> {
        Ok(self.look(now)?.map(|(_, kind, timestamp)| (kind, timestamp)))
    }

    #[inline]
    fn look(&mut self, now: u64) -> Result<Option<(usize, u8, u64)>, LinkError> {
        // A peer that fills the queue with due SYNCs as fast as they are taken gets no more than a round.
        for _ in 0..self.incoming.slots().count() {
            if self.has_ended {
                return Ok(None);
            }
            let Some((slot, kind)) = self.incoming.ready_slot() else { return Ok(None) };
            let timestamp = self.incoming.slots().timestamp(slot);
            if kind == TERMINATE {
                self.incoming.release(kind);
                self.end();
                return Ok(None);
            }
            if self.is_synchronised {
                if timestamp < self.in_timestamp {
                    let (peer, previous) = (self.peer, self.in_timestamp);
                    let problem = Problem::Backwards { peer, previous, found: timestamp };
                    return Err(self.error(problem));
                }
                if timestamp > self.in_timestamp {
                    self.in_timestamp = timestamp;
                    self.idle_syncs = 0;
                }
                if timestamp > now {
                    return Ok(None);
                }
            }
            if kind >= FIRST_UPPER {
                return Ok(Some((slot, kind, timestamp)));
            }
            if kind != SYNC {
                return Err(self.error(Problem::Reserved { peer: self.peer, kind }));
            }
            self.idle_syncs += u32::from(self.is_synchronised);
            if self.idle_syncs == MOST_IDLE_SYNCS {
                let (peer, times) = (self.peer, MOST_IDLE_SYNCS);
                return Err(self.error(Problem::NoProgress { peer, timestamp, times }));
            }
            self.counts.syncs_received += 1;
            self.release(kind);
            // The peer is about to write the next slot, now that both have reached this time. To look at it before
            // would take its cache line away from the peer and cost it, and so this side, a good part of a step.
            std::hint::spin_loop();
        }
        Ok(None)
    }

    #[inline]
    fn release(&mut self, kind: u8) {
        self.incoming.release(kind);
        self.ring();
    }
}

/// A received message. Dropping it gives its slot back to the peer.
#[derive(Debug)]
pub struct Message<'link> {
    endpoint: &'link mut Endpoint,
    slot: usize,
    kind: u8,
    timestamp: u64,
}

impl Message<'_> {
    /// Its type, 0x40 to 0x7f.
    pub fn kind(&self) -> u8 {
        self.kind
    }

    /// The time it is due.
    pub fn timestamp(&self) -> u64 {
        self.timestamp
    }

    /// The upper layer's fields.
    #[inline]
    pub fn fields(&self) -> Fields {
        self.endpoint.incoming.slots().fields(self.slot)
    }

    /// The message of an upper layer.
    ///
    /// # Errors
    /// If the peer sent a type that the layer does not have.
    pub fn upper<U: Upper>(&self) -> Result<U, LinkError> {
        let tail = self.endpoint.incoming.slots().tail(self.slot);
        U::decode(self.kind, &self.fields(), &tail)
            .map_err(|error| self.endpoint.error(Problem::Message(self.endpoint.peer, error)))
    }

    /// Copies the first bytes of the payload. What a peer did not write is what an earlier message left.
    ///
    /// # Errors
    /// If a slot is not that long.
    #[inline]
    pub fn payload(&self, into: &mut [u8]) -> Result<(), LinkError> {
        let slots = self.endpoint.incoming.slots();
        if slots.payload(self.slot, into) {
            return Ok(());
        }
        let (length, capacity) = (into.len(), slots.capacity());
        Err(self.endpoint.error(Problem::PayloadTooLong { length, capacity }))
    }
}

impl Drop for Message<'_> {
    #[inline]
    fn drop(&mut self) {
        self.endpoint.release(self.kind);
    }
}
