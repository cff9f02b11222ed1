//! Why a log could not be read.

use std::path::PathBuf;

use ironbird_tables::TableError;

/// Why a log could not be read. Every message names the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LogError {
    #[error("{}: it cannot be read: {cause}", file.display())]
    Io { file: PathBuf, cause: std::io::Error },
    #[error("{}: it is compressed and larger than {most} bytes when it is not", file.display())]
    TooLarge { file: PathBuf, most: u64 },
    #[error("{}, byte {byte}: {what}", file.display())]
    Contents { file: PathBuf, byte: usize, what: String },
    #[error("{}", error.in_file(file))]
    Table { file: PathBuf, error: TableError },
    #[error("{}: the header has semicolons; columns are separated by commas", file.display())]
    Semicolons { file: PathBuf },
    #[error(
        "{}: there is no column {column:?}{}; `ironbird compare LOG` without --with lists all",
        file.display(), suggestion(nearest)
    )]
    NoSuchColumn { file: PathBuf, column: String, nearest: Option<String> },
    #[error("{}: {column:?} holds texts, not numbers", file.display())]
    Text { file: PathBuf, column: String },
    #[error("{}: \"{message}\" has no time: it has no field {expected}", file.display())]
    NoTime { file: PathBuf, message: String, expected: &'static str },
    #[error(
        "{}, byte {byte}: the time of \"{message}\" goes back, from {before} us to {time} us",
        file.display()
    )]
    TimeGoesBack { file: PathBuf, byte: usize, message: String, before: u64, time: u64 },
    #[error("{}, byte {byte}: the time {time} us is beyond the range of time", file.display())]
    TimeTooLarge { file: PathBuf, byte: usize, time: u64 },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}
