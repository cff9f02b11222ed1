//! A folder for sockets and shared memory that only this user sees, and that goes away with the run.
//!
//! A process that is killed leaves it behind; the next one removes it. A lock, which ends with its holder, tells whose
//! is still needed: process ids do not, where containers share `/dev/shm`.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, io, process};

/// The beginning of all their names.
const PREFIX: &str = "ironbird-";
/// The file in it that is locked.
const LOCK: &str = ".lock";
/// A folder without a lock may be one that is being made.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that goes away.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    path: PathBuf,
    _lock: File,
}

impl PrivateFolder {
    /// A new one. `what` tells several of one process apart.
    ///
    /// # Errors
    /// With the folder that cannot be made.
    pub fn new(what: &str) -> Result<Self, (String, io::Error)> {
        let place = Path::new("/dev/shm");
        let place = if place.is_dir() { place.to_owned() } else { env::temp_dir() };
        remove_stale(&place);
        let mut number = 0;
        loop {
            // The path of a socket in it must be short.
            let name = match number {
                0 => format!("{PREFIX}{what}-{}", process::id()),
                number => format!("{PREFIX}{what}-{}-{number}", process::id()),
            };
            let path = place.join(name);
            // Nobody else is to connect.
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    let failed = |error| (path.display().to_string(), error);
                    let lock = File::create(path.join(LOCK)).map_err(failed)?;
                    lock.lock().map_err(failed)?;
                    return Ok(PrivateFolder { path, _lock: lock });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1_000 => {
                    number += 1;
                }
                Err(error) => return Err((path.display().to_string(), error)),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Folders of processes that were killed before they could remove them.
fn remove_stale(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| {
            ["run-", "links-"].iter().any(|what| name.starts_with(&format!("{PREFIX}{what}")))
        });
        if is_ours && is_stale(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_stale(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => {
            let made = fs::metadata(folder).and_then(|about| about.modified());
            let age = made.ok().and_then(|made| SystemTime::now().duration_since(made).ok());
            age.is_some_and(|age| age > YOUNG)
        }
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_stale_once_nobody_holds_it() {
        let held = PrivateFolder::new("run").unwrap();
        let other = PrivateFolder::new("run").unwrap();
        assert_ne!(held.path(), other.path());
        assert!(!is_stale(held.path()));
        // As a process that is killed leaves it.
        let left = held.path().to_owned();
        let PrivateFolder { _lock: lock, .. } = &held;
        lock.unlock().unwrap();
        assert!(is_stale(&left));
        drop(PrivateFolder::new("run").unwrap());
        assert!(!left.exists());
        assert!(other.path().exists());
    }
}
