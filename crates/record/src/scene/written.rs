//! What is drawn, on its way into a recording.

use std::collections::BTreeMap;

use ironbird_kernel::Time;

use super::thinning::Thinning;
use super::{
    Pose, SCENE_TOPIC, ScenePart, TRANSFORMS_TOPIC, WellKnown, body_names, point_cloud, sensors,
    transform,
};

/// A channel of a recording for something that is drawn.
pub(crate) struct SceneChannel {
    pub(crate) topic: String,
    pub(crate) schema: WellKnown,
}

/// The channels of what is drawn: transforms, the scene, and one for each sensor with beams.
pub(crate) struct SceneChannels {
    /// Number of the first channel.
    first: u16,
    /// The body of each sensor, and what it last saw.
    scans: Vec<(String, Vec<[f32; 3]>)>,
    /// Of each body what was written, and where it was last if that was not.
    poses: BTreeMap<String, (Thinning, Option<Pose>)>,
    /// How many messages each channel has.
    sequences: Vec<u32>,
    /// A message, reused.
    text: String,
}

/// A message that is to be written.
pub(crate) struct SceneMessage<'a> {
    pub(crate) channel: u16,
    pub(crate) sequence: u32,
    pub(crate) text: &'a str,
}

/// Places of the channels behind the first.
const TRANSFORMS: usize = 0;
const SCENE: usize = 1;
const SCANS: usize = 2;

impl SceneChannels {
    /// The channels that a scene needs.
    pub(crate) fn needed(parts: &[ScenePart]) -> Vec<SceneChannel> {
        if parts.is_empty() {
            return Vec::new();
        }
        let channel = |topic: &str, schema| SceneChannel { topic: topic.into(), schema };
        let mut needed = vec![
            channel(TRANSFORMS_TOPIC, WellKnown::FrameTransform),
            channel(SCENE_TOPIC, WellKnown::SceneUpdate),
        ];
        needed
            .extend(sensors(parts).iter().map(|one| channel(&one.topic(), WellKnown::PointCloud)));
        needed
    }

    /// Those channels, numbered from `first` on.
    pub(crate) fn new(parts: &[ScenePart], first: u16) -> Self {
        let bodies = body_names(parts);
        let scans: Vec<(String, Vec<[f32; 3]>)> =
            sensors(parts).iter().map(|one| (bodies[one.body].clone(), Vec::new())).collect();
        let sequences = vec![0; SCANS + scans.len()];
        SceneChannels { first, scans, poses: BTreeMap::new(), sequences, text: String::new() }
    }

    /// How everything looks.
    pub(crate) fn scene(&mut self, parts: &[ScenePart]) -> SceneMessage<'_> {
        self.text = super::entities(parts);
        self.message(SCENE)
    }

    /// Where a body is, if that is worth a message.
    pub(crate) fn pose(&mut self, pose: &Pose) -> Option<SceneMessage<'_>> {
        if !pose.is_somewhere() {
            return None;
        }
        if !self.poses.contains_key(&pose.body) {
            self.poses.insert(pose.body.clone(), Default::default());
        }
        let (thinning, last) = self.poses.get_mut(&pose.body)?;
        if !thinning.wants(pose.time, (pose.position, pose.attitude)) {
            *last = Some(pose.clone());
            return None;
        }
        *last = None;
        transform(pose, &mut self.text);
        Some(self.message(TRANSFORMS))
    }

    /// Where a body was last, if nothing was written of it since: for the end of a recording.
    pub(crate) fn last_pose(&mut self) -> Option<(Time, SceneMessage<'_>)> {
        let last = self.poses.values_mut().find_map(|(_, last)| last.take())?;
        transform(&last, &mut self.text);
        Some((last.time, self.message(TRANSFORMS)))
    }

    /// What a sensor sees, if that has changed.
    pub(crate) fn scan(
        &mut self,
        sensor: usize,
        time: Time,
        points: Vec<[f32; 3]>,
    ) -> Option<SceneMessage<'_>> {
        let (body, last) = self.scans.get_mut(sensor).filter(|(_, last)| *last != points)?;
        point_cloud(body, time, &points, &mut self.text);
        *last = points;
        Some(self.message(SCANS + sensor))
    }

    fn message(&mut self, place: usize) -> SceneMessage<'_> {
        let sequence = self.sequences[place];
        self.sequences[place] = sequence.wrapping_add(1);
        SceneMessage { channel: self.first + place as u16, sequence, text: &self.text }
    }
}
