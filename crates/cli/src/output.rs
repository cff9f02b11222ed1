//! Standard output that may be closed at any time: `ironbird types | head` is no error.

use std::fmt::Display;
use std::io::{ErrorKind, Result, StdoutLock, Write, stdout};

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

/// Standard output for what writes piece by piece; all that comes after it was closed goes nowhere.
#[derive(Default)]
pub struct Printer {
    closed: bool,
}

impl Printer {
    fn unless_closed<T>(
        &mut self,
        closed: T,
        print: impl FnOnce(&mut StdoutLock<'_>) -> Result<T>,
    ) -> Result<T> {
        if self.closed {
            return Ok(closed);
        }
        match print(&mut stdout().lock()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(closed)
            }
            other => other,
        }
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        self.unless_closed((), |out| out.flush())
    }
}
