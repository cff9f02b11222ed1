//! What can be wrong with a file.

use std::fmt;
use std::path::Path;

use crate::decimal::TimeTextError;
use crate::entry::EntryError;

/// Where a cell is. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// The line of the file.
    pub line: u64,
    /// The column.
    pub column: usize,
    /// What the header calls it.
    pub name: String,
}

impl fmt::Display for CellPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellPlace { line, column, name } = self;
        write!(f, "line {line}, column {column} ({name})")
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TableError {
    #[error("it cannot be read: {0}")]
    Io(#[from] std::io::Error),
    #[error("line {line}: it cannot be read: it is no text in UTF-8")]
    NotText { line: u64 },
    /// An entry of the map of columns makes no sense.
    #[error("{0}")]
    Entry(#[from] EntryError),
    #[error(
        "line {line} (header): there is no column {column:?}{}; there are {}{}",
        suggestion(.nearest), list(.header), semicolons(.header)
    )]
    NoSuchColumn { line: u64, column: String, nearest: Option<String>, header: Vec<String> },
    #[error(
        "line {line} (header): columns {} and {} are both called {column:?}; which one is meant cannot be \
         told",
        .places[0], .places[1]
    )]
    TwoColumns { line: u64, column: String, places: [usize; 2] },
    #[error("line {line}: {found} cells, but the header has {expected} columns")]
    Cells { line: u64, found: usize, expected: usize },
    #[error("{at}: the time {text:?} {cause}")]
    Time { at: CellPlace, text: String, cause: TimeTextError },
    /// Times as they are written.
    #[error("{at}: the time {time:?} comes after {before:?}; times must not go back")]
    TimeGoesBack { at: CellPlace, time: String, before: String },
    #[error("{at}: {text:?} is not a number")]
    NotANumber { at: CellPlace, text: String },
    #[error("{at}: {text:?} is not a finite number; expected {quantity} in {unit}")]
    NotAQuantity { at: CellPlace, text: String, quantity: &'static str, unit: String },
    /// What a reader of a table does not accept in a cell.
    #[error("{at}: {what}")]
    InCell { at: CellPlace, what: String },
    /// What a reader of a table does not accept in a line.
    #[error("line {line}: {what}")]
    InLine { line: u64, what: String },
    /// What a reader of a table does not accept in the header.
    #[error("line {line} (header): {what}")]
    InHeader { line: u64, what: String },
    /// What a reader of a table does not accept as a whole.
    #[error("{0}")]
    Whole(String),
}

impl TableError {
    /// The message with the file; an entry of a map is none of the file's and blames `columns`.
    pub fn in_file(&self, file: &Path) -> String {
        let file = file.display();
        match self {
            TableError::Entry(error) => format!("\"columns\": {error}"),
            TableError::Io(_) | TableError::Whole(_) => format!("{file}: {self}"),
            _ => format!("{file}, {self}"),
        }
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}

/// A hint for files in which semicolons stand between the columns.
fn semicolons(header: &[String]) -> &'static str {
    match header.iter().any(|name| name.contains(';')) {
        true => "; the header has semicolons; columns are separated by commas",
        false => "",
    }
}

fn list(header: &[String]) -> String {
    let names: Vec<String> = header.iter().map(|name| format!("{name:?}")).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
