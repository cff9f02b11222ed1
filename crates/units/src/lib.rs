//! Physical units and quantities as people write them: `2.5 m/s`, `15 deg`, `20 degC`, `10 Hz`.
//!
//! A [`Unit`] has a [`Dimension`] (exponents of the base units) and a scale to the SI base unit of
//! that dimension. A [`Quantity`] is a number with a unit; [`Quantity::to`] converts it into the
//! unit that a parameter declares, and refuses another dimension in words:
//!
//! ```
//! use ironbird_units::{Quantity, Unit};
//!
//! let speed: Quantity = "36 km/h".parse()?;
//! let declared: Unit = "m/s".parse()?;
//! assert_eq!(speed.to(&declared)?, 10.0);
//!
//! let wrong: Quantity = "3 s".parse()?;
//! let error = wrong.to(&"m".parse()?).unwrap_err();
//! assert_eq!(error.to_string(), "\"3 s\" is a time (s), expected a length (m)");
//! # Ok::<(), ironbird_units::UnitError>(())
//! ```
//!
//! Durations and rates of the simulation are whole picoseconds and exact rationals; they are read
//! by [`exact`] and never pass through floating point.
//!
//! # How a unit is written
//!
//! Names joined by `*` and `/` from left to right, each with an optional exponent, whole or half:
//! `kg*m^2`, `m/s^2`, `1/s`, `W/m/K`, `deg/h^0.5`, `V/Hz^0.5`. Parentheses and spaces are not part of a unit. SI prefixes
//! from pico to tera go with every unit that usually takes one; a whole name wins over prefix and
//! unit (`min` is a minute, `cd` a candela, `kn` a knot, `Pa` a pascal). An angle is a dimension of
//! its own, so that `deg/s` and `Hz` cannot be mixed up. `degC` and `degF` have an offset and may
//! only stand alone.

mod dimension;
mod error;
pub mod exact;
mod known;
mod number;
mod quantity;
mod unit;

pub use dimension::{Base, Dimension};
pub use error::UnitError;
pub use number::leading_number;
pub use quantity::Quantity;
pub use unit::Unit;
