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
    waiting: Mutex<Waiting>,
    come: Condvar,
}

#[derive(Default)]
struct Waiting {
    requests: VecDeque<Request>,
    /// Why nothing can be asked for at present.
    closed: Option<String>,
}

impl Waiting {
    fn refusal(&self) -> Option<String> {
        let is_full = self.requests.len() >= MOST;
        let full = || "the run has not come to the last requests yet: ask again".into();
        self.closed.clone().or_else(|| is_full.then(full))
    }
}

impl Wishes {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for something; `answer` is called when it was done, or was not.
    pub fn ask(&self, wish: Wish, answer: impl FnOnce(Result<(), String>) + Send + 'static) {
        let mut waiting = self.lock();
        if let Some(why) = waiting.refusal() {
            drop(waiting);
            answer(Err(why));
            return;
        }
        waiting.requests.push_back(Request { wish, answer: Box::new(answer) });
        self.come.notify_all();
    }

    /// All that was asked for. Waits for it, for `patience` at most.
    pub fn take(&self, patience: Wall) -> Vec<Request> {
        let nothing = |waiting: &mut Waiting| waiting.requests.is_empty() && !patience.is_zero();
        let waited = self.come.wait_timeout_while(self.lock(), patience, nothing);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        waiting.requests.drain(..).collect()
    }

    /// The run is over: what waits, and what is asked for from now on, is refused. It is not done to the next run.
    pub fn close(&self, why: &str) {
        let mut waiting = self.lock();
        waiting.closed = Some(why.into());
        let refused = std::mem::take(&mut waiting.requests);
        drop(waiting);
        refused.into_iter().for_each(|request| (request.answer)(Err(why.into())));
    }

    /// Another run begins.
    pub fn open(&self) {
        self.lock().closed = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_is_asked_for_after_a_run_is_refused_and_not_done_to_the_next() {
        let wishes = Wishes::default();
        let (said, heard) = channel();
        let ask = || {
            let said = said.clone();
            wishes.ask(Wish::Pause, move |done| said.send(done).unwrap());
        };
        ask();
        wishes.close("it is over");
        ask();
        let over = || Err("it is over".to_owned());
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [over(), over()]);
        wishes.open();
        assert!(wishes.take(Wall::ZERO).is_empty());
        ask();
        assert_eq!(wishes.take(Wall::ZERO).len(), 1);
    }
}
