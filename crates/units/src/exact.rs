//! Durations in whole picoseconds and rates as exact fractions, read without floating point.

use crate::{Dimension, Unit, UnitError, number};

const PICOSECONDS_PER_SECOND: u128 = 1_000_000_000_000;

/// The duration in picoseconds: `10.0005 s`, `30 min`, `2 ms`, `1 d`. What is negative, no whole
/// number of picoseconds, or beyond 64 bits (213 days) is refused.
pub fn duration_ps(text: &str) -> Result<u64, UnitError> {
    let fraction = Fraction::read(text, Dimension::TIME, "s, ms or min")?;
    let scaled = fraction
        .numerator
        .checked_mul(PICOSECONDS_PER_SECOND)
        .ok_or_else(|| UnitError::TooLarge { text: text.to_owned() })?;
    if !scaled.is_multiple_of(fraction.denominator) {
        return Err(UnitError::TooFine { text: text.to_owned() });
    }
    u64::try_from(scaled / fraction.denominator)
        .map_err(|_| UnitError::TooLarge { text: text.to_owned() })
}

/// The rate in hertz as numerator and denominator in lowest terms: `10 Hz`, `29.97 Hz`, `3 kHz`.
pub fn rate(text: &str) -> Result<(u64, u64), UnitError> {
    let fraction = Fraction::read(text, Dimension::FREQUENCY, "Hz or kHz")?;
    if fraction.numerator == 0 {
        return Err(UnitError::ZeroRate { text: text.to_owned() });
    }
    match (u64::try_from(fraction.numerator), u64::try_from(fraction.denominator)) {
        (Ok(numerator), Ok(denominator)) => Ok((numerator, denominator)),
        (Err(_), Ok(1)) => Err(UnitError::TooLarge { text: text.to_owned() }),
        _ => Err(UnitError::NotExact { text: text.to_owned(), example: "Hz or kHz" }),
    }
}

/// A number of SI base units in lowest terms.
struct Fraction {
    numerator: u128,
    denominator: u128,
}

impl Fraction {
    fn read(text: &str, expected: Dimension, example: &'static str) -> Result<Self, UnitError> {
        let text = text.trim();
        let owned = || text.to_owned();
        let parts = number::split(text).ok_or_else(|| UnitError::NotANumber { text: owned() })?;
        let unit: Unit = parts.unit.parse()?;
        if unit.dimension() != expected {
            return Err(UnitError::Dimension {
                text: owned(),
                found: unit.dimension().describe(),
                expected: expected.describe(),
            });
        }
        let (mantissa, exponent) =
            decimal(parts.digits).ok_or_else(|| UnitError::NotExact { text: owned(), example })?;
        if mantissa == 0 {
            return Ok(Fraction { numerator: 0, denominator: 1 });
        }
        if parts.negative {
            return Err(UnitError::Negative { text: owned() });
        }
        let power = 10u128.checked_pow(exponent.unsigned_abs());
        let (scale_up, scale_down) =
            unit.exact_scale().ok_or_else(|| UnitError::NotExact { text: owned(), example })?;
        let (large, fine) = (exponent > 0, exponent < 0);
        let power = power.ok_or_else(|| {
            if large {
                UnitError::TooLarge { text: owned() }
            } else {
                UnitError::TooFine { text: owned() }
            }
        })?;
        let (up, down) = if fine { (1, power) } else { (power, 1) };
        product(mantissa, up, scale_up, down, scale_down)
            .ok_or_else(|| UnitError::TooLarge { text: owned() })
    }
}

/// `a * b * c / (d * e)` in lowest terms; nothing beyond 128 bits.
fn product(a: u128, b: u128, c: u128, d: u128, e: u128) -> Option<Fraction> {
    let denominator = d.checked_mul(e)?;
    let mut numerator = 1u128;
    let mut rest = denominator;
    // Cancelling each factor first keeps the product small.
    for factor in [a, b, c] {
        let common = greatest_common_divisor(factor, rest);
        rest /= common;
        numerator = numerator.checked_mul(factor / common)?;
    }
    let common = greatest_common_divisor(numerator, rest);
    Some(Fraction { numerator: numerator / common, denominator: rest / common })
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `digits` as a whole number times a power of ten, without trailing zeros; nothing when the
/// number has more digits than fit.
fn decimal(digits: &str) -> Option<(u128, i32)> {
    let (coefficient, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], &digits[at + 1..]),
        None => (digits, "0"),
    };
    let (whole, fraction) = coefficient.split_once('.').unwrap_or((coefficient, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut mantissa = 0u128;
    for digit in whole.bytes().chain(fraction.bytes()) {
        mantissa = mantissa.checked_mul(10)?.checked_add(u128::from(digit - b'0'))?;
    }
    let mut exponent =
        exponent.parse::<i32>().ok()?.checked_sub(fraction.len().try_into().ok()?)?;
    while mantissa != 0 && mantissa.is_multiple_of(10) {
        mantissa /= 10;
        exponent = exponent.checked_add(1)?;
    }
    Some((mantissa, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_whole_picoseconds() {
        for (text, ps) in [
            ("10.0005 s", 10_000_500_000_000),
            ("30 min", 1_800_000_000_000_000),
            ("2 ms", 2_000_000_000),
            ("1 d", 86_400_000_000_000_000),
            ("0.1s", 100_000_000_000),
            ("1 ps", 1),
            ("1e-12 s", 1),
            ("1000e-15 s", 1),
            ("0 s", 0),
            ("-0 s", 0),
            ("18446744073709551615 ps", u64::MAX),
            ("18446744.073709551615 s", u64::MAX),
            ("0.000000000001000000000000000000000000000000000000 s", 1),
        ] {
            assert_eq!(duration_ps(text), Ok(ps), "{text}");
        }
    }

    #[test]
    fn durations_that_time_cannot_hold_are_refused() {
        for (text, message) in [
            ("0.5 ps", "\"0.5 ps\" is finer than 1 ps, the resolution of time"),
            ("1e-50 s", "\"1e-50 s\" is finer than 1 ps, the resolution of time"),
            ("-1 s", "\"-1 s\" is negative"),
            ("18446744073709551616 ps", "\"18446744073709551616 ps\" is too large"),
            ("1e40 s", "\"1e40 s\" is too large"),
            ("300 d", "\"300 d\" is too large"),
            ("10", "\"10\" is a plain number (no unit), expected a time (s)"),
            ("10 Hz", "\"10 Hz\" is a frequency (1/s), expected a time (s)"),
            ("s", "\"s\" is not a quantity: write a number and a unit, like \"2.5 m/s\""),
        ] {
            assert_eq!(duration_ps(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn rates_are_exact_fractions_in_lowest_terms() {
        for (text, expected) in [
            ("10 Hz", (10, 1)),
            ("3 kHz", (3000, 1)),
            ("29.97 Hz", (2997, 100)),
            ("1 MHz", (1_000_000, 1)),
            ("0.5 Hz", (1, 2)),
            ("1 1/s", (1, 1)),
            ("1 1/min", (1, 60)),
        ] {
            assert_eq!(rate(text), Ok(expected), "{text}");
        }
        let message = rate("0 Hz").unwrap_err().to_string();
        assert_eq!(message, "\"0 Hz\" is not a rate: a rate is above zero");
        assert!(matches!(rate("5 rpm"), Err(UnitError::Dimension { .. })));
        assert!(matches!(rate("1e30 Hz"), Err(UnitError::TooLarge { .. })));
        assert!(matches!(rate("1.00000000000000000001 Hz"), Err(UnitError::NotExact { .. })));
    }
}
