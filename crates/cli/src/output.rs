//! Standard output that may be closed at any time: `ironbird types | head` is no error.

use std::fmt::Display;
use std::io::{ErrorKind, Write, stdout};

/// Prints a line.
pub fn line(text: impl Display) {
    print(format_args!("{text}\n"));
}

/// Prints a text as it is.
pub fn print(text: impl Display) {
    let written = write!(stdout().lock(), "{text}").and_then(|()| stdout().lock().flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        eprintln!("cannot print: {error}");
    }
}
