//! The frames between a host and the program that it runs.
//!
//! Strict alternation, like a coroutine: the host sends one [`ToProgram`], the program runs and sends one [`ToHost`].
//! The first pair is [`Setup`] and [`Hello`], all others are [`Resume`] and [`Yield`]. After a [`Yield`] with the
//! reason [`Reason::Ended`] nothing follows.
//!
//! Times are picoseconds of virtual time in a `u64`. All numbers are little endian. A frame begins with the version
//! ([`VERSION`], one byte) and its kind (one byte). Byte strings and texts carry their length as a `u32`, lists the
//! number of their entries. [`memory`] says where frames lie in shared memory; on a socket, a frame follows its length
//! as a `u32`.

mod events;
mod frames;
pub mod memory;
mod random;
mod setup;
mod spins;
pub(crate) mod wire;

pub use events::{Counters, Input, Output};
pub use frames::{Hello, Reason, Resume, ToHost, ToProgram, Unsteady, Yield};
pub use random::{RANDOM_AT_START, SplitMix64};
pub use setup::{
    Backend, Children, Device, DeviceKind, Networks, Setup, Socket, SocketKind, SpinRule,
};
pub use spins::Spins;
pub use wire::DecodeError;

/// Version of the frames and of the layout of shared memory.
pub const VERSION: u8 = 8;

/// The longest frame. Whoever sends splits what is longer; the shim yields before its events exceed half of it.
pub const MAX_FRAME: usize = 1 << 20;

/// The environment variable that names the transport: `memory:FD,FD,FD` (see [`memory`]) or `socket:FD`, with descriptors
/// that the program inherits, or paths in place of the numbers; or `library:PATH`, a shared library that is the host inside the
/// program's process: its function `ironbird_exchange(frame, length, &answer)` takes each frame of the program (none,
/// the first time) and returns the length of its answer, and its function `ironbird_owns(descriptor)`
/// says which descriptors of the process the program is to leave alone. It is loaded into a name space of its own, so nothing of it
/// is intercepted; it must not start threads, and the leak net must be off, because its clocks are real.
pub const TRANSPORT_VARIABLE: &str = "IRONBIRD_SHIM";

/// Stands for "never" where a time is expected.
pub const NEVER: u64 = u64::MAX;
