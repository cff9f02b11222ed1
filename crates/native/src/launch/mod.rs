//! From a command line to a process that runs in virtual time.
//!
//! ```text
//! ironbird ──keeper thread──► program, with the preload library, in a new folder
//!     │                          ▲
//!     └── pipe ──► shell ────────┘  kills it and removes the folder if ironbird is killed
//! ```

mod executable;
mod folder;
mod guard;
mod instructions;
mod preload;
mod program;
mod turn;

pub use executable::Executable;
pub use preload::{Preload, is_supported};
pub use program::{Plan, Program, command, signal_name, tie};
pub use turn::Turn;
