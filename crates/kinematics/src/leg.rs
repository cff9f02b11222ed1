//! A straight piece of the way of a vehicle, as one value.

use ironbird_kernel::Value;

/// Units of the parts of a [`Leg`], for its ports.
pub const LEG_UNITS: &str = "from: m, to: m, speed: m/s";

/// The straight way that a vehicle is to follow now, from one way-point to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Leg {
    /// Where it begins, in m: north, east, down.
    pub from: [f64; 3],
    /// Where it ends, in m: north, east, down.
    pub to: [f64; 3],
    /// Speed through the air or water in m/s.
    pub speed: f64,
    /// Which leg it is; a new leg has another number.
    pub number: u32,
    /// Whether there is a leg at all.
    pub valid: bool,
}
