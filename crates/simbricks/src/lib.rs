//! Channels between simulators that are processes of their own, compatible with SimBricks' to the byte.
//!
//! ```text
//!    simulator A                      shared file                      simulator B
//!   +-----------+  sync, messages  +---------------+  horizon,       +-----------+
//!   | Endpoint  | ---------------> | queue A to B  | --------------> | Endpoint  |
//!   | (listens) | <--------------- | queue B to A  | <-------------- | (connects)|
//!   +-----------+                  +---------------+                 +-----------+
//!         \____________ socket: introductions, then sign of life ___________/
//! ```
//!
//! A link joins two processes. One listens at a Unix socket, the other connects
//! ([`handshake`]), and from then on they talk through two queues in shared memory ([`queue`], [`pool`])
//! without the kernel. Every message bears the simulated time at which it is to be handled, and messages
//! without content tell how far a side has come, so that neither runs into the other's past
//! ([`endpoint`]). [`layout`] has every byte of it, [`url`] how links are written on command lines.
//!
//! The peer may be any SimBricks program, or one of ours; with ours, a side that has to wait long sleeps
//! until it is woken ([`wait`], [`doorbell`]), which a foreign peer does not notice. Nothing a peer does
//! harms this side: it ends in a [`LinkError`] that names the link.
//!
//! ```
//! # #[cfg(not(loom))] {
//! use ironbird_simbricks::{
//!     Connecter, Link, Listener, Need, Place, Protocol, QueueSize, Sent, Waiter,
//! };
//! use std::time::Duration;
//!
//! let folder = tempfile::tempdir()?;
//! let socket = folder.path().join("eth");
//! let limit = Duration::from_secs(10);
//! let listener = Listener::bind(
//!     Link::new("eth, left", Protocol::NET),
//!     &socket,
//!     &Place::Memory,
//!     QueueSize { elen: 1600, nentries: 64 },
//! )?;
//! let right = std::thread::spawn(move || {
//!     let mut right = Connecter::new(Link::new("eth, right", Protocol::NET), socket)?.connect(limit)?;
//!     // A message sent at 0 arrives after the latency, 500 ns.
//!     assert_eq!(right.send(0, 0x40, &[0; 48], b"hello")?, Sent::Done);
//!     Ok::<_, ironbird_simbricks::LinkError>(right)
//! });
//! let mut left = listener.accept(limit)?;
//! Waiter::new(Some(limit)).wait(&left, Need::Message, [&left])?;
//! assert!(left.receive(0)?.is_none(), "not due yet");
//! assert_eq!(left.horizon(), 500_000);
//! let message = left.receive(500_000)?.expect("due now");
//! let mut hello = [0; 5];
//! message.payload(&mut hello)?;
//! assert_eq!(&hello, b"hello");
//! # drop(message);
//! # drop(right.join().unwrap()?);
//! # }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

pub mod atomics;
pub mod doorbell;
pub mod layout;
pub mod queue;

// What needs real shared memory is not for the model checker.
#[cfg(not(loom))]
mod bell;
#[cfg(not(loom))]
pub mod bulk;
#[cfg(not(loom))]
pub mod endpoint;
#[cfg(not(loom))]
pub mod error;
#[cfg(not(loom))]
pub mod handshake;
#[cfg(not(loom))]
pub mod link;
#[cfg(not(loom))]
pub mod physical;
#[cfg(not(loom))]
pub mod pool;
#[cfg(not(loom))]
pub mod slots;
#[cfg(not(loom))]
pub mod url;
#[cfg(not(loom))]
pub mod wait;
#[cfg(not(loom))]
mod wait_any;

pub use layout::{Protocol, SyncMode};

#[cfg(not(loom))]
pub use {
    bulk::Buffer,
    endpoint::{Endpoint, Message, Sent},
    error::{LinkError, Peer, Problem},
    handshake::{
        Connecter, GONE, Listener, Pending, establish, establish_while, given_up, listens_at,
    },
    link::{Link, QueueSize},
    pool::Place,
    url::Url,
    wait::{Need, Waiter},
    wait_any::wait_any,
};
