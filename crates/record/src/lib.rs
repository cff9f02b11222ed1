//! What a run leaves behind: recordings, tables and reports.
//!
//! ```text
//! partitions ──batches──► RecordingThread ──merged──► Recorder ──► run.mcap ──► Recording ──► CSV, Parquet
//!                              └────────────────────► observers                    └────────► Report (HTML)
//! ```
//!
//! A recording is one MCAP file that Foxglove, PlotJuggler and the Python packages `mcap` and
//! `mcap-ros2-support` read. It holds the resolved experiment, the seed and the result, and neither wall
//! time nor the name of a machine: equal runs give equal files.
//!
//! ```
//! use ironbird_kernel::{Batch, Duration, Schema, LeafKind, Sink, Time};
//! use ironbird_record::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("run.mcap");
//! let channels = [Channel::new("room.temperature", Schema::Leaf(LeafKind::F64)).unit("degC")];
//! let recorder = Recorder::create(&path, &RunInfo::default(), &channels, Settings::default())?;
//! // Tap 0 of the simulation is recorded as channel 0.
//! let thread = RecordingThread::start(recorder, vec![Some(0)], Vec::new())?;
//!
//! // What a partition does while the simulation runs:
//! let now = Time::ZERO + Duration::from_ms(5);
//! let mut batch = Batch::default();
//! batch.push(now, 0, |bytes| bytes.extend_from_slice(&21.5f64.to_le_bytes()));
//! thread.take(0, 1, batch, Time::NEVER);
//!
//! let recorded = thread.close()?;
//! let hash = recorded.output_hash();
//! recorded.finish(&RunResult::default())?;
//!
//! let recording = Recording::open(&path)?;
//! assert_eq!(recording.samples("room.temperature")?, [(now, vec![21.5])]);
//! assert_eq!(Some(recording.output_hash()?), hash);
//! # Ok(())
//! # }
//! ```

mod cdr;
mod channel;
mod chunk;
mod container;
pub mod continuous;
mod error;
mod event;
pub mod export;
mod hash;
mod held_file;
mod merge;
mod parting;
mod reader;
pub mod replay;
pub mod report;
mod ros2msg;
pub mod scene;
mod thread;
mod verdict;
mod writer;

pub use channel::{Channel, Kind, column_name};
pub use chunk::{Compression, Settings};
pub use error::RecordError;
pub use event::Event;
pub use hash::OutputHash;
pub use ironbird_tables::{decimal, log};
pub use parting::{Parting, parting};
pub use reader::{Damage, RecordedChannel, Recording, Samples, read_anything};
pub use scene::{DrawnTaps, Pose, ScenePart, body_names};
pub use thread::{Observer, Recorded, RecordingThread};
pub use verdict::{Status, Verdict};
pub use writer::{Recorder, RunInfo, RunResult};
