//! Tables of numbers in CSV files that others wrote: columns found by name, through a map where the
//! file has names and units of its own.
//!
//! A file has a header; lines that begin with `#` and empty lines are passed over, spaces around cells
//! do not count, and columns that nobody asks for are left alone. All errors say where they are.

use std::path::Path;

use ironbird_component::Unit;
use ironbird_kernel::path::nearest;

/// What a column may hold: its name, and its unit where the map says no other.
pub struct Quantity {
    pub name: &'static str,
    pub unit: &'static str,
}

/// The numbers of a file, in base units (metres, seconds, radians).
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    /// The line of every row, counted from 1.
    pub lines: Vec<u64>,
    file: String,
    header_line: u64,
}

#[derive(Debug)]
struct Column {
    quantity: &'static str,
    /// What the header calls it, and where it stands, counted from 1.
    heading: String,
    number: usize,
    unit: Unit,
    values: Vec<f64>,
}

impl Table {
    /// Reads the columns of these quantities from a file. The map names columns that are called
    /// otherwise and their units: `"Lat as latitude: deg, z as depth, speed: kn"`.
    pub fn read(file: &Path, map: &str, quantities: &[Quantity]) -> Result<Table, String> {
        let name = file.display().to_string();
        let wanted = wanted(map, quantities).map_err(|cause| format!("\"columns\": {cause}"))?;
        let bytes = std::fs::read(file).map_err(|error| format!("{name}: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|error| not_text(&name, &error))?;
        // Without comments and empty lines, the reader's lines are those of `kept`.
        let lines = (1..).zip(text.lines()).filter(|(_, line)| is_data(line));
        let (kept, data): (Vec<u64>, Vec<&str>) = lines.unzip();
        let data = data.join("\n");
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .from_reader(data.as_bytes());
        let line = |position: Option<&csv::Position>| {
            let line = position.and_then(|at| kept.get(at.line() as usize - 1));
            line.copied().unwrap_or(1)
        };
        let unreadable = |error: csv::Error| {
            format!("{name}, line {}: it cannot be read: {error}", line(error.position()))
        };
        let header = reader.headers().map_err(unreadable)?.clone();
        let header_line = line(header.position());
        let file = name.clone();
        let mut table = Table { columns: Vec::new(), lines: Vec::new(), file, header_line };
        for entry in wanted {
            let found = entry.find(&header).map_err(|cause| table.header(&cause))?;
            table.columns.extend(found);
        }
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            table.take(&record, line(record.position()), header.len())?;
        }
        Ok(table)
    }

    /// Takes one line, unless all its columns that matter are empty.
    fn take(&mut self, record: &csv::StringRecord, line: u64, width: usize) -> Result<(), String> {
        if record.len() != width {
            let (file, found) = (&self.file, record.len());
            return Err(format!(
                "{file}, line {line}: {found} cells, but the header has {width} columns"
            ));
        }
        let cell = |column: &Column| record.get(column.number - 1).unwrap_or_default();
        let measured = |column: &&Column| column.quantity != "time";
        if self.columns.iter().filter(measured).all(|column| cell(column).is_empty()) {
            return Ok(());
        }
        let mut numbers = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            let text = cell(column);
            let number = text.parse().ok().filter(|x: &f64| x.is_finite());
            let number = number.ok_or_else(|| {
                let (file, number, heading) = (&self.file, column.number, &column.heading);
                format!(
                    "{file}, line {line}, column {number} ({heading}): \"{text}\" is not a finite \
                     number; expected {} in {}",
                    column.quantity,
                    column.unit.name()
                )
            })?;
            numbers.push(column.unit.to_base(number));
        }
        for (column, number) in self.columns.iter_mut().zip(numbers) {
            column.values.push(number);
        }
        self.lines.push(line);
        Ok(())
    }

    /// The numbers of a quantity, if the file has such a column.
    pub fn get(&self, quantity: &str) -> Option<&[f64]> {
        let found = self.columns.iter().find(|column| column.quantity == quantity);
        found.map(|column| column.values.as_slice())
    }

    /// The numbers of a quantity that must be there.
    pub fn need(&self, quantity: &str) -> Result<&[f64], String> {
        self.get(quantity).ok_or_else(|| {
            self.header(&format!(
                "there is no column \"{quantity}\"; name the one that holds it: \
                 columns = \"… as {quantity}\""
            ))
        })
    }

    /// An error in a cell.
    pub fn wrong(&self, row: usize, quantity: &str, what: &str) -> String {
        let (file, line) = (&self.file, self.lines[row]);
        let found = self.columns.iter().find(|column| column.quantity == quantity);
        match found {
            Some(Column { number, heading, .. }) => {
                format!("{file}, line {line}, column {number} ({heading}): {what}")
            }
            None => format!("{file}, line {line}: {what}"),
        }
    }

    /// An error in the header.
    pub fn header(&self, what: &str) -> String {
        format!("{}, line {} (header): {what}", self.file, self.header_line)
    }

    /// An error of the whole file.
    pub fn whole(&self, what: &str) -> String {
        format!("{}: {what}", self.file)
    }
}

fn is_data(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn not_text(file: &str, error: &std::string::FromUtf8Error) -> String {
    let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    format!("{file}, line {line}: it cannot be read: it is no text in UTF-8")
}

/// A quantity, and the column that is to hold it.
struct Wanted {
    quantity: &'static str,
    unit: Unit,
    column: String,
    /// Whether the map names it.
    named: bool,
}

impl Wanted {
    fn find(self, header: &csv::StringRecord) -> Result<Option<Column>, String> {
        let mut places = header.iter().enumerate().filter(|(_, name)| **name == self.column);
        let name = &self.column;
        match (places.next(), places.next()) {
            (Some((place, _)), None) => Ok(Some(Column {
                quantity: self.quantity,
                heading: self.column,
                number: place + 1,
                unit: self.unit,
                values: Vec::new(),
            })),
            (Some((first, _)), Some((second, _))) => Err(format!(
                "columns {} and {} are both called \"{name}\"; which one is meant cannot be told",
                first + 1,
                second + 1
            )),
            (None, _) if !self.named => Ok(None),
            (None, _) => {
                let near = nearest(name, header.iter());
                let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                let all: Vec<String> = header.iter().map(|name| format!("\"{name}\"")).collect();
                Err(format!("there is no column \"{name}\"{hint}; there are {}", all.join(", ")))
            }
        }
    }
}

/// Which column holds which quantity.
fn wanted(map: &str, quantities: &[Quantity]) -> Result<Vec<Wanted>, String> {
    let mut all: Vec<Wanted> = Vec::new();
    for quantity in quantities {
        let unit = quantity.unit.parse().map_err(|error| format!("{}: {error}", quantity.name))?;
        let (quantity, column) = (quantity.name, quantity.name.into());
        all.push(Wanted { quantity, unit, column, named: false });
    }
    for text in map.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let (left, unit) = match text.rsplit_once(':') {
            Some((left, unit)) => (left.trim(), Some(unit.trim())),
            None => (text, None),
        };
        let (column, name) = match left.rsplit_once(" as ") {
            Some((column, name)) => (column.trim(), name.trim()),
            None => (left, left),
        };
        let Some(entry) = all.iter_mut().find(|entry| entry.quantity == name) else {
            let names: Vec<&str> = quantities.iter().map(|quantity| quantity.name).collect();
            return Err(format!(
                "\"{text}\": \"{name}\" is none of {}; write \"column as {}\"",
                names.join(", "),
                names[0]
            ));
        };
        if entry.named {
            return Err(format!("\"{text}\": there is a column for {name} already"));
        }
        if let Some(unit) = unit {
            let unit: Unit = unit.parse().map_err(|error| format!("\"{text}\": {error}"))?;
            if unit.dimension() != entry.unit.dimension() {
                let (found, expected) = (unit.name(), entry.unit.name());
                return Err(format!("\"{text}\": {name} is in {expected}, not in {found}"));
            }
            entry.unit = unit;
        }
        (entry.column, entry.named) = (column.into(), true);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUANTITIES: [Quantity; 2] =
        [Quantity { name: "depth", unit: "m" }, Quantity { name: "yaw", unit: "deg" }];

    fn refusal(map: &str) -> String {
        wanted(map, &QUANTITIES).err().unwrap()
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
