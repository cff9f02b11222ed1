//! Lets a user end a run from another thread, cleanly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ironbird_kernel::PauseHandle;

/// A wish to end the run, from a signal handler for example.
#[derive(Clone, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    running: Arc<Mutex<Option<PauseHandle>>>,
}

impl Interrupt {
    /// Ends the run at the next instant that no partition has passed.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = &*running {
            running.pause();
        }
    }

    /// Whether somebody wants the run to end.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    pub(crate) fn watch(&self, running: Option<PauseHandle>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }
}
