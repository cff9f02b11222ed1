//! Folders that processes left behind when they were killed.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FileType, FlockOperation, Mode, OFlags, flock, fstat, open, openat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::LOCK;

/// A folder without a lock may be one that is being made.
const YOUNG: Duration = Duration::from_secs(60);

/// Removes those in `place` whose names begin with `prefix`.
pub fn remove(place: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        if !is_named {
            continue;
        }
        if let Some(_held) = hold(&entry.path(), geteuid().as_raw()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// What may be removed: a folder of this user that no process holds. It is held until the result is dropped.
pub fn hold(folder: &Path, user: u32) -> Option<Held> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = open(folder, flags, Mode::empty()).ok()?;
    let about = fstat(&folder).ok()?;
    if about.st_uid != user {
        return None;
    }
    // Anybody can put a pipe or a link into a folder of this name: an open of it must neither wait nor follow.
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    match openat(&folder, LOCK, flags, Mode::empty()) {
        Ok(lock) => {
            let is_file = FileType::from_raw_mode(fstat(&lock).ok()?.st_mode).is_file();
            if !is_file || flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
                return None;
            }
            Some(Held { _lock: Some(lock) })
        }
        Err(Errno::NOENT) => {
            let changed = UNIX_EPOCH + Duration::from_secs(about.st_mtime.max(0) as u64);
            let age = SystemTime::now().duration_since(changed).unwrap_or_default();
            (age > YOUNG).then_some(Held { _lock: None })
        }
        Err(_) => None,
    }
}

/// A folder that nobody else removes meanwhile.
pub struct Held {
    _lock: Option<OwnedFd>,
}
