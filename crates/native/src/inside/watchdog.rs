//! Ends a turn of a program that computes without end, or when the run is interrupted, from a thread beside it: a signal
//! makes the program say where it is. Time in which the process was stopped does not count.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ironbird_patience::Patience;
use rustix::process::{Signal, getpid, kill_process};

/// Watches over the turns of a program. It ends when it is dropped.
pub struct Watchdog {
    /// Odd while the program has its turn; it grows with each turn.
    turn: Arc<AtomicU64>,
    /// Whether nobody wants the run to go on.
    abandoned: Arc<OnceLock<Arc<AtomicBool>>>,
}

impl Watchdog {
    /// Watches for turns that last longer than `patience`.
    ///
    /// # Errors
    /// If there is no thread.
    pub fn new(patience: Duration) -> io::Result<Self> {
        let turn = Arc::new(AtomicU64::new(0));
        let abandoned = Arc::new(OnceLock::<Arc<AtomicBool>>::new());
        let (watched, over) = (Arc::downgrade(&turn), abandoned.clone());
        std::thread::Builder::new().name("watchdog".into()).spawn(move || {
            let (mut seen, mut patience) = (0, Patience::new(patience));
            while let Some(turn) = watched.upgrade() {
                let now = turn.load(Ordering::Relaxed);
                drop(turn);
                let is_over = over.get().is_some_and(|over| over.load(Ordering::Relaxed));
                if now != seen || now % 2 == 0 {
                    seen = now;
                    patience.begin_anew();
                } else if is_over || patience.is_over() {
                    let _ = kill_process(getpid(), Signal::XCPU);
                    return;
                }
                std::thread::sleep(patience.nap());
            }
        })?;
        Ok(Watchdog { turn, abandoned })
    }

    /// Once this is true the program gets no further.
    pub fn heed(&self, abandoned: &Arc<AtomicBool>) {
        let _ = self.abandoned.set(abandoned.clone());
    }

    /// The program has the turn, or has it no more.
    pub fn turn_changes(&self) {
        // Nobody else writes.
        self.turn.store(self.turn.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}
