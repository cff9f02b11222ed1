//! How far to run before looking up: often enough for a progress bar, and no faster than was asked.

use std::time::{Duration as Wall, Instant};

use ironbird_kernel::{Duration, Time};

use crate::interrupt::Interrupt;

/// Wall time between two looks.
const LOOK: Wall = Wall::from_millis(50);

/// Chooses stretches of simulated time.
pub struct Pace {
    started: Instant,
    looked: Instant,
    /// Simulated time of the next stretch, and the longest that it may get.
    stretch: Duration,
    longest: Duration,
    speed: Option<f64>,
    from: Option<Time>,
}

impl Pace {
    /// As fast as possible, or at most `speed` simulated seconds per second; never further than `longest` without a look.
    pub fn new(speed: Option<f64>, longest: Duration) -> Self {
        let now = Instant::now();
        let stretch = Duration::from_ms(1).min(longest);
        Pace { started: now, looked: now, stretch, longest, speed, from: None }
    }

    /// Simulated seconds per second of wall time, at most.
    pub fn speed(&self) -> Option<f64> {
        self.speed
    }

    /// From now on as fast as possible, or at most `speed` simulated seconds per second.
    pub fn change(&mut self, speed: Option<f64>, now: Time) {
        (self.speed, self.from, self.started) = (speed, Some(now), Instant::now());
    }

    /// How far to run now.
    pub fn next(&mut self, now: Time) -> Time {
        if self.from.is_none() {
            (self.from, self.started) = (Some(now), Instant::now());
        }
        let took = self.looked.elapsed();
        self.looked = Instant::now();
        if took < LOOK / 2 {
            let twice = Duration::from_ps(self.stretch.as_ps().saturating_mul(2));
            self.stretch = twice.min(self.longest);
        } else if took > LOOK * 2 {
            self.stretch = Duration::from_ps((self.stretch.as_ps() / 2).max(1));
        }
        if let Some(speed) = self.speed {
            let most = Duration::from_secs_f64_ceil(speed * 0.02).unwrap_or(self.stretch);
            self.stretch = self.stretch.min(most.max(Duration::EPSILON));
        }
        now + self.stretch
    }

    /// Waits until simulated time is due, in short naps so that an interruption is noticed.
    pub fn wait(&self, now: Time, interrupt: &Interrupt) {
        let (Some(speed), Some(from)) = (self.speed, self.from) else { return };
        let due = Wall::try_from_secs_f64(now.since(from).as_secs_f64() / speed).unwrap_or(LOOK);
        while let Some(left) = due.checked_sub(self.started.elapsed()) {
            if interrupt.is_requested() {
                return;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }
}
