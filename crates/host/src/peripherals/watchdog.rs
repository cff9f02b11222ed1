//! Watchdog: resets a computer that has not fed it for too long.

use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;

const TIME: u32 = 0x00;
const FEED: u32 = 0x04;
const FOOD: u32 = 0x5A5A_5A5A;

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bite {
    /// Half of the time is over.
    Warns,
    /// All of it is.
    Resets,
}

/// A watchdog.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watchdog {
    milliseconds: u32,
    /// When it was fed.
    fed: Option<Time>,
    has_warned: bool,
}

impl Watchdog {
    pub fn line(&self) -> bool {
        self.has_warned
    }

    pub fn next(&self, clock: &Clock) -> Time {
        let Some(fed) = self.fed else { return Time::NEVER };
        let all = Duration::from_ms(u64::from(self.milliseconds));
        let wait = if self.has_warned { all } else { Duration::from_ps(all.as_ps() / 2) };
        fed + clock.stretch(wait)
    }

    pub fn event(&mut self) -> Bite {
        if self.has_warned {
            return Bite::Resets;
        }
        self.has_warned = true;
        Bite::Warns
    }

    pub fn load(&self, offset: u32) -> u32 {
        if offset == TIME { self.milliseconds } else { 0 }
    }

    pub fn store(&mut self, offset: u32, value: u32, now: Time) {
        match (offset, value) {
            (TIME, 1..) => self.milliseconds = value,
            (FEED, FOOD) if self.milliseconds != 0 => {}
            _ => return,
        }
        (self.fed, self.has_warned) = (Some(now), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_warns_at_half_of_its_time_and_bites_at_the_end_unless_fed() {
        let clock = Clock::new(Time::ZERO, 1_000_000).expect("a rate");
        let ms = |ms| Time::ZERO + Duration::from_ms(ms);
        let mut dog = Watchdog::default();
        dog.store(FEED, FOOD, ms(0));
        assert_eq!(dog.next(&clock), Time::NEVER);
        dog.store(TIME, 100, ms(0));
        assert_eq!(dog.next(&clock), ms(50));
        dog.store(FEED, FOOD, ms(40));
        dog.store(FEED, 1, ms(45));
        assert_eq!(dog.next(&clock), ms(90));
        assert_eq!(dog.event(), Bite::Warns);
        assert!(dog.line());
        dog.store(TIME, 0, ms(91));
        assert_eq!(dog.next(&clock), ms(140), "it cannot be turned off");
        assert_eq!(dog.event(), Bite::Resets);
    }
}
