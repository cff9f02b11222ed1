//! What kind of quantity a unit measures: exponents of nine base units, whole or half.

use std::fmt;

/// A base unit of which dimensions are products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of the units")]
pub enum Base {
    Kilogram,
    Metre,
    Second,
    Ampere,
    Kelvin,
    Mole,
    Candela,
    Radian,
    Bit,
}

const COUNT: usize = 9;

/// In the order of [`Base`], which is the order in which a dimension prints.
const SYMBOLS: [&str; COUNT] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad", "bit"];

/// Exponents of the base units: speed is `m^1 s^-1`. Prints as a unit, `m/s`, or as "no unit".
///
/// Half exponents are there for densities of noise: an angle random walk is in `rad/s^0.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dimension([i16; COUNT]); // twice the exponents, which are therefore whole

/// Exponents go from -127 to 127.
const MOST: i16 = 2 * 127;

impl Dimension {
    /// Of plain numbers.
    pub const NONE: Dimension = Dimension([0; COUNT]);
    /// Of lengths, m.
    pub const LENGTH: Dimension = Dimension::of(Base::Metre);
    /// Of times, s.
    pub const TIME: Dimension = Dimension::of(Base::Second);
    /// Of angles, rad.
    pub const ANGLE: Dimension = Dimension::of(Base::Radian);
    /// Of rates, 1/s.
    pub const FREQUENCY: Dimension = Dimension::new([0, 0, -1, 0, 0, 0, 0, 0, 0]);

    /// The dimension of one base unit.
    pub const fn of(base: Base) -> Self {
        let mut exponents = [0; COUNT];
        exponents[base as usize] = 1;
        Dimension::new(exponents)
    }

    /// Of whole exponents.
    pub(crate) const fn new(exponents: [i8; COUNT]) -> Self {
        let mut halves = [0; COUNT];
        let mut i = 0;
        while i < COUNT {
            halves[i] = 2 * exponents[i] as i16;
            i += 1;
        }
        Dimension(halves)
    }

    /// Whether this is the dimension of plain numbers.
    pub fn is_none(self) -> bool {
        self == Dimension::NONE
    }

    /// The same dimension with another exponent of one base unit.
    pub fn with_exponent(mut self, base: Base, exponent: i8) -> Self {
        self.0[base as usize] = 2 * i16::from(exponent);
        self
    }

    /// The dimension of a product; nothing when an exponent leaves its range.
    pub fn times(self, other: Dimension) -> Option<Self> {
        self.combine(other, i16::checked_add)
    }

    /// The dimension of a quotient; nothing when an exponent leaves its range.
    pub fn per(self, other: Dimension) -> Option<Self> {
        self.combine(other, i16::checked_sub)
    }

    /// The dimension of a power; nothing when an exponent leaves its range.
    pub fn power(self, exponent: i8) -> Option<Self> {
        self.combine(self, |e, _| e.checked_mul(i16::from(exponent)))
    }

    /// The dimension of a power given by twice its exponent; nothing when an exponent leaves its range
    /// or would be a quarter.
    pub(crate) fn half_power(self, twice: i16) -> Option<Self> {
        self.combine(self, |e, _| e.checked_mul(twice).filter(|e| e % 2 == 0).map(|e| e / 2))
    }

    /// The dimension of a square root; nothing when an exponent is odd.
    pub fn root(self) -> Option<Self> {
        self.combine(self, |e, _| (e % 4 == 0).then_some(e / 2))
    }

    fn combine(self, other: Dimension, with: impl Fn(i16, i16) -> Option<i16>) -> Option<Self> {
        let mut exponents = [0; COUNT];
        for (i, exponent) in exponents.iter_mut().enumerate() {
            *exponent = with(self.0[i], other.0[i]).filter(|e| (-MOST..=MOST).contains(e))?;
        }
        Some(Dimension(exponents))
    }

    /// The dimension in words for messages: `a length (m)`, `a plain number (no unit)`.
    pub fn describe(self) -> String {
        match KINDS.iter().find(|(exponents, _)| Dimension::new(*exponents) == self) {
            Some((_, kind)) => format!("{kind} ({self})"),
            None => format!("in {self}"),
        }
    }
}

/// Words for the dimensions that have a common name.
#[rustfmt::skip]
const KINDS: [([i8; COUNT], &str); 33] = [
    //kg  m  s  A  K mol cd rad bit
    ([0, 0, 0, 0, 0, 0, 0, 0, 0], "a plain number"),
    ([0, 1, 0, 0, 0, 0, 0, 0, 0], "a length"),
    ([1, 0, 0, 0, 0, 0, 0, 0, 0], "a mass"),
    ([0, 0, 1, 0, 0, 0, 0, 0, 0], "a time"),
    ([0, 0, 0, 1, 0, 0, 0, 0, 0], "an electric current"),
    ([0, 0, 0, 0, 1, 0, 0, 0, 0], "a temperature"),
    ([0, 0, 0, 0, 0, 1, 0, 0, 0], "an amount of substance"),
    ([0, 0, 0, 0, 0, 0, 1, 0, 0], "a luminous intensity"),
    ([0, 0, 0, 0, 0, 0, 0, 1, 0], "an angle"),
    ([0, 0, 0, 0, 0, 0, 0, 0, 1], "an amount of data"),
    ([0, 0, -1, 0, 0, 0, 0, 0, 1], "a data rate"),
    ([0, 2, 0, 0, 0, 0, 0, 0, 0], "an area"),
    ([0, 3, 0, 0, 0, 0, 0, 0, 0], "a volume"),
    ([0, 1, -1, 0, 0, 0, 0, 0, 0], "a speed"),
    ([0, 1, -2, 0, 0, 0, 0, 0, 0], "an acceleration"),
    ([0, 0, -1, 0, 0, 0, 0, 0, 0], "a frequency"),
    ([0, 0, -1, 0, 0, 0, 0, 1, 0], "an angular rate"),
    ([0, 0, -2, 0, 0, 0, 0, 1, 0], "an angular acceleration"),
    ([1, 1, -1, 0, 0, 0, 0, 0, 0], "a momentum"),
    ([1, 1, -2, 0, 0, 0, 0, 0, 0], "a force"),
    ([1, 2, -2, 0, 0, 0, 0, 0, 0], "an energy or a torque"),
    ([1, 2, -3, 0, 0, 0, 0, 0, 0], "a power"),
    ([1, 2, 0, 0, 0, 0, 0, 0, 0], "a moment of inertia"),
    ([1, -1, -2, 0, 0, 0, 0, 0, 0], "a pressure"),
    ([1, -3, 0, 0, 0, 0, 0, 0, 0], "a density"),
    ([0, 0, 1, 1, 0, 0, 0, 0, 0], "an electric charge"),
    ([1, 2, -3, -1, 0, 0, 0, 0, 0], "a voltage"),
    ([1, 2, -3, -2, 0, 0, 0, 0, 0], "a resistance"),
    ([-1, -2, 4, 2, 0, 0, 0, 0, 0], "a capacitance"),
    ([1, 2, -2, -2, 0, 0, 0, 0, 0], "an inductance"),
    ([1, 0, -2, -1, 0, 0, 0, 0, 0], "a magnetic flux density"),
    ([0, 3, -1, 0, 0, 0, 0, 0, 0], "a volume flow"),
    ([1, 0, -1, 0, 0, 0, 0, 0, 0], "a mass flow"),
];

/// In base units, as [`crate::Unit`] reads them: `kg*m/s^2`. Plain numbers print "no unit".
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("no unit");
        }
        let factors = || SYMBOLS.iter().zip(self.0);
        let mut separator = "";
        for (symbol, twice) in factors().filter(|(_, twice)| *twice > 0) {
            write!(f, "{separator}{symbol}")?;
            write_exponent(f, twice)?;
            separator = "*";
        }
        if separator.is_empty() {
            f.write_str("1")?;
        }
        for (symbol, twice) in factors().filter(|(_, twice)| *twice < 0) {
            write!(f, "/{symbol}")?;
            write_exponent(f, -twice)?;
        }
        Ok(())
    }
}

/// `^2`, `^0.5`, or nothing for one; of twice the exponent.
fn write_exponent(f: &mut fmt::Formatter<'_>, twice: i16) -> fmt::Result {
    if twice == 2 { Ok(()) } else { write!(f, "^{}", f64::from(twice) / 2.0) }
}
