//! Experiment files: read, merged, expanded and checked.
//!
//! ```text
//! file.toml ─► load ──► expand ───► check ──► Experiment
//!   TOML       extends   templates   types, units, frames, links,
//!   with       and       and         scenarios, requirements
//!   places     --set     arrays
//! ```
//!
//! Everything that is wrong is a [`Problem`] with its place in the file; [`check`] reports all of them
//! at once. A checked [`Experiment`] can be run: see the runner.

mod acts;
mod answering;
mod bindings;
mod check;
pub mod checked;
pub mod commands;
mod each;
mod expand;
mod faults;
mod fill_in;
mod formulas;
mod inputs;
mod lifetimes;
mod links;
mod load;
mod merge;
mod names;
pub mod picture;
pub mod ports;
pub mod programs;
mod records;
mod repetition;
mod resolved;
mod scenario;
mod style;
mod suggestions;
mod switches;
mod system;
mod timing;
mod values;
mod via;

use std::path::Path;

pub use check::{Draft, check, check_or_draft};
pub use checked::Experiment;
use ironbird_component::Registry;
pub use ironbird_document::{Data, Details, Entry, Item, Place, Problem, Problems, Source, Table};
pub use load::{load, load_text};
pub use names::is_at_or_below;

/// Reads and checks an experiment file.
pub fn open(
    path: &Path,
    sets: &[String],
    registry: &Registry,
) -> Result<(Experiment, Problems), Problems> {
    check(&load(path, sets)?, registry)
}
