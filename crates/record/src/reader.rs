//! Reads a recording, whole or cut short.
//!
//! A file is read from its front, chunk by chunk, and each chunk is checked before anything in it is
//! believed. Reading stops at the first damage; what lies before is good, and the [`Recording`] says
//! where it ends. The index at the end of the file is for other tools.

use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_kernel::{Leaf, LeafKind, Schema, Time, path};

use crate::cdr::{Plan, time_of};
use crate::channel::Kind;
use crate::container::{
    ChannelRecord, Damaged, Walk, kind, read_channel, read_message, read_metadata, read_schema,
};
use crate::continuous::TRAJECTORY;
use crate::error::RecordError;
use crate::event::{Event, TOPIC};
use crate::hash::OutputHash;
use crate::scene::{self, Pose, ScenePart};
use crate::verdict::Verdict;

/// The samples of a channel: instants, and the numbers of the value at each in the order of its leaves.
pub type Samples = Vec<(Time, Vec<f64>)>;

/// A channel as it stands in a recording.
#[derive(Clone, Debug)]
pub struct RecordedChannel {
    /// Path of the component and name of the port.
    pub name: String,
    /// Paths of the numbers of a value (`position[2]`), without payloads.
    pub leaves: Vec<String>,
    /// The unit of all its numbers, empty for none.
    pub unit: String,
    /// Units of single numbers by their path, where they differ.
    pub leaf_units: BTreeMap<String, String>,
    /// The reference frame, empty for none.
    pub frame: String,
    /// What it means.
    pub doc: String,
    /// How it behaves between messages.
    pub kind: Kind,
    /// How many messages it has.
    pub messages: u64,
    /// The layout of its messages behind the time.
    pub(crate) schema: Schema,
    id: u16,
    plan: Plan,
}

impl RecordedChannel {
    /// Whether the number at this place among the leaves holds its value until the next: it is a truth or a whole number, or
    /// comes in messages.
    pub fn steps(&self, leaf: usize) -> bool {
        let kind = numbers(&self.schema).nth(leaf).map(|leaf| leaf.kind);
        self.kind == Kind::Event || !matches!(kind, Some(LeafKind::F32 | LeafKind::F64) | None)
    }

    /// The unit of the number at `leaf`.
    pub fn unit_of(&self, leaf: &str) -> &str {
        self.leaf_units.get(leaf).unwrap_or(&self.unit)
    }
}

/// Where and why a recording ends too early.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// The last instant of which something could be read; the start if nothing could.
    pub after: Time,
    /// What is wrong.
    pub cause: String,
}

/// An opened recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What was recorded, in the order of the file.
    pub channels: Vec<RecordedChannel>,
    /// Metadata by name: `ironbird` about the run, `result` about its end.
    pub metadata: BTreeMap<String, BTreeMap<String, String>>,
    /// What happened.
    pub events: Vec<Event>,
    /// The instant of the last message.
    pub last: Time,
    /// Where and why the file ends too early, if it does.
    pub damaged: Option<Damage>,
    poses_channel: Option<u16>,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Bytes(Arc<[u8]>),
}

impl Source {
    fn name(&self) -> String {
        match self {
            Source::File(path) => path.display().to_string(),
            Source::Bytes(_) => "the recording".into(),
        }
    }

    fn walk(&self) -> Result<Walk<Box<dyn Read + '_>>, RecordError> {
        let open = || -> std::io::Result<(Box<dyn Read + '_>, u64)> {
            match self {
                Source::File(path) => {
                    let file = ironbird_files::open(path)?;
                    let length = file.metadata()?.len();
                    Ok((Box::new(BufReader::with_capacity(1 << 18, file)), length))
                }
                Source::Bytes(bytes) => Ok((Box::new(&bytes[..]), bytes.len() as u64)),
            }
        };
        open()
            .and_then(|(input, length)| Walk::new(input, length))
            .map_err(|source| RecordError::File { doing: "read", file: self.name(), source })?
            .ok_or_else(|| RecordError::NotARecording { file: self.name() })
    }
}

impl Recording {
    /// Opens the recording at `path`.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Recording::read(Source::File(path.to_owned()))
    }

    /// Reads a recording from memory.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Self, RecordError> {
        Recording::read(Source::Bytes(bytes.into()))
    }

    fn read(source: Source) -> Result<Self, RecordError> {
        let mut survey = Survey::default();
        let result = source.walk()?.run(|kind, record| survey.record(kind, record));
        if let Some(error) = survey.schema_error {
            return Err(error);
        }
        let damaged = result.err().map(|Damaged(cause)| Damage { after: survey.last, cause });
        Ok(Recording {
            channels: survey.channels.into_values().collect(),
            metadata: survey.metadata,
            events: survey.events,
            last: survey.last,
            damaged,
            poses_channel: survey.poses_channel,
            source,
        })
    }

    /// The channel called `name`.
    pub fn channel(&self, name: &str) -> Result<&RecordedChannel, RecordError> {
        self.channels.iter().find(|channel| channel.name == name).ok_or_else(|| {
            let names = self.channels.iter().map(|channel| channel.name.as_str());
            let nearest = path::nearest(name, names).map(str::to_owned);
            RecordError::UnknownChannel { name: name.to_owned(), nearest }
        })
    }

    /// All samples of the channel called `name`.
    pub fn samples(&self, name: &str) -> Result<Samples, RecordError> {
        let mut all = self.samples_of(&[name])?;
        Ok(all.pop().unwrap_or_default())
    }

    /// All samples of several channels, in one reading.
    pub fn samples_of(&self, names: &[&str]) -> Result<Vec<Samples>, RecordError> {
        let wanted = names.iter().map(|name| self.channel(name)).collect::<Result<Vec<_>, _>>()?;
        let mut samples = vec![Samples::new(); wanted.len()];
        self.messages(|id, message| {
            for (channel, samples) in wanted.iter().zip(&mut samples) {
                if channel.id == id {
                    let mut numbers = Vec::with_capacity(channel.leaves.len());
                    if let Some(time) = channel.plan.decode(message, &mut numbers) {
                        samples.push((time, numbers));
                    }
                }
            }
        })?;
        Ok(samples)
    }

    /// Shows every message of some channels in the order of the file: which of `names` it is of, its time, its numbers
    /// and its payloads.
    pub fn contents_of(
        &self,
        names: &[&str],
        mut each: impl FnMut(usize, Time, &[f64], &[&[u8]]),
    ) -> Result<(), RecordError> {
        let wanted = names.iter().map(|name| self.channel(name)).collect::<Result<Vec<_>, _>>()?;
        let index_of: BTreeMap<u16, usize> =
            wanted.iter().enumerate().rev().map(|(index, channel)| (channel.id, index)).collect();
        let mut numbers = Vec::new();
        self.messages(|id, message| {
            let Some(&index) = index_of.get(&id) else { return };
            numbers.clear();
            let mut payloads = Vec::new();
            let read = wanted[index].plan.decode_all(message, &mut numbers, |p| payloads.push(p));
            if let Some(time) = read {
                each(index, time, &numbers, &payloads);
            }
        })
    }

    /// The hash of the values that the file holds, computed anew: equals the one in its `result` if
    /// nothing was lost or changed.
    pub fn output_hash(&self) -> Result<String, RecordError> {
        let keys: BTreeMap<u16, [u8; 8]> =
            self.channels.iter().map(|c| (c.id, OutputHash::key(&c.name))).collect();
        let mut hash = OutputHash::default();
        let mut keyed = Vec::new();
        self.messages(|id, message| {
            if let Some(key) = keys.get(&id) {
                keyed.clear();
                keyed.extend_from_slice(key);
                keyed.extend_from_slice(message);
                hash.add(&keyed);
            }
        })?;
        Ok(hash.hex())
    }

    /// What can be drawn; nothing if the recording says nothing of it.
    pub fn scene(&self) -> Vec<ScenePart> {
        let json = self.metadata.get(scene::METADATA).and_then(|scene| scene.get(scene::PARTS));
        json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }

    /// Where bodies are, in the order of the file.
    pub fn poses(&self) -> Result<Vec<Pose>, RecordError> {
        let mut poses = Vec::new();
        let Some(channel) = self.poses_channel else { return Ok(poses) };
        self.messages(|id, message| {
            if id == channel {
                poses.extend(Pose::from_json(message));
            }
        })?;
        Ok(poses)
    }

    /// The verdicts on the requirements of the run; none if it was cut short.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let json = self.metadata.get("result").and_then(|result| result.get("verdicts"));
        json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }

    /// Shows every message that can be read to `each`, with the number of its channel.
    fn messages(&self, mut each: impl FnMut(u16, &[u8])) -> Result<(), RecordError> {
        // Damage was reported when the recording was opened; what lies before it is shown again.
        let _ = self.source.walk()?.run(|kind, record| {
            if kind == kind::MESSAGE
                && let Some((id, message)) = read_message(record)
            {
                each(id, message);
            }
            Ok(())
        });
        Ok(())
    }
}

/// Reads `bytes` in every way there is; whatever they are, it comes back. For fuzzing.
pub fn read_anything(bytes: &[u8]) {
    let Ok(recording) = Recording::from_bytes(bytes) else { return };
    for channel in &recording.channels {
        let _ = recording.samples(&channel.name);
    }
    let _ = (recording.output_hash(), recording.verdicts(), recording.scene(), recording.poses());
}

/// What is gathered when a recording is opened.
#[derive(Default)]
struct Survey {
    schemas: BTreeMap<u16, String>,
    channels: BTreeMap<u16, RecordedChannel>,
    events_channel: Option<u16>,
    poses_channel: Option<u16>,
    metadata: BTreeMap<String, BTreeMap<String, String>>,
    events: Vec<Event>,
    last: Time,
    schema_error: Option<RecordError>,
    numbers: Vec<f64>,
}

impl Survey {
    fn record(&mut self, kind: u8, record: &[u8]) -> Result<(), Damaged> {
        let understood = match kind {
            kind::SCHEMA => self.schema(record),
            kind::CHANNEL => self.channel(record),
            kind::MESSAGE => self.message(record),
            kind::METADATA => read_metadata(record).map(|(name, entries)| {
                self.metadata.insert(name, entries);
            }),
            _ => Some(()),
        };
        understood.ok_or_else(|| Damaged("a record does not hold what its kind says".into()))
    }

    fn schema(&mut self, record: &[u8]) -> Option<()> {
        let (id, _, _, text) = read_schema(record)?;
        self.schemas.insert(id, text.to_owned());
        Some(())
    }

    fn channel(&mut self, record: &[u8]) -> Option<()> {
        let ChannelRecord { id, schema, topic, encoding, mut metadata } = read_channel(record)?;
        if topic == TOPIC {
            self.events_channel = Some(id);
            return Some(());
        }
        if encoding != "cdr" {
            if topic == scene::TRANSFORMS_TOPIC {
                self.poses_channel = Some(id);
            }
            return Some(());
        }
        let mut take = |key: &str| metadata.remove(key).unwrap_or_default();
        let name = Some(take("name")).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| topic.trim_start_matches('/').replace('/', "."));
        let schema = match crate::ros2msg::parse(self.schemas.get(&schema)?) {
            Ok(schema) => schema,
            Err(cause) => {
                self.schema_error.get_or_insert(RecordError::Schema { channel: name, cause });
                return Some(());
            }
        };
        let channel = RecordedChannel {
            leaves: numbers(&schema).map(|leaf| leaf.path).collect(),
            unit: take("unit"),
            leaf_units: serde_json::from_str(&take("leaf_units")).unwrap_or_default(),
            frame: take("frame"),
            doc: take("doc"),
            kind: Kind::from_word(&take("kind")).unwrap_or(Kind::Signal),
            messages: 0,
            id,
            plan: Plan::new(&schema, TRAJECTORY),
            schema,
            name,
        };
        self.channels.insert(id, channel);
        Some(())
    }

    fn message(&mut self, record: &[u8]) -> Option<()> {
        let (id, message) = read_message(record)?;
        if self.events_channel == Some(id) {
            let event = Event::from_json(message)?;
            self.last = self.last.max(event.time);
            self.events.push(event);
            return Some(());
        }
        let Some(channel) = self.channels.get_mut(&id) else { return Some(()) };
        self.numbers.clear();
        channel.plan.decode(message, &mut self.numbers)?;
        channel.messages += 1;
        self.last = self.last.max(time_of(message)?);
        Some(())
    }
}

/// The leaves that are numbers.
fn numbers(schema: &Schema) -> impl Iterator<Item = Leaf> {
    schema.leaves().into_iter().filter(|leaf| leaf.kind != LeafKind::Payload)
}
