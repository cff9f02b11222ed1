//! A folder for sockets and shared memory that only this user sees, and that goes away with the run.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// The beginning of all their names.
const PREFIX: &str = "ironbird-";

/// A folder that goes away.
#[derive(Debug)]
pub(crate) struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// A new one. `what` tells several of one process apart.
    ///
    /// # Errors
    /// With the folder that cannot be made.
    pub fn new(what: &str) -> Result<Self, (String, io::Error)> {
        let place = Path::new("/dev/shm");
        let place = if place.is_dir() { place.to_owned() } else { env::temp_dir() };
        remove_stale(&place);
        // Several runs of one process come one after the other.
        let folder = place.join(format!("{PREFIX}{what}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        // Nobody else is to connect.
        match fs::DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => Ok(PrivateFolder(folder)),
            Err(error) => Err((folder.display().to_string(), error)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// Folders of processes that were killed before they could remove them.
fn remove_stale(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let rest = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let owner = rest.and_then(|rest| rest.split_once('-')).map(|(_, owner)| owner);
        let Some(owner) = owner.and_then(|owner| owner.parse::<u32>().ok()) else { continue };
        if owner != process::id() && !Path::new(&format!("/proc/{owner}")).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
