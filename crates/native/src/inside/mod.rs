//! The simulation inside the program's own process: an exchange of frames is a change of stacks.
//!
//! ```text
//! ironbird run ──starts, waits──► program
//!                                   ├─ preload library ──exchange()──► this: a coroutine that is the whole of a run
//!                                   └─ threads of the program ◄─frame──┘
//! ```
//!
//! The first `ironbird` finds that a program can hold the run ([`Vessel`]), starts it and waits for it. The preload library
//! loads Ironbird as a library into a name space of its own, with a libc of its own, and calls [`exchange`] wherever it would
//! else send a frame to another process. There the run begins, on a stack of its own. When it has a frame for the
//! program the stacks change; they change back with the program's answer. All of this happens on one thread of the machine.

mod baggage;
pub mod descriptors;
mod stage;
mod transport;
mod vessel;
mod watchdog;

pub use baggage::Baggage;
pub use stage::{Exchanged, FIRST_DESCRIPTOR, exchange, is_inside, terminal};
pub use transport::Inside;
pub use vessel::{Vessel, set_holder, set_library, take_hold};
