//! Pipes are read without waiting for ever for somebody who writes.

use std::fs::{File, Metadata};
use std::io::{Read, Result};
use std::path::Path;
use std::time::Duration;

/// Opens what may be a pipe. One that nobody writes into for so long is an error.
#[cfg(not(unix))]
pub fn open(path: &Path, _: &Metadata, _: Duration) -> Result<Box<dyn Read>> {
    Ok(Box::new(File::open(path)?))
}

/// Opens what may be a pipe. One that nobody writes into for so long is an error.
#[cfg(unix)]
pub fn open(path: &Path, about: &Metadata, patience: Duration) -> Result<Box<dyn Read>> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    if !about.file_type().is_fifo() {
        return Ok(Box::new(File::open(path)?));
    }
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    Ok(Box::new(unix::Pipe { file, has_begun: false, waited: Duration::ZERO, patience }))
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::{Error, ErrorKind};

    const NAP: Duration = Duration::from_millis(10);

    /// A pipe that says at once whether there is something to read.
    pub struct Pipe {
        pub file: File,
        /// Whether somebody has written, or could.
        pub has_begun: bool,
        /// Without anybody.
        pub waited: Duration,
        pub patience: Duration,
    }

    impl Read for Pipe {
        /// At the end of a pipe, and before somebody opens it, a read gives nothing; while somebody has it open, there
        /// is nothing yet (pipe(7)).
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            loop {
                match self.file.read(buffer) {
                    Ok(0) if self.has_begun || buffer.is_empty() => return Ok(0),
                    Ok(0) if self.waited >= self.patience => {
                        let seconds = self.patience.as_secs_f64();
                        return Err(Error::new(
                            ErrorKind::TimedOut,
                            format!("it is a pipe, and nobody has written into it for {seconds} s"),
                        ));
                    }
                    Ok(0) => self.waited += NAP,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => self.has_begun = true,
                    other => {
                        self.has_begun = true;
                        return other;
                    }
                }
                std::thread::sleep(NAP);
            }
        }
    }
}
