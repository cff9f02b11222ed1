//! What was estimated a short time ago, for measurements that arrive late.

use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

/// How many moments are kept.
const MOMENTS: usize = 64;

/// At least so long lies between two of them: together they reach back half a second or more.
const SPACING: Duration = Duration::from_ms(8);

/// A quantity at some moments of the last half second.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct History<T> {
    /// A ring, whose oldest moment is at `oldest` once it is full.
    moments: Vec<(Time, T)>,
    oldest: usize,
    due: Time,
}

impl<T: Copy> History<T> {
    /// Keeps a moment that is later than all others, if it is time for one.
    #[inline]
    pub fn keep(&mut self, time: Time, value: impl FnOnce() -> T) {
        if time >= self.due {
            self.put(time, value());
        }
    }

    fn put(&mut self, time: Time, value: T) {
        self.due = time + SPACING;
        if self.moments.len() < MOMENTS {
            self.moments.push((time, value));
        } else {
            self.moments[self.oldest] = (time, value);
            self.oldest = (self.oldest + 1) % MOMENTS;
        }
    }

    /// The moments on both sides of an earlier time: the later one is `present` if none is kept. What
    /// lies before all that is kept is the oldest moment.
    pub fn around(&self, time: Time, present: (Time, T)) -> ((Time, T), (Time, T)) {
        let mut later = present;
        let (new, old) = self.moments.split_at(self.oldest);
        for moment in new.iter().rev().chain(old.iter().rev()) {
            if moment.0 <= time {
                return (*moment, later);
            }
            later = *moment;
        }
        (later, later)
    }
}

/// A span in seconds. A product, which takes a third of the time of the exact quotient and is off by one
/// rounding.
#[inline]
pub(super) fn seconds(span: Duration) -> f64 {
    span.as_ps() as f64 * 1e-12
}

/// How far `time` lies between two moments: 0 at the first, 1 at the second.
pub(super) fn fraction(from: Time, to: Time, time: Time) -> f64 {
    let whole = seconds(to - from);
    if whole > 0.0 { seconds(time - from) / whole } else { 0.0 }
}

/// Seconds from `from` to `to`, less than zero if `to` comes first.
#[inline]
pub(super) fn signed_seconds(from: Time, to: Time) -> f64 {
    if to >= from { seconds(to - from) } else { -seconds(from - to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::ZERO + Duration::from_ms(ms)
    }

    #[test]
    fn moments_on_both_sides_are_found_after_the_ring_has_turned() {
        let mut history = History::default();
        for k in 0..1000 {
            history.keep(ms(k), || k);
        }
        let (before, after) = history.around(ms(700), (ms(1000), 1000));
        assert_eq!((before.1, after.1), (696, 704));
        let (before, after) = history.around(ms(999), (ms(1000), 1000));
        assert_eq!((before.1, after.1), (992, 1000));
    }

    #[test]
    fn what_is_too_old_is_the_oldest() {
        let mut history = History::default();
        for k in 0..1000 {
            history.keep(ms(k), || k);
        }
        let (before, after) = history.around(ms(10), (ms(1000), 1000));
        assert_eq!((before.1, after.1), (488, 488));
    }
}
