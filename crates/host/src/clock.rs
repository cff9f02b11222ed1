//! The clock of a processor: cycles and time, both exact.

use ironbird_kernel::time::RateError;
use ironbird_kernel::{Duration, Grid, Rate, Time};
use serde::{Deserialize, Serialize};

/// A clock that ticks nominally at one rate and really at another, which may change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// As software is told.
    nominal: u64,
    /// As it is, in mHz, so that parts in 10^9 of a slow clock can be told apart.
    actual_mhz: u64,
    /// Where the present rate began, and which cycle that was.
    anchor: Time,
    anchor_cycle: u64,
}

const MILLI: u64 = 1_000;

impl Clock {
    /// A clock of `hertz` whose cycle 0 begins at `start`.
    pub fn new(start: Time, hertz: u64) -> Result<Self, RateError> {
        Rate::new(hertz.saturating_mul(MILLI), MILLI)?;
        Ok(Clock {
            nominal: hertz,
            actual_mhz: hertz.saturating_mul(MILLI),
            anchor: start,
            anchor_cycle: 0,
        })
    }

    /// What software takes it for, in Hz.
    pub fn nominal(&self) -> u64 {
        self.nominal
    }

    fn grid(&self) -> Grid {
        // Checked where it was set.
        let rate = Rate::new(self.actual_mhz, MILLI).unwrap_or(Rate::hz(1));
        Grid::new(self.anchor, rate)
    }

    /// When a cycle begins.
    pub fn time_of(&self, cycle: u64) -> Time {
        self.grid().tick(cycle.saturating_sub(self.anchor_cycle))
    }

    /// The first cycle that does not begin before `time`.
    pub fn cycle_from(&self, time: Time) -> u64 {
        if time.is_never() {
            return u64::MAX;
        }
        self.anchor_cycle.saturating_add(self.grid().first_tick_from(time))
    }

    /// How long something takes that takes `nominally` where the clock is right.
    pub fn stretch(&self, nominally: Duration) -> Duration {
        let (right, is) = (self.nominal.saturating_mul(MILLI), self.actual_mhz);
        if right == is || nominally.is_forever() {
            return nominally;
        }
        let scaled = u128::from(nominally.as_ps()) * u128::from(right) / u128::from(is);
        Duration::from_ps(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// A rate that software has derived from the nominal one, as it is.
    pub fn real_rate(&self, nominally: u32) -> u32 {
        let right = u128::from(self.nominal.saturating_mul(MILLI));
        let scaled = u128::from(nominally) * u128::from(self.actual_mhz) / right;
        u32::try_from(scaled).unwrap_or(u32::MAX)
    }

    /// From the first cycle at or after `now` on it is `parts` times as fast as it says. Parts beyond a
    /// tenth and ten are cut.
    pub fn set_speed(&mut self, now: Time, parts: f64) {
        let exact = self.nominal as f64 * MILLI as f64 * parts.clamp(0.1, 10.0);
        let actual_mhz = (exact.round() as u64).clamp(1, 1_000_000_000_000 * MILLI);
        if actual_mhz == self.actual_mhz {
            return;
        }
        let cycle = self.cycle_from(now);
        (self.anchor, self.anchor_cycle) = (self.time_of(cycle), cycle);
        self.actual_mhz = actual_mhz;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    #[test]
    fn cycles_and_times_agree_to_the_last_picosecond() {
        let clock = Clock::new(at(5), 168_000_000).expect("a rate");
        for cycle in [0, 1, 2, 168, 999_999_999] {
            let begins = clock.time_of(cycle);
            assert_eq!(clock.cycle_from(begins), cycle);
            assert_eq!(clock.cycle_from(at(begins.as_ps() + 1)), cycle + 1);
        }
        assert_eq!(clock.time_of(168_000_000), at(1_000_000_000_005));
    }

    #[test]
    fn a_fast_clock_shortens_what_is_derived_from_it() {
        let mut clock = Clock::new(at(0), 10_000_000).expect("a rate");
        clock.set_speed(at(1_000_000), 1.25);
        assert_eq!(clock.time_of(10), at(1_000_000));
        assert_eq!(clock.time_of(20), at(1_800_000));
        assert_eq!(clock.stretch(Duration::from_us(10)), Duration::from_us(8));
        assert_eq!(clock.real_rate(9600), 12_000);
        clock.set_speed(at(1_800_000), 1.0);
        assert_eq!(clock.time_of(30), at(2_800_000));
        assert_eq!(clock.stretch(Duration::from_us(10)), Duration::from_us(10));
    }

    #[test]
    fn a_clock_without_a_rate_is_refused() {
        assert!(Clock::new(at(0), 0).is_err());
    }
}
