//! What can go wrong with a recording, and what to do about it.

use std::io;

use ironbird_kernel::Time;

/// Why a recording could not be made, read or exported.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file could not be opened, read or written.
    #[error("cannot {doing} {file}: {source}")]
    File {
        /// "create", "read" or "write".
        doing: &'static str,
        /// The file as the user named it.
        file: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// Two that write to one file destroy each other's recording.
    #[error("another run records to {file}: choose another file")]
    InUse {
        /// The file as the user named it.
        file: String,
    },
    /// The file is something else.
    #[error("{file} is not a recording: it does not start as an MCAP file does")]
    NotARecording {
        /// The file as the user named it.
        file: String,
    },
    /// Two channels of one name would be mixed up.
    #[error("two recorded channels are called {name}; every name may occur once")]
    DuplicateChannel {
        /// The name.
        name: String,
    },
    /// The format numbers channels with 16 bits.
    #[error("{count} channels do not fit in one recording; it holds at most {}", u16::MAX - 1)]
    TooManyChannels {
        /// How many there are.
        count: usize,
    },
    /// The recording has no channel of that name.
    #[error("the recording has no channel {name}{}", crate::error::suggestion(.nearest))]
    UnknownChannel {
        /// What was asked for.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// There are no frames to be written.
    #[error(
        "the recording holds no Ethernet frames: record the output `received` of a component that is a link, or \
         `messages` with `trace = true`"
    )]
    NoFrames,
    /// A value does not have the size that its schema says.
    #[error("a value of {channel} at {time} has {found} bytes, but its type needs {needed}")]
    WrongSize {
        /// The channel.
        channel: String,
        /// When.
        time: Time,
        /// How many bytes its schema asks for.
        needed: usize,
        /// How many there were.
        found: usize,
    },
    /// The schema of a channel cannot be understood.
    #[error("the message definition of channel {channel} cannot be read: {cause}")]
    Schema {
        /// The channel.
        channel: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A table could not be written.
    #[error("cannot export to {file}: {cause}")]
    Export {
        /// The file as the user named it.
        file: String,
        /// What went wrong.
        cause: String,
    },
    /// The thread that records ended before its time.
    #[error("the recording thread failed: {cause}")]
    Thread {
        /// What it said.
        cause: String,
    },
}

/// `; did you mean x?`, where there is something near.
pub(crate) fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}
