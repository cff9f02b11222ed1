//! Values that differ from one element of an array to the next: by formula or from a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::load::reason;
use ironbird_document::{Data, Item, Table};
use ironbird_document::{Place, Problem};

/// Larger tables hold more than an array can have.
const LARGEST: u64 = 256 << 20;

/// The elements of one array.
pub struct Elements {
    count: usize,
    files: BTreeMap<PathBuf, Columns>,
}

/// A CSV file by column.
struct Columns {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Elements {
    /// An array of `count` elements.
    pub fn new(count: usize) -> Self {
        Elements { count, files: BTreeMap::new() }
    }

    /// Puts the value for element `index` where `{ each = … }` or `{ file = …, column = … }` stands.
    pub fn resolve(&mut self, item: &mut Item, index: usize) -> Result<(), Problem> {
        match &mut item.data {
            Data::Table(table) => {
                if table.get("each").is_some() {
                    item.data = self.by_formula(table, index)?;
                } else if table.get("file").is_some() && table.get("column").is_some() {
                    item.data = self.by_file(table, index)?;
                } else {
                    for entry in &mut table.0 {
                        self.resolve(&mut entry.item, index)?;
                    }
                }
                Ok(())
            }
            Data::Array(items) => items.iter_mut().try_for_each(|item| self.resolve(item, index)),
            _ => Ok(()),
        }
    }

    fn by_formula(&self, table: &Table, index: usize) -> Result<Data, Problem> {
        table.only(&["each"], "a value by formula")?;
        let Some(formula) = table.get("each") else { return Ok(Data::Table(table.clone())) };
        let text = formula.text()?;
        let variables = [("i", index as f64), ("n", self.count as f64)];
        let value = ironbird_formula::evaluate_constant(text, &variables)
            .map_err(|error| crate::formulas::problem(&error, text, &formula.place))?;
        let unit = value.unit();
        Ok(quantity(value.number(), unit.name(), unit.is_none()))
    }

    fn by_file(&mut self, table: &Table, index: usize) -> Result<Data, Problem> {
        table.only(&["file", "column", "unit"], "a value from a file")?;
        let (Some(file), Some(column)) = (table.get("file"), table.get("column")) else {
            return Ok(Data::Table(table.clone()));
        };
        let path = file.place.source.folder.join(file.text()?);
        if !self.files.contains_key(&path) {
            let columns = read(&path, &file.place)?;
            self.files.insert(path.clone(), columns);
        }
        let columns = &self.files[&path];
        let shown = path.display();
        let name = column.text()?;
        let Some(number) = columns.names.iter().position(|other| other == name) else {
            let near =
                ironbird_kernel::path::nearest(name, columns.names.iter().map(String::as_str));
            let message = format!("\"{shown}\" has no column \"{name}\"");
            return Err(Problem::new(message, &column.place, "not in its first line")
                .help(format!("it has: {}", columns.names.join(", ")))
                .did_you_mean(near));
        };
        let Some(row) = columns.rows.get(index) else {
            let (rows, count) = (columns.rows.len(), self.count);
            let message =
                format!("\"{shown}\" has {rows} rows, but the array has {count} elements");
            return Err(Problem::new(message, &file.place, "too short"));
        };
        let cell = row.get(number).map_or("", String::as_str).trim();
        let unit = table.get("unit").map(Item::text).transpose()?;
        match (cell.parse::<f64>(), unit) {
            (Ok(number), Some(unit)) => Ok(quantity(number, unit, unit.is_empty())),
            (Ok(number), None) => Ok(quantity(number, "", true)),
            (Err(_), _) => Ok(Data::Text(cell.into())),
        }
    }
}

/// A number with its unit, as a user would have written it.
fn quantity(number: f64, unit: &str, plain: bool) -> Data {
    let whole = number as i64;
    match plain {
        true if whole as f64 == number => Data::Integer(whole),
        true => Data::Real(number),
        false => Data::Text(format!("{number} {unit}")),
    }
}

fn read(path: &std::path::Path, place: &Place) -> Result<Columns, Problem> {
    let shown = path.display();
    let wrong = |why: String| Problem::new(format!("\"{shown}\" {why}"), place, "this file");
    let cannot = |error: std::io::Error| wrong(format!("cannot be read: {}", reason(&error)));
    if !std::fs::metadata(path).map_err(cannot)?.is_file() {
        return Err(wrong("is not a file".into()));
    }
    let text = ironbird_files::read_text(path, LARGEST).map_err(cannot)?;
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| wrong(format!("is not a table: {error}")))?;
    let names = names.iter().map(|name| name.trim().to_owned()).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(format!("is not a table: {error}")))?;
        rows.push(record.iter().map(str::to_owned).collect());
    }
    Ok(Columns { names, rows })
}
