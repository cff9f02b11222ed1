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

use ironbird_component::{
    Instance, InstantiateError, LeafUnits, ParameterDescription, ParameterKind, Registry,
    RegistryError, Unit, ValueType,
};
use ironbird_kernel::{Duration, Parameter, PortKind, Time};

use offset::Offset;
use track::Track;

/// What a signal is between two samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// A number that is held.
    #[default]
    Hold,
    /// A continuous signal that follows a straight line.
    Line,
}

/// Samples that are played as a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The name of the output.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// When it has which number.
    pub samples: Vec<(Time, f64)>,
    /// What it is between them.
    pub between: Between,
}

/// A component that plays these samples; `parameter` is blamed for what cannot be played.
pub fn player(
    signals: Vec<Played>,
    parameter: &str,
) -> Result<Box<dyn Instance>, InstantiateError> {
    let now = Offset::Later(Duration::ZERO);
    let mut tracks = Vec::new();
    for played in signals {
        let name = played.name.clone();
        let wrong = |cause| InstantiateError::of(parameter, format!("\"{name}\": {cause}"));
        tracks.push(played.track(now).map_err(wrong)?);
    }
    track::instance(tracks, parameter)
}

impl Played {
    fn track(self, offset: Offset) -> Result<Track, String> {
        let Played { name, unit, samples, between } = self;
        let track = match between {
            Between::Line => Track::lines(&name, &samples, offset)?,
            Between::Hold => {
                let samples = samples.into_iter().map(|(time, x)| (time, vec![x])).collect();
                Track::values(&name, ValueType::of::<f64>(), PortKind::Signal, samples, offset)?
            }
        };
        Ok(track.units(LeafUnits::All(unit)))
    }
}

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
