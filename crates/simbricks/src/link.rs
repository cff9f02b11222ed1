//! What a side wants of a link.

use crate::error::{LinkError, Problem};
use crate::layout::{DUMMY_INTRO, Protocol, QueuePlace, SyncMode, mem, net, pcie, physical};
use crate::slots;

/// What one side wants of a link. Latency and interval apply to what this side sends; they are not
/// exchanged, so the two sides may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What errors call it.
    pub name: String,
    /// The upper layer.
    pub protocol: Protocol,
    /// The upper layer's introduction.
    pub intro: Vec<u8>,
    /// Whether time is synchronised.
    pub sync: SyncMode,
    /// Picoseconds from sending a message to handling it.
    pub latency: u64,
    /// Picoseconds after which the peer is told of this side's time if there was no message.
    pub sync_interval: u64,
    /// Whether the end of this side is told to the peer. SimBricks' own network programs abort when
    /// they receive that.
    pub sends_terminate: bool,
    /// Bytes of the shared buffers for large contents, each way, if this side listens; see [`bulk`](crate::bulk).
    pub bulk: usize,
}

impl Link {
    /// With SimBricks' defaults: latency and interval 500 ns, synchronised if the peer offers it, four
    /// bytes of introduction; the end is told except on NET.
    pub fn new(name: impl Into<String>, protocol: Protocol) -> Self {
        Self {
            name: name.into(),
            protocol,
            intro: DUMMY_INTRO.to_vec(),
            sync: SyncMode::Optional,
            latency: 500_000,
            sync_interval: 500_000,
            sends_terminate: protocol != Protocol::NET,
            bulk: 0,
        }
    }

    /// # Errors
    /// If both sides would wait for each other.
    pub(crate) fn check(&self) -> Result<(), LinkError> {
        let (latency, interval) = (self.latency, self.sync_interval);
        let problem = if latency == 0 {
            Problem::NoLatency
        } else if self.sync == SyncMode::Disabled {
            return Ok(());
        } else if interval == 0 {
            Problem::NoInterval
        } else if interval > latency {
            Problem::IntervalOverLatency { interval, latency }
        } else {
            return Ok(());
        };
        Err(problem.on(&self.name))
    }
}

/// The size of both queues; the listener decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueSize {
    /// Bytes of a slot, 64 of which are the header; a multiple of 64 keeps slots apart in the cache.
    /// SimBricks' own senders do not check that a message fits: it must hold the largest.
    pub elen: u64,
    /// Number of slots.
    pub nentries: u64,
}

impl QueueSize {
    /// What SimBricks' own programs choose for a protocol.
    pub fn standard(protocol: Protocol) -> Self {
        let elen = match protocol {
            Protocol::NET => net::ELEN,
            Protocol::PCIE => pcie::ELEN,
            Protocol::MEM => mem::ELEN,
            Protocol::PHYSICAL => physical::ELEN,
            _ => 2048,
        };
        Self { elen, nentries: 8192 }
    }

    /// The queues to the listener and to the connecter, back to back as in SimBricks' own files, and
    /// where they end.
    pub(crate) fn places(self) -> Result<([QueuePlace; 2], usize), slots::PlaceError> {
        let Self { elen, nentries } = self;
        let c2l = QueuePlace { offset: 0, elen, nentries };
        // `isize::MAX`: the most that can be mapped.
        let (_, offset) = slots::check(c2l, isize::MAX as usize)?;
        let l2c = QueuePlace { offset: offset as u64, elen, nentries };
        let (_, end) = slots::check(l2c, isize::MAX as usize)?;
        Ok(([c2l, l2c], end))
    }
}
