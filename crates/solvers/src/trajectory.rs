//! Signals as polynomials in time, and the conversions between seconds and picoseconds.

use ironbird_kernel::{Time, Value};
use serde::{Deserialize, Serialize};

/// A signal that follows c0 + c1 s + c2 s^2 + c3 s^3, with s the seconds since `start`, until it is
/// superseded by another one. Before its start it has the value c0.
///
/// It crosses ports as a whole: whoever reads one evaluates it at an instant of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Value)]
pub struct Trajectory {
    /// Where s = 0.
    pub start: Time,
    /// c0 to c3, in the unit of the signal per power of a second.
    pub coefficients: [f64; 4],
}

impl Trajectory {
    /// A signal that keeps one value.
    pub const fn constant(value: f64) -> Self {
        Trajectory { start: Time::ZERO, coefficients: [value, 0.0, 0.0, 0.0] }
    }

    /// A straight line: `value` at `start`, changing by `slope` per second.
    pub const fn line(start: Time, value: f64, slope: f64) -> Self {
        Trajectory { start, coefficients: [value, slope, 0.0, 0.0] }
    }

    /// The value at `t`.
    pub fn at(&self, t: Time) -> f64 {
        evaluate(&self.coefficients, seconds(self.start.as_ps(), t.as_ps()))
    }

    /// The same signal, counted from `t` on.
    pub fn from(&self, t: Time) -> Self {
        let s = seconds(self.start.as_ps(), t.as_ps());
        Trajectory { start: t, coefficients: shift(self.coefficients, s) }
    }

    /// The signal that keeps, from `t` on, the value that this one has then.
    pub fn held_from(&self, t: Time) -> Self {
        Trajectory { start: t, ..Trajectory::constant(self.at(t)) }
    }

    /// Whether it keeps one value.
    #[inline]
    pub fn is_constant(&self) -> bool {
        self.coefficients[1] == 0.0 && self.coefficients[2] == 0.0 && self.coefficients[3] == 0.0
    }

    /// Whether every coefficient is a finite number.
    pub fn is_finite(&self) -> bool {
        self.coefficients.iter().all(|c| c.is_finite())
    }
}

impl Default for Trajectory {
    fn default() -> Self {
        Trajectory::constant(0.0)
    }
}

/// Seconds from one instant in picoseconds to another; zero if `to` is earlier.
#[inline]
pub(crate) fn seconds(from: u64, to: u64) -> f64 {
    to.saturating_sub(from) as f64 * 1e-12
}

/// The first whole picosecond at or after `s` seconds from `now`: an event never happens before its
/// cause. Never, for NaN and beyond the range of time.
#[inline]
pub(crate) fn instant_after(now: u64, s: f64) -> u64 {
    let ps = s * 1e12;
    if ps < 9.0e18 {
        let whole = ps as i64;
        let up = whole + i64::from((whole as f64) < ps);
        now.saturating_add(up.max(0) as u64)
    } else {
        u64::MAX
    }
}

/// c0 + c1 s + c2 s^2 + c3 s^3.
#[inline]
pub(crate) fn evaluate(c: &[f64; 4], s: f64) -> f64 {
    c[0] + s * (c[1] + s * (c[2] + s * c[3]))
}

/// The same polynomial, counted from `s` on.
#[inline]
pub(crate) fn shift(c: [f64; 4], s: f64) -> [f64; 4] {
    [evaluate(&c, s), c[1] + s * (2.0 * c[2] + s * (3.0 * c[3])), c[2] + s * (3.0 * c[3]), c[3]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::Duration;

    #[test]
    fn a_trajectory_counted_from_later_on_has_the_same_values() {
        let start = Time::from_ps(5_000_000);
        let signal = Trajectory { start, coefficients: [1.0, -2.0, 0.5, 0.25] };
        let later = signal.from(start + Duration::from_ms(500));
        for ms in [500, 750, 2_000] {
            let t = start + Duration::from_ms(ms);
            assert!((signal.at(t) - later.at(t)).abs() < 1e-14);
        }
        assert_eq!(signal.at(Time::ZERO), 1.0);
    }

    #[test]
    fn instants_round_up() {
        assert_eq!(instant_after(10, 0.0), 10);
        assert_eq!(instant_after(10, 0.4e-12), 11);
        assert_eq!(instant_after(10, 2.5e-12), 13);
        assert_eq!(instant_after(10, f64::INFINITY), u64::MAX);
        assert_eq!(instant_after(10, f64::NAN), u64::MAX);
    }
}
