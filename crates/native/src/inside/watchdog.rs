//! Finds a program that computes without end, from a thread beside it: a signal makes it say where it is. Time in which
//! the process was stopped does not count.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ironbird_patience::Patience;
use rustix::process::{Signal, getpid, kill_process};

/// Watches over the turns of a program. It ends when it is dropped.
pub struct Watchdog {
    /// Odd while the program has its turn; it grows with each turn.
    turn: Arc<AtomicU64>,
}

impl Watchdog {
    /// Watches for turns that last longer than `patience`.
    ///
    /// # Errors
    /// If there is no thread.
    pub fn new(patience: Duration) -> io::Result<Self> {
        let turn = Arc::new(AtomicU64::new(0));
        let watched = Arc::downgrade(&turn);
        std::thread::Builder::new().name("watchdog".into()).spawn(move || {
            let (mut seen, mut patience) = (0, Patience::new(patience));
            while let Some(turn) = watched.upgrade() {
                let now = turn.load(Ordering::Relaxed);
                drop(turn);
                if now != seen || now % 2 == 0 {
                    seen = now;
                    patience.begin_anew();
                } else if patience.is_over() {
                    let _ = kill_process(getpid(), Signal::XCPU);
                    return;
                }
                std::thread::sleep(patience.nap());
            }
        })?;
        Ok(Watchdog { turn })
    }

    /// The program has the turn, or has it no more.
    pub fn turn_changes(&self) {
        // Nobody else writes.
        self.turn.store(self.turn.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}
