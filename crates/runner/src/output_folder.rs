//! A folder that one command at a time writes to.
//!
//! Two runs that record to one folder would destroy each other's files. Whoever writes holds a lock on a file in the folder,
//! however the folder is named: by a relative path or through a symbolic link. The lock ends with its holder, so that of a
//! run that was killed is in nobody's way. Its file says who holds it, and goes away with the holder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;

/// The file that is locked.
const LOCK: &str = ".lock";
/// What the file says is read no further.
const LONGEST_HOLDER: u64 = 1_000;
/// Between the lock and the name of its holder passes a moment; so often it is looked for, and so long waited in between.
const LOOKS: u32 = 20;
const MOMENT: Duration = Duration::from_millis(5);

/// Why a folder cannot be written to.
#[derive(Debug, thiserror::Error)]
pub enum OutputFolderError {
    /// Another command writes to it.
    #[error("the folder {folder} is in use: {holder} writes to it")]
    Held {
        /// As the user named it.
        folder: String,
        /// Who holds it.
        holder: String,
    },
    /// It cannot be made, or nothing can be written to it.
    #[error("cannot write to the folder {folder}: {source}")]
    Folder {
        /// As the user named it.
        folder: String,
        /// What the operating system said.
        source: io::Error,
    },
}

/// A folder that this command alone writes to, until this is dropped.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    lock: File,
    unlocked: Option<io::Error>,
}

impl OutputFolder {
    /// Makes the folder, if it is not there, and claims it.
    ///
    /// # Errors
    /// If another command holds it, or if nothing can be written to it.
    pub fn claim(path: &Path) -> Result<Self, OutputFolderError> {
        let failed =
            |source| OutputFolderError::Folder { folder: path.display().to_string(), source };
        loop {
            fs::create_dir_all(path).map_err(|error| failed(no_folder(path, error)))?;
            let name = path.join(LOCK);
            let lock = match open(&name) {
                // The folder was removed a moment ago.
                Err(error) if error.kind() == io::ErrorKind::NotFound && !path.exists() => continue,
                opened => opened.map_err(failed)?,
            };
            let unlocked = match lock.try_lock() {
                Ok(()) => None,
                Err(TryLockError::WouldBlock) => {
                    let (folder, holder) = (path.display().to_string(), holder(&lock));
                    return Err(OutputFolderError::Held { folder, holder });
                }
                Err(TryLockError::Error(error)) => Some(error),
            };
            // Its last holder may have removed the file that was opened.
            if is_at(&lock, &name).map_err(failed)? {
                let claimed = OutputFolder { path: path.to_owned(), lock, unlocked };
                claimed.sign();
                return Ok(claimed);
            }
        }
    }

    /// Why nothing keeps others from writing to it: the file system knows no locks.
    pub fn unlocked(&self) -> Option<&io::Error> {
        self.unlocked.as_ref()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Says who holds it. Where there is no room for that, the lock still does its work.
    fn sign(&self) {
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let command: Vec<String> = words.collect();
        let text = format!("process {} ({})\n", std::process::id(), command.join(" "));
        let _ = self.lock.set_len(0).and_then(|()| (&self.lock).write_all(text.as_bytes()));
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        // While it is locked, so that nobody else's is removed.
        let name = self.path.join(LOCK);
        if is_at(&self.lock, &name).unwrap_or(false) {
            let _ = fs::remove_file(name);
        }
        // A copy of this process may have the file open, too.
        let _ = self.lock.unlock();
    }
}

/// Why there is no folder, in other words than the system's where those say little.
fn no_folder(path: &Path, error: io::Error) -> io::Error {
    let why = match (fs::metadata(path), error.kind()) {
        (Ok(there), _) if !there.is_dir() => {
            format!("it is {}", ironbird_files::what_else(&there).unwrap_or("a file"))
        }
        // All folders above have been made, or are there.
        (Err(_), io::ErrorKind::NotFound) => "no folders can be made there".into(),
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}

/// Opens the file of a lock. Nothing is followed and nothing waited for: anybody may have put anything in its place.
fn open(name: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).custom_flags(flags).open(name);
    let named = |error: io::Error| {
        io::Error::new(error.kind(), format!("{LOCK} in it cannot be opened: {error}"))
    };
    let file = file.map_err(named)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{LOCK} in it is not a file")))
}

/// Whether an open file is the one of that name.
fn is_at(file: &File, name: &Path) -> io::Result<bool> {
    let own = file.metadata()?;
    match fs::symlink_metadata(name) {
        Ok(there) => Ok((there.dev(), there.ino()) == (own.dev(), own.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// What the holder of a lock says of itself.
fn holder(lock: &File) -> String {
    for _ in 0..LOOKS {
        let mut said = String::new();
        let mut file = lock;
        let read = io::Seek::rewind(&mut file)
            .and_then(|()| file.take(LONGEST_HOLDER).read_to_string(&mut said));
        if read.is_ok() && said.ends_with('\n') {
            let shown = said.trim_end().chars();
            return shown.map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        }
        std::thread::sleep(MOMENT);
    }
    "another command".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_by_whatever_name() {
        let place = tempfile::tempdir().unwrap();
        let (folder, link) = (place.path().join("out"), place.path().join("link"));
        let held = OutputFolder::claim(&folder).unwrap();
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        for name in [folder.clone(), link.clone(), link.join("../out/.")] {
            let refused = OutputFolder::claim(&name).unwrap_err().to_string();
            assert!(refused.contains(&format!("process {} (", std::process::id())), "{refused}");
            assert!(refused.contains(&name.display().to_string()), "{refused}");
        }
        assert!(OutputFolder::claim(&folder.join("other")).is_ok());
        drop(held);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no lock is left");
        assert!(OutputFolder::claim(&link).is_ok());
    }

    #[test]
    fn what_a_dead_holder_left_is_in_nobodys_way() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join(LOCK), "process 1 (a run that was killed)\n").unwrap();
        assert!(OutputFolder::claim(place.path()).is_ok());
    }

    #[test]
    fn what_is_no_lock_is_refused_without_waiting() {
        let place = tempfile::tempdir().unwrap();
        let name = place.path().join(LOCK);
        let refused = || OutputFolder::claim(place.path()).unwrap_err().to_string();
        assert!(std::process::Command::new("mkfifo").arg(&name).status().unwrap().success());
        assert!(refused().contains(".lock in it is not a file"), "{}", refused());
        fs::remove_file(&name).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &name).unwrap();
        assert!(refused().contains(".lock in it cannot be opened"), "{}", refused());
        fs::remove_file(&name).unwrap();
        fs::create_dir(&name).unwrap();
        assert!(refused().contains(".lock in it cannot be opened"), "{}", refused());
    }

    #[test]
    fn of_many_who_claim_a_folder_at_once_one_holds_it_at_a_time() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let place = tempfile::tempdir().unwrap();
        let (inside, claimed) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Ok(held) = OutputFolder::claim(place.path()) else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        claimed.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(held);
                    }
                });
            }
        });
        assert!(claimed.into_inner() > 0);
    }
}
