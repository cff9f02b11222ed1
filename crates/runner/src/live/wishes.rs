//! What is asked for, until the run comes to it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration as Wall;

use super::{Request, Wish};

/// Requests that may wait for the run.
const MOST: usize = 256;

/// Requests that wait for the run: what an [`Audience`](super::Audience) hands over when it is asked.
#[derive(Default)]
pub struct Wishes {
    waiting: Mutex<VecDeque<Request>>,
    come: Condvar,
}

impl Wishes {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Request>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for something; `answer` is called when it was done, or was not.
    pub fn ask(&self, wish: Wish, answer: impl FnOnce(Result<(), String>) + Send + 'static) {
        let mut waiting = self.lock();
        if waiting.len() >= MOST {
            drop(waiting);
            answer(Err("the run has not come to the last requests yet: ask again".into()));
            return;
        }
        waiting.push_back(Request { wish, answer: Box::new(answer) });
        self.come.notify_all();
    }

    /// All that was asked for. Waits for it, for `patience` at most.
    pub fn take(&self, patience: Wall) -> Vec<Request> {
        let nothing = |waiting: &mut VecDeque<Request>| waiting.is_empty() && !patience.is_zero();
        let waited = self.come.wait_timeout_while(self.lock(), patience, nothing);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        waiting.drain(..).collect()
    }
}
