//! Saving a run to bytes and going on from them, in another process and under another placement.
//!
//! A checkpoint is keyed by component path and link. It begins with a magic word, a version, a
//! fingerprint of the graph and a checksum, each checked when it is loaded.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::xxh3_64;

use crate::random::{RandomStream, Seed};
use crate::time::{Duration, Grid, Time};

/// Why a model cannot be saved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SaveError {
    /// Its type does not support it.
    #[error("it cannot save its state")]
    Unsupported,
    /// It lives in something that bytes cannot hold; see [`crate::Simulation::snapshot`].
    #[error("it can be kept in memory only")]
    InMemoryOnly,
    /// Serialisation failed.
    #[error("its state could not be written: {0}")]
    Failed(String),
}

/// Why a model's state cannot be loaded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// Its type does not support it.
    #[error("it cannot load its state")]
    Unsupported,
    /// The bytes are no state of this model.
    #[error("its state could not be read: {0}")]
    Failed(String),
    /// Something is left over.
    #[error("its state is longer than what it reads")]
    TooLong,
}

/// Why a checkpoint could not be made or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CheckpointError {
    #[error("these components cannot save their state: {}", .components.join(", "))]
    CannotSave { components: Vec<String> },
    #[error("\"{component}\": {error}")]
    Load { component: String, error: LoadError },
    #[error("this is not a checkpoint of Ironbird")]
    NotACheckpoint,
    #[error("the checkpoint has version {found}; this program reads version {supported}")]
    WrongVersion { found: u32, supported: u32 },
    #[error("the checkpoint is damaged or cut short")]
    Damaged,
    #[error("the checkpoint belongs to another system: {difference}")]
    OtherGraph { difference: String },
    #[error("the run has ended ({reason}) and cannot be saved")]
    Ended { reason: String },
    #[error("cannot write the checkpoint \"{path}\"")]
    Write { path: String, source: std::io::Error },
    #[error("cannot read the checkpoint \"{path}\"")]
    Read { path: String, source: std::io::Error },
    #[error(transparent)]
    Graph(#[from] crate::error::GraphError),
}

/// What a model keeps of itself that bytes cannot hold: a process that stands still, for one.
pub type Kept = Arc<dyn Any + Send + Sync>;

/// Takes a model's state, piece by piece.
#[derive(Debug, Default)]
pub struct StateWriter {
    bytes: Vec<u8>,
    /// What is kept in memory; nothing can be where the state is for a file.
    kept: Option<Vec<Kept>>,
}

impl StateWriter {
    /// Appends a piece.
    pub fn put<T: Serialize + ?Sized>(&mut self, piece: &T) -> Result<(), SaveError> {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes =
            postcard::to_extend(piece, bytes).map_err(|e| SaveError::Failed(e.to_string()))?;
        Ok(())
    }

    /// Appends a piece that lives in this process, which `make` makes if the state is for memory.
    pub fn keep(
        &mut self,
        make: impl FnOnce() -> Result<Kept, SaveError>,
    ) -> Result<(), SaveError> {
        let kept = self.kept.as_mut().ok_or(SaveError::InMemoryOnly)?;
        kept.push(make()?);
        Ok(())
    }

    pub(crate) fn for_memory() -> Self {
        StateWriter { bytes: Vec::new(), kept: Some(Vec::new()) }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<Kept>) {
        (self.bytes, self.kept.unwrap_or_default())
    }
}

/// Gives a model's state back, piece by piece and in the order it was written.
#[derive(Debug)]
pub struct StateReader<'a> {
    bytes: &'a [u8],
    kept: &'a [Kept],
}

impl<'a> StateReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        StateReader { bytes, kept: &[] }
    }

    pub(crate) fn with_kept(bytes: &'a [u8], kept: &'a [Kept]) -> Self {
        StateReader { bytes, kept }
    }

    /// The next piece that was kept in memory.
    pub fn kept<T: Any + Send + Sync>(&mut self) -> Result<Arc<T>, LoadError> {
        let wrong = || LoadError::Failed("what it kept in memory is not there".into());
        let (first, rest) = self.kept.split_first().ok_or_else(wrong)?;
        self.kept = rest;
        first.clone().downcast().map_err(|_| wrong())
    }

    /// Reads the next piece.
    pub fn get<T: DeserializeOwned>(&mut self) -> Result<T, LoadError> {
        let (piece, rest) =
            postcard::take_from_bytes(self.bytes).map_err(|e| LoadError::Failed(e.to_string()))?;
        self.bytes = rest;
        Ok(piece)
    }

    pub(crate) fn finish(self) -> Result<(), LoadError> {
        let is_empty = self.bytes.is_empty() && self.kept.is_empty();
        if is_empty { Ok(()) } else { Err(LoadError::TooLong) }
    }
}

/// The state of one component beside its model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ComponentState {
    /// When it is next due, and when it last changed.
    pub next: Time,
    pub last: Time,
    pub streams: Vec<RandomStream>,
    /// Values of signal outputs, in port order.
    pub outputs: Vec<Vec<u8>>,
    pub stopped: Option<Stopped>,
    pub periodic: Option<TickerState>,
    pub run_ahead: Option<RunAheadState>,
    /// The model's own state; absent where the model itself is at hand.
    pub model: Option<Vec<u8>>,
    /// What the model keeps in memory beside that, in a snapshot.
    #[serde(skip)]
    pub kept: Vec<Kept>,
    /// The model's state at its start, if a reset may want it.
    pub initial: Option<Vec<u8>>,
    /// Digest of each output so far.
    pub digests: Vec<u64>,
    /// Queries that actions have bound, and the paths of those who answer them.
    pub answered_by: Vec<(u16, String)>,
}

/// A component that makes no more steps.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Stopped {
    /// What arrives from here on is lost.
    pub since: Time,
    /// Event-driven: the time that was left in its state, and what had elapsed.
    pub left: Duration,
    pub elapsed: Duration,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TickerState {
    pub grid: Grid,
    /// Number of the next tick on the grid.
    pub next: u64,
    /// Ticks on earlier grids.
    pub base: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct RunAheadState {
    pub clock: Time,
    pub pending: Time,
    pub idle: bool,
}

/// What identifies a pipe: source and target by path, and its number among equal ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PipeKey {
    pub from: String,
    pub to: String,
    pub number: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PipeState {
    /// Arrival, sent, cycle, index, value.
    pub in_flight: Vec<(Time, Time, u32, u32, Vec<u8>)>,
    /// The value of a signal at the pipe's end.
    pub value: Option<Vec<u8>>,
    /// The interposers along it: state and random stream.
    pub interposers: Vec<(Vec<u8>, RandomStream)>,
}

/// All of a run between two instants.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RunState {
    pub now: Time,
    pub seed: Seed,
    pub components: Vec<(String, ComponentState)>,
    pub pipes: Vec<(PipeKey, PipeState)>,
    pub providers: Vec<(String, Vec<u8>)>,
    /// Name of each monitor, and whether its condition held.
    pub monitors: Vec<(String, bool)>,
    /// Digests of components that were removed.
    pub retired: Vec<(String, Vec<u64>)>,
}

const MAGIC: [u8; 8] = *b"IRONBIRD";
const VERSION: u32 = 2;
const HEADER: usize = 8 + 4 + 8 + 8;

/// A saved run. See [`crate::Simulation::checkpoint`].
#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub(crate) fingerprint: u64,
    pub(crate) state: RunState,
}

/// A run that stands still in memory, to be gone on from any number of times. See
/// [`crate::Simulation::snapshot`].
#[derive(Clone, Debug)]
pub struct Snapshot(pub(crate) Checkpoint);

impl Snapshot {
    /// The instant before which everything has happened.
    pub fn time(&self) -> Time {
        self.0.time()
    }
}

impl Checkpoint {
    /// The instant before which everything has happened.
    pub fn time(&self) -> Time {
        self.state.now
    }

    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_stdvec(&self.state).expect("plain data always serialises");
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.fingerprint.to_le_bytes());
        bytes.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads what [`Checkpoint::to_bytes`] wrote; refuses everything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let (magic, rest) =
            bytes.split_first_chunk::<8>().ok_or(CheckpointError::NotACheckpoint)?;
        if *magic != MAGIC {
            return Err(CheckpointError::NotACheckpoint);
        }
        let (version, rest) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(CheckpointError::WrongVersion { found, supported: VERSION });
        }
        let (fingerprint, rest) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        let (checksum, body) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(CheckpointError::Damaged);
        }
        let state = postcard::from_bytes(body).map_err(|_| CheckpointError::Damaged)?;
        Ok(Checkpoint { fingerprint: u64::from_le_bytes(*fingerprint), state })
    }

    /// Writes the checkpoint to a file, first beside it and then in its place, so that a crash
    /// leaves either the old file or the new one.
    pub fn write(&self, path: impl AsRef<std::path::Path>) -> Result<(), CheckpointError> {
        let path = path.as_ref();
        let beside = path.with_extension("partial");
        std::fs::write(&beside, self.to_bytes())
            .and_then(|()| std::fs::rename(&beside, path))
            .map_err(|source| CheckpointError::Write { path: path.display().to_string(), source })
    }

    /// Reads a checkpoint from a file.
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Self, CheckpointError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path)
            .map_err(|source| CheckpointError::Read { path: path.display().to_string(), source })?;
        Checkpoint::from_bytes(&bytes)
    }
}
