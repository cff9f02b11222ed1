//! Times as exact decimals: picoseconds are never rounded on the way to or from text.

use ironbird_kernel::Time;
use ironbird_kernel::time::PICOSECONDS_PER_SECOND;

/// Seconds with as many digits as it takes: `1.0005`.
pub fn seconds(time: Time) -> String {
    let (whole, fraction) =
        (time.as_ps() / PICOSECONDS_PER_SECOND, time.as_ps() % PICOSECONDS_PER_SECOND);
    if fraction == 0 {
        return whole.to_string();
    }
    let digits = format!("{fraction:012}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeTextError {
    /// It is not a decimal number.
    #[error("is not a decimal number")]
    NotANumber,
    /// Time starts at zero.
    #[error("is negative")]
    Negative,
    /// It has digits below a picosecond.
    #[error("is finer than a picosecond")]
    TooFine,
    /// It is more than 213 days.
    #[error("is beyond the range of time, 213 days")]
    TooLarge,
}

/// The instant that `text` says, in units of 10^`exponent` picoseconds: 12 for seconds, 9 for
/// milliseconds. Takes `12.5`, `.5`, `1e-3`, `+2.`; exact or refused.
pub fn parse_time(text: &str, exponent: i32) -> Result<Time, TimeTextError> {
    instant(parse_picoseconds(text, exponent)?)
}

/// The instant so many picoseconds after the start.
pub fn instant(ps: u128) -> Result<Time, TimeTextError> {
    let ps = u64::try_from(ps).ok().filter(|ps| *ps != u64::MAX);
    ps.map(Time::from_ps).ok_or(TimeTextError::TooLarge)
}

/// The picoseconds that `text` says, which may be more than a run has: since 1970, for example.
pub fn parse_picoseconds(text: &str, exponent: i32) -> Result<u128, TimeTextError> {
    match digits(text, exponent)? {
        (_, shift) if shift < 0 => Err(TimeTextError::TooFine),
        (significant, shift) => enlarged(&significant, shift),
    }
}

/// The nearest whole number of picoseconds: for files whose writer printed all digits of a `double`,
/// `0.30000000000000004`.
pub fn nearest_picosecond(text: &str, exponent: i32) -> Result<u128, TimeTextError> {
    match digits(text, exponent)? {
        (significant, shift) if shift < 0 => {
            let cut = significant.len().saturating_sub(shift.unsigned_abs() as usize);
            let (kept, rest) = significant.split_at(cut);
            // Digits that lie further back than all there are leave zeros in front.
            let is_half = rest.len() as u32 == shift.unsigned_abs() && rest.as_bytes()[0] >= b'5';
            let whole = if kept.is_empty() { 0 } else { enlarged(kept, 0)? };
            whole.checked_add(u128::from(is_half)).ok_or(TimeTextError::TooLarge)
        }
        (significant, shift) => enlarged(&significant, shift),
    }
}

fn enlarged(significant: &str, shift: i32) -> Result<u128, TimeTextError> {
    let number: u128 = significant.parse().map_err(|_| TimeTextError::TooLarge)?;
    let scale = 10u128.checked_pow(shift as u32).ok_or(TimeTextError::TooLarge)?;
    number.checked_mul(scale).ok_or(TimeTextError::TooLarge)
}

/// The digits that count, and the power of ten that makes picoseconds of them.
fn digits(text: &str, exponent: i32) -> Result<(String, i32), TimeTextError> {
    use TimeTextError::{Negative, NotANumber};
    let text = text.trim();
    let (mantissa, power) = match text.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, power.parse::<i16>().map_err(|_| NotANumber)?),
        None => (text, 0),
    };
    let (is_negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(NotANumber);
    }
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Ok(("0".into(), 0));
    }
    if is_negative {
        return Err(Negative);
    }
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    let shift = i32::from(power) + exponent - fraction.len() as i32 + trailing as i32;
    Ok((significant.to_owned(), shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_with_too_many_digits_can_be_rounded() {
        let ps = |text| nearest_picosecond(text, 12);
        assert_eq!(ps("0.30000000000000004"), Ok(300_000_000_000));
        assert_eq!(ps("0.29999999999999999"), Ok(300_000_000_000));
        assert_eq!(ps("1.0000000000005"), Ok(1_000_000_000_001));
        assert_eq!(ps("0.00000000000049"), Ok(0));
        assert_eq!(ps("0.0000000000005"), Ok(1));
        assert_eq!(ps("1e-30"), Ok(0));
        assert_eq!(ps("2"), Ok(2_000_000_000_000));
        assert_eq!(ps("-1"), Err(TimeTextError::Negative));
    }

    #[test]
    fn times_are_read_exactly_or_refused() {
        let ps = |text| parse_time(text, 12).map(Time::as_ps);
        assert_eq!(ps("0.1"), Ok(100_000_000_000));
        assert_eq!(ps(" +2. "), Ok(2_000_000_000_000));
        assert_eq!(ps("1.50e-3"), Ok(1_500_000_000));
        assert_eq!(ps("-0.0"), Ok(0));
        assert_eq!(ps("0.0000000000001"), Err(TimeTextError::TooFine));
        assert_eq!(ps("-1"), Err(TimeTextError::Negative));
        assert_eq!(ps("1e9"), Err(TimeTextError::TooLarge));
        assert_eq!(ps("99999999999999999999999"), Err(TimeTextError::TooLarge));
        for text in ["", ".", "1.2.3", "nan", "1e", "0x1", "e3", "1,5"] {
            assert_eq!(ps(text), Err(TimeTextError::NotANumber), "{text}");
        }
        assert_eq!(parse_time("250", 9), Ok(Time::from_ps(250_000_000_000)));
    }

    proptest! {
        #[test]
        fn every_time_survives_being_printed(ps in 0..u64::MAX) {
            prop_assert_eq!(parse_time(&seconds(Time::from_ps(ps)), 12), Ok(Time::from_ps(ps)));
        }
    }
}
