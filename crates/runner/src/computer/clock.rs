//! Simulated time beside the clock on the wall.

use std::sync::OnceLock;
use std::time::{Duration as Wall, Instant};

use ironbird_kernel::Time;

use super::LOOK;
use crate::interrupt::Interrupt;

/// Says when an instant is due; without a speed, everything is due at once.
pub struct WallClock {
    speed: Option<f64>,
    started: OnceLock<Instant>,
}

impl WallClock {
    /// A clock that begins when it is first asked.
    pub fn new(speed: Option<f64>) -> Self {
        WallClock { speed, started: OnceLock::new() }
    }

    /// When an instant is due.
    fn due(&self, at: Time) -> Option<Instant> {
        let speed = self.speed?;
        let started = *self.started.get_or_init(Instant::now);
        let seconds = at.since(Time::ZERO).as_secs_f64() / speed;
        started.checked_add(Wall::try_from_secs_f64(seconds).ok()?)
    }

    /// Waits until an instant is due, or somebody wants the run to end.
    pub fn wait_for(&self, at: Time, interrupt: &Interrupt) {
        let Some(due) = self.due(at) else { return };
        loop {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupt.is_requested() {
                return;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    /// How long ago an instant was due.
    pub fn behind(&self, at: Time) -> Wall {
        self.late(Instant::now(), at)
    }

    /// How long after it was due something happened.
    pub fn late(&self, happened: Instant, at: Time) -> Wall {
        self.due(at).map_or(Wall::ZERO, |due| happened.saturating_duration_since(due))
    }
}
