//! `replay.recording`: a recording that plays its signals back.

use std::path::PathBuf;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Kind as Advance, LeafUnits,
    ParameterKind, Place, Settings, Unit, ValueType,
};
use ironbird_kernel::{Parameter, PortKind, path};

use super::offset::Offset;
use super::track::{Track, instance, value_type};
use super::{choice, given, offset_parameter, text};
use crate::channel::Kind;
use crate::reader::{RecordedChannel, Recording, Samples};

/// The type of components that play a recording.
pub(super) struct RecordingType {
    description: Description,
}

const FILE: usize = 0;
const SIGNALS: usize = 1;
const BETWEEN: usize = 2;
const OFFSET: usize = 3;
const CUT_SHORT: usize = 4;

const DOC: &str = "\
Plays the signals of a recording back.

Every channel is an output with the recorded unit and frame, called by its last name: `sensor.reading` is
`reading`. Where two have the same last name, both are called by their whole name: `left-sensor-reading`.
Values are shown at exactly the times of the recording; a signal has its first value from the start on and
keeps its last.

Single numbers and arrays of up to 16 real numbers have the type that was recorded. Of all other values each
number is an output of its own: `pose.position[2]` of `drone.state` is `state-pose-position-2`.";

impl RecordingType {
    pub fn new() -> Self {
        let mut description = Description::new("replay.recording", Advance::EventDriven, DOC);
        description.parameters = vec![
            given("file", ParameterKind::File, "The recording."),
            text(
                "signals",
                "*",
                "What is played, with commas between: \"sensor.reading, drone.*\". A `*` stands for \
                 any part of a name, a last one for everything below.",
            ),
            choice(
                "between",
                &["hold", "line"],
                "What signals that were recorded as samples of something continuous are between two \
                 samples: a number that is held, or a continuous signal that follows a straight line.",
            ),
            offset_parameter(),
            given(
                "cut_short",
                ParameterKind::Bool,
                "Play also a recording that is damaged or was cut short, as far as it goes.",
            )
            .or([Parameter::Bool(false)]),
        ];
        RecordingType { description }
    }
}

impl ComponentType for RecordingType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = &self.description.parameters;
        let given = Given::new(settings, place);
        let file: PathBuf = given.read(&parameters[FILE])?;
        let signals: String = given.read(&parameters[SIGNALS])?;
        let between: String = given.read(&parameters[BETWEEN])?;
        let offset: String = given.read(&parameters[OFFSET])?;
        let offset = Offset::read(&offset).map_err(|e| InstantiateError::of("offset", e))?;
        let cut_short: bool = given.read(&parameters[CUT_SHORT])?;
        let of_file = |error| InstantiateError::of("file", error);
        let recording = Recording::open(&file).map_err(|error| of_file(error.to_string()))?;
        if let Some(damage) = recording.damaged.as_ref().filter(|_| !cut_short) {
            return Err(of_file(format!(
                "{} is cut short after {}: {}; to play it so far, set cut_short = true",
                file.display(),
                damage.after,
                damage.cause
            )));
        }
        let channels =
            chosen(&recording, &signals).map_err(|error| InstantiateError::of("signals", error))?;
        let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
        let samples = recording.samples_of(&names).map_err(|error| of_file(error.to_string()))?;
        let mut tracks = Vec::new();
        for (channel, samples) in channels.iter().zip(samples) {
            let name = port_name(&channel.name, &names);
            let made = tracks_of(channel, &name, samples, offset, between == "line");
            let made = made.map_err(|cause| of_file(format!("{}: {cause}", channel.name)))?;
            tracks.extend(made);
        }
        instance(tracks, "signals")
    }
}

/// The channels that are named one by one or fit a pattern. A pattern leaves out what cannot be played.
fn chosen<'a>(recording: &'a Recording, signals: &str) -> Result<Vec<&'a RecordedChannel>, String> {
    let playable = |channel: &RecordedChannel| {
        let has_numbers = !channel.leaves.is_empty() || value_type(&channel.schema).is_some();
        has_numbers && (channel.kind == Kind::Event || channel.messages > 0)
    };
    let mut chosen: Vec<&RecordedChannel> = Vec::new();
    for pattern in signals.split(',').map(str::trim) {
        let fits = |c: &&RecordedChannel| path::matches(pattern, &c.name) && playable(c);
        let found: Vec<&RecordedChannel> = match pattern.contains('*') {
            true => recording.channels.iter().filter(fits).collect(),
            false => vec![recording.channel(pattern).map_err(|error| error.to_string())?],
        };
        if found.is_empty() {
            return Err(format!("nothing in the recording fits \"{pattern}\""));
        }
        for channel in found {
            if !chosen.iter().any(|other| other.name == channel.name) {
                chosen.push(channel);
            }
        }
    }
    Ok(chosen)
}

/// The last name, or the whole one where that is not enough.
fn port_name(name: &str, all: &[&str]) -> String {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let short = last(name);
    let alone = all.iter().filter(|other| last(other) == short).count() == 1;
    plain(if alone { &short } else { name })
}

/// A path as one name: `quad[3].imu` is `quad-3-imu`.
fn plain(path: &str) -> String {
    path.replace(['.', '['], "-").replace(']', "")
}

fn tracks_of(
    channel: &RecordedChannel,
    name: &str,
    samples: Samples,
    offset: Offset,
    line: bool,
) -> Result<Vec<Track>, String> {
    let kind = if channel.kind == Kind::Event { PortKind::Event } else { PortKind::Signal };
    let unit = |leaf: &str| {
        let text = channel.unit_of(leaf);
        text.parse::<Unit>().map_err(|error| format!("its unit \"{text}\": {error}"))
    };
    let mut tracks = match value_type(&channel.schema) {
        Some(value)
            if value == ValueType::of::<f64>() && channel.kind == Kind::Continuous && line =>
        {
            let single: Vec<_> = samples.iter().map(|(time, x)| (*time, x[0])).collect();
            vec![Track::lines(name, &single, offset)?.units(LeafUnits::All(unit("")?))]
        }
        Some(value) => {
            let units = match channel.leaf_units.is_empty() {
                true => LeafUnits::All(unit("")?),
                false => {
                    let leaves = channel.leaves.iter();
                    let units = leaves.map(|leaf| Ok((leaf.clone(), unit(leaf)?)));
                    LeafUnits::ByPath(units.collect::<Result<_, String>>()?)
                }
            };
            vec![Track::values(name, value, kind, samples, offset)?.units(units)]
        }
        None => {
            let mut tracks = Vec::new();
            for (number, leaf) in channel.leaves.iter().enumerate() {
                let one = samples.iter().map(|(time, all)| (*time, vec![all[number]])).collect();
                let name = format!("{name}-{}", plain(leaf.trim_start_matches('[')));
                let track = Track::values(&name, ValueType::of::<f64>(), kind, one, offset)?;
                tracks.push(track.units(LeafUnits::All(unit(leaf)?)));
            }
            if tracks.is_empty() {
                return Err("its values have no numbers, so there is nothing to play".into());
            }
            tracks
        }
    };
    for track in &mut tracks {
        track.port.doc.clone_from(&channel.doc);
        track.port.frame = Some(channel.frame.clone()).filter(|frame| !frame.is_empty());
    }
    Ok(tracks)
}
