//! The channels of a run.

use std::sync::Arc;

use foxglove::{Context, PartialMetadata, RawChannel, Schema};
use ironbird_kernel::Time;
use ironbird_record::scene::{
    SCENE_TOPIC, TRANSFORMS_TOPIC, WellKnown, entities, log, point_cloud, sensors, transform,
};
use ironbird_record::{Channel, Event, Pose, body_names};
use ironbird_runner::live::Opening;

use crate::values;

/// The topic of what happens.
const LOG_TOPIC: &str = "/log";

/// The channels of a run but those of values. They are closed when this is dropped.
pub struct Topics {
    transforms: Arc<RawChannel>,
    scene: Arc<RawChannel>,
    log: Arc<RawChannel>,
    /// Of each sensor with beams: its body, its channel, and what was last seen.
    scans: Vec<(String, Arc<RawChannel>, Vec<[f32; 3]>)>,
    /// How everything looks.
    entities: String,
    /// A message, reused.
    text: String,
}

impl Topics {
    /// Opens the channels of a run.
    pub fn open(context: &Arc<Context>, opening: &Opening<'_>) -> Self {
        let known = |topic: &str, schema: WellKnown| {
            channel(context, topic, schema.name(), schema.json_schema(), None)
        };
        let bodies = body_names(opening.scene);
        let scans = sensors(opening.scene);
        let scans = scans.iter().map(|sensor| {
            let channel = known(&sensor.topic(), WellKnown::PointCloud);
            (bodies[sensor.body].clone(), channel, Vec::new())
        });
        Topics {
            transforms: known(TRANSFORMS_TOPIC, WellKnown::FrameTransform),
            scene: known(SCENE_TOPIC, WellKnown::SceneUpdate),
            log: known(LOG_TOPIC, WellKnown::Log),
            scans: scans.collect(),
            entities: entities(opening.scene),
            text: String::new(),
        }
    }

    /// Shows how everything looks.
    pub fn scene(&self, time: Time) {
        send(&self.scene, time, &self.entities);
    }

    /// Shows where a body is.
    pub fn pose(&mut self, pose: &Pose) {
        if self.transforms.has_sinks() && pose.is_somewhere() {
            transform(pose, &mut self.text);
            send(&self.transforms, pose.time, &self.text);
        }
    }

    /// Shows what a sensor sees, if that has changed.
    pub fn scan(&mut self, sensor: usize, time: Time, points: Vec<[f32; 3]>) {
        let Some((body, channel, last)) = self.scans.get_mut(sensor) else { return };
        if channel.has_sinks() && *last != points {
            point_cloud(body, time, &points, &mut self.text);
            send(channel, time, &self.text);
            *last = points;
        }
    }

    /// Says what has happened.
    pub fn log(&self, event: &Event) {
        send(&self.log, event.time, &log(event));
    }
}

impl Drop for Topics {
    fn drop(&mut self) {
        let scans = self.scans.iter().map(|(_, channel, _)| channel);
        for channel in [&self.transforms, &self.scene, &self.log].into_iter().chain(scans) {
            channel.close();
        }
    }
}

/// The channel of a recorded output. It is closed when this is dropped.
pub struct ValueTopic {
    channel: Arc<RawChannel>,
    schema: ironbird_kernel::Schema,
    /// A message, reused.
    text: String,
}

impl ValueTopic {
    /// Opens the channel of an output.
    pub fn open(context: &Arc<Context>, recorded: &Channel) -> Self {
        let schema = values::json_schema(&recorded.schema);
        let name = format!("ironbird.{}", recorded.schema);
        let channel = channel(context, &recorded.topic(), &name, schema, Some(recorded));
        ValueTopic { channel, schema: recorded.schema.clone(), text: String::new() }
    }

    /// Shows a value, if anybody wants it.
    pub fn value(&mut self, time: Time, bytes: &[u8]) {
        let is_wanted = self.channel.has_sinks();
        if is_wanted && values::write(&self.schema, time, bytes, &mut self.text).is_some() {
            send(&self.channel, time, &self.text);
        }
    }
}

impl Drop for ValueTopic {
    fn drop(&mut self) {
        self.channel.close();
    }
}

fn channel(
    context: &Arc<Context>,
    topic: &str,
    name: &str,
    schema: String,
    recorded: Option<&Channel>,
) -> Arc<RawChannel> {
    let metadata = recorded.map(Channel::metadata).unwrap_or_default();
    let schema = Schema::new(name, "jsonschema", schema.into_bytes());
    let builder = context.channel_builder(topic).message_encoding("json").schema(schema);
    builder.metadata(metadata).build_raw().expect("the encoding is said above")
}

fn send(channel: &RawChannel, time: Time, text: &str) {
    let at = PartialMetadata::with_log_time(nanoseconds(time));
    channel.log_with_meta(text.as_bytes(), at);
}

/// A time as Foxglove counts it.
pub fn nanoseconds(time: Time) -> u64 {
    time.as_ps() / 1000
}
