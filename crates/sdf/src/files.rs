//! Where files are read from: the disk, or a map for tests and single texts.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A place that has files.
pub trait Files {
    /// Whether there is a file at a path.
    fn is_file(&self, path: &Path) -> bool;
    /// Whether there is a folder at a path.
    fn is_folder(&self, path: &Path) -> bool;
    /// The bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The folder that relative paths begin in, where that is known.
    fn current_folder(&self) -> Option<PathBuf> {
        None
    }
}

/// The files of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        ironbird_files::read(path, crate::xml::MAX_BYTES as u64)
    }

    fn current_folder(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
    }
}

/// Files in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory(pub BTreeMap<PathBuf, Vec<u8>>);

impl Files for Memory {
    fn is_file(&self, path: &Path) -> bool {
        self.0.contains_key(&normal(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        let path = normal(path);
        self.0.keys().any(|file| file.starts_with(&path) && *file != path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.get(&normal(path)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A path without `.` and, where it can be told from the text, without `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
