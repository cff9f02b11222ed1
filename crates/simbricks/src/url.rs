//! Links as users write them on the command line of a simulator:
//!
//! ```text
//! connect:SOCKET[:sync=true|false][:latency=N][:sync_interval=N]
//! listen:SOCKET:SHM[:sync=true|false][:latency=N][:sync_interval=N]
//! ```
//!
//! `sync=true` requires synchronisation, `sync=false` disables it; without, it is optional. An empty SHM
//! puts the shared memory into no file at all.
//!
//! **The unit of N.** SimBricks' orchestration writes nanoseconds, and most programs that read such a URL
//! (nicbm, QEMU, Corundum) take it so; but SimBricks' C library itself, where a program uses its
//! `SimbricksParametersEstablish`, takes the same number for picoseconds (its issue 178). Here it is
//! nanoseconds, unless [`Unit::Picoseconds`] is asked for.

use std::path::PathBuf;

use crate::error::LinkError;
use crate::handshake::{Connecter, Listener, Pending};
use crate::layout::SyncMode;
use crate::link::{Link, QueueSize};
use crate::pool::Place;

/// What a number without a unit counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// As SimBricks' orchestration writes.
    #[default]
    Nanoseconds,
    /// As SimBricks' C library reads.
    Picoseconds,
}

/// Which side of a link this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Connects to a socket.
    Connect {
        /// Path of the socket.
        socket: PathBuf,
    },
    /// Listens at a socket.
    Listen {
        /// Path of the socket.
        socket: PathBuf,
        /// Where the shared memory lies.
        place: Place,
    },
}

/// A link as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// Which side this is.
    pub role: Role,
    /// Whether time is synchronised.
    pub sync: SyncMode,
    /// In picoseconds, where given.
    pub latency: Option<u64>,
    /// In picoseconds, where given.
    pub sync_interval: Option<u64>,
}

/// What is wrong with a URL, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{url}`, column {column}: {problem}")]
pub struct UrlError {
    /// The text.
    pub url: String,
    /// The first character of the part that is wrong, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
}

/// Parts between colons, with the byte at which each begins.
struct Parts<'url> {
    url: &'url str,
    rest: Option<&'url str>,
    at: usize,
}

impl<'url> Parts<'url> {
    fn next(&mut self) -> Option<(usize, &'url str)> {
        let rest = self.rest?;
        let at = self.at;
        let (part, behind) = match rest.split_once(':') {
            Some((part, behind)) => (part, Some(behind)),
            None => (rest, None),
        };
        self.rest = behind;
        self.at += part.len() + 1;
        Some((at, part))
    }

    fn error(&self, at: usize, problem: impl Into<String>) -> UrlError {
        let column = self.url.get(..at).unwrap_or(self.url).chars().count() + 1;
        UrlError { url: self.url.to_owned(), column, problem: problem.into() }
    }

    fn path(&mut self, what: &str) -> Result<PathBuf, UrlError> {
        match self.next() {
            Some((_, path)) if !path.is_empty() => Ok(path.into()),
            Some((at, _)) => Err(self.error(at, format!("the path of {what} is empty"))),
            None => Err(self.error(self.url.len(), format!("the path of {what} is missing"))),
        }
    }
}

impl Url {
    /// Reads a URL whose times are in nanoseconds.
    ///
    /// # Errors
    /// If it is not one; the error says where.
    pub fn parse(url: &str) -> Result<Self, UrlError> {
        Self::parse_in(url, Unit::Nanoseconds)
    }

    /// Reads a URL whose times are in `unit`.
    ///
    /// # Errors
    /// If it is not one; the error says where.
    pub fn parse_in(url: &str, unit: Unit) -> Result<Self, UrlError> {
        let mut parts = Parts { url, rest: Some(url), at: 0 };
        let role = match parts.next() {
            Some((_, "connect")) => Role::Connect { socket: parts.path("the socket")? },
            Some((_, "listen")) => {
                let socket = parts.path("the socket")?;
                let place = match parts.next() {
                    Some((_, "")) => Place::Memory,
                    Some((at, option)) if option.contains('=') => {
                        let problem = "the path of the shared memory is missing before the options";
                        return Err(parts.error(at, problem));
                    }
                    Some((_, path)) => Place::Path(path.into()),
                    None => {
                        let problem = "the path of the shared memory is missing";
                        return Err(parts.error(url.len(), problem));
                    }
                };
                Role::Listen { socket, place }
            }
            _ => return Err(parts.error(0, "it begins with neither `connect:` nor `listen:`")),
        };
        let mut read = Self { role, sync: SyncMode::Optional, latency: None, sync_interval: None };
        let mut has_sync = false;
        while let Some((at, part)) = parts.next() {
            let Some((key, value)) = part.split_once('=') else {
                return Err(parts.error(at, format!("`{part}` is not an option `name=value`")));
            };
            let value_at = at + key.len() + 1;
            let is_again = match key {
                "sync" => std::mem::replace(&mut has_sync, true),
                "latency" => read.latency.is_some(),
                "sync_interval" => read.sync_interval.is_some(),
                _ => {
                    let problem = format!(
                        "there is no option `{key}`; there are sync, latency, sync_interval"
                    );
                    return Err(parts.error(at, problem));
                }
            };
            if is_again {
                return Err(parts.error(at, format!("`{key}` is given twice")));
            }
            match (key, value) {
                ("sync", "true") => read.sync = SyncMode::Required,
                ("sync", "false") => read.sync = SyncMode::Disabled,
                ("sync", _) => return Err(parts.error(value_at, "it is neither true nor false")),
                ("latency", _) => read.latency = Some(time(&parts, value_at, value, unit)?),
                _ => read.sync_interval = Some(time(&parts, value_at, value, unit)?),
            }
        }
        Ok(read)
    }

    /// The link that the URL says, to be established: `link` with what is written of it, and queues of `size` if
    /// this side listens.
    ///
    /// # Errors
    /// As for [`Listener::bind`] and [`Connecter::new`].
    pub fn open(&self, mut link: Link, size: QueueSize) -> Result<Pending, LinkError> {
        self.apply(&mut link);
        Ok(match &self.role {
            Role::Connect { socket } => Connecter::new(link, socket)?.into(),
            Role::Listen { socket, place } => Listener::bind(link, socket, place, size)?.into(),
        })
    }

    /// Sets what the URL says of a link.
    pub fn apply(&self, link: &mut Link) {
        link.sync = self.sync;
        link.latency = self.latency.unwrap_or(link.latency);
        link.sync_interval = self.sync_interval.unwrap_or(link.sync_interval);
    }
}

fn time(parts: &Parts<'_>, at: usize, value: &str, unit: Unit) -> Result<u64, UrlError> {
    let factor = match unit {
        Unit::Nanoseconds => 1000,
        Unit::Picoseconds => 1,
    };
    // `parse` would take a sign as well.
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| value.parse::<u64>().ok()).flatten();
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| parts.error(at, format!("`{value}` is not a whole number of {unit}")))
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nanoseconds => "nanoseconds that fits into 64 bits of picoseconds",
            Self::Picoseconds => "picoseconds that fits into 64 bits",
        })
    }
}
