//! Quantities: columns that have a number in every line, in base units.

use std::io::Read;

use ironbird_units::Unit;

use crate::entry::{ColumnEntry, EntryError};
use crate::error::{CellPlace, TableError};
use crate::rows::Rows;

/// What a column may hold: its name, and its unit where the map says no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Quantity {
    pub name: &'static str,
    pub unit: &'static str,
}

/// The numbers of a file, in base units (metres, seconds, radians).
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    lines: Vec<u64>,
    header_line: u64,
}

#[derive(Debug)]
struct Column {
    quantity: &'static str,
    /// What the header calls it, and where it stands, counted from 0.
    heading: String,
    place: usize,
    unit: Unit,
    values: Vec<f64>,
}

impl Table {
    /// Reads the columns of these quantities. The map names columns that are called otherwise and their
    /// units: `"Lat as latitude: deg, z as depth, speed: kn"`.
    pub fn read(input: impl Read, map: &str, quantities: &[Quantity]) -> Result<Table, TableError> {
        let wanted = wanted(map, quantities)?;
        let mut rows = Rows::new(input)?;
        let mut columns = Vec::new();
        for Wanted { quantity, unit, column: heading, named } in wanted {
            let place =
                if named { Some(rows.find(&heading)?) } else { rows.find_optional(&heading)? };
            let values = Vec::new();
            columns.extend(place.map(|place| Column { quantity, heading, place, unit, values }));
        }
        let mut table = Table { columns, lines: Vec::new(), header_line: rows.header_line() };
        while rows.advance()? {
            table.take(&rows)?;
        }
        Ok(table)
    }

    /// Takes one line, unless all its columns that matter are empty.
    fn take<R: Read>(&mut self, rows: &Rows<R>) -> Result<(), TableError> {
        let mut measured = self.columns.iter().filter(|column| column.quantity != "time");
        if measured.all(|column| rows.cell(column.place).is_empty()) {
            return Ok(());
        }
        for column in &mut self.columns {
            let text = rows.cell(column.place);
            let number = text.parse().ok().filter(|x: &f64| x.is_finite());
            let number = number.ok_or_else(|| TableError::NotAQuantity {
                at: rows.at(column.place),
                text: text.to_owned(),
                quantity: column.quantity,
                unit: column.unit.name().into(),
            })?;
            column.values.push(column.unit.to_base(number));
        }
        self.lines.push(rows.line());
        Ok(())
    }

    /// The line of a row, counted from 1.
    pub fn line(&self, row: usize) -> u64 {
        self.lines[row]
    }

    /// The numbers of a quantity, if the file has such a column.
    pub fn get(&self, quantity: &str) -> Option<&[f64]> {
        let found = self.columns.iter().find(|column| column.quantity == quantity);
        found.map(|column| column.values.as_slice())
    }

    /// The numbers of a quantity that must be there.
    pub fn need(&self, quantity: &str) -> Result<&[f64], TableError> {
        self.get(quantity).ok_or_else(|| {
            self.wrong_header(format!(
                "there is no column \"{quantity}\"; name the one that holds it: \
                 columns = \"… as {quantity}\""
            ))
        })
    }

    /// An error in a cell; in the line where there is no column of the quantity.
    pub fn wrong_cell(&self, row: usize, quantity: &str, what: String) -> TableError {
        let line = self.lines[row];
        match self.columns.iter().find(|column| column.quantity == quantity) {
            Some(Column { place, heading, .. }) => {
                let at = CellPlace { line, column: place + 1, name: heading.clone() };
                TableError::InCell { at, what }
            }
            None => self.wrong_line(row, what),
        }
    }

    /// An error in a line.
    pub fn wrong_line(&self, row: usize, what: String) -> TableError {
        TableError::InLine { line: self.lines[row], what }
    }

    /// An error in the header.
    pub fn wrong_header(&self, what: impl Into<String>) -> TableError {
        TableError::InHeader { line: self.header_line, what: what.into() }
    }
}

/// A quantity, and the column that is to hold it.
struct Wanted {
    quantity: &'static str,
    unit: Unit,
    column: String,
    /// Whether the map names it.
    named: bool,
}

/// Which column holds which quantity.
fn wanted(map: &str, quantities: &[Quantity]) -> Result<Vec<Wanted>, EntryError> {
    let mut all: Vec<Wanted> = Vec::new();
    for Quantity { name, unit } in quantities {
        let unit =
            unit.parse().map_err(|cause| EntryError::Unit { entry: (*name).into(), cause })?;
        all.push(Wanted { quantity: name, unit, column: (*name).into(), named: false });
    }
    for text in map.split(',').filter(|text| !text.trim().is_empty()) {
        let ColumnEntry { column, alias, unit, text: entry } = text.parse()?;
        let name = alias.unwrap_or_else(|| column.clone());
        let Some(wanted) = all.iter_mut().find(|wanted| wanted.quantity == name) else {
            let known = quantities.iter().map(|quantity| quantity.name).collect();
            return Err(EntryError::NoSuchQuantity { entry, name, known });
        };
        if wanted.named {
            return Err(EntryError::Twice { entry, name });
        }
        if let Some(unit) = unit {
            if unit.dimension() != wanted.unit.dimension() {
                let (expected, found) = (wanted.unit.name().into(), unit.name().into());
                return Err(EntryError::OtherDimension { entry, name, expected, found });
            }
            wanted.unit = unit;
        }
        (wanted.column, wanted.named) = (column, true);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUANTITIES: [Quantity; 2] =
        [Quantity { name: "depth", unit: "m" }, Quantity { name: "yaw", unit: "deg" }];

    fn refusal(map: &str) -> String {
        wanted(map, &QUANTITIES).err().unwrap().to_string()
    }

    #[test]
    fn a_map_names_columns_and_units() {
        let all = wanted("Tiefe, unter Wasser as depth: cm", &QUANTITIES);
        assert!(all.is_err(), "a comma ends an entry");
        let all = wanted("z: below as depth: cm", &QUANTITIES).unwrap();
        assert_eq!((all[0].column.as_str(), all[0].unit.name()), ("z: below", "cm"));
        assert_eq!((all[1].column.as_str(), all[1].unit.name()), ("yaw", "deg"));
    }

    #[test]
    fn a_map_that_makes_no_sense_is_refused() {
        assert_eq!(
            refusal("z as deep"),
            "\"z as deep\": \"deep\" is none of depth, yaw; write \"column as depth\""
        );
        assert_eq!(refusal("yaw: m"), "\"yaw: m\": yaw is in deg, not in m");
        assert_eq!(
            refusal("a as yaw, b as yaw"),
            "\"b as yaw\": there is a column for yaw already"
        );
        assert!(refusal("yaw: furlongs").starts_with("\"yaw: furlongs\": "));
    }
}
