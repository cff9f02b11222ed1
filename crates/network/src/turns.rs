//! Time division: stations send in turn, each in windows of its own.
//!
//! ```text
//! window   0     1     2     0     1     …
//!          ├─────┼─────┼─────┼─────┼─────►
//!          0     w     2w    3w            time
//! ```

use ironbird_kernel::{Duration, Time};

/// Who sends when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    pub stations: u64,
    pub window: Duration,
    /// The end of a window that stays free.
    pub guard: Duration,
}

impl Turns {
    /// Whether something that takes so long fits into a window.
    pub fn fits(&self, takes: Duration) -> bool {
        takes + self.guard <= self.window
    }

    /// When `station` may begin what takes so long and fits, now or later.
    pub fn begin(&self, station: u64, now: Time, takes: Duration) -> Time {
        let window = self.window.as_ps();
        let present = now.as_ps() / window;
        let is_own = present % self.stations == station;
        let end = Time::from_ps((present + 1).saturating_mul(window));
        if is_own && now + takes + self.guard <= end {
            return now;
        }
        // The next window of this station: 1 to `stations` windows on.
        let on = (station + self.stations - 1 - present % self.stations) % self.stations + 1;
        Time::from_ps((present + on).saturating_mul(window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURNS: Turns =
        Turns { stations: 3, window: Duration::from_ms(10), guard: Duration::from_ms(1) };

    fn begin(station: u64, now: u64, takes: u64) -> u64 {
        let now = Time::ZERO + Duration::from_ms(now);
        let begin = TURNS.begin(station, now, Duration::from_ms(takes));
        begin.as_ps() / 1_000_000_000
    }

    #[test]
    fn a_station_waits_for_its_window() {
        assert_eq!([begin(0, 0, 5), begin(1, 0, 5), begin(2, 0, 5)], [0, 10, 20]);
        assert_eq!([begin(0, 12, 5), begin(1, 12, 5), begin(2, 12, 5)], [30, 12, 20]);
    }

    #[test]
    fn what_does_not_fit_any_more_waits_for_the_next_one() {
        assert_eq!([begin(0, 4, 5), begin(0, 5, 5)], [4, 30]);
        assert!(TURNS.fits(Duration::from_ms(9)) && !TURNS.fits(Duration::from_ms(10)));
    }
}
