//! A number with a unit.

use std::fmt;
use std::str::FromStr;

use crate::{Unit, UnitError, number};

/// A number with a unit, as a user wrote it: `2.5 m/s`, `-3e-2 rad`, `10Hz`, `5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    written: f64,
    unit: Unit,
}

impl Quantity {
    /// `number` of `unit`.
    pub fn new(number: f64, unit: Unit) -> Self {
        Quantity { written: number, unit }
    }

    /// The value in the SI base unit of its dimension.
    pub fn value(&self) -> f64 {
        self.unit.to_base(self.written)
    }

    /// The number in front of the unit.
    pub fn number(&self) -> f64 {
        self.written
    }

    /// The unit as written; [`Unit::is_none`] tells a bare number.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The number that stands for this quantity in `unit`. A number already given in a unit of the
    /// same size comes back as it was written.
    pub fn to(&self, unit: &Unit) -> Result<f64, UnitError> {
        if self.unit.dimension() != unit.dimension() {
            return Err(UnitError::Dimension {
                text: self.to_string(),
                found: self.unit.dimension().describe(),
                expected: unit.dimension().describe(),
            });
        }
        Ok(self.unit.convert(self.written, unit))
    }
}

impl FromStr for Quantity {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let parts =
            number::split(text).ok_or_else(|| UnitError::NotANumber { text: text.to_owned() })?;
        let unit: Unit = parts.unit.parse()?;
        let size: f64 =
            parts.digits.parse().map_err(|_| UnitError::NotANumber { text: text.to_owned() })?;
        let quantity = Quantity::new(if parts.negative { -size } else { size }, unit);
        if !quantity.value().is_finite() {
            return Err(UnitError::TooLarge { text: text.to_owned() });
        }
        Ok(quantity)
    }
}

/// The number, a space and the unit as written: what [`Quantity::from_str`] reads.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.written)?;
        match self.unit.name() {
            "" => Ok(()),
            name => write!(f, " {name}"),
        }
    }
}
