//! A run in the process of one of its programs.
//!
//! ```text
//! ironbird run ──starts──► the program, and inside it: ironbird run --held …
//!      │ ──── a byte for each signal ────►  │
//!      └ ◄─── what came of the run ─────────┘
//! ```
//!
//! The first process says what is wrong before, hears signals, waits, and judges in the end; it never loses a word though the
//! program takes its process with it. Several scenarios or repetitions take a process each.

mod process;
mod seating;

pub use process::{Held, serve};
pub use seating::Seating;
