//! Lets a user end a run from another thread, cleanly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ironbird_kernel::PauseHandle;

/// A wish to end the run, from a signal handler for example.
#[derive(Clone, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    heard: Arc<AtomicBool>,
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

    /// Says that the wish was heard, by the thread that can fulfil it.
    pub fn hear(&self) {
        if self.is_requested() {
            self.heard.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the wish was [heard](Interrupt::hear).
    pub fn is_heard(&self) -> bool {
        self.heard.load(Ordering::SeqCst)
    }

    /// From now on a request ends this run; one that came before does so at once.
    pub(crate) fn watch(&self, run: PauseHandle) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_requested() {
            run.abandon();
        }
        *running = Some(run);
    }

    /// The run has come to its end.
    pub(crate) fn let_go(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.hear();
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
