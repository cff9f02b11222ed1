//! Where bodies moved, in three dimensions: what a recording says of it, and the figure that shows it.

mod figure;
mod scenery;
mod thin;

use std::collections::BTreeMap;

pub(super) use figure::figure;

use super::{Map, Track};
use crate::scene::{Pose, ScenePart};

/// Where bodies moved, and what stood around them. Places are north, east, down in m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// The bodies.
    pub tracks: Vec<SpaceTrack>,
    /// Where level ground is, down.
    pub ground: Option<f64>,
    /// Where the surface of the sea is, down.
    pub sea: Option<f64>,
    /// What does not move.
    pub outlines: Vec<Outline>,
}

/// Where one body was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpaceTrack {
    /// What to call it.
    pub name: String,
    /// In the order of time.
    pub poses: Vec<SpacePose>,
}

/// Where a body was at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpacePose {
    /// When, in seconds.
    pub time: f64,
    /// North, east, down.
    pub position: [f64; 3],
    /// From the body to north, east, down: w, x, y, z; none where it is not known.
    pub attitude: Option<[f64; 4]>,
}

/// A line along something that does not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// What it belongs to.
    pub kind: OutlineKind,
    /// North, east, down.
    pub points: Vec<[f64; 3]>,
}

/// What an outline belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum OutlineKind {
    Ground,
    Fixed,
    /// What is to be reached.
    Plan,
}

impl Space {
    /// The space of a recorded scene; none if nothing moves in it.
    pub fn of_scene(parts: &[ScenePart], poses: &[Pose]) -> Option<Space> {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut tracks: Vec<SpaceTrack> = Vec::new();
        for pose in poses {
            let number = *numbers.entry(&pose.body).or_insert_with(|| {
                tracks.push(SpaceTrack { name: pose.body.clone(), poses: Vec::new() });
                tracks.len() - 1
            });
            tracks[number].poses.push(SpacePose {
                time: pose.time.as_secs_f64(),
                position: pose.position,
                attitude: Some(pose.attitude),
            });
        }
        if tracks.is_empty() {
            return None;
        }
        let mut space = Space { tracks, ..Space::default() };
        for part in parts {
            space.add(&part.scenery);
        }
        Some(space)
    }

    /// The same from above, for readers without scripts and for paper.
    pub(super) fn seen_from_above(&self) -> Map {
        let tracks = self.tracks.iter().map(|track| Track {
            name: track.name.clone(),
            points: track.poses.iter().map(|pose| (pose.position[1], pose.position[0])).collect(),
            is_path: true,
        });
        Map {
            title: "Seen from above".into(),
            x_label: "east".into(),
            y_label: "north".into(),
            unit: "m".into(),
            tracks: tracks.collect(),
        }
    }
}

/// A vector turned by a quaternion (w, x, y, z): v + 2w (u × v) + 2 u × (u × v).
fn turned([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let twice = cross(u, v).map(|part| 2.0 * part);
    let further = cross(u, twice);
    [0, 1, 2].map(|axis| v[axis] + w * twice[axis] + further[axis])
}
