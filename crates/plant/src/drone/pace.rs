//! How fast a drone goes along its path.
//!
//! A change from speed v to w takes the time T; with x the time since it began
//!
//! ```text
//! speed        = v + a x + b x² + c x³,   b = 3 (w - v)/T² - 2 a/T,   c = a/T² - 2 (w - v)/T³
//! distance     = s + v x + a x²/2 + b x³/3 + c x⁴/4;   after T: s + (v + w) T/2 + a T²/12
//! ```
//!
//! so that speed and acceleration (a, where it begins in the middle of another change) are continuous,
//! and the distance is exactly the integral of the speed. The acceleration stays within its limit A for
//! T = 1.5 |w - v| / (A - |a|/3), and the speed above zero for T < 3 v/|a|. The change to rest is timed
//! such that it ends at the end of the path.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// A change of speed, and what follows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    begun: Time,
    start: Along,
    /// The speed that is wanted, and when it is reached, in seconds after `begun`.
    pub wanted: f64,
    duration: f64,
}

/// How far, how fast, and how much faster every second, along a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Along {
    pub distance: f64,
    pub speed: f64,
    pub acceleration: f64,
}

impl Pace {
    /// On the way at a speed.
    pub fn steady(begun: Time, speed: f64) -> Self {
        let start = Along { speed, ..Along::default() };
        Pace { begun, start, wanted: speed, duration: 0.0 }
    }

    #[inline]
    pub fn at(&self, now: Time) -> Along {
        let x = now.since(self.begun).as_secs_f64();
        let Along { distance, speed, acceleration } = self.start;
        let (rise, t) = (self.wanted - speed, self.duration);
        if x >= t {
            let changed = t * (speed + 0.5 * rise + acceleration * t / 12.0);
            let distance = distance + changed + self.wanted * (x - t);
            return Along { distance, speed: self.wanted, acceleration: 0.0 };
        }
        let b = (3.0 * rise / t - 2.0 * acceleration) / t;
        let c = (acceleration - 2.0 * rise / t) / (t * t);
        let integral = speed + x * (acceleration / 2.0 + x * (b / 3.0 + x * c / 4.0));
        Along {
            distance: distance + x * integral,
            speed: speed + x * (acceleration + x * (b + x * c)),
            acceleration: acceleration + x * (2.0 * b + x * 3.0 * c),
        }
    }

    /// Whether the change is over.
    pub fn is_over(&self, now: Time) -> bool {
        now.since(self.begun).as_secs_f64() >= self.duration
    }

    /// From `start` to another speed.
    pub fn change(begun: Time, start: Along, wanted: f64, limit: f64) -> Self {
        let Along { speed, acceleration, .. } = start;
        let already = acceleration.abs().min(limit);
        // At least so long that an acceleration does not end with a jerk.
        let time = (1.5 * (wanted - speed).abs() / (limit - already / 3.0)).max(already / limit);
        let forward = if acceleration < 0.0 { 3.0 * speed / -acceleration } else { f64::INFINITY };
        Pace { begun, start, wanted, duration: time.min(forward) }
    }

    /// From `start` to rest within `left` metres.
    pub fn stop(begun: Time, start: Along, left: f64) -> Self {
        let half = 0.5 * start.speed;
        let root = (half * half + start.acceleration * left / 3.0).max(0.0).sqrt();
        Pace { begun, start, wanted: 0.0, duration: 2.0 * left / (half + root) }
    }
}

impl Along {
    /// Whether it takes all of `left` metres to stop.
    #[inline]
    pub fn must_stop(&self, left: f64, limit: f64) -> bool {
        // No division while the end is far: T is at most 2.25 v/A, and the way at most 1.6 v²/A.
        left * limit < 1.6 * self.speed * self.speed && left <= self.stopping_distance(limit)
    }

    /// How many metres it takes to stop.
    pub fn stopping_distance(&self, limit: f64) -> f64 {
        let time = 1.5 * self.speed / (limit - self.acceleration.abs().min(limit) / 3.0);
        time * (0.5 * self.speed + self.acceleration * time / 12.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(s: f64) -> Time {
        Time::from_ps((s * 1e12) as u64)
    }

    #[test]
    fn a_change_in_the_middle_of_another_is_smooth_and_keeps_the_limit() {
        let limit = 0.2;
        let first = Pace::change(Time::ZERO, Along { speed: 2.5, ..Along::default() }, 4.0, limit);
        for (change, wanted) in [(1.0, 2.0), (6.0, 0.3), (10.0, 4.5), (5.0, 3.2)] {
            let start = first.at(seconds(change));
            let second = Pace::change(seconds(change), start, wanted, limit);
            let (mut distance, mut before) = (start.distance, start);
            for k in 1..40_000 {
                let now = second.at(seconds(change + f64::from(k) * 1e-3));
                distance += 0.5e-3 * (before.speed + now.speed);
                assert!(now.acceleration.abs() <= limit * (1.0 + 1e-12), "{now:?}");
                assert!(now.speed > 0.0);
                assert!((now.acceleration - before.acceleration).abs() < 1e-3);
                assert!((now.distance - distance).abs() < 1e-6);
                before = now;
            }
            assert_eq!((before.speed, before.acceleration), (wanted, 0.0));
        }
    }

    #[test]
    fn a_stop_ends_where_it_should_whatever_went_before() {
        for acceleration in [-0.2, -0.1, 0.0, 0.15, 0.2] {
            let start = Along { distance: 7.0, speed: 1.5, acceleration };
            let left = start.stopping_distance(0.2);
            let stop = Pace::stop(Time::ZERO, start, left);
            let end = stop.at(seconds(stop.duration + 1e-6));
            assert!((end.distance - 7.0 - left).abs() < 1e-12, "{end:?}");
            for k in 0..=1000 {
                let now = stop.at(seconds(f64::from(k) * 1e-3 * stop.duration));
                assert!(
                    now.speed >= -1e-14 && now.acceleration.abs() <= 0.2 * (1.0 + 1e-12),
                    "{now:?}"
                );
            }
        }
    }
}
