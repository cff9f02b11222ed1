//! When sensors are due that have rates of their own.

use ironbird_kernel::{Grid, Rate, Time};
use serde::{Deserialize, Serialize};

/// Rates are fractions of this many parts of a hertz.
const PARTS: f64 = 1e6;

/// What happens at a rate, seen from steps that are not further apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// How many periods were over when it happened last.
    done: u64,
}

impl Beat {
    /// How many periods have ended since it happened last: it is due if there are any, and has then happened. Never at a
    /// rate of 0.
    pub fn take(&mut self, hertz: f64, now: Time) -> u64 {
        let parts = (hertz * PARTS).round() as u64;
        let Ok(rate) = Rate::new(parts, PARTS as u64) else { return 0 };
        let over = Grid::new(Time::ZERO, rate).count(now);
        let since = over.saturating_sub(self.done);
        self.done = over;
        since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_due_at_the_end_of_each_period() {
        let mut beat = Beat::default();
        let due: Vec<u64> =
            (0..=48).filter(|ms| beat.take(62.5, Time::from_ps(ms * 1_000_000_000)) == 1).collect();
        assert_eq!(due, [16, 32, 48]);
        let mut never = Beat::default();
        assert_eq!(never.take(0.0, Time::from_ps(u64::MAX / 2)), 0);
        let mut late = Beat::default();
        assert_eq!(late.take(250.0, Time::from_ps(12_000_000_000)), 3);
    }
}
