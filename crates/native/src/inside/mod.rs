//! The simulation inside the program's own process: an exchange of frames is a change of stacks.
//!
//! ```text
//! ironbird run ──exec──► program
//!                          ├─ preload library ──exchange()──► this: a coroutine that is the whole of `ironbird run`
//!                          └─ threads of the program ◄─frame──┘
//! ```
//!
//! The first `ironbird` finds that a program wants it ([`move_in`]) and becomes that program. The preload library loads
//! Ironbird as a library into a name space of its own, with a libc of its own, and calls [`exchange`] wherever it would
//! else send a frame to another process. There the run begins anew, on a stack of its own. When it has a frame for the
//! program the stacks change; they change back with the program's answer. All of this happens on one thread of the machine.

mod baggage;
mod move_in;
mod stage;
mod transport;
mod watchdog;

pub use baggage::Baggage;
pub use move_in::{move_in, set_library};
pub use stage::{Exchanged, FIRST_DESCRIPTOR, exchange, is_inside, terminal};
pub use transport::Inside;
