//! Virtual time: instants and spans in whole picoseconds, and exact rational rates.
//!
//! A clock of rate f that was anchored at instant a ticks at
//!
//! ```text
//! t(k) = a + ceil(k * 10^12 / f)          (`Grid::tick`)
//! k(t) = floor((t - a) * f / 10^12)       (`Grid::count`)
//! ```
//!
//! computed in 128 bits and never accumulated, so k(t(k)) = k for every clock up to 1 THz.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// Picoseconds in one second.
pub const PICOSECONDS_PER_SECOND: u64 = 1_000_000_000_000;

/// An instant of virtual time: picoseconds since the start of the run (213 days fit).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Time(u64);

/// A span of virtual time in picoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Duration(u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Time = Time(0);
    /// Later than everything: "never".
    pub const NEVER: Time = Time(u64::MAX);

    /// The instant `ps` picoseconds after the start.
    pub const fn from_ps(ps: u64) -> Self {
        Time(ps)
    }

    /// Picoseconds since the start.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Seconds since the start, rounded to the nearest `f64`.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PICOSECONDS_PER_SECOND as f64
    }

    /// The span since `earlier`; zero if `earlier` is not earlier.
    pub const fn since(self, earlier: Time) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// Whether this instant is never reached.
    pub const fn is_never(self) -> bool {
        self.0 == u64::MAX
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);
    /// The smallest span there is: one picosecond.
    pub const EPSILON: Duration = Duration(1);
    /// Without end: a model that advances by this waits for input.
    pub const FOREVER: Duration = Duration(u64::MAX);

    /// `ps` picoseconds.
    pub const fn from_ps(ps: u64) -> Self {
        Duration(ps)
    }

    /// `ns` nanoseconds; `FOREVER` if that is beyond the range of time.
    pub const fn from_ns(ns: u64) -> Self {
        Duration(ns.saturating_mul(1_000))
    }

    /// `us` microseconds; `FOREVER` if that is beyond the range of time.
    pub const fn from_us(us: u64) -> Self {
        Duration(us.saturating_mul(1_000_000))
    }

    /// `ms` milliseconds; `FOREVER` if that is beyond the range of time.
    pub const fn from_ms(ms: u64) -> Self {
        Duration(ms.saturating_mul(1_000_000_000))
    }

    /// `s` seconds; `FOREVER` if that is beyond the range of time.
    pub const fn from_secs(s: u64) -> Self {
        Duration(s.saturating_mul(PICOSECONDS_PER_SECOND))
    }

    /// `seconds` rounded *up* to whole picoseconds, so that an event never happens before its
    /// cause. `None` for negative numbers and NaN; `FOREVER` beyond the range of time.
    pub fn from_secs_f64_ceil(seconds: f64) -> Option<Self> {
        if seconds.is_nan() || seconds < 0.0 {
            return None;
        }
        let ps = (seconds * PICOSECONDS_PER_SECOND as f64).ceil();
        // 2^64 is exact in f64; everything below it converts without saturating.
        Some(if ps >= 18_446_744_073_709_551_616.0 {
            Duration::FOREVER
        } else {
            Duration(ps as u64)
        })
    }

    /// Picoseconds in this span.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Seconds, rounded to the nearest `f64`.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PICOSECONDS_PER_SECOND as f64
    }

    /// Whether this span never ends.
    pub const fn is_forever(self) -> bool {
        self.0 == u64::MAX
    }
}

/// Saturates at [`Time::NEVER`]: what lies beyond the range of time never happens.
impl Add<Duration> for Time {
    type Output = Time;
    fn add(self, span: Duration) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

/// Saturates at zero, like [`Time::since`].
impl Sub<Time> for Time {
    type Output = Duration;
    fn sub(self, earlier: Time) -> Duration {
        self.since(earlier)
    }
}

/// Saturates at [`Duration::FOREVER`].
impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }
}

fn write_seconds(f: &mut fmt::Formatter<'_>, ps: u64) -> fmt::Result {
    let (whole, fraction) = (ps / PICOSECONDS_PER_SECOND, ps % PICOSECONDS_PER_SECOND);
    if fraction == 0 {
        return write!(f, "{whole} s");
    }
    let digits = format!("{fraction:012}");
    write!(f, "{whole}.{} s", digits.trim_end_matches('0'))
}

/// Exact seconds, without trailing zeros: `1.0005 s`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_never() {
            return f.write_str("never");
        }
        write_seconds(f, self.0)
    }
}

/// Exact seconds, without trailing zeros: `0.002 s`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_forever() {
            return f.write_str("forever");
        }
        write_seconds(f, self.0)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An exact frequency in hertz: `numerator / denominator`, both non-zero, in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u64, u64)", into = "(u64, u64)")]
pub struct Rate {
    numerator: u64,
    denominator: u64,
}

/// Why a pair of numbers is not a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// Zero hertz, or a zero denominator.
    #[error("a rate must be positive and finite, not {0}/{1} Hz")]
    NotPositive(u64, u64),
    /// Two ticks would fall on one picosecond.
    #[error("{0}/{1} Hz is faster than 1 THz, the resolution of time")]
    TooFast(u64, u64),
}

impl Rate {
    /// `numerator / denominator` hertz.
    pub const fn new(numerator: u64, denominator: u64) -> Result<Self, RateError> {
        if numerator == 0 || denominator == 0 {
            return Err(RateError::NotPositive(numerator, denominator));
        }
        if numerator as u128 > denominator as u128 * PICOSECONDS_PER_SECOND as u128 {
            return Err(RateError::TooFast(numerator, denominator));
        }
        let (mut a, mut b) = (numerator, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Ok(Rate { numerator: numerator / a, denominator: denominator / a })
    }

    /// A whole number of hertz. Panics on zero and beyond 1 THz; for constants in code, use
    /// [`Rate::new`] for what a user typed.
    pub const fn hz(hertz: u64) -> Self {
        match Rate::new(hertz, 1) {
            Ok(rate) => rate,
            Err(_) => panic!("a rate lies between 0 exclusive and 1 THz"),
        }
    }

    /// The rate whose period is exactly `period`; zero and forever have none.
    pub const fn from_period(period: Duration) -> Result<Self, RateError> {
        Rate::new(PICOSECONDS_PER_SECOND, period.0)
    }

    /// Numerator in lowest terms.
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// Denominator in lowest terms.
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// The time between ticks, if it is a whole number of picoseconds.
    pub fn exact_period(self) -> Option<Duration> {
        let scaled = PICOSECONDS_PER_SECOND as u128 * self.denominator as u128;
        let whole = scaled.is_multiple_of(self.numerator as u128);
        let period = u64::try_from(scaled / self.numerator as u128).ok()?;
        whole.then_some(Duration(period))
    }

    /// Hertz, rounded to the nearest `f64`.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl TryFrom<(u64, u64)> for Rate {
    type Error = RateError;
    fn try_from((numerator, denominator): (u64, u64)) -> Result<Self, RateError> {
        Rate::new(numerator, denominator)
    }
}

impl From<Rate> for (u64, u64) {
    fn from(rate: Rate) -> Self {
        (rate.numerator, rate.denominator)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{} Hz", self.numerator)
        } else {
            write!(f, "{}/{} Hz", self.numerator, self.denominator)
        }
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The instants at which a clock of one rate ticks, counted from its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Where tick 0 lies.
    pub anchor: Time,
    /// How often it ticks.
    pub rate: Rate,
}

impl Grid {
    /// A clock of `rate` whose tick 0 is at `anchor`.
    pub const fn new(anchor: Time, rate: Rate) -> Self {
        Grid { anchor, rate }
    }

    /// The instant of tick `k`: anchor + ceil(k * 10^12 / f); never, beyond the range of time.
    pub fn tick(&self, k: u64) -> Time {
        // A period of whole picoseconds needs no long division.
        if self.rate.denominator == 1 && PICOSECONDS_PER_SECOND.is_multiple_of(self.rate.numerator)
        {
            let offset = k.checked_mul(PICOSECONDS_PER_SECOND / self.rate.numerator);
            return offset.and_then(|o| self.anchor.0.checked_add(o)).map_or(Time::NEVER, Time);
        }
        // k * 10^12 stays below 2^104; only a large denominator can carry it past 128 bits.
        let Some(scaled) =
            (k as u128 * PICOSECONDS_PER_SECOND as u128).checked_mul(self.rate.denominator as u128)
        else {
            return Time::NEVER;
        };
        let offset = scaled.div_ceil(self.rate.numerator as u128);
        match u64::try_from(offset).ok().and_then(|o| self.anchor.0.checked_add(o)) {
            Some(ps) => Time(ps),
            None => Time::NEVER,
        }
    }

    /// How many periods have passed at `t`: floor((t - anchor) * f / 10^12); 0 before the anchor.
    pub fn count(&self, t: Time) -> u64 {
        let elapsed = t.since(self.anchor).0 as u128;
        let divisor = self.rate.denominator as u128 * PICOSECONDS_PER_SECOND as u128;
        // Below 2^64 because the rate is at most one tick per picosecond.
        (elapsed * self.rate.numerator as u128 / divisor) as u64
    }

    /// The number of the first tick at or after `t`.
    pub fn first_tick_from(&self, t: Time) -> u64 {
        let k = self.count(t);
        if self.tick(k) >= t { k } else { k + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_168_mhz_clock_and_a_3_khz_clock_count_exactly() {
        for hertz in [168_000_000, 3_000] {
            let grid = Grid::new(Time::from_ps(7), Rate::hz(hertz));
            for k in [0, 1, 2, 3, 1_000_003, hertz * 3_600 + 1] {
                assert_eq!(grid.count(grid.tick(k)), k);
            }
        }
        let third = Grid::new(Time::ZERO, Rate::hz(3_000));
        assert_eq!(third.tick(1), Time::from_ps(333_333_334));
        assert_eq!(third.tick(3), Time::from_ps(1_000_000_000));
    }

    #[test]
    fn rates_refuse_zero_and_more_than_one_terahertz() {
        assert_eq!(Rate::new(0, 1), Err(RateError::NotPositive(0, 1)));
        assert_eq!(Rate::new(1, 0), Err(RateError::NotPositive(1, 0)));
        assert!(matches!(Rate::new(PICOSECONDS_PER_SECOND + 1, 1), Err(RateError::TooFast(..))));
        assert_eq!(Rate::new(2_000, 4), Rate::new(500, 1));
    }

    #[test]
    fn seconds_round_up_and_print_exactly() {
        assert_eq!(Duration::from_secs_f64_ceil(1e-12), Some(Duration::from_ps(1)));
        assert_eq!(Duration::from_secs_f64_ceil(1.1e-12), Some(Duration::from_ps(2)));
        assert_eq!(Duration::from_secs_f64_ceil(-1.0), None);
        assert_eq!(Duration::from_secs_f64_ceil(f64::NAN), None);
        assert_eq!(Duration::from_secs_f64_ceil(1e300), Some(Duration::FOREVER));
        assert_eq!((Time::ZERO + Duration::from_us(10_000_500)).to_string(), "10.0005 s");
        assert_eq!(Time::NEVER.to_string(), "never");
    }

    #[test]
    fn what_lies_beyond_the_range_of_time_never_happens() {
        let late = Time::from_ps(u64::MAX - 5);
        assert!((late + Duration::from_secs(1)).is_never());
        assert!(Grid::new(late, Rate::hz(1)).tick(1).is_never());
        let slow = Rate::new(1, u64::MAX).unwrap();
        assert!(Grid::new(Time::ZERO, slow).tick(u64::MAX).is_never());
    }

    proptest! {
        #[test]
        fn cycle_to_time_to_cycle_is_exact(
            numerator in 1..=PICOSECONDS_PER_SECOND, denominator in 1..10_000u64,
            anchor in 0..PICOSECONDS_PER_SECOND, k in 0..1_000_000_000u64,
        ) {
            let rate = Rate::new(numerator, denominator).unwrap();
            let grid = Grid::new(Time::from_ps(anchor), rate);
            let t = grid.tick(k);
            prop_assume!(!t.is_never());
            prop_assert_eq!(grid.count(t), k);
            prop_assert_eq!(grid.first_tick_from(t), k);
            prop_assert!(k == 0 || grid.tick(k - 1) < t);
        }
    }
}
