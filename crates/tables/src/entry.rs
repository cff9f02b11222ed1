//! One entry of a map of columns, as people write it.

use std::str::FromStr;

use ironbird_units::{Unit, UnitError};

/// A column of a file, what it is called elsewhere, and its unit: `Lat as latitude: deg`.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnEntry {
    /// What the header calls it.
    pub column: String,
    /// Another name for it.
    pub alias: Option<String>,
    /// Its unit, where one is given.
    pub unit: Option<Unit>,
    /// The entry as it is written.
    pub text: String,
}

/// Why an entry of a map of columns makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum EntryError {
    #[error("\"{entry}\": {cause}")]
    Unit { entry: String, cause: UnitError },
    #[error(
        "\"{entry}\": \"{name}\" is none of {}; write \"column as {}\"",
        .known.join(", "), .known.first().unwrap_or(&"name")
    )]
    NoSuchQuantity { entry: String, name: String, known: Vec<&'static str> },
    #[error("\"{entry}\": there is a column for {name} already")]
    Twice { entry: String, name: String },
    #[error("\"{entry}\": {name} is in {expected}, not in {found}")]
    OtherDimension { entry: String, name: String, expected: String, found: String },
}

impl FromStr for ColumnEntry {
    type Err = EntryError;

    fn from_str(text: &str) -> Result<Self, EntryError> {
        let text = text.trim();
        let (left, unit) = match text.rsplit_once(':') {
            Some((left, unit)) => (left, Some(unit.trim().parse())),
            None => (text, None),
        };
        let unit = unit.transpose();
        let unit = unit.map_err(|cause| EntryError::Unit { entry: text.into(), cause })?;
        let (column, alias) = match left.rsplit_once(" as ") {
            Some((column, alias)) => (column, Some(alias.trim().to_owned())),
            None => (left, None),
        };
        Ok(ColumnEntry { column: column.trim().into(), alias, unit, text: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_may_have_another_name_and_a_unit() {
        let read = |text: &str| {
            let entry: ColumnEntry = text.parse().unwrap();
            let unit = entry.unit.map(|unit| unit.to_string());
            (entry.column, entry.alias.unwrap_or_default(), unit.unwrap_or("none".into()))
        };
        let texts = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(read(" speed: m/s"), texts("speed", "", "m/s"));
        assert_eq!(read("count "), texts("count", "", "none"));
        assert_eq!(read("GPS: speed as v: kn"), texts("GPS: speed", "v", "kn"));
        assert_eq!(read("x as y as z"), texts("x as y", "z", "none"));
    }

    #[test]
    fn a_unit_that_is_none_is_refused() {
        let error = " speed: furlongs".parse::<ColumnEntry>().unwrap_err().to_string();
        assert!(error.starts_with("\"speed: furlongs\": "), "{error}");
    }
}
