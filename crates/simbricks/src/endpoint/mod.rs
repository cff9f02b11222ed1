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

mod receive;
mod send;

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::Timespec;

use crate::bell::PoolWords;
use crate::bulk::{Buffer, Bulk, NotLent};
use crate::doorbell::Doorbell;
use crate::error::{LinkError, Peer, Problem};
use crate::link::Link;
use crate::pool::{OwnName, Pool};
use crate::queue::{Consumer, Producer};
use crate::slots::PoolSlots;
use crate::wait::Need;

pub use receive::Message;
pub use send::Sent;

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
    pub(crate) bulk: Option<Bulk>,
    pub(crate) name: Option<OwnName>,
}

/// One side of an established link.
#[derive(Debug)]
pub struct Endpoint {
    outgoing: Producer<PoolSlots>,
    incoming: Consumer<PoolSlots>,
    bell: Option<Doorbell<PoolWords>>,
    bulk: Option<Bulk>,
    /// Time of the last message sent.
    out_timestamp: u64,
    /// Stamp of the last message seen.
    in_timestamp: u64,
    /// SYNCs in a row that told nothing new.
    idle_syncs: u32,
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
            bulk: parts.bulk,
            out_timestamp: 0,
            in_timestamp: 0,
            idle_syncs: 0,
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

    /// Whether a message can be sent now.
    pub fn has_room(&self) -> bool {
        self.has(Need::Room)
    }

    /// Bytes that a shared buffer holds at most; none if the link has no buffers, such as with a peer that is none
    /// of ours.
    pub fn longest_buffer(&self) -> usize {
        self.bulk.as_ref().map_or(0, Bulk::longest)
    }

    /// Puts contents into a shared buffer, for a message that is sent next to refer to; `None` if there is no room
    /// now.
    pub fn lend(&mut self, contents: &[u8]) -> Option<Buffer> {
        self.bulk.as_mut()?.lend(contents)
    }

    /// Takes the contents of the buffer that a message of the peer refers to. Every buffer is taken once, in the
    /// order of the messages.
    ///
    /// # Errors
    /// If the peer cannot have lent it.
    pub fn take_lent(&mut self, buffer: Buffer, into: &mut Vec<u8>) -> Result<(), LinkError> {
        let taken = match &mut self.bulk {
            Some(bulk) => bulk.take(buffer, into),
            None => Err(NotLent(buffer)),
        };
        taken.map_err(|what| self.error(Problem::NotLent(self.peer, what)))?;
        // The peer may wait for the room.
        self.ring();
        Ok(())
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

    fn end(&mut self) {
        self.has_ended = true;
        self.is_synchronised = false;
        (self.in_timestamp, self.out_timestamp) = (u64::MAX, u64::MAX);
        self.ring_surely();
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

    /// The doorbell, if the peer rings.
    pub(crate) fn bell(&self) -> Option<&Doorbell<PoolWords>> {
        self.bell.as_ref().filter(|bell| bell.words().peer_rings())
    }

    /// Whether the peer is still there.
    ///
    /// # Errors
    /// If it is gone, or shrank the shared memory.
    pub fn check(&self) -> Result<(), LinkError> {
        self.check_peer(Duration::ZERO)
    }

    /// Sleeps until the peer rings, no longer than `limit`; `false` at once if it is not one that rings.
    pub(crate) fn sleep(&self, need: Need, limit: Duration) -> bool {
        let Some(bell) = self.bell() else { return false };
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
