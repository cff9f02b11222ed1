//! What is wrong with a file, and what in it has no effect here: both with the place and in words for its author.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as it was found.
    pub file: Arc<Path>,
    /// The line, from 1; 0 stands for the file as a whole.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file.display()),
            line => write!(f, "{}:{line}", self.file.display()),
        }
    }
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}; {help}")]
pub struct SdfError {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

impl SdfError {
    /// An error at a place.
    pub fn new(place: &Place, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place: place.clone(), what: what.into(), help: help.into() }
    }

    /// An error of a file as a whole.
    pub fn of_file(file: &Path, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(&Place { file: file.into(), line: 0 }, what, help)
    }
}

/// Something that was read, but has no effect or another than its author may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: Arc<Path>,
    /// The line.
    pub line: u32,
    /// What has no effect.
    pub message: String,
}

impl Warning {
    /// A warning at a place.
    pub fn new(place: &Place, message: impl Into<String>) -> Self {
        Self { file: place.file.clone(), line: place.line, message: message.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}
