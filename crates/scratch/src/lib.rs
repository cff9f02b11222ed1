//! Folders for the time of a run. They are removed with what holds them.
//!
//! A process that is killed leaves its folder behind. The next process that makes a folder of the same family removes it. A
//! lock tells whether a folder is still needed, because it ends with its process. Process numbers do not tell, where
//! containers share a folder.
//!
//! The folders lie where every user of the machine may write (`/dev/shm`, `/tmp`). So nothing of another user is opened, no
//! link is followed, and no open waits: a pipe in the place of a lock does not stop a run.

mod left_behind;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The beginning of all their names.
const PREFIX: &str = "ironbird-";
/// The file in a folder that is locked as long as the folder is needed.
const LOCK: &str = ".lock";
/// The lock before it is locked.
const NEW_LOCK: &str = ".lock-new";

/// A folder that only this user sees. It goes away with this.
#[derive(Debug)]
pub struct Scratch {
    // In this order: the lock is held until the folder is gone.
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new folder in `place`, `ironbird-FAMILY-PROCESS-LETTERS`. Its name is of the same length in every process.
    ///
    /// Folders of the same family that killed processes have left in `place` are removed.
    ///
    /// # Errors
    /// With the path that cannot be made.
    pub fn new(place: &Path, family: &str) -> Result<Self, (PathBuf, io::Error)> {
        left_behind::remove(place, &format!("{PREFIX}{family}-"));
        // Process numbers of Linux have seven digits at most (PID_MAX_LIMIT).
        let prefix = format!("{PREFIX}{family}-{:07}-", std::process::id());
        let folder = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(place)
            .map_err(|error| (place.to_owned(), error))?;
        let lock = lock(folder.path()).map_err(|error| (folder.path().to_owned(), error))?;
        Ok(Scratch { folder, _lock: lock })
    }

    /// As [`Scratch::new`], in memory where this machine shares memory by files.
    ///
    /// # Errors
    /// With the path that cannot be made.
    pub fn in_memory(family: &str) -> Result<Self, (PathBuf, io::Error)> {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        Scratch::new(&place, family)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a folder. The lock gets its name when it is held: nobody finds it free.
fn lock(folder: &Path) -> io::Result<File> {
    let new = folder.join(NEW_LOCK);
    let file = OpenOptions::new().write(true).create_new(true).open(&new)?;
    file.lock()?;
    fs::rename(new, folder.join(LOCK))?;
    Ok(file)
}

#[cfg(test)]
mod tests;
