//! Names of outputs, checked before there is anything to write.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

/// Refuses the name of an output that would hold up who writes it, or that cannot be written to: a pipe in the file
/// system, a socket, a block device, a folder. A file, what is not there yet, a device of characters (`/dev/null`, a terminal)
/// and what this process has open already (`/dev/stdout`, `/dev/fd/63`) may be written to.
///
/// # Errors
/// With what is there, or why it cannot be told.
pub fn refuse_output(path: &Path) -> Result<()> {
    let Ok(about) = std::fs::metadata(path) else {
        // It is not there, or nobody may know: writing will tell.
        return Ok(());
    };
    let is_welcome = about.is_file() || is_characters(&about) || is_descriptor(path);
    match super::what_else(&about) {
        Some(other) if !is_welcome => {
            Err(Error::other(format!("it is {other}, and the output is written to a file")))
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn is_characters(about: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&about.file_type())
}

#[cfg(not(unix))]
fn is_characters(_: &std::fs::Metadata) -> bool {
    false
}

/// Whether a name leads to something that a process has open (`/proc/self/fd`), as `/dev/stdout` does.
pub fn is_descriptor(path: &Path) -> bool {
    const LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder: PathBuf = folder.unwrap_or(Path::new(".")).into();
        let Ok(folder) = folder.canonicalize() else { return false };
        if folder.starts_with("/proc") && folder.ends_with("fd") {
            return true;
        }
        let Ok(next) = std::fs::read_link(&path) else { return false };
        path = folder.join(next);
    }
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_files_terminals_and_what_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, link, file] = ["pipe", "link", "file"].map(|name| folder.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
        for fine in [&file, &link, Path::new("/dev/stdout"), Path::new("/dev/null")] {
            assert!(refuse_output(fine).is_ok(), "{fine:?}");
        }
        assert!(is_descriptor(&link) && !is_descriptor(&pipe));
        let refused = |path: &Path| refuse_output(path).unwrap_err().to_string();
        assert_eq!(refused(&pipe), "it is a pipe, and the output is written to a file");
        assert_eq!(refused(folder.path()), "it is a folder, and the output is written to a file");
    }
}
