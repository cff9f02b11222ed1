//! Where frames lie in shared memory.
//!
//! One page of header, then a buffer for each direction. The side whose turn it is reads the frame that was left for
//! it, works, writes its own frame and its length, and gives the turn away by a store to [`TURN`].
//!
//! Each side has a bell: a pipe from which it reads when it sleeps. Before that it sets its word to 1 and looks at [`TURN`]
//! again. Whoever gives the turn away swaps the other's word for 0, and writes a byte to its bell if it was 1. A byte may be
//! left over, so [`TURN`] alone says whose turn it is. A pipe, and not a futex: the kernel knows of a write to a pipe that
//! the writer is about to sleep, and lets the reader go on in its place on the same core.
//!
//! Before a side sleeps it looks at the turn for a while, where that [pays](super::Spins). The program is told three
//! descriptors: the memory, the end of its own bell from which it reads, and that of the host's bell to which it writes.
//! Its own bell ends with the host, which alone can write to it.
//!
//! | offset | bytes | |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`] |
//! | 8 | 4 | version |
//! | 12 | 4 | whose turn it is: [`HOST`] or [`PROGRAM`] |
//! | 16 | 4 | length of the frame to the program |
//! | 20 | 4 | length of the frame to the host |
//! | 24 | 4 | process of the program, 0 until it started |
//! | 28 | 4 | the host sleeps at its bell |
//! | 32 | 4 | the program sleeps at its bell |
//! | 40 | 8 | intercepted calls so far, for a watchdog |
//! | 64 | 64 | name of the running thread, ended by a zero |

/// The first eight bytes: `IBSHIM01`.
pub const MAGIC: u64 = u64::from_le_bytes(*b"IBSHIM01");
/// Offset of the magic number.
pub const MAGIC_AT: usize = 0;
/// Offset of the version, a `u32`.
pub const VERSION_AT: usize = 8;
/// Offset of the turn, a `u32`.
pub const TURN: usize = 12;
/// Offset of the length of the frame to the program, a `u32`.
pub const TO_PROGRAM_LENGTH: usize = 16;
/// Offset of the length of the frame to the host, a `u32`.
pub const TO_HOST_LENGTH: usize = 20;
/// Offset of the program's process id, a `u32`.
pub const PID: usize = 24;
/// Offset of the word that is 1 while the host sleeps, a `u32`.
pub const HOST_SLEEPS: usize = 28;
/// Offset of the word that is 1 while the program sleeps, a `u32`.
pub const PROGRAM_SLEEPS: usize = 32;
/// Offset of the count of intercepted calls, a `u64`. It is brought up to date at switches and yields.
pub const CALLS: usize = 40;
/// Offset of the name of the running thread.
pub const THREAD_NAME: usize = 64;
/// Bytes for the name of the running thread, with the zero that ends it.
pub const THREAD_NAME_LENGTH: usize = 64;
/// Offset of the buffer to the program.
pub const TO_PROGRAM: usize = 4096;
/// Offset of the buffer to the host.
pub const TO_HOST: usize = TO_PROGRAM + super::MAX_FRAME;
/// Length of the whole.
pub const LENGTH: usize = TO_HOST + super::MAX_FRAME;

/// The turn is the host's.
pub const HOST: u32 = 0;
/// The turn is the program's.
pub const PROGRAM: u32 = 1;
