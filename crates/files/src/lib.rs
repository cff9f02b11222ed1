//! Files that users name. A name may lead to a device without an end, or to a pipe into which nobody writes: what is
//! read has a largest size, and what is waited for has an end. Each error says what is there, and fits behind "it cannot be
//! read:".
//!
//! ```
//! let error = ironbird_files::read("/dev/zero".as_ref(), ironbird_files::LARGEST_TEXT).unwrap_err();
//! assert_eq!(error.to_string(), "it is larger than 16 MiB");
//! let error = ironbird_files::open("/dev/zero".as_ref()).unwrap_err();
//! assert_eq!(error.to_string(), "it is a device, not a file");
//! ```

mod output;
mod pipe;

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;
use std::time::Duration;

pub use output::{is_descriptor, refuse_output};

/// Of a file that people write by hand, in bytes.
pub const LARGEST_TEXT: u64 = 16 << 20;
/// Of a table, a log, a picture or a program that is read into memory, in bytes.
pub const LARGEST_DATA: u64 = 4 << 30;

/// How long a pipe may be without anybody who writes into it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens a file, and nothing else: no pipe, no device, no folder.
///
/// # Errors
/// As of the system, or with what is there instead.
pub fn open(path: &Path) -> Result<File> {
    match what_else(&std::fs::metadata(path)?) {
        Some(other) => Err(Error::other(format!("it is {other}, not a file"))),
        None => File::open(path),
    }
}

/// Opens a file, and nothing else, that is read into memory.
///
/// # Errors
/// As of [`open`], or if it is larger than [`LARGEST_DATA`].
pub fn open_data(path: &Path) -> Result<File> {
    let file = open(path)?;
    if file.metadata()?.len() > LARGEST_DATA { Err(too_large(LARGEST_DATA)) } else { Ok(file) }
}

/// All of a file, or of what a pipe or a device gives, if that is at most so many bytes; of a device, if that is at most a
/// text: most of them have no end.
///
/// # Errors
/// As of the system; if it is a folder, if it is larger ([`ErrorKind::FileTooLarge`]), if nobody writes into the pipe.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    read_within(path, most, PATIENCE)
}

/// All of a text of at most so many bytes.
///
/// # Errors
/// As of [`read`], or with the line that is not text in UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        Error::new(ErrorKind::InvalidData, format!("line {line} is not text in UTF-8"))
    })
}

fn read_within(path: &Path, most: u64, patience: Duration) -> Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(Error::other("it is a folder, not a file"));
    }
    if about.is_file() && about.len() > most {
        return Err(too_large(most));
    }
    let is_endless = what_else(&about) == Some("a device");
    let most = if is_endless { most.min(LARGEST_TEXT) } else { most };
    let mut bytes = Vec::new();
    // A file may grow meanwhile, and some have no size, as those of /proc.
    pipe::open(path, &about, patience)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> Error {
    let most = match most >> 30 {
        0 => format!("{} MiB", most >> 20),
        large => format!("{large} GiB"),
    };
    Error::new(ErrorKind::FileTooLarge, format!("it is larger than {most}"))
}

/// What something is that is no file.
pub fn what_else(about: &Metadata) -> Option<&'static str> {
    let kind = about.file_type();
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    if kind.is_dir() { Some("a folder") } else { None }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;
    use std::process::Command;

    fn fifo(folder: &Path) -> PathBuf {
        let path = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn a_file_is_read_up_to_its_largest_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [b'x'; 1 << 20]).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap().len(), 1 << 20);
        std::fs::write(&path, [b'x'; (1 << 20) + 1]).unwrap();
        let refused = read(&path, 1 << 20).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::FileTooLarge);
        assert_eq!(refused.to_string(), "it is larger than 1 MiB");
        // Much larger than what is on the disk.
        File::options().write(true).open(&path).unwrap().set_len(LARGEST_DATA + 1).unwrap();
        assert_eq!(open_data(&path).unwrap_err().to_string(), "it is larger than 4 GiB");
        assert!(open(&path).is_ok());
    }

    #[test]
    fn a_text_that_is_none_is_named_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"one\ntw\xff").unwrap();
        assert_eq!(read_text(&path, 100).unwrap_err().to_string(), "line 2 is not text in UTF-8");
        assert_eq!(
            read_text(folder.path(), 100).unwrap_err().to_string(),
            "it is a folder, not a file"
        );
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(refused(&fifo(folder.path())), "it is a pipe, not a file");
        assert_eq!(refused(folder.path()), "it is a folder, not a file");
        assert_eq!(refused(Path::new("/dev/null")), "it is a device, not a file");
        let endless = read(Path::new("/dev/zero"), LARGEST_DATA).unwrap_err().to_string();
        assert_eq!(endless, "it is larger than 16 MiB");
    }

    #[test]
    fn a_pipe_is_waited_for_until_somebody_writes_or_patience_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = fifo(folder.path());
        let lost = read_within(&path, 100, Duration::from_millis(100)).unwrap_err();
        assert_eq!(lost.to_string(), "it is a pipe, and nobody has written into it for 0.1 s");
        // Who has begun to write may take longer, and is late itself.
        let writer = std::thread::spawn({
            let path = path.clone();
            move || {
                std::thread::sleep(Duration::from_millis(200));
                let mut file = File::options().write(true).open(path).unwrap();
                file.write_all(b"slow").unwrap();
                std::thread::sleep(Duration::from_millis(700));
                file.write_all(b"ly").unwrap();
            }
        });
        assert_eq!(read_within(&path, 100, Duration::from_millis(500)).unwrap(), b"slowly");
        writer.join().unwrap();
    }
}
