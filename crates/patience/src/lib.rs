//! How long another process is waited for, in real time.
//!
//! A process that is stopped (Ctrl-Z, `SIGSTOP`, a debugger that holds it) does not hang: it goes on when the user says
//! so. So the time in which the waiting process, the awaited one, or one that the awaited one has started, was
//! stopped does not count. Two rules do that:
//!
//! - Whoever waits looks every few milliseconds. Between two looks at most a *grain* counts, a small part of the limit:
//!   a longer gap means that the waiting process itself was stopped (or had no core, which is no fault of the other).
//! - Before a grain of silence counts, the system is asked whether the awaited process, or one below it, is stopped.
//!
//! ```
//! use std::time::Duration;
//! use ironbird_patience::Patience;
//!
//! let mut patience = Patience::new(Duration::from_millis(50));
//! while !patience.is_over() {
//!     std::thread::sleep(patience.nap()); // in place of this: wait for an answer
//! }
//! ```

mod stopped;

use std::time::{Duration, Instant};

pub use stopped::is_stopped;

/// Of the limit, what counts at once at most.
const GRAINS: u32 = 32;
/// A grain is no shorter than a process on a busy machine may have to wait for a core.
const SHORTEST_GRAIN: Duration = Duration::from_millis(20);
/// Between two looks.
const NAP: Duration = Duration::from_millis(10);
/// The same, where almost no time is left and the other is stopped.
const SHORTEST_NAP: Duration = Duration::from_millis(1);

/// What is left of the time that another process has.
#[derive(Clone, Debug)]
pub struct Patience {
    limit: Duration,
    process: Option<u32>,
    counted: Duration,
    /// Silence since the awaited process was last seen to run.
    uncounted: Duration,
    looked: Instant,
}

impl Patience {
    /// With something that is no process of this machine: only stops of this process do not count.
    pub fn new(limit: Duration) -> Self {
        Patience::with(None, limit)
    }

    /// With a process, if its number is known.
    pub fn with(process: Option<u32>, limit: Duration) -> Self {
        let (counted, uncounted) = (Duration::ZERO, Duration::ZERO);
        Patience { limit, process, counted, uncounted, looked: Instant::now() }
    }

    /// How long it lasts.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// From now on it lasts for `limit`.
    pub fn limit_to(&mut self, limit: Duration) {
        self.limit = limit;
        self.begin_anew();
    }

    /// The other has given a sign of life.
    pub fn begin_anew(&mut self) {
        (self.counted, self.uncounted) = (Duration::ZERO, Duration::ZERO);
        self.looked = Instant::now();
    }

    /// How long to wait at most before asking again [whether it is over](Patience::is_over).
    pub fn nap(&self) -> Duration {
        let left = self.limit.saturating_sub(self.counted + self.uncounted);
        left.clamp(SHORTEST_NAP, NAP)
    }

    /// Looks at the time, and whether there is none left.
    pub fn is_over(&mut self) -> bool {
        let now = Instant::now();
        let grain = (self.limit / GRAINS).max(SHORTEST_GRAIN);
        self.uncounted += now.saturating_duration_since(self.looked).min(grain);
        self.looked = now;
        if self.uncounted >= grain || self.counted + self.uncounted >= self.limit {
            let counts = !self.process.is_some_and(is_stopped);
            self.counted += if counts { self.uncounted } else { Duration::ZERO };
            self.uncounted = Duration::ZERO;
        }
        self.counted >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};
    use std::thread::sleep;

    const LIMIT: Duration = Duration::from_millis(400);

    /// Looks as often as it should for so long; whether patience came to its end.
    fn is_lost_within(patience: &mut Patience, span: Duration) -> bool {
        let began = Instant::now();
        while began.elapsed() < span {
            if patience.is_over() {
                return true;
            }
            sleep(patience.nap());
        }
        false
    }

    /// Processes that end with a test.
    struct Started(Child);

    impl Started {
        /// A shell that has started another process.
        fn family() -> Self {
            let mut command = Command::new("sh");
            Started(command.args(["-c", "sleep 1000 & wait"]).spawn().unwrap())
        }

        fn signal(process: u32, signal: &str) {
            let sent = Command::new("kill").args([signal, &process.to_string()]).status();
            assert!(sent.unwrap().success());
        }

        fn child(&self) -> u32 {
            let id = self.0.id();
            let path = format!("/proc/{id}/task/{id}/children");
            loop {
                let text = std::fs::read_to_string(&path).unwrap();
                if let Some(child) = text.split_whitespace().next() {
                    return child.parse().unwrap();
                }
                sleep(Duration::from_millis(1));
            }
        }
    }

    impl Drop for Started {
        fn drop(&mut self) {
            Started::signal(self.child(), "-KILL");
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn who_runs_and_says_nothing_has_the_limit() {
        let family = Started::family();
        let mut patience = Patience::with(Some(family.0.id()), LIMIT);
        let began = Instant::now();
        assert!(is_lost_within(&mut patience, Duration::from_secs(60)));
        assert!(began.elapsed() >= LIMIT);
        patience.begin_anew();
        assert!(!patience.is_over());
    }

    #[test]
    fn time_in_which_the_other_is_stopped_does_not_count() {
        let family = Started::family();
        for stopped in [family.0.id(), family.child()] {
            Started::signal(stopped, "-STOP");
            let mut patience = Patience::with(Some(family.0.id()), LIMIT);
            assert!(!is_lost_within(&mut patience, 4 * LIMIT), "process {stopped} was stopped");
            Started::signal(stopped, "-CONT");
            assert!(is_lost_within(&mut patience, Duration::from_secs(60)));
        }
    }

    #[test]
    fn time_in_which_nobody_looks_counts_as_one_grain() {
        // As if this process had been stopped.
        let mut patience = Patience::new(LIMIT);
        for _ in 0..3 {
            sleep(2 * LIMIT);
            assert!(!patience.is_over());
        }
        assert!(patience.counted <= 3 * SHORTEST_GRAIN);
        assert!(is_lost_within(&mut patience, Duration::from_secs(60)));
    }

    #[test]
    fn a_process_that_is_gone_is_not_stopped() {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(!is_stopped(child.id()));
    }
}
