//! Traces in the Common Trace Format 1.8, as LTTng writes them, read without other programs.
//!
//! A trace is a folder with a file `metadata`, which describes all the others in a language of its own,
//! and one file for every processor. `lttng` puts it some folders deep, so [`Trace::open`] looks below,
//! too; a trace of several users or processes has several such folders, which are merged by time.
//!
//! ```no_run
//! let trace = ironbird_traces::ctf::Trace::open("my-session".as_ref())?;
//! let mut events = trace.events();
//! for event in &mut events {
//!     println!("{} ns: {} {:?}", event.time_ns, event.name, event.fields);
//! }
//! println!("{} events were lost", events.discarded());
//! events.damage().iter().for_each(|damage| eprintln!("{damage}"));
//! # Ok::<(), ironbird_traces::ctf::CtfError>(())
//! ```
//!
//! A file that ends in the middle, or has a packet that makes no sense, is read as far as it does, and
//! [`Events::damage`] says what was left out. Memory is at most the size of the files and some multiple of
//! one event of each, whatever the bytes are.

mod babeltrace;
mod bits;
mod decode;
mod error;
mod field;
mod lexer;
mod metadata;
mod stream;
mod tsdl;
mod tsdl_types;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use babeltrace::{TextError, read_babeltrace_text};
pub use error::CtfError;
pub use field::{Fields, Value};

use metadata::Metadata;
use stream::Stream;

/// Folders below the one that was named.
const DEEPEST_FOLDER: usize = 8;

/// One event of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, in nanoseconds since 1970.
    pub time_ns: i64,
    /// Its name, such as `ros2:callback_start`.
    pub name: Arc<str>,
    /// What holds for all events of its packet, such as `cpu_id`.
    pub packet: Arc<Fields>,
    /// What was recorded with every event, such as `vpid` and `vtid`.
    pub context: Fields,
    /// What is its own.
    pub fields: Arc<Fields>,
}

/// A trace whose metadata is understood, ready to be read.
pub struct Trace {
    parts: Vec<Part>,
}

struct Part {
    metadata: Metadata,
    /// Names and contents.
    files: Vec<(String, Vec<u8>)>,
}

impl Trace {
    /// Opens a folder that holds a trace, or has some below it.
    pub fn open(folder: &Path) -> Result<Trace, CtfError> {
        let mut folders = Vec::new();
        find_metadata(folder, DEEPEST_FOLDER, &mut folders)?;
        if folders.is_empty() {
            return Err(CtfError::NoMetadata { folder: folder.into() });
        }
        let parts = folders.iter().map(|folder| {
            let file = folder.join("metadata");
            let metadata = parse(&file, &read(&file)?)?;
            let mut files = Vec::new();
            for entry in entries(folder)? {
                let name = entry.file_name().unwrap_or_default().to_string_lossy();
                if entry.is_file() && name != "metadata" && !name.starts_with('.') {
                    files.push((entry.display().to_string(), read(&entry)?));
                }
            }
            Ok(Part { metadata, files })
        });
        Ok(Trace { parts: parts.collect::<Result<_, CtfError>>()? })
    }

    /// A trace from the bytes of its metadata, as text or in packets, and of its streams with their names.
    pub fn from_bytes(metadata: &[u8], streams: Vec<(String, Vec<u8>)>) -> Result<Trace, CtfError> {
        let metadata = parse(Path::new("metadata"), metadata)?;
        Ok(Trace { parts: vec![Part { metadata, files: streams }] })
    }

    /// All events in the order of time; those of one time in the order of the files.
    pub fn events(&self) -> Events<'_> {
        let parts = self.parts.iter().flat_map(|part| {
            part.files.iter().map(|(name, bytes)| Stream::new(name, bytes, &part.metadata))
        });
        let mut events =
            Events { streams: parts.collect(), heads: Vec::new(), due: BinaryHeap::new() };
        events.heads.resize_with(events.streams.len(), || None);
        (0..events.streams.len()).for_each(|stream| events.advance(stream));
        events
    }

    /// What the tracer wrote of itself and the machine, such as `hostname` and `tracer_name`.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.parts.iter().flat_map(|part| &part.metadata.environment);
        all.map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// The events of a trace, one after the other.
pub struct Events<'a> {
    streams: Vec<Stream<'a>>,
    /// The next event of every stream.
    heads: Vec<Option<Event>>,
    due: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Events<'_> {
    fn advance(&mut self, stream: usize) {
        self.heads[stream] = self.streams[stream].next();
        if let Some(event) = &self.heads[stream] {
            self.due.push(Reverse((event.time_ns, stream)));
        }
    }

    /// Events that the tracer had no space for, in all packets that were read so far.
    pub fn discarded(&self) -> u64 {
        self.streams.iter().fold(0, |sum, stream| sum.saturating_add(stream.discarded))
    }

    /// What made no sense and was left out so far: file, byte and reason.
    pub fn damage(&self) -> Vec<String> {
        self.streams.iter().flat_map(|stream| stream.damage.iter().cloned()).collect()
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let Reverse((_, stream)) = self.due.pop()?;
        let event = self.heads[stream].take();
        self.advance(stream);
        event
    }
}

fn parse(file: &Path, bytes: &[u8]) -> Result<Metadata, CtfError> {
    let text = metadata::text(bytes).map_err(|(byte, what)| CtfError::MetadataPacket {
        file: file.into(),
        byte,
        what,
    })?;
    Metadata::parse(&text).map_err(|mistake| CtfError::Metadata {
        file: file.into(),
        line: mistake.line,
        what: mistake.what,
    })
}

fn read(file: &Path) -> Result<Vec<u8>, CtfError> {
    ironbird_files::read(file, ironbird_files::LARGEST_DATA)
        .map_err(|cause| CtfError::Io { file: file.into(), cause })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CtfError> {
    let io = |cause| CtfError::Io { file: folder.into(), cause };
    let entries = std::fs::read_dir(folder).map_err(io)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    if let Ok(paths) = &mut paths {
        paths.sort();
    }
    paths.map_err(io)
}

fn find_metadata(folder: &Path, deeper: usize, found: &mut Vec<PathBuf>) -> Result<(), CtfError> {
    if folder.join("metadata").is_file() {
        found.push(folder.into());
    } else if deeper > 0 {
        for entry in entries(folder)?.iter().filter(|entry| entry.is_dir()) {
            find_metadata(entry, deeper - 1, found)?;
        }
    }
    Ok(())
}
