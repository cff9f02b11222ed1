//! Exact ratios of whole numbers: the speed of a simulation computer.

use std::fmt;
use std::str::FromStr;

/// A positive ratio in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

/// Why a text is no positive ratio.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a positive number such as 3.3 or \"10/3\", found {0}")]
pub struct NotAFraction(String);

impl Fraction {
    /// One.
    pub const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

    /// A ratio; nothing where one of the numbers is zero.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        let common = greatest_common_divisor(numerator, denominator);
        Some(Fraction { numerator: numerator / common, denominator: denominator / common })
    }

    /// The number above the line.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The number below the line.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// One divided by it.
    pub fn inverse(self) -> Self {
        Fraction { numerator: self.denominator, denominator: self.numerator }
    }

    /// So much of a whole number, rounded up; the largest number there is where that does not fit.
    pub fn of(self, whole: u64) -> u64 {
        let product = u128::from(whole) * u128::from(self.numerator);
        u64::try_from(product.div_ceil(self.denominator.into())).unwrap_or(u64::MAX)
    }

    /// The nearest floating-point number.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// A decimal number (`3.3`) or a ratio (`10/3`).
impl FromStr for Fraction {
    type Err = NotAFraction;

    fn from_str(text: &str) -> Result<Self, NotAFraction> {
        let refuse = || NotAFraction(text.into());
        let read = |digits: &str| digits.trim().parse::<u64>().map_err(|_| refuse());
        if let Some((above, below)) = text.split_once('/') {
            return Fraction::new(read(above)?, read(below)?).ok_or_else(refuse);
        }
        let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let power = u32::try_from(part.len()).ok().and_then(|places| 10u64.checked_pow(places));
        Fraction::new(read(&format!("{whole}{part}"))?, power.ok_or_else(refuse)?)
            .ok_or_else(refuse)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.denominator;
        for factor in [2, 5] {
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
        }
        match rest {
            // A finite decimal number.
            1 => write!(f, "{}", self.as_f64()),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// Euclid's algorithm.
pub fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least number that both divide, if it fits.
pub fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    (a / greatest_common_divisor(a, b)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_number_is_read_exactly() {
        assert_eq!("3.3".parse(), Ok(Fraction { numerator: 33, denominator: 10 }));
        assert_eq!("2".parse(), Ok(Fraction { numerator: 2, denominator: 1 }));
        assert_eq!("10/4".parse(), Ok(Fraction { numerator: 5, denominator: 2 }));
        assert_eq!("0.50".parse::<Fraction>().map(|f| f.to_string()), Ok("0.5".into()));
        assert_eq!(Fraction::new(10, 3).map(|f| f.to_string()), Some("10/3".into()));
    }

    #[test]
    fn a_part_of_a_number_is_exact_or_rounded_up() {
        let third = Fraction::new(1, 3).unwrap();
        assert_eq!([0, 1, 3, 4].map(|whole| third.of(whole)), [0, 1, 1, 2]);
        let most = Fraction::new(u64::MAX, u64::MAX - 1).unwrap();
        assert_eq!([most.of(u64::MAX - 1), most.of(u64::MAX)], [u64::MAX; 2]);
    }

    #[test]
    fn what_is_no_positive_number_is_refused() {
        for text in ["0", "0.0", "-1", "1/0", "", "fast", "1e3", "1.2.3", "99999999999999999999"] {
            assert!(text.parse::<Fraction>().is_err(), "{text}");
        }
    }
}
