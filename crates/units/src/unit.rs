//! A unit: a dimension and how large one of it is.

use std::fmt;
use std::str::FromStr;

use crate::{Dimension, UnitError, known};

/// A unit as written, `km/h`: its dimension and its size in SI base units.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    dimension: Dimension,
    /// One of this unit is `numerator / denominator` base units: both kept, so that `9 ms` is
    /// rounded once and is the number nearest to 0.009.
    numerator: f64,
    denominator: f64,
    offset: f64,
    name: String,
}

/// Longer products are refused: nothing that is written by a person comes near.
const MOST_FACTORS: usize = 32;

impl Unit {
    /// The unit of plain numbers.
    pub fn none() -> Self {
        Unit::base(Dimension::NONE)
    }

    /// The SI base unit of a dimension.
    pub fn base(dimension: Dimension) -> Self {
        let name = if dimension.is_none() { String::new() } else { dimension.to_string() };
        Unit { dimension, numerator: 1.0, denominator: 1.0, offset: 0.0, name }
    }

    /// What kind of quantity this unit measures.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// How many SI base units one of this unit is.
    pub fn scale(&self) -> f64 {
        self.numerator / self.denominator
    }

    /// What zero of this unit is in SI base units: 273.15 for `degC`.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// Whether zero of this unit is not zero of its base unit (`degC`, `degF`).
    pub fn has_offset(&self) -> bool {
        self.offset != 0.0
    }

    /// The unit as written; empty for no unit.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether nothing was written. `%` and `1` are dimensionless, but written.
    pub fn is_none(&self) -> bool {
        self.name.is_empty()
    }

    /// The size as a fraction of whole numbers below 2^53, which floating point holds exactly.
    pub(crate) fn exact_scale(&self) -> Option<(u128, u128)> {
        let whole = |x: f64| (x.fract() == 0.0 && x < 9_007_199_254_740_992.0).then_some(x as u128);
        Some((whole(self.numerator)?, whole(self.denominator)?))
    }

    /// `number` of this unit in SI base units.
    pub fn to_base(&self, number: f64) -> f64 {
        number * self.numerator / self.denominator + self.offset
    }

    /// `value` in SI base units as a number of this unit.
    pub fn from_base(&self, value: f64) -> f64 {
        (value - self.offset) * self.denominator / self.numerator
    }

    /// `number` of this unit as a number of `other`, which must have the same dimension.
    pub(crate) fn convert(&self, number: f64, other: &Unit) -> f64 {
        let from = self.numerator * other.denominator;
        let into = self.denominator * other.numerator;
        if self.offset != other.offset {
            other.from_base(self.to_base(number))
        } else if from == into {
            number
        } else {
            // One factor is usually 1 or a power of ten, so this rounds once or twice.
            number * from / into
        }
    }

    /// This unit times or divided by a power of a known one.
    fn multiply(&mut self, factor: &Factor<'_>, divide: bool, text: &str) -> Result<(), UnitError> {
        let malformed = |why| UnitError::Malformed { text: text.to_owned(), why };
        let (known, up, down) = known::find(factor.name).ok_or_else(|| UnitError::Unknown {
            name: factor.name.to_owned(),
            nearest: known::nearest(factor.name),
        })?;
        if known.offset != 0.0 {
            if factor.name != text {
                let (name, text) = (factor.name.to_owned(), text.to_owned());
                return Err(UnitError::Offset { name, text });
            }
            self.offset = known.offset;
        }
        let twice = if divide { -factor.twice_exponent } else { factor.twice_exponent };
        let dimension = known.dimension.half_power(twice);
        self.dimension = dimension
            .and_then(|d| self.dimension.times(d))
            .ok_or_else(|| malformed("an exponent is too large"))?;
        let (mut numerator, mut denominator) = (known.numerator * up, known.denominator * down);
        if numerator == denominator {
            (numerator, denominator) = (1.0, 1.0);
        }
        if twice < 0 {
            (numerator, denominator) = (denominator, numerator);
        }
        for _ in 0..twice.unsigned_abs() / 2 {
            self.numerator *= numerator;
            self.denominator *= denominator;
        }
        if twice % 2 != 0 {
            self.numerator *= numerator.sqrt();
            self.denominator *= denominator.sqrt();
        }
        if !(self.scale().is_finite() && self.scale() > 0.0) {
            return Err(malformed("an exponent is too large"));
        }
        Ok(())
    }
}

/// One name of a product with its exponent.
struct Factor<'a> {
    name: &'a str,
    twice_exponent: i16,
}

fn factor<'a>(text: &'a str, whole: &str) -> Result<Factor<'a>, UnitError> {
    let malformed = |why| UnitError::Malformed { text: whole.to_owned(), why };
    let (name, twice_exponent) = match text.split_once('^') {
        Some((name, digits)) => {
            let why = "an exponent is a whole or a half number, like m^2 or h^0.5";
            (name, twice_exponent(digits).ok_or_else(|| malformed(why))?)
        }
        None => (text, 2),
    };
    if name.is_empty() {
        return Err(malformed("join names by * or /, like kg*m^2 or m/s"));
    }
    if name.chars().any(char::is_whitespace) {
        return Err(malformed("a unit has no spaces, like m/s"));
    }
    Ok(Factor { name, twice_exponent })
}

/// Twice the exponent `2`, `-1` or `0.5`, which goes from -99 to 99.
fn twice_exponent(digits: &str) -> Option<i16> {
    let (whole, half) = match digits.strip_suffix(".5") {
        Some(whole) => (whole, 1),
        None => (digits, 0),
    };
    let number: i16 = whole.parse().ok().filter(|e| (-99..=99).contains(e))?;
    Some(if whole.starts_with('-') { 2 * number - half } else { 2 * number + half })
}

impl FromStr for Unit {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let mut unit = Unit { name: text.trim().to_owned(), ..Unit::none() };
        let whole = unit.name.clone();
        if whole.is_empty() {
            return Ok(unit);
        }
        if whole.matches(['*', '/']).count() >= MOST_FACTORS {
            let why = "it has more than 32 factors";
            return Err(UnitError::Malformed { text: whole, why });
        }
        let mut rest = whole.as_str();
        let mut divide = false;
        loop {
            let end = rest.find(['*', '/']).unwrap_or(rest.len());
            let factor = factor(&rest[..end], &whole)?;
            if factor.name != "1" {
                unit.multiply(&factor, divide, &whole)?;
            }
            let Some(operator) = rest[end..].chars().next() else { return Ok(unit) };
            divide = operator == '/';
            rest = &rest[end + 1..];
        }
    }
}

/// As written.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
