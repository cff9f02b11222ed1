//! The folder in which a program runs: new for each run, so that nothing of an earlier one is an input of this one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ironbird_scratch::Scratch;

/// A new folder.
pub struct WorkingFolder {
    scratch: Scratch,
    folder: PathBuf,
    keep: Option<PathBuf>,
}

impl WorkingFolder {
    /// Makes a folder and copies files into it. It is copied to `keep` in the end.
    ///
    /// # Errors
    /// With what could not be made or copied.
    pub fn new(files: &[PathBuf], keep: Option<PathBuf>) -> Result<Self, String> {
        let (scratch, folder) = new_folder()?;
        for file in files {
            let name = file.file_name().unwrap_or(file.as_os_str());
            fs::copy(file, folder.join(name))
                .map_err(|error| format!("\"{}\" cannot be copied: {error}", file.display()))?;
        }
        Ok(WorkingFolder { scratch, folder, keep })
    }

    /// Makes a folder that holds what another holds.
    ///
    /// # Errors
    /// With what could not be made or copied.
    pub fn copy_of(other: &Path, keep: Option<PathBuf>) -> Result<Self, String> {
        let (scratch, folder) = new_folder()?;
        copy(other, &folder).map_err(|error| format!("its folder cannot be copied: {error}"))?;
        Ok(WorkingFolder { scratch, folder, keep })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// What has to be removed when the program is gone: this folder, and what belongs to it.
    pub fn whole(&self) -> &Path {
        self.scratch.path()
    }
}

impl Drop for WorkingFolder {
    fn drop(&mut self) {
        if let Some(keep) = &self.keep
            && let Err(error) = copy(&self.folder, keep)
        {
            eprintln!(
                "ironbird: the program's folder cannot be kept in {}: {error}",
                keep.display()
            );
        }
    }
}

/// An empty folder; the lock of the one around it is not the program's to see.
fn new_folder() -> Result<(Scratch, PathBuf), String> {
    let no = |(path, error): (PathBuf, io::Error)| {
        format!("no folder for it can be made: {}: {error}", path.display())
    };
    let scratch = Scratch::new(&std::env::temp_dir(), "native").map_err(no)?;
    let folder = scratch.path().join("home");
    fs::create_dir(&folder).map_err(|error| no((folder.clone(), error)))?;
    Ok((scratch, folder))
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
        let whole = folder.whole().to_owned();
        drop(folder);
        assert!(!path.exists() && !whole.exists());
        assert_eq!(fs::read(keep.join("logs/1")).unwrap(), b"flight");
        let missing = WorkingFolder::new(&[outside.path().join("none")], None);
        assert!(missing.is_err_and(|why| why.contains("cannot be copied")));
    }
}
