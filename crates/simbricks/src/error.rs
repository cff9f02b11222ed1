//! What can go wrong with a link, and on which.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::layout::{FIRST_UPPER, LayoutError, Protocol, SyncMode};
use crate::slots::PlaceError;

/// A problem with a link. One word long, so that a result which may be one costs nothing where there is
/// none.
#[derive(Debug, thiserror::Error)]
#[error("link `{}`: {}", .0.0, .0.1)]
pub struct LinkError(Box<(String, Problem)>);

impl LinkError {
    /// The link's name.
    pub fn link(&self) -> &str {
        &self.0.0
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.1
    }

    /// What is wrong, without the link.
    pub fn into_problem(self) -> Problem {
        self.0.1
    }
}

/// Who is on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its process id, where the system tells.
    pub process: Option<u32>,
}

impl std::fmt::Display for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.process {
            Some(process) => write!(f, "the peer (process {process})"),
            None => write!(f, "the peer"),
        }
    }
}

/// What can be wrong with a link.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are what the messages say
pub enum Problem {
    #[error("its latency is 0, so that neither side could ever run ahead: give it a latency")]
    NoLatency,
    #[error("its synchronisation interval is 0: give it one of up to the latency")]
    NoInterval,
    #[error(
        "its synchronisation interval of {interval} ps exceeds its latency of {latency} ps, so that \
         both sides would wait for each other: make it {latency} ps or less"
    )]
    IntervalOverLatency { interval: u64, latency: u64 },
    #[error("its queues cannot be made: {0}")]
    QueueSize(PlaceError),
    #[error("the socket's path {path:?} cannot be used: {error}")]
    SocketPath { path: PathBuf, error: io::Error },
    #[error("cannot listen at {path:?}: {error}")]
    Bind { path: PathBuf, error: io::Error },
    #[error("cannot listen at {path:?}: another process listens there")]
    InUse { path: PathBuf },
    #[error("cannot listen at {path:?}: there is something else than a socket; remove it")]
    NotASocket { path: PathBuf },
    #[error("the shared memory cannot be made ({place}): {error}")]
    MakePool { place: String, error: io::Error },

    #[error("nobody connected to {path:?} within {}", seconds(.waited))]
    NobodyConnected { path: PathBuf, waited: Duration },
    #[error("nobody listened at {path:?} within {}: {error}", seconds(.waited))]
    NobodyListens { path: PathBuf, waited: Duration, error: io::Error },
    #[error("cannot connect to {path:?}: {error}")]
    Connect { path: PathBuf, error: io::Error },
    #[error("it was given up: {0}")]
    GivenUp(String),
    #[error("the handshake failed: {0}")]
    Socket(io::Error),
    #[error("{peer} connected, but did not introduce itself within {}", seconds(.waited))]
    NoIntro { peer: Peer, waited: Duration },
    #[error("{0} closed the connection before it introduced itself")]
    ClosedInHandshake(Peer),
    #[error("the introduction of {0} has {1} bytes or more, too many")]
    LongIntro(Peer, usize),
    #[error("the introduction of {0} is wrong: {1}")]
    Intro(Peer, LayoutError),
    #[error("{0} speaks protocol {1}, but this side speaks {2}")]
    Protocol(Peer, Protocol, Protocol),
    #[error("{0} listens, but sent no descriptor of the shared memory")]
    NoDescriptor(Peer),
    #[error("{0} sent more than the one descriptor of the shared memory")]
    SeveralDescriptors(Peer),
    #[error("the shared memory of {0} cannot be mapped: {1}")]
    Mapping(Peer, io::Error),
    #[error("the queue that {0} announced {1} is wrong: {2}")]
    Queue(Peer, &'static str, PlaceError),
    #[error("synchronisation is {here} here, but {there} at {peer}")]
    Sync { peer: Peer, here: SyncMode, there: SyncMode },

    #[error(
        "{peer} sent a message for {found} ps after one for {previous} ps: time went backwards"
    )]
    Backwards { peer: Peer, previous: u64, found: u64 },
    #[error("{peer} sent SYNC for {timestamp} ps {times} times: it does not come any further")]
    NoProgress { peer: Peer, timestamp: u64, times: u32 },
    #[error("{peer} sent a message of the reserved type {kind:#04x}")]
    Reserved { peer: Peer, kind: u8 },
    #[error("a message of {0} is wrong: {1}")]
    Message(Peer, LayoutError),
    #[error("{length} bytes of payload do not fit into a slot with room for {capacity}")]
    PayloadTooLong { length: usize, capacity: usize },
    #[error(
        "type {kind:#04x} is not one for messages of an upper layer, {FIRST_UPPER:#04x} to 0x7f"
    )]
    NotUpper { kind: u8 },
    #[error("a message is to be sent at {now} ps, after one at {previous} ps")]
    SentBackwards { previous: u64, now: u64 },
    #[error("at {now} ps the simulated time ends: later time stamps do not fit into 64 bits")]
    EndOfTime { now: u64 },

    #[error("no understanding with {0}: {1}")]
    Physical(Peer, crate::physical::PhysicalError),
    #[error("{0} is gone: its process ended or closed the link without a last message")]
    Gone(Peer),
    #[error("{peer} made no progress for {}: {need}", seconds(.waited))]
    Stalled { peer: Peer, waited: Duration, need: crate::wait::Need },
    #[error("{0} refers to a buffer: {1}")]
    NotLent(Peer, crate::bulk::NotLent),
    #[error("{0} shrank the shared memory")]
    Shrunk(Peer),
}

fn seconds(duration: &Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

impl Problem {
    /// On the link called `link`.
    pub(crate) fn on(self, link: &str) -> LinkError {
        LinkError(Box::new((link.to_owned(), self)))
    }
}
