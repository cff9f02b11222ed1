//! `replay.csv`: a CSV log that plays its columns back.

use std::path::PathBuf;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Kind, ParameterKind, Place,
    Settings, Unit,
};
use ironbird_kernel::path;
use ironbird_tables::log::{ColumnMap, LogStart, TimeUnit, read_file};
use ironbird_tables::{ColumnEntry, EntryError};

use super::offset::Offset;
use super::track::instance;
use super::{Between, Played, choice, given, offset_parameter, text};

/// The type of components that play a CSV log.
pub(super) struct CsvType {
    description: Description,
}

const FILE: usize = 0;
const COLUMNS: usize = 1;
const TIME: usize = 2;
const TIME_UNIT: usize = 3;
const BETWEEN: usize = 4;
const OFFSET: usize = 5;
const START: usize = 6;

const DOC: &str = "\
Plays columns of a CSV file back.

The file has a header and a line for every time; times need no grid, but must not go back. They are read
exactly, to the picosecond. Lines that begin with # are passed over, and an empty cell leaves a signal as it
is. A signal has its first value from the start on and keeps its last. What `ironbird export` writes can be
played as it is.";

impl CsvType {
    pub fn new() -> Self {
        let mut description = Description::new("replay.csv", Kind::EventDriven, DOC);
        description.parameters = vec![
            given("file", ParameterKind::File, "The log."),
            given(
                "columns",
                ParameterKind::Text,
                "Which columns are played, and their units: \"speed: m/s, heading: deg, count\". Each is \
                 an output of its last name (`cart.angle` is `angle`), or of another: \
                 \"Speed over ground as speed: m/s\".",
            ),
            text("time", "time_s", "The column that holds the time."),
            choice("time_unit", &TimeUnit::NAMES.map(|(name, _)| name), "Its unit."),
            choice(
                "between",
                &["hold", "line"],
                "What the signals are between two lines: a number that is held, or a continuous \
                 signal that follows a straight line.",
            ),
            offset_parameter(),
            choice(
                "start",
                &["zero", "first-line"],
                "Which time of the log is the start of the run: zero, or that of the first line, for \
                 logs that count from long ago.",
            ),
        ];
        CsvType { description }
    }
}

impl ComponentType for CsvType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = &self.description.parameters;
        let given = Given::new(settings, place);
        let file: PathBuf = given.read(&parameters[FILE])?;
        let columns: String = given.read(&parameters[COLUMNS])?;
        let time_column: String = given.read(&parameters[TIME])?;
        let time_unit: String = given.read(&parameters[TIME_UNIT])?;
        let between: String = given.read(&parameters[BETWEEN])?;
        let offset: String = given.read(&parameters[OFFSET])?;
        let offset = Offset::read(&offset).map_err(|e| InstantiateError::of("offset", e))?;
        let start: String = given.read(&parameters[START])?;
        let columns: Vec<Column> = columns
            .split(',')
            .map(Column::read)
            .collect::<Result<_, _>>()
            .map_err(|error| InstantiateError::of("columns", error))?;
        let unit = TimeUnit::NAMES.iter().find(|(name, _)| *name == time_unit);
        let map = ColumnMap {
            time_column,
            time_unit: unit.map_or(TimeUnit::Seconds, |(_, unit)| *unit),
            start: if start == "zero" { LogStart::Zero } else { LogStart::FirstLine },
            columns: columns.iter().map(|c| (c.column.clone(), c.name.clone())).collect(),
        };
        let series = read_file(&file, &map)
            .map_err(|error| InstantiateError::of(map.blamed(&error), error.in_file(&file)))?;
        let between = if between == "line" { Between::Line } else { Between::Hold };
        let mut tracks = Vec::new();
        for (Column { column, name, unit }, series) in columns.into_iter().zip(series) {
            let played = Played { name, unit, samples: series.samples, between };
            tracks.push(played.track(offset).map_err(|cause| {
                let cause = format!("{}: column {column:?}: {cause}", file.display());
                InstantiateError::of("file", cause)
            })?);
        }
        instance(tracks, "columns")
    }
}

/// A column, the output that plays it, and its unit.
#[derive(Debug, PartialEq)]
struct Column {
    column: String,
    name: String,
    unit: Unit,
}

impl Column {
    /// Reads `column`, `column: unit` or `column as name: unit`.
    fn read(text: &str) -> Result<Self, String> {
        let entry: ColumnEntry = text.parse().map_err(|error: EntryError| error.to_string())?;
        let column = entry.column;
        let name = entry.alias.as_deref().or(column.rsplit('.').next()).unwrap_or_default();
        if column.is_empty() {
            return Err("it must name columns and their units, as in \"speed: m/s, count\"".into());
        }
        if !path::is_valid_name(name) {
            return Err(format!(
                "\"{name}\" cannot name an output; give it another name, as in \"{column} as \
                 speed: m/s\""
            ));
        }
        let (name, unit) = (name.to_owned(), entry.unit.unwrap_or_else(Unit::none));
        Ok(Column { column, name, unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_a_unit_and_may_have_another_name() {
        let read = |text| {
            let column = Column::read(text).unwrap();
            (column.column, column.name, column.unit.to_string())
        };
        let texts = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(read(" speed: m/s"), texts("speed", "speed", "m/s"));
        assert_eq!(read("count"), texts("count", "count", ""));
        assert_eq!(read("cart.angle: rad"), texts("cart.angle", "angle", "rad"));
        assert_eq!(read("GPS: speed as v: kn"), texts("GPS: speed", "v", "kn"));
    }

    #[test]
    fn what_is_no_column_is_refused() {
        assert!(Column::read(" ").unwrap_err().contains("as in"));
        assert!(Column::read("speed: furlongs").unwrap_err().starts_with("\"speed: furlongs\": "));
        let error = Column::read("ground speed: m/s").unwrap_err();
        assert!(error.contains("\"ground speed as speed: m/s\""), "{error}");
    }
}
