//! Recordings and logs as components: `replay.recording` and `replay.csv` play signals back at exactly
//! the times at which they were recorded.
//!
//! ```text
//! recording.mcap ─► replay.recording ──reading──► whatever takes a reading
//! flight.csv     ─► replay.csv       ──speed────► whatever takes a speed
//! ```
//!
//! Every channel or column is an output. A signal has its first value from the start on and keeps its
//! last one. Single numbers and arrays of up to 16 `f64` have the type that was recorded; of all other
//! values (structures, choices, larger arrays) every number is an output of its own.

mod csv_log;
mod offset;
mod recording;
mod track;

use ironbird_component::{ParameterDescription, ParameterKind, Registry, RegistryError};
use ironbird_kernel::Parameter;

/// Adds the component types of this module.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(recording::RecordingType::new()))?;
    registry.register_type(Box::new(csv_log::CsvType::new()))
}

/// A parameter that must be given and stays.
fn given(path: &str, kind: ParameterKind, doc: &str) -> ParameterDescription {
    ParameterDescription::required(path, kind, doc).fixed()
}

/// A text that need not be given.
fn text(path: &str, default: &str, doc: &str) -> ParameterDescription {
    given(path, ParameterKind::Text, doc).or([Parameter::Text(default.into())])
}

/// A choice of which the first is the default.
fn choice(path: &str, variants: &[&str], doc: &str) -> ParameterDescription {
    let default = Parameter::Text(variants[0].into());
    let variants = variants.iter().map(|&variant| variant.into()).collect();
    given(path, ParameterKind::Choice { variants }, doc).or([default])
}

/// When everything is played, seen from when it was recorded.
fn offset_parameter() -> ParameterDescription {
    text(
        "offset",
        "0 s",
        "How much later everything is played than it was recorded, as in \"2.5 s\". With a minus, \
         earlier: what would lie before the start is left out, but for the value that holds there.",
    )
}
