//! Whether the other processes of a run still live. Whoever waits gives a sign of life when it is asked; who computes,
//! later; who hangs, never.

use std::time::{Duration, Instant};

use ironbird_kernel::Trouble;

/// Between two looks whether the others are still there.
const LOOK: Duration = Duration::from_millis(10);

/// When each other process was last heard of, while there was nothing else to do.
#[derive(Clone, Debug)]
pub struct SignsOfLife {
    heard: Vec<Instant>,
    looked: Instant,
    /// None: they are to be asked at once.
    asked: Option<Instant>,
    /// How long another may give no sign of life.
    patience: Duration,
    /// Why it is shorter than what was asked for, if it is.
    hurry: &'static str,
}

impl SignsOfLife {
    /// Of so many processes.
    pub fn new(count: usize, patience: Duration) -> Self {
        let now = Instant::now();
        SignsOfLife { heard: vec![now; count], looked: now, asked: Some(now), patience, hurry: "" }
    }

    /// How long to wait at most before [looking](SignsOfLife::look).
    pub fn longest_wait(&self) -> Duration {
        LOOK
    }

    /// Something came from a process.
    pub fn hear(&mut self, process: usize) {
        self.heard[process] = Instant::now();
    }

    /// This process begins to wait. Nobody was asked while it computed.
    pub fn begin_to_wait(&mut self) {
        if self.looked.elapsed() > self.patience / 8 {
            self.start_anew(Instant::now());
        }
    }

    /// From now on the others have no longer than `patience`, because of `why`: words that follow a time.
    pub fn hurry(&mut self, patience: Duration, why: &'static str) {
        if patience < self.patience {
            (self.patience, self.hurry) = (patience, why);
            self.start_anew(Instant::now());
            self.asked = None;
        }
    }

    fn start_anew(&mut self, now: Instant) {
        (self.looked, self.asked) = (now, Some(now));
        self.heard.fill(now);
    }

    /// Whether it is time to look after the others; if so, whether they are also to be asked for a sign of life.
    pub fn look(&mut self) -> Option<bool> {
        if self.looked.elapsed() <= LOOK {
            return None;
        }
        self.looked = Instant::now();
        let ask = self.asked.is_none_or(|asked| asked.elapsed() > self.patience / 8);
        if ask {
            self.asked = Some(self.looked);
        }
        Some(ask)
    }

    /// What is to be said of a process that has been silent for too long.
    pub fn silent(&self, process: usize) -> Option<Trouble> {
        let seconds = self.patience.as_secs_f64();
        let why = match self.hurry {
            "" => "(--patience changes how long it may)",
            hurry => hurry,
        };
        let what = || format!("it gave no sign of life for {seconds} s {why}");
        (self.heard[process].elapsed() > self.patience).then(|| Trouble::Hangs(what()))
    }
}
