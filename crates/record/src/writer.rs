//! Writes a recording: one MCAP file, or only its hash.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::TryLockError;
use std::io::Write;
use std::path::Path;

use ironbird_kernel::Time;

use crate::cdr::Plan;
use crate::channel::Channel;
use crate::chunk::{Chunk, Settings};
use crate::container::{self, Summary};
use crate::continuous::{TRAJECTORY, recorded};
use crate::error::RecordError;
use crate::event::{self, Event};
use crate::hash::OutputHash;
use crate::held_file::HeldFile;
use crate::ros2msg::definition;
use crate::scene::{self, Pose, SceneChannel, SceneChannels, SceneMessage, ScenePart};
use crate::verdict::Verdict;

/// What a recording says about the run at its beginning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// The resolved experiment.
    pub experiment: String,
    /// The seed.
    pub seed: u64,
    /// The version of Ironbird.
    pub version: String,
    /// The scenario, empty for the only one.
    pub scenario: String,
    /// The number of the repetition.
    pub repetition: u64,
    /// What can be drawn.
    pub scene: Vec<ScenePart>,
}

/// What a recording says about the run at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunResult {
    /// How the run ended.
    pub outcome: String,
    /// Where a run must end at the latest to give the same values again.
    pub until: Time,
    /// What became of its requirements.
    pub verdicts: Vec<Verdict>,
}

/// Channel number of events; those of values follow.
const EVENTS: u16 = 1;

/// Records values, in the order of time, channel by channel.
pub struct Recorder {
    outputs: Vec<Output>,
    hash: OutputHash,
    values: u64,
    /// The key of the channel and the message, reused.
    keyed: Vec<u8>,
    file: Option<Storage>,
}

struct Output {
    name: String,
    plan: Plan,
    key: [u8; 8],
    sequence: u32,
}

/// Where a recording goes.
struct Storage {
    name: String,
    file: Box<dyn Write + Send>,
    /// How much was written.
    position: u64,
    checksum: crc32fast::Hasher,
    chunk: Chunk,
    summary: Summary,
    event_sequence: u32,
    /// What can be drawn, if anything can.
    scene: Option<SceneChannels>,
    /// What is written next, reused.
    buffer: Vec<u8>,
}

impl Recorder {
    /// Records to a new file at `path`.
    pub fn create(
        path: &Path,
        info: &RunInfo,
        channels: &[Channel],
        settings: Settings,
    ) -> Result<Self, RecordError> {
        let name = path.display().to_string();
        let file = HeldFile::create(path).map_err(|error| match error {
            TryLockError::WouldBlock => RecordError::InUse { file: name.clone() },
            TryLockError::Error(source) => {
                RecordError::File { doing: "create", file: name.clone(), source }
            }
        })?;
        Recorder::to(Box::new(file), &name, info, channels, settings)
    }

    /// Records to `file`; `name` is what errors call it. Each chunk is one write.
    pub fn to(
        file: Box<dyn Write + Send>,
        name: &str,
        info: &RunInfo,
        channels: &[Channel],
        settings: Settings,
    ) -> Result<Self, RecordError> {
        let mut recorder = Recorder::hash_only(channels)?;
        let drawn = SceneChannels::needed(&info.scene);
        let count = channels.len() + drawn.len();
        refuse_too_many(count)?;
        let chunk = Chunk::new(settings, count + 2).map_err(|source| RecordError::File {
            doing: "write",
            file: name.to_owned(),
            source,
        })?;
        let mut storage = Storage {
            name: name.to_owned(),
            file,
            position: 0,
            checksum: crc32fast::Hasher::new(),
            chunk,
            summary: Summary::default(),
            event_sequence: 0,
            scene: None,
            buffer: Vec::new(),
        };
        storage.begin(info, channels, &drawn)?;
        recorder.file = Some(storage);
        Ok(recorder)
    }

    /// Writes nothing, but computes the hash that a recording would have.
    pub fn hash_only(channels: &[Channel]) -> Result<Self, RecordError> {
        refuse_too_many(channels.len())?;
        let mut names = BTreeSet::new();
        let outputs = channels.iter().map(|channel| {
            if !names.insert(&channel.name) {
                return Err(RecordError::DuplicateChannel { name: channel.name.clone() });
            }
            Ok(Output {
                name: channel.name.clone(),
                plan: Plan::new(&channel.schema, TRAJECTORY),
                key: OutputHash::key(&channel.name),
                sequence: 0,
            })
        });
        Ok(Recorder {
            outputs: outputs.collect::<Result<_, _>>()?,
            hash: OutputHash::default(),
            values: 0,
            keyed: Vec::new(),
            file: None,
        })
    }

    /// Records a value of channel number `channel`, in the order given. Times never go back.
    pub fn value(&mut self, channel: usize, time: Time, bytes: &[u8]) -> Result<(), RecordError> {
        let Some(output) = self.outputs.get_mut(channel) else {
            let name = format!("number {channel}");
            return Err(RecordError::UnknownChannel { name, nearest: None });
        };
        self.keyed.clear();
        self.keyed.extend_from_slice(&output.key);
        output.plan.encode(time, bytes, &mut self.keyed).map_err(|wrong| {
            let (channel, found) = (output.name.clone(), bytes.len());
            RecordError::WrongSize { channel, time, needed: wrong.needed, found }
        })?;
        self.hash.add(&self.keyed);
        self.values += 1;
        if let Some(storage) = &mut self.file {
            let message = &self.keyed[output.key.len()..];
            let number = EVENTS + 1 + channel as u16;
            storage.message(number, output.sequence, time, message)?;
            output.sequence = output.sequence.wrapping_add(1);
        }
        Ok(())
    }

    /// Records that something happened.
    pub fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        let Some(storage) = &mut self.file else { return Ok(()) };
        let sequence = storage.event_sequence;
        storage.event_sequence = sequence.wrapping_add(1);
        storage.message(EVENTS, sequence, event.time, &event.to_json())
    }

    /// Records where a body of the scene is. It does not count in the hash: it follows from what does.
    pub fn pose(&mut self, pose: &Pose) -> Result<(), RecordError> {
        let Some(storage) = &mut self.file else { return Ok(()) };
        storage.draw(pose.time, |scene| scene.pose(pose))
    }

    /// Records what sensor number `sensor` of the scene sees: points on the frame of its body. It does not count in the
    /// hash either.
    pub fn scan(
        &mut self,
        sensor: usize,
        time: Time,
        points: Vec<[f32; 3]>,
    ) -> Result<(), RecordError> {
        let Some(storage) = &mut self.file else { return Ok(()) };
        storage.draw(time, |scene| scene.scan(sensor, time, points))
    }

    /// The hash of all values so far, as hexadecimal text.
    pub fn output_hash(&self) -> String {
        self.hash.hex()
    }

    /// How many values were recorded.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// Ends the recording.
    pub fn finish(mut self, result: &RunResult) -> Result<(), RecordError> {
        let hash = self.output_hash();
        let Some(storage) = &mut self.file else { return Ok(()) };
        storage.draw_the_last()?;
        storage.close_chunk()?;
        let verdicts = serde_json::to_string(&result.verdicts).expect("plain data becomes JSON");
        let entries = [
            ("hash", hash),
            ("outcome", result.outcome.clone()),
            ("until_ps", result.until.as_ps().to_string()),
            ("verdicts", verdicts),
        ];
        storage.metadata("result", &owned(entries));
        storage.write()?;
        let checksum = storage.checksum.clone().finalize();
        container::data_end(&mut storage.buffer, checksum);
        let start = storage.position + storage.buffer.len() as u64;
        storage.summary.write(&mut storage.buffer, start);
        storage.write()?;
        storage.file.flush().map_err(|source| storage.failed(source))
    }
}

impl Storage {
    /// Everything before the first chunk.
    fn begin(
        &mut self,
        info: &RunInfo,
        channels: &[Channel],
        drawn: &[SceneChannel],
    ) -> Result<(), RecordError> {
        self.buffer.extend_from_slice(&container::MAGIC);
        container::header(&mut self.buffer, "ironbird");
        let entries = [
            ("experiment", info.experiment.clone()),
            ("seed", info.seed.to_string()),
            ("version", info.version.clone()),
            ("scenario", info.scenario.clone()),
            ("repetition", info.repetition.to_string()),
        ];
        self.metadata("ironbird", &owned(entries));
        if !info.scene.is_empty() {
            let parts = serde_json::to_string(&info.scene).expect("plain data becomes JSON");
            self.metadata(scene::METADATA, &owned([(scene::PARTS, parts)]));
        }
        let (mut schemas, mut rows) = (Vec::new(), Vec::new());
        container::schema(&mut schemas, 1, event::SCHEMA_NAME, "jsonschema", event::SCHEMA);
        container::channel(&mut rows, EVENTS, 1, event::TOPIC, "json", &BTreeMap::new());
        // Equal definitions share a schema; equal names of different ones are numbered.
        let mut known: BTreeMap<String, u16> = BTreeMap::new();
        let mut names: BTreeMap<String, u32> = BTreeMap::new();
        let mut schema_count = 1;
        for (channel, number) in channels.iter().zip(EVENTS + 1..) {
            let definition = definition(&recorded(&channel.schema, &TRAJECTORY));
            let key = format!("{}\n{}", definition.type_name, definition.text);
            let schema = *known.entry(key).or_insert_with(|| {
                let uses = names.entry(definition.type_name.clone()).or_insert(0);
                *uses += 1;
                let suffix = if *uses == 1 { String::new() } else { uses.to_string() };
                let name = format!("ironbird/msg/{}{suffix}", definition.type_name);
                schema_count += 1;
                container::schema(&mut schemas, schema_count, &name, "ros2msg", &definition.text);
                schema_count
            });
            let (topic, metadata) = (channel.topic(), channel.metadata());
            container::channel(&mut rows, number, schema, &topic, "cdr", &metadata);
        }
        let first = EVENTS + 1 + channels.len() as u16;
        for (channel, number) in drawn.iter().zip(first..) {
            let name = channel.schema.name();
            let schema = *known.entry(name.to_owned()).or_insert_with(|| {
                schema_count += 1;
                let text = channel.schema.json_schema();
                container::schema(&mut schemas, schema_count, name, "jsonschema", &text);
                schema_count
            });
            let metadata = BTreeMap::new();
            container::channel(&mut rows, number, schema, &channel.topic, "json", &metadata);
        }
        self.buffer.extend_from_slice(&schemas);
        self.buffer.extend_from_slice(&rows);
        self.summary.schemas = schemas;
        self.summary.schema_count = schema_count;
        self.summary.channels = rows;
        self.summary.channel_count = (channels.len() + 1 + drawn.len()) as u32;
        self.write()?;
        if drawn.is_empty() {
            return Ok(());
        }
        self.scene = Some(SceneChannels::new(&info.scene, first));
        self.draw(Time::ZERO, |scene| Some(scene.scene(&info.scene)))
    }

    /// Writes where bodies are at the end.
    fn draw_the_last(&mut self) -> Result<(), RecordError> {
        let Some(mut scene) = self.scene.take() else { return Ok(()) };
        while let Some((time, SceneMessage { channel, sequence, text })) = scene.last_pose() {
            self.message(channel, sequence, time, text.as_bytes())?;
        }
        Ok(())
    }

    /// Writes something that is drawn, where there is a scene.
    fn draw(
        &mut self,
        time: Time,
        message: impl FnOnce(&mut SceneChannels) -> Option<SceneMessage<'_>>,
    ) -> Result<(), RecordError> {
        let Some(mut scene) = self.scene.take() else { return Ok(()) };
        let written = match message(&mut scene) {
            Some(SceneMessage { channel, sequence, text }) => {
                self.message(channel, sequence, time, text.as_bytes())
            }
            None => Ok(()),
        };
        self.scene = Some(scene);
        written
    }

    fn message(
        &mut self,
        channel: u16,
        sequence: u32,
        time: Time,
        message: &[u8],
    ) -> Result<(), RecordError> {
        if self.chunk.is_complete(time) {
            self.close_chunk()?;
        }
        self.chunk.push(channel, sequence, time, message);
        Ok(())
    }

    fn close_chunk(&mut self) -> Result<(), RecordError> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let index = self
            .chunk
            .close(&mut self.buffer, self.position)
            .map_err(|source| self.failed(source))?;
        self.summary.chunks.push(index);
        self.write()
    }

    fn metadata(&mut self, name: &str, entries: &BTreeMap<String, String>) {
        let before = self.buffer.len();
        container::metadata(&mut self.buffer, name, entries);
        let (start, length) = (self.position + before as u64, self.buffer.len() - before);
        self.summary.metadata.push((start, length as u64, name.to_owned()));
    }

    /// Writes the buffer: what is in the file then survives the end of the process.
    fn write(&mut self) -> Result<(), RecordError> {
        self.checksum.update(&self.buffer);
        self.file.write_all(&self.buffer).map_err(|source| self.failed(source))?;
        self.position += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn failed(&self, source: std::io::Error) -> RecordError {
        RecordError::File { doing: "write", file: self.name.clone(), source }
    }
}

/// Channels are numbered with 16 bits, and events are one.
fn refuse_too_many(count: usize) -> Result<(), RecordError> {
    match count < usize::from(u16::MAX) {
        true => Ok(()),
        false => Err(RecordError::TooManyChannels { count }),
    }
}

fn owned<const N: usize>(entries: [(&str, String); N]) -> BTreeMap<String, String> {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
