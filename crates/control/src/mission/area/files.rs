//! Cells, areas and zones in CSV files.

use std::path::Path;

use ironbird_tables::TableError;
use ironbird_tables::table::{Quantity, Table};

use super::cells::Cell;
use super::polygon::{NoPolygon, Polygon};

const QUANTITIES: [Quantity; 4] = [
    Quantity { name: "zone", unit: "" },
    Quantity { name: "north", unit: "m" },
    Quantity { name: "east", unit: "m" },
    Quantity { name: "height", unit: "m" },
];

/// The places of a file, each with its line.
struct Places {
    table: Table,
    places: Vec<[f64; 2]>,
}

impl Places {
    fn read(file: &Path) -> Result<Self, TableError> {
        let table = Table::read(ironbird_files::open_data(file)?, "", &QUANTITIES)?;
        let missing = |quantity: &str| {
            table.wrong_header(format!("there is no column \"{quantity}\", which is needed, in m"))
        };
        let north = table.get("north").ok_or_else(|| missing("north"))?;
        let east = table.get("east").ok_or_else(|| missing("east"))?;
        let places = north.iter().zip(east).map(|(north, east)| [*north, *east]).collect();
        Ok(Places { table, places })
    }

    /// The polygon of the rows from `first` to before `end`.
    fn polygon(&self, first: usize, end: usize) -> Result<Polygon, TableError> {
        let line = |corner: usize| self.table.line(first + corner);
        Polygon::new(self.places[first..end].to_vec()).map_err(|wrong| match wrong {
            NoPolygon::TooFewCorners => {
                let found = end - first;
                let what = format!("{found} corners; a polygon has at least three");
                self.table.wrong_line(end - 1, what)
            }
            NoPolygon::SameCorner(corner) => {
                let what = "the same corner as the one before; it is closed without saying so";
                self.table.wrong_line(first + corner, what.into())
            }
            NoPolygon::Crosses(a, b) => {
                let what = format!(
                    "the edge that begins here meets the one that begins on line {}; a polygon does not cross \
                     itself",
                    line(a)
                );
                self.table.wrong_line(first + b, what)
            }
        })
    }
}

/// The cells of a file with the columns `north`, `east` and, if it has one, `height`.
pub fn read_cells(file: &Path, height: f64) -> Result<Vec<Cell>, TableError> {
    let Places { table, places } = Places::read(file)?;
    let heights = table.get("height");
    let mut cells: Vec<Cell> = Vec::with_capacity(places.len());
    for (row, [north, east]) in places.iter().copied().enumerate() {
        let height = heights.map_or(height, |heights| heights[row]);
        if let Some(other) = places[..row].iter().position(|other| *other == places[row]) {
            let what = format!("the same place as on line {}", table.line(other));
            return Err(table.wrong_line(row, what));
        }
        let number = u32::try_from(row + 1).unwrap_or(u32::MAX);
        cells.push(Cell { number, north, east, height });
    }
    if cells.is_empty() {
        return Err(TableError::Whole("it has no cells; a mission needs at least one".into()));
    }
    Ok(cells)
}

/// The area whose corners are the rows of a file with the columns `north` and `east`.
pub fn read_area(file: &Path) -> Result<Polygon, TableError> {
    let places = Places::read(file)?;
    match places.places.len() {
        0 => Err(TableError::Whole("it has no corners; an area has at least three".into())),
        count => places.polygon(0, count),
    }
}

/// Polygons, each of the rows with the same number in the column `zone`.
pub fn read_zones(file: &Path) -> Result<Vec<Polygon>, TableError> {
    let places = Places::read(file)?;
    let missing = "there is no column \"zone\", the number of the zone to which a corner belongs";
    let zones = places.table.get("zone").ok_or_else(|| places.table.wrong_header(missing))?;
    let mut polygons = Vec::new();
    let mut first = 0;
    for end in 1..=zones.len() {
        if end < zones.len() && zones[end] == zones[first] {
            continue;
        }
        if let Some(earlier) = zones[..first].iter().position(|zone| *zone == zones[first]) {
            let line = places.table.line(earlier);
            let what = format!("zone {} began on line {line} and had ended", zones[first]);
            return Err(places.table.wrong_cell(first, "zone", what));
        }
        polygons.push(places.polygon(first, end)?);
        first = end;
    }
    if polygons.is_empty() {
        return Err(TableError::Whole("it has no zones; leave the file away".into()));
    }
    Ok(polygons)
}
