//! One side of an established link: messages in simulated time.
//!
//! With L the latency and S the synchronisation interval of this side:
//!
//! - a message sent at T bears the time stamp T + L, at which the receiver handles it;
//! - [`sync`](Endpoint::sync) sends a message without content if nothing was sent for S (at T = 0 always,
//!   since nothing sent and sent at 0 are the same number in the protocol);
//! - time stamps never fall within a direction, so the stamp of the oldest message not yet due proves that
//!   nothing can arrive before it: that is the [`horizon`](Endpoint::horizon). Before the first message it
//!   is 0, so that nobody passes time 0 before the peer said something.
//!
//! A simulator with time `now` therefore goes round like this: `sync(now)` on every link; receive what is
//! due on every link, until all horizons are past `now`; go to the earliest of the horizons, its own next
//! event, and the [`next_sync`](Endpoint::next_sync) of the links.
//!
//! The last message of a link, TERMINATE, bears the time stamp L - 1 (the end of time plus L, wrapped), so
//! it goes backwards and is always due; afterwards the link holds nobody back. Some peers end without it.
//!
//! On a link that is not synchronised everything is due at once, and there is no horizon.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::Timespec;

use crate::bell::PoolWords;
use crate::doorbell::Doorbell;
use crate::error::{LinkError, Peer, Problem};
use crate::layout::{FIRST_UPPER, Fields, SYNC, TERMINATE, TYPE_MASK, Upper};
use crate::link::Link;
use crate::pool::{OwnName, Pool};
use crate::queue::{Consumer, Producer, Slots};
use crate::slots::PoolSlots;
use crate::wait::Need;

/// What became of a message to be sent.
#[must_use = "a message that found the queue full was not sent"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It is in the queue, or none was needed.
    Done,
    /// The queue is full: wait for [`Need::Room`], and send it again.
    Full,
    /// The link has ended; nobody reads the queue.
    Ended,
}

/// How many messages went over a link, without those that only carry time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages of the upper layer sent.
    pub sent: u64,
    /// Messages of the upper layer received.
    pub received: u64,
    /// SYNC messages sent.
    pub syncs_sent: u64,
    /// SYNC messages received.
    pub syncs_received: u64,
}

/// What the handshake hands over.
pub(crate) struct Parts {
    pub(crate) link: Link,
    pub(crate) is_synchronised: bool,
    pub(crate) outgoing: PoolSlots,
    pub(crate) incoming: PoolSlots,
    pub(crate) peer: Peer,
    pub(crate) peer_intro: Vec<u8>,
    pub(crate) socket: OwnedFd,
    pub(crate) pool: Arc<Pool>,
    pub(crate) words: Option<PoolWords>,
    pub(crate) name: Option<OwnName>,
}

/// One side of an established link.
#[derive(Debug)]
pub struct Endpoint {
    outgoing: Producer<PoolSlots>,
    incoming: Consumer<PoolSlots>,
    bell: Option<Doorbell<PoolWords>>,
    /// Time of the last message sent.
    out_timestamp: u64,
    /// Stamp of the last message seen.
    in_timestamp: u64,
    latency: u64,
    sync_interval: u64,
    is_synchronised: bool,
    has_ended: bool,
    counts: Counts,
    link: Link,
    peer: Peer,
    peer_intro: Vec<u8>,
    socket: OwnedFd,
    pool: Arc<Pool>,
    _name: Option<OwnName>,
}

impl Endpoint {
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            outgoing: Producer::new(parts.outgoing),
            incoming: Consumer::new(parts.incoming),
            bell: parts.words.map(Doorbell::new),
            out_timestamp: 0,
            in_timestamp: 0,
            latency: parts.link.latency,
            sync_interval: parts.link.sync_interval,
            is_synchronised: parts.is_synchronised,
            has_ended: false,
            counts: Counts::default(),
            link: parts.link,
            peer: parts.peer,
            peer_intro: parts.peer_intro,
            socket: parts.socket,
            pool: parts.pool,
            _name: parts.name,
        }
    }

    /// The link's name.
    pub fn name(&self) -> &str {
        &self.link.name
    }

    /// Who is on the other side.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// The upper layer's part of the other side's introduction.
    pub fn peer_intro(&self) -> &[u8] {
        &self.peer_intro
    }

    /// Whether the two sides agreed to synchronise.
    pub fn is_synchronised(&self) -> bool {
        self.is_synchronised
    }

    /// Whether the peer said, or this side said, that there is nothing more to come.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether the peer is one of ours, which is woken when it sleeps.
    pub fn peer_rings(&self) -> bool {
        self.bell.as_ref().is_some_and(|bell| bell.words().peer_rings())
    }

    /// Whether the shared file cannot be made shorter under our feet (see [`pool`](crate::pool)).
    pub fn is_sealed(&self) -> bool {
        self.pool.is_sealed()
    }

    /// How many messages went over the link so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Bytes of payload that fit into a message this side sends.
    pub fn capacity(&self) -> usize {
        self.outgoing.slots().capacity()
    }

    /// The time before which nothing more can arrive. Everything due at times below it has been there to
    /// receive; more may come that is due at the horizon itself. The end of time on a link that is not
    /// synchronised or has ended.
    #[inline]
    pub fn horizon(&self) -> u64 {
        if self.is_synchronised { self.in_timestamp } else { u64::MAX }
    }

    /// When [`sync`](Self::sync) has to be called next at the latest, if nothing is sent before. The end
    /// of time on a link that is not synchronised or has ended.
    #[inline]
    pub fn next_sync(&self) -> u64 {
        if self.is_synchronised {
            self.out_timestamp.saturating_add(self.sync_interval)
        } else {
            u64::MAX
        }
    }

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
        if !(FIRST_UPPER..=TYPE_MASK).contains(&kind) {
            return Err(self.error(Problem::NotUpper { kind }));
        }
        let capacity = self.capacity();
        if payload.len() > capacity {
            return Err(self.error(Problem::PayloadTooLong { length: payload.len(), capacity }));
        }
        let sent = self.push(now, kind, |slots, slot| {
            slots.set_fields(slot, fields);
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
        self.send(now, message.kind(), &message.encode(), payload)
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
        Ok(Sent::Done)
    }

    /// Tells the peer that there is nothing more to come, unless the link is one on which that is not
    /// said ([`Link::sends_terminate`]). Nothing can be sent or received afterwards.
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

    fn end(&mut self) {
        self.has_ended = true;
        self.is_synchronised = false;
        (self.in_timestamp, self.out_timestamp) = (u64::MAX, u64::MAX);
        self.ring_surely();
    }

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
                self.in_timestamp = timestamp;
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
            self.counts.syncs_received += 1;
            self.release(kind);
        }
        Ok(None)
    }

    #[inline]
    fn release(&mut self, kind: u8) {
        self.incoming.release(kind);
        self.ring();
    }

    #[inline]
    fn ring(&self) {
        if let Some(bell) = &self.bell {
            bell.ring();
        }
    }

    /// Wakes the peer if it sleeps. A [`Waiter`](crate::wait::Waiter) does this; whoever waits for
    /// something else calls it on every link before.
    pub fn ring_surely(&self) {
        if let Some(bell) = &self.bell {
            bell.ring_surely();
        }
    }

    /// Whether there is a message or room in the queue.
    #[inline]
    pub(crate) fn has(&self, need: Need) -> bool {
        match need {
            Need::Message => self.incoming.ready_slot().is_some() || self.has_ended,
            Need::Room => self.outgoing.free_slot().is_some() || self.has_ended,
        }
    }

    /// Sleeps until the peer rings, no longer than `limit`; `false` at once if it is not one that rings.
    pub(crate) fn sleep(&self, need: Need, limit: Duration) -> bool {
        let Some(bell) = self.bell.as_ref().filter(|bell| bell.words().peer_rings()) else {
            return false;
        };
        bell.sleep_unless(|| self.has(need), limit);
        true
    }

    /// Waits up to `limit` for the end of the peer.
    ///
    /// # Errors
    /// If it is gone, or shrank the shared memory.
    pub(crate) fn check_peer(&self, limit: Duration) -> Result<(), LinkError> {
        let mut fds = [PollFd::from_borrowed_fd(self.socket.as_fd(), PollFlags::RDHUP)];
        let limit = Timespec::try_from(limit).ok();
        // An interrupted wait is a short one.
        let _ = poll(&mut fds, limit.as_ref());
        let ends = PollFlags::HUP | PollFlags::RDHUP | PollFlags::ERR;
        if fds[0].revents().intersects(ends) {
            return Err(self.error(Problem::Gone(self.peer)));
        }
        if self.pool.has_shrunk() {
            return Err(self.error(Problem::Shrunk(self.peer)));
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn error(&self, problem: Problem) -> LinkError {
        problem.on(&self.link.name)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // What was sent last may have missed a peer that lay down at that moment.
        self.ring_surely();
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
        U::decode(self.kind, &self.fields())
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
