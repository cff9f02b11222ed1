//! Sending, by the rules of the [module](super).

use super::Endpoint;
use crate::error::{LinkError, Problem};
use crate::layout::{FIRST_UPPER, Fields, SYNC, TERMINATE, TYPE_MASK, Tail, Upper};
use crate::slots::PoolSlots;

/// What became of a message to be sent.
#[must_use = "a message that found the queue full was not sent"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It is in the queue, or none was needed.
    Done,
    /// The queue is full: wait for [`Need::Room`](crate::wait::Need::Room), and send it again. Two sides that do
    /// nothing but wait for room wait for each other, so a queue has to hold what a side sends within the
    /// latency and the peer takes only then, or a side that waits goes on receiving.
    Full,
    /// The link has ended; nobody reads the queue.
    Ended,
}

impl Endpoint {
    /// Sends a message of type `kind` at time `now`.
    ///
    /// # Errors
    /// If the type is not one of an upper layer, the payload is longer than a slot, or `now` is earlier
    /// than a message sent before.
    #[inline]
    pub fn send(
        &mut self,
        now: u64,
        kind: u8,
        fields: &Fields,
        payload: &[u8],
    ) -> Result<Sent, LinkError> {
        self.send_with(now, kind, fields, &Tail::default(), payload)
    }

    #[inline]
    fn send_with(
        &mut self,
        now: u64,
        kind: u8,
        fields: &Fields,
        tail: &Tail,
        payload: &[u8],
    ) -> Result<Sent, LinkError> {
        if !(FIRST_UPPER..=TYPE_MASK).contains(&kind) {
            return Err(self.error(Problem::NotUpper { kind }));
        }
        let capacity = self.capacity();
        if payload.len() > capacity {
            return Err(self.error(Problem::PayloadTooLong { length: payload.len(), capacity }));
        }
        let sent = self.push(now, kind, |slots, slot| {
            slots.set_fields(slot, fields);
            slots.set_tail(slot, tail);
            slots.set_payload(slot, payload);
        })?;
        self.counts.sent += u64::from(sent == Sent::Done);
        Ok(sent)
    }

    /// Sends a message of an upper layer at time `now`.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    pub fn send_upper(
        &mut self,
        now: u64,
        message: &impl Upper,
        payload: &[u8],
    ) -> Result<Sent, LinkError> {
        self.send_with(now, message.kind(), &message.encode(), &message.tail(), payload)
    }

    /// Tells the peer that it is `now` here, if nothing was sent for the synchronisation interval.
    ///
    /// # Errors
    /// If `now` is earlier than a message sent before.
    #[inline]
    pub fn sync(&mut self, now: u64) -> Result<Sent, LinkError> {
        let since = now.saturating_sub(self.out_timestamp);
        if !self.is_synchronised || (self.out_timestamp != 0 && since < self.sync_interval) {
            return Ok(Sent::Done);
        }
        let sent = self.push(now, SYNC, |_, _| ())?;
        self.counts.syncs_sent += u64::from(sent == Sent::Done);
        Ok(sent)
    }

    #[inline]
    fn push(
        &mut self,
        now: u64,
        kind: u8,
        fill: impl FnOnce(&PoolSlots, usize),
    ) -> Result<Sent, LinkError> {
        if self.has_ended {
            return Ok(Sent::Ended);
        }
        if now < self.out_timestamp {
            let previous = self.out_timestamp;
            return Err(self.error(Problem::SentBackwards { previous, now }));
        }
        let Some(timestamp) = now.checked_add(self.latency) else {
            return Err(self.error(Problem::EndOfTime { now }));
        };
        let Some(slot) = self.outgoing.free_slot() else { return Ok(Sent::Full) };
        fill(self.outgoing.slots(), slot);
        self.outgoing.slots().set_timestamp(slot, timestamp);
        self.outgoing.publish(kind);
        self.out_timestamp = now;
        self.ring();
        // The peer wrote the next slot last. Writing it now, unless it is the peer's, brings its cache line here
        // while there is nothing better to do than to wait for an answer.
        if let Some(slot) = self.outgoing.free_slot() {
            self.outgoing.slots().set_timestamp(slot, 0);
        }
        Ok(Sent::Done)
    }

    /// Tells the peer that there is nothing more to come, unless the link is one on which that is not
    /// said ([`Link::sends_terminate`](crate::Link::sends_terminate)). Nothing can be sent or received afterwards.
    pub fn terminate(&mut self) -> Sent {
        if self.has_ended {
            return Sent::Ended;
        }
        if self.link.sends_terminate {
            let Some(slot) = self.outgoing.free_slot() else { return Sent::Full };
            self.outgoing.slots().set_timestamp(slot, self.latency.wrapping_sub(1));
            self.outgoing.publish(TERMINATE);
        }
        self.end();
        Sent::Done
    }
}
