//! Standard output and standard error, which may be closed at any time: `ironbird types | head` is no
//! error. Any other failure to print shows in the exit status.

use std::fmt::Display;
use std::io::{ErrorKind, Result, StdoutLock, Write, stderr, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// Whether something could not be printed.
static FAILED: AtomicBool = AtomicBool::new(false);

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
        FAILED.store(true, Ordering::Relaxed);
        complain(format_args!("cannot print: {error}\n"));
    }
}

/// Tells the user of a problem; where nobody listens, nothing is lost.
pub fn complain(text: impl Display) {
    let _ = write!(stderr().lock(), "{text}");
}

/// The exit status, after what could not be printed.
pub fn status(status: u8) -> u8 {
    if status == 0 && FAILED.load(Ordering::Relaxed) { crate::FAILED } else { status }
}

/// Refuses an output that cannot be written to a file of this name, while nothing is lost yet.
pub fn refuse_output(option: &str, path: Option<&Path>) -> std::result::Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    ironbird_files::refuse_output(path)
        .map_err(|why| Failure::input(format!("{option} {}: {why}", path.display())))
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
