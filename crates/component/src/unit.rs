//! Units of values that have several leaves.

use std::str::FromStr;

use ironbird_units::Unit;

/// Whether a unit stands for plain numbers.
pub(crate) fn is_plain(unit: &Unit) -> bool {
    same(unit, &Unit::none())
}

/// Whether numbers in both units mean the same: `m/s` and `m*s^-1`, but not `km` and `m`.
pub(crate) fn same(a: &Unit, b: &Unit) -> bool {
    let size = |unit: &Unit| (unit.dimension(), unit.scale(), unit.offset());
    size(a) == size(b)
}

/// The unit as written, or words for none.
pub(crate) fn name(unit: &Unit) -> String {
    if unit.is_none() { "plain numbers".into() } else { unit.to_string() }
}

/// The units of the leaves of a value: one for all, or by path.
///
/// ```
/// use ironbird_component::LeafUnits;
///
/// let units: LeafUnits = "position: m, attitude.rate: deg/s".parse()?;
/// assert_eq!(units.of("position[2]").to_string(), "m");
/// assert_eq!(units.of("attitude.rate[0]").to_string(), "deg/s");
/// assert!(units.of("attitude.valid").is_none()); // a plain number
/// # Ok::<(), ironbird_component::LeafUnitsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum LeafUnits {
    /// Every leaf has this unit.
    All(Unit),
    /// Each leaf has the unit of the longest path that leads to it; a leaf without one is a plain
    /// number.
    ByPath(Vec<(String, Unit)>),
}

/// Why a text names no units of leaves.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LeafUnitsError {
    #[error("\"{text}\" is not a unit: {reason}")]
    BadUnit { text: String, reason: String },
    #[error("\"{part}\" must be a path, a colon and a unit, as in \"position: m\"")]
    NoPath { part: String },
    #[error("\"{path}\" has two units")]
    Twice { path: String },
}

impl LeafUnits {
    /// Plain numbers.
    pub fn plain() -> Self {
        LeafUnits::All(Unit::none())
    }

    /// The unit of the leaf at `path`.
    pub fn of(&self, path: &str) -> Unit {
        match self {
            LeafUnits::All(unit) => unit.clone(),
            LeafUnits::ByPath(units) => {
                let leads = units.iter().filter(|(prefix, _)| leads_to(prefix, path));
                let longest = leads.max_by_key(|(prefix, _)| prefix.len());
                longest.map_or_else(Unit::none, |(_, unit)| unit.clone())
            }
        }
    }
}

/// Whether `path` is `prefix` or lies inside it.
pub(crate) fn leads_to(prefix: &str, path: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl FromStr for LeafUnits {
    type Err = LeafUnitsError;
    fn from_str(text: &str) -> Result<Self, LeafUnitsError> {
        let unit = |text: &str| {
            text.trim().parse::<Unit>().map_err(|error| LeafUnitsError::BadUnit {
                text: text.trim().into(),
                reason: error.to_string(),
            })
        };
        if !text.contains(':') {
            return unit(text).map(LeafUnits::All);
        }
        let mut units: Vec<(String, Unit)> = Vec::new();
        for part in text.split(',') {
            let split = part.split_once(':');
            let (path, text) = split.ok_or(LeafUnitsError::NoPath { part: part.trim().into() })?;
            let path = path.trim();
            if units.iter().any(|(other, _)| other == path) {
                return Err(LeafUnitsError::Twice { path: path.into() });
            }
            units.push((path.into(), unit(text)?));
        }
        Ok(LeafUnits::ByPath(units))
    }
}
