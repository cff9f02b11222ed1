//! Lets a user end a run from another thread, cleanly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ironbird_kernel::PauseHandle;

/// A wish to end the run, from a signal handler for example.
#[derive(Clone, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    running: Arc<Mutex<Option<PauseHandle>>>,
    last_resort: Arc<Mutex<Option<LastResort>>>,
}

/// Closes what a run has recorded, from another thread. It is given the process that was lost, if that is known, and what
/// happened to it; and gives back what is to be said.
pub(crate) type LastResort = Box<dyn FnOnce(Option<usize>, String) -> String + Send>;

impl Interrupt {
    /// Ends the run at the next instant that no partition has passed.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = &*running {
            running.abandon();
        }
    }

    /// Whether somebody wants the run to end.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    pub(crate) fn watch(&self, running: Option<PauseHandle>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }

    /// Closes what the run has recorded though the thread that makes it does not come back, because it waits in somebody
    /// else's code for a process that is lost. What is to be said; `None` if no run is going on. The program must end then.
    pub fn abandon(&self, process: Option<usize>, what: String) -> Option<String> {
        let last_resort = self.last_resort.lock().unwrap_or_else(PoisonError::into_inner).take();
        last_resort.map(|close| close(process, what))
    }

    pub(crate) fn in_the_worst_case(&self, last_resort: Option<LastResort>) {
        *self.last_resort.lock().unwrap_or_else(PoisonError::into_inner) = last_resort;
    }
}
