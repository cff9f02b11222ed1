//! Logs from elsewhere: a CSV file with a header, read into samples.

use std::io::Read;
use std::path::Path;

use ironbird_kernel::Time;

use crate::decimal::{TimeTextError, instant, nearest_picosecond, parse_picoseconds};
use crate::error::TableError;
use crate::rows::Rows;

/// The unit of a time column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TimeUnit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    Picoseconds,
}

impl TimeUnit {
    /// All, and how they are written.
    pub const NAMES: [(&str, TimeUnit); 5] = [
        ("s", TimeUnit::Seconds),
        ("ms", TimeUnit::Milliseconds),
        ("us", TimeUnit::Microseconds),
        ("ns", TimeUnit::Nanoseconds),
        ("ps", TimeUnit::Picoseconds),
    ];

    /// The power of ten that makes picoseconds of it.
    const fn exponent(self) -> i32 {
        match self {
            TimeUnit::Seconds => 12,
            TimeUnit::Milliseconds => 9,
            TimeUnit::Microseconds => 6,
            TimeUnit::Nanoseconds => 3,
            TimeUnit::Picoseconds => 0,
        }
    }
}

/// Which time of a log is the start of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogStart {
    /// Zero.
    #[default]
    Zero,
    /// That of the first line: for logs that count from long ago.
    FirstLine,
}

/// Which columns are read, and as what.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnMap {
    /// The column that holds the time.
    pub time_column: String,
    /// Its unit.
    pub time_unit: TimeUnit,
    /// Which time is the start of a run.
    pub start: LogStart,
    /// Columns and the names that their series get.
    pub columns: Vec<(String, String)>,
}

/// One column of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name that the map gives it.
    pub name: String,
    /// Its samples; an empty cell is none.
    pub samples: Vec<(Time, f64)>,
}

impl ColumnMap {
    /// Which parameter of a component is to blame for an error: `time` or `columns` where the header
    /// lacks what they name, else `file`.
    pub fn blamed(&self, error: &TableError) -> &'static str {
        match error {
            TableError::NoSuchColumn { column, .. } | TableError::TwoColumns { column, .. } => {
                if *column == self.time_column {
                    "time"
                } else {
                    "columns"
                }
            }
            _ => "file",
        }
    }
}

/// The names of all columns of a file.
pub fn header(input: impl Read) -> Result<Vec<String>, TableError> {
    Ok(Rows::new(input)?.into_header())
}

/// Reads the columns that `map` names from a file.
pub fn read_file(file: &Path, map: &ColumnMap) -> Result<Vec<Series>, TableError> {
    read_csv(ironbird_files::open_data(file)?, map)
}

/// Reads the columns that `map` names. Lines may have an empty cell where there is no sample.
pub fn read_csv(input: impl Read, map: &ColumnMap) -> Result<Vec<Series>, TableError> {
    read(input, map, parse_picoseconds)
}

/// The same, with times rounded to the nearest picosecond where they are finer.
pub fn read_csv_rounded(input: impl Read, map: &ColumnMap) -> Result<Vec<Series>, TableError> {
    read(input, map, nearest_picosecond)
}

fn read(
    input: impl Read,
    map: &ColumnMap,
    picoseconds: fn(&str, i32) -> Result<u128, TimeTextError>,
) -> Result<Vec<Series>, TableError> {
    let mut rows = Rows::new(input)?;
    let time_place = rows.find(&map.time_column)?;
    let mut series = Vec::new();
    for (column, name) in &map.columns {
        let found = Series { name: name.clone(), samples: Vec::new() };
        series.push((rows.find(column)?, found));
    }
    let mut before: Option<(u128, String)> = None;
    let mut first = 0;
    while rows.advance()? {
        let text = rows.cell(time_place);
        let wrong =
            |cause| TableError::Time { at: rows.at(time_place), text: text.to_owned(), cause };
        let ps = picoseconds(text, map.time_unit.exponent()).map_err(wrong)?;
        match before.take() {
            None if map.start == LogStart::FirstLine => first = ps,
            Some((earlier, before)) if ps < earlier => {
                let (at, time) = (rows.at(time_place), text.to_owned());
                return Err(TableError::TimeGoesBack { at, time, before });
            }
            _ => {}
        }
        before = Some((ps, text.to_owned()));
        let time = instant(ps - first).map_err(wrong)?;
        for (place, series) in &mut series {
            let text = rows.cell(*place);
            if text.is_empty() {
                continue;
            }
            let number = text.parse().map_err(|_| TableError::NotANumber {
                at: rows.at(*place),
                text: text.to_owned(),
            })?;
            series.samples.push((time, number));
        }
    }
    Ok(series.into_iter().map(|(_, series)| series).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> ColumnMap {
        ColumnMap {
            time_column: "t".into(),
            time_unit: TimeUnit::Milliseconds,
            start: LogStart::Zero,
            columns: vec![("temp".into(), "room.temperature".into())],
        }
    }

    fn error(text: &str) -> String {
        read_csv(text.as_bytes(), &map()).unwrap_err().to_string()
    }

    #[test]
    fn columns_become_series_with_exact_times() {
        let log = "t, temp, other\n0, 20.5, x\n0.1, , y\n12.5, -3e2, z\n";
        let series = read_csv(log.as_bytes(), &map()).unwrap();
        let ps = Time::from_ps;
        let samples = vec![(ps(0), 20.5), (ps(12_500_000_000), -300.0)];
        assert_eq!(series, [Series { name: "room.temperature".into(), samples }]);
    }

    #[test]
    fn a_log_that_counts_from_long_ago_starts_with_its_first_line() {
        let log = "t,temp\n1718000000000.5,1\n1718000000002.75,2\n";
        assert!(error(log).contains("is beyond the range of time"), "{}", error(log));
        let from_first = ColumnMap { start: LogStart::FirstLine, ..map() };
        let series = read_csv(log.as_bytes(), &from_first).unwrap();
        let times: Vec<u64> = series[0].samples.iter().map(|(time, _)| time.as_ps()).collect();
        assert_eq!(times, [0, 2_250_000_000]);
    }

    #[test]
    fn errors_name_line_and_column() {
        assert_eq!(
            error("t,temp\n1,2\n2,warm\n"),
            "line 3, column 2 (temp): \"warm\" is not a number"
        );
        assert_eq!(
            error("t,temp\n1;5,2\n"),
            "line 2, column 1 (t): the time \"1;5\" is not a decimal number"
        );
        assert_eq!(
            error("t,temp\n\n2,1\n# slower\n1,1\n"),
            "line 5, column 1 (t): the time \"1\" comes after \"2\"; times must not go back"
        );
        assert_eq!(error("t,temp\n1\n"), "line 2: 1 cells, but the header has 2 columns");
        assert_eq!(
            error("t,tmp\n1,2\n"),
            "line 1 (header): there is no column \"temp\"; did you mean \"tmp\"?; there are \"t\", \
             \"tmp\""
        );
        assert_eq!(error(""), "line 1 (header): there is no column \"t\"; there are none");
        assert!(error("t,temp,temp\n").contains("columns 2 and 3 are both called \"temp\""));
    }

    #[test]
    fn a_cell_may_go_over_lines() {
        let log = "t,temp,note\n0,1,\"a\n\n# b\"\n1,x,\n";
        assert_eq!(error(log), "line 5, column 2 (temp): \"x\" is not a number");
    }

    #[test]
    fn an_error_blames_a_parameter() {
        let blamed = |text: &str| map().blamed(&read_csv(text.as_bytes(), &map()).unwrap_err());
        assert_eq!(blamed("temp\n"), "time");
        assert_eq!(blamed("t\n"), "columns");
        assert_eq!(blamed("t,temp\nx,1\n"), "file");
    }
}
