//! The folder in which a program runs: new for each run, so that nothing of an earlier one is an input of this one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A new folder.
pub struct WorkingFolder {
    folder: TempDir,
    keep: Option<PathBuf>,
}

impl WorkingFolder {
    /// Makes a folder and copies files into it. It is copied to `keep` in the end.
    ///
    /// # Errors
    /// With what could not be made or copied.
    pub fn new(files: &[PathBuf], keep: Option<PathBuf>) -> Result<Self, String> {
        let folder = new_folder()?;
        for file in files {
            let name = file.file_name().unwrap_or(file.as_os_str());
            fs::copy(file, folder.path().join(name))
                .map_err(|error| format!("\"{}\" cannot be copied: {error}", file.display()))?;
        }
        Ok(WorkingFolder { folder, keep })
    }

    /// Makes a folder that holds what another holds.
    ///
    /// # Errors
    /// With what could not be made or copied.
    pub fn copy_of(other: &Path, keep: Option<PathBuf>) -> Result<Self, String> {
        let folder = new_folder()?;
        copy(other, folder.path())
            .map_err(|error| format!("its folder cannot be copied: {error}"))?;
        Ok(WorkingFolder { folder, keep })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for WorkingFolder {
    fn drop(&mut self) {
        if let Some(keep) = &self.keep
            && let Err(error) = copy(self.folder.path(), keep)
        {
            eprintln!(
                "ironbird: the program's folder cannot be kept in {}: {error}",
                keep.display()
            );
        }
    }
}

fn new_folder() -> Result<TempDir, String> {
    let folder = tempfile::Builder::new().prefix("ironbird-native-").tempdir();
    folder.map_err(|error| format!("no folder for it can be made: {error}"))
}

/// Copies a folder with all that is in it, save for what is neither a file nor a folder.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_begins_with_the_files_and_goes_away() {
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("settings.txt");
        fs::write(&file, "x = 1").unwrap();
        let keep = outside.path().join("kept");
        let folder = WorkingFolder::new(std::slice::from_ref(&file), Some(keep.clone())).unwrap();
        let path = folder.path().to_owned();
        assert_eq!(fs::read(path.join("settings.txt")).unwrap(), b"x = 1");
        fs::create_dir(path.join("logs")).unwrap();
        fs::write(path.join("logs/1"), "flight").unwrap();
        drop(folder);
        assert!(!path.exists());
        assert_eq!(fs::read(keep.join("logs/1")).unwrap(), b"flight");
        let missing = WorkingFolder::new(&[outside.path().join("none")], None);
        assert!(missing.is_err_and(|why| why.contains("cannot be copied")));
    }
}
