//! Whether the other processes of a run still live. Whoever waits gives a sign of life when it is asked; who computes,
//! later; who hangs, never. One that is stopped does not hang ([`Patience`]).

use std::time::{Duration, Instant};

use ironbird_kernel::Trouble;
use ironbird_patience::Patience;

/// Between two looks whether the others are still there.
const LOOK: Duration = Duration::from_millis(10);

/// How long each other process has said nothing, while there was nothing else to do.
#[derive(Clone, Debug)]
pub struct SignsOfLife {
    /// With each process.
    patience: Vec<Patience>,
    looked: Instant,
    /// None: they are to be asked at once.
    asked: Option<Instant>,
    /// How long another may give no sign of life.
    limit: Duration,
    /// Why it is shorter than what was asked for, if it is.
    hurry: &'static str,
}

impl SignsOfLife {
    /// Of these processes; the numbers that the system knows them by, where it does.
    pub fn new(processes: impl IntoIterator<Item = Option<u32>>, limit: Duration) -> Self {
        let now = Instant::now();
        let patience = processes.into_iter().map(|process| Patience::with(process, limit));
        let (patience, asked) = (patience.collect(), Some(now));
        SignsOfLife { patience, looked: now, asked, limit, hurry: "" }
    }

    /// How long to wait at most before [looking](SignsOfLife::look).
    pub fn longest_wait(&self) -> Duration {
        LOOK
    }

    /// Something came from a process.
    pub fn hear(&mut self, process: usize) {
        self.patience[process].begin_anew();
    }

    /// From now on the others have no longer than `limit`, because of `why`: words that follow a time.
    pub fn hurry(&mut self, limit: Duration, why: &'static str) {
        if limit < self.limit {
            (self.limit, self.hurry, self.asked) = (limit, why, None);
            self.patience.iter_mut().for_each(|patience| patience.limit_to(limit));
        }
    }

    /// Whether it is time to look after the others; if so, whether they are also to be asked for a sign of life.
    pub fn look(&mut self) -> Option<bool> {
        if self.looked.elapsed() <= LOOK {
            return None;
        }
        self.looked = Instant::now();
        let ask = self.asked.is_none_or(|asked| asked.elapsed() > self.limit / 8);
        if ask {
            self.asked = Some(self.looked);
        }
        Some(ask)
    }

    /// What is to be said of a process that has been silent for too long. It is asked at each [look](Self::look).
    pub fn silent(&mut self, process: usize) -> Option<Trouble> {
        let seconds = self.limit.as_secs_f64();
        let why = match self.hurry {
            "" => "(--patience changes how long it may)",
            hurry => hurry,
        };
        let what = || format!("it gave no sign of life for {seconds} s {why}");
        self.patience[process].is_over().then(|| Trouble::Hangs(what()))
    }
}
