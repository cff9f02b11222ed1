//! How a rank waits: MPI offers no way to sleep until a message comes. It looks again and again for as long as an answer
//! between two cores takes, then lets others run, then sleeps ever longer; so more ranks than cores stay usable.

use std::hint::spin_loop;
use std::thread::{sleep, yield_now};
use std::time::Duration;

const LOOKS: u32 = 200;
const YIELDS: u32 = 50;
const SHORTEST: Duration = Duration::from_micros(10);
const LONGEST: Duration = Duration::from_millis(1);

/// The pauses of one wait.
#[derive(Default)]
pub struct Pause {
    made: u32,
}

impl Pause {
    /// The next one, not longer than `limit`.
    pub fn make(&mut self, limit: Duration) {
        match self.made {
            0..LOOKS => spin_loop(),
            LOOKS.. if self.made < LOOKS + YIELDS => yield_now(),
            _ => {
                let doublings = ((self.made - LOOKS - YIELDS) / 4).min(16);
                sleep((SHORTEST * (1 << doublings)).min(LONGEST).min(limit));
            }
        }
        self.made = self.made.saturating_add(1);
    }
}
