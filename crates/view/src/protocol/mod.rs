//! What is sent to a page and what it may ask for. The book describes it (`docs/src/view-protocol.md`).

mod ask;
mod binary;
mod hello;

pub use ask::{Ask, Asked};
pub use binary::{Frame, FramePose, Point, State, beams, ground, scans, series, window};
pub use hello::*;

/// The version of all of it.
pub const VERSION: u32 = 1;
/// Bytes of a message from a client at most.
pub const LONGEST_MESSAGE: usize = 64 * 1024;
/// Signals that a client may subscribe to.
pub const MOST_SUBSCRIBED: usize = 64;
/// Frames of a window at most.
pub const MOST_FRAMES: usize = 2000;
/// Points of a series at most.
pub const MOST_POINTS: usize = 4000;
