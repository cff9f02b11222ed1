//! A file that one recorder at a time writes to, whatever it is called: by a symbolic or by a hard link.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;

/// A file that nobody else writes to, until this is dropped.
pub(crate) struct HeldFile(File);

impl HeldFile {
    /// An empty file. What another one still writes is left as it is, and `WouldBlock` given back.
    pub fn create(path: &Path) -> Result<Self, TryLockError> {
        let mut options = OpenOptions::new();
        // Not emptied before it is known to be nobody's.
        let file = options.write(true).create(true).truncate(false).open(path);
        let file = file.map_err(TryLockError::Error)?;
        // A device or a pipe is nobody's.
        if file.metadata().map_err(TryLockError::Error)?.is_file() {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(TryLockError::WouldBlock),
                // Some file systems know no locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            file.set_len(0).map_err(TryLockError::Error)?;
        }
        Ok(HeldFile(file))
    }
}

impl Write for HeldFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Drop for HeldFile {
    fn drop(&mut self) {
        // A copy of this process may have the file open, too.
        let _ = self.0.unlock();
    }
}
