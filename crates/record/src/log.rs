//! Logs from elsewhere: a CSV file with a header, read into samples.

use std::io::Read;

use ironbird_kernel::{Time, path};

use crate::decimal::{TimeTextError, instant, parse_picoseconds};
use crate::error::suggestion;

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

/// Why a log could not be read. Lines and columns count from 1.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file is no CSV, or could not be read.
    #[error("the log cannot be read: {0}")]
    Csv(#[from] csv::Error),
    /// The header lacks a column.
    #[error("the log has no column {column:?}{}; its header has {}", suggestion(.nearest), list(.header))]
    NoSuchColumn {
        /// What was asked for.
        column: String,
        /// What was probably meant.
        nearest: Option<String>,
        /// What there is.
        header: Vec<String>,
    },
    /// A column occurs twice.
    #[error("the log has two columns {column:?}; which one is meant cannot be told")]
    TwoColumns {
        /// The column.
        column: String,
    },
    /// A time is not a time.
    #[error("line {line}, column {column}: the time {text:?} {cause}")]
    Time {
        /// Where.
        line: u64,
        /// Where.
        column: usize,
        /// What stands there.
        text: String,
        /// What is wrong with it.
        cause: TimeTextError,
    },
    /// Times go back.
    #[error(
        "line {line}, column {column}: the time {time:?} comes after {before:?}; times must not go back"
    )]
    TimeGoesBack {
        /// Where.
        line: u64,
        /// Where.
        column: usize,
        /// The time of the line, as it is written.
        time: String,
        /// The time of the line before.
        before: String,
    },
    /// A cell is not a number.
    #[error("line {line}, column {column} ({name}): {text:?} is not a number")]
    NotANumber {
        /// Where.
        line: u64,
        /// Where.
        column: usize,
        /// What the header calls the column.
        name: String,
        /// What stands there.
        text: String,
    },
}

fn list(header: &[String]) -> String {
    let names: Vec<String> = header.iter().map(|name| format!("{name:?}")).collect();
    names.join(", ")
}

/// Reads the columns that `map` names. Lines may have an empty cell where there is no sample.
pub fn read_csv(input: impl Read, map: &ColumnMap) -> Result<Vec<Series>, LogError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let time_place = place(&header, &map.time_column)?;
    let mut series = Vec::new();
    for (column, name) in &map.columns {
        let found = Series { name: name.clone(), samples: Vec::new() };
        series.push((place(&header, column)?, found));
    }
    let mut before: Option<(u128, String)> = None;
    let mut first = 0;
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        // Records of another length than the header are refused by the reader.
        let cell = |place: usize| record.get(place).unwrap_or_default();
        let text = cell(time_place);
        let column = time_place + 1;
        let wrong = |cause| LogError::Time { line, column, text: text.to_owned(), cause };
        let ps = parse_picoseconds(text, map.time_unit.exponent()).map_err(wrong)?;
        match before.take() {
            None if map.start == LogStart::FirstLine => first = ps,
            Some((earlier, before)) if ps < earlier => {
                let time = text.to_owned();
                return Err(LogError::TimeGoesBack { line, column, time, before });
            }
            _ => {}
        }
        before = Some((ps, text.to_owned()));
        let time = instant(ps - first).map_err(wrong)?;
        for (place, series) in &mut series {
            let text = cell(*place);
            if text.is_empty() {
                continue;
            }
            let number = text.parse().map_err(|_| LogError::NotANumber {
                line,
                column: *place + 1,
                name: header[*place].clone(),
                text: text.to_owned(),
            })?;
            series.samples.push((time, number));
        }
    }
    Ok(series.into_iter().map(|(_, series)| series).collect())
}

fn place(header: &[String], column: &str) -> Result<usize, LogError> {
    let mut places = header.iter().enumerate().filter(|(_, name)| *name == column);
    match (places.next(), places.next()) {
        (Some((place, _)), None) => Ok(place),
        (Some(_), Some(_)) => Err(LogError::TwoColumns { column: column.to_owned() }),
        (None, _) => Err(LogError::NoSuchColumn {
            column: column.to_owned(),
            nearest: path::nearest(column, header.iter().map(String::as_str)).map(str::to_owned),
            header: header.to_vec(),
        }),
    }
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
            "line 2, column 1: the time \"1;5\" is not a decimal number"
        );
        assert_eq!(
            error("t,temp\n2,1\n1,1\n"),
            "line 3, column 1: the time \"1\" comes after \"2\"; times must not go back"
        );
        assert!(error("t,temp\n1\n").contains("line: 2"), "{}", error("t,temp\n1\n"));
        assert_eq!(
            error("t,tmp\n1,2\n"),
            "the log has no column \"temp\"; did you mean tmp?; its header has \"t\", \"tmp\""
        );
        assert!(error("t,temp,temp\n").contains("two columns"));
    }
}
