//! The table of units, their prefixes, and the search for the one a user meant.

use std::f64::consts::PI;

use crate::Dimension;

/// Which prefixes a unit takes.
#[derive(Clone, Copy, PartialEq)]
enum Prefixes {
    None,
    /// Pico to tera.
    Si,
    /// Kilo to tera, and the binary ones.
    Data,
}

/// A unit with a name of its own. One of it is `numerator / denominator` SI base units (both are
/// kept, because 1/1000 is not a binary fraction: dividing by 1000 rounds once) plus `offset`.
pub(crate) struct Known {
    pub name: &'static str,
    pub dimension: Dimension,
    pub numerator: f64,
    pub denominator: f64,
    pub offset: f64,
    prefixes: Prefixes,
}

const fn known(
    name: &'static str,
    exponents: [i8; 9],
    numerator: f64,
    denominator: f64,
    prefixes: Prefixes,
) -> Known {
    let dimension = Dimension::new(exponents);
    Known { name, dimension, numerator, denominator, offset: 0.0, prefixes }
}

const fn with_offset(unit: Known, offset: f64) -> Known {
    Known { offset, ..unit }
}

use Prefixes::{Data, None as No, Si};

//                        kg  m  s  A  K mol cd rad bit
const PLAIN: [i8; 9] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const LENGTH: [i8; 9] = [0, 1, 0, 0, 0, 0, 0, 0, 0];
const SPEED: [i8; 9] = [0, 1, -1, 0, 0, 0, 0, 0, 0];
const ACCELERATION: [i8; 9] = [0, 1, -2, 0, 0, 0, 0, 0, 0];
const TIME: [i8; 9] = [0, 0, 1, 0, 0, 0, 0, 0, 0];
const FREQUENCY: [i8; 9] = [0, 0, -1, 0, 0, 0, 0, 0, 0];
const MASS: [i8; 9] = [1, 0, 0, 0, 0, 0, 0, 0, 0];
const FORCE: [i8; 9] = [1, 1, -2, 0, 0, 0, 0, 0, 0];
const ENERGY: [i8; 9] = [1, 2, -2, 0, 0, 0, 0, 0, 0];
const POWER: [i8; 9] = [1, 2, -3, 0, 0, 0, 0, 0, 0];
const VOLTAGE: [i8; 9] = [1, 2, -3, -1, 0, 0, 0, 0, 0];
const CURRENT: [i8; 9] = [0, 0, 0, 1, 0, 0, 0, 0, 0];
const CHARGE: [i8; 9] = [0, 0, 1, 1, 0, 0, 0, 0, 0];
const RESISTANCE: [i8; 9] = [1, 2, -3, -2, 0, 0, 0, 0, 0];
const CAPACITANCE: [i8; 9] = [-1, -2, 4, 2, 0, 0, 0, 0, 0];
const INDUCTANCE: [i8; 9] = [1, 2, -2, -2, 0, 0, 0, 0, 0];
const FLUX_DENSITY: [i8; 9] = [1, 0, -2, -1, 0, 0, 0, 0, 0];
const PRESSURE: [i8; 9] = [1, -1, -2, 0, 0, 0, 0, 0, 0];
const TEMPERATURE: [i8; 9] = [0, 0, 0, 0, 1, 0, 0, 0, 0];
const AMOUNT: [i8; 9] = [0, 0, 0, 0, 0, 1, 0, 0, 0];
const LUMINOUS: [i8; 9] = [0, 0, 0, 0, 0, 0, 1, 0, 0];
const ANGLE: [i8; 9] = [0, 0, 0, 0, 0, 0, 0, 1, 0];
const ANGULAR_RATE: [i8; 9] = [0, 0, -1, 0, 0, 0, 0, 1, 0];
const DATA: [i8; 9] = [0, 0, 0, 0, 0, 0, 0, 0, 1];
const VOLUME: [i8; 9] = [0, 3, 0, 0, 0, 0, 0, 0, 0];

#[rustfmt::skip]
static UNITS: [Known; 46] = [
    known("m", LENGTH, 1.0, 1.0, Si),
    known("nmi", LENGTH, 1852.0, 1.0, No),
    known("ft", LENGTH, 381.0, 1250.0, No),
    known("in", LENGTH, 127.0, 5000.0, No),
    known("s", TIME, 1.0, 1.0, Si),
    known("min", TIME, 60.0, 1.0, No),
    known("h", TIME, 3600.0, 1.0, No),
    known("d", TIME, 86400.0, 1.0, No),
    known("Hz", FREQUENCY, 1.0, 1.0, Si),
    known("kg", MASS, 1.0, 1.0, No),
    known("g", MASS, 1.0, 1000.0, Si),
    known("t", MASS, 1000.0, 1.0, No),
    known("N", FORCE, 1.0, 1.0, Si),
    known("J", ENERGY, 1.0, 1.0, Si),
    known("Wh", ENERGY, 3600.0, 1.0, Si),
    known("W", POWER, 1.0, 1.0, Si),
    known("V", VOLTAGE, 1.0, 1.0, Si),
    known("A", CURRENT, 1.0, 1.0, Si),
    known("C", CHARGE, 1.0, 1.0, Si),
    known("Ah", CHARGE, 3600.0, 1.0, Si),
    known("Ohm", RESISTANCE, 1.0, 1.0, Si),
    known("F", CAPACITANCE, 1.0, 1.0, Si),
    known("H", INDUCTANCE, 1.0, 1.0, Si),
    known("T", FLUX_DENSITY, 1.0, 1.0, Si),
    known("Gauss", FLUX_DENSITY, 1.0, 10_000.0, Si),
    known("Pa", PRESSURE, 1.0, 1.0, Si),
    known("bar", PRESSURE, 100_000.0, 1.0, Si),
    known("K", TEMPERATURE, 1.0, 1.0, Si),
    with_offset(known("degC", TEMPERATURE, 1.0, 1.0, No), 273.15),
    with_offset(known("degF", TEMPERATURE, 5.0, 9.0, No), 459.67 * 5.0 / 9.0),
    known("mol", AMOUNT, 1.0, 1.0, Si),
    known("cd", LUMINOUS, 1.0, 1.0, Si),
    known("rad", ANGLE, 1.0, 1.0, Si),
    known("deg", ANGLE, PI, 180.0, No),
    known("arcmin", ANGLE, PI, 10_800.0, No),
    known("arcsec", ANGLE, PI, 648_000.0, No),
    known("rev", ANGLE, 2.0 * PI, 1.0, No),
    known("rpm", ANGULAR_RATE, 2.0 * PI, 60.0, No),
    known("%", PLAIN, 1.0, 100.0, No),
    known("ppm", PLAIN, 1.0, 1_000_000.0, No),
    known("kn", SPEED, 1852.0, 3600.0, No),
    known("gn", ACCELERATION, 980_665.0, 100_000.0, Si),
    known("bit", DATA, 1.0, 1.0, Data),
    known("B", DATA, 8.0, 1.0, Data),
    known("l", VOLUME, 1.0, 1000.0, Si),
    known("L", VOLUME, 1.0, 1000.0, Si),
];

/// A prefix, its factor as numerator and denominator.
type Prefix = (&'static str, f64, f64);

const SI_PREFIXES: [Prefix; 12] = [
    ("p", 1.0, 1e12),
    ("n", 1.0, 1e9),
    ("u", 1.0, 1e6),
    ("\u{b5}", 1.0, 1e6),
    ("m", 1.0, 1e3),
    ("c", 1.0, 1e2),
    ("d", 1.0, 1e1),
    ("h", 1e2, 1.0),
    ("k", 1e3, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
    ("T", 1e12, 1.0),
];

const DATA_PREFIXES: [Prefix; 8] = [
    ("k", 1e3, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
    ("T", 1e12, 1.0),
    ("Ki", 1024.0, 1.0),
    ("Mi", 1_048_576.0, 1.0),
    ("Gi", 1_073_741_824.0, 1.0),
    ("Ti", 1_099_511_627_776.0, 1.0),
];

impl Known {
    fn prefixes(&self) -> &'static [Prefix] {
        match self.prefixes {
            Prefixes::None => &[],
            Prefixes::Si => &SI_PREFIXES,
            Prefixes::Data => &DATA_PREFIXES,
        }
    }
}

/// The unit called `name` with the factor of its prefix.
pub(crate) fn find(name: &str) -> Option<(&'static Known, f64, f64)> {
    if let Some(whole) = UNITS.iter().find(|unit| unit.name == name) {
        return Some((whole, 1.0, 1.0));
    }
    UNITS.iter().find_map(|unit| {
        let prefix = name.strip_suffix(unit.name)?;
        let (_, numerator, denominator) = unit.prefixes().iter().find(|p| p.0 == prefix)?;
        Some((unit, *numerator, *denominator))
    })
}

/// Spelled-out names and other habits, which lie far from the symbol in letters.
const HABITS: [(&str, &str); 27] = [
    ("meter", "m"),
    ("metre", "m"),
    ("mile", "nmi"),
    ("feet", "ft"),
    ("foot", "ft"),
    ("inch", "in"),
    ("sec", "s"),
    ("second", "s"),
    ("minute", "min"),
    ("hr", "h"),
    ("hour", "h"),
    ("day", "d"),
    ("hertz", "Hz"),
    ("gram", "g"),
    ("newton", "N"),
    ("volt", "V"),
    ("watt", "W"),
    ("ampere", "A"),
    ("kelvin", "K"),
    ("celsius", "degC"),
    ("degree", "deg"),
    ("\u{b0}", "deg"),
    ("radian", "rad"),
    ("percent", "%"),
    ("knot", "kn"),
    ("byte", "B"),
    ("liter", "l"),
];

/// The unit that was most likely meant by `typed`, if one is near.
pub(crate) fn nearest(typed: &str) -> Option<String> {
    let lower = typed.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    if let Some((_, meant)) = HABITS.iter().find(|(habit, _)| *habit == lower || *habit == singular)
    {
        return Some((*meant).to_owned());
    }
    if let Some(plural_of) = typed.strip_suffix('s').filter(|name| find(name).is_some()) {
        return Some(plural_of.to_owned());
    }
    let prefixed = UNITS.iter().flat_map(|unit| {
        unit.prefixes().iter().map(move |(prefix, ..)| format!("{prefix}{}", unit.name))
    });
    // Whole names come first and win ties, then the wrong case, then the fewest edits.
    UNITS
        .iter()
        .map(|unit| unit.name.to_owned())
        .chain(prefixed)
        .map(|name| (name.to_lowercase() != lower, strsim::levenshtein(typed, &name), name))
        .min_by_key(|(other_word, edits, _)| (*other_word, *edits))
        .filter(|(other_word, edits, _)| !other_word || *edits <= 1 + typed.chars().count() / 3)
        .map(|(_, _, name)| name)
}
