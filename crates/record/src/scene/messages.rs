//! Messages of Foxglove's schemas, as JSON: where bodies are, what their sensors see, what happened. How things look is
//! in `entities.rs`.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ironbird_kernel::Time;
use serde::Deserialize;
use serde_json::Value;

use super::frames::{swap, turn};
use super::{Pose, ROOT};
use crate::event::Event;

/// A message that says where a body is: `foxglove.FrameTransform`. It is written to `into`, which is cleared before.
///
/// Tenths of a millimetre and millionths of a turn are finer than anything that is drawn, and take half the room.
pub fn transform(pose: &Pose, into: &mut String) {
    let (seconds, nanoseconds) = seconds_of(pose.time);
    let [x, y, z] = swap(pose.position);
    let [w, i, j, k] = turn(pose.attitude);
    let body = Value::from(pose.body.as_str());
    into.clear();
    // Writing to a text does not fail.
    let _ = write!(
        into,
        "{{\"timestamp\":{{\"sec\":{seconds},\"nsec\":{nanoseconds}}},\"parent_frame_id\":\"{ROOT}\",\
         \"child_frame_id\":{body},\"translation\":{{\"x\":{x:.4},\"y\":{y:.4},\"z\":{z:.4}}},\
         \"rotation\":{{\"x\":{i:.6},\"y\":{j:.6},\"z\":{k:.6},\"w\":{w:.6}}}}}"
    );
}

/// A message that shows points on the frame of a body: `foxglove.PointCloud`. It is written to `into`, which is cleared
/// before.
pub fn point_cloud(body: &str, time: Time, points: &[[f32; 3]], into: &mut String) {
    const FLOAT32: u8 = 7;
    let (seconds, nanoseconds) = seconds_of(time);
    let body = Value::from(body);
    let bytes: Vec<u8> = points.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    into.clear();
    let _ = write!(
        into,
        "{{\"timestamp\":{{\"sec\":{seconds},\"nsec\":{nanoseconds}}},\"frame_id\":{body},\
         \"pose\":{{\"position\":{{\"x\":0,\"y\":0,\"z\":0}},\"orientation\":{{\"x\":0,\"y\":0,\"z\":0,\"w\":1}}}},\
         \"point_stride\":12,\"fields\":[{{\"name\":\"x\",\"offset\":0,\"type\":{FLOAT32}}},\
         {{\"name\":\"y\",\"offset\":4,\"type\":{FLOAT32}}},{{\"name\":\"z\",\"offset\":8,\"type\":{FLOAT32}}}],\
         \"data\":\""
    );
    STANDARD.encode_string(&bytes, into);
    into.push_str("\"}");
}

/// The numbers of `foxglove.LogLevel`.
enum LogLevel {
    Info = 2,
    Warning = 3,
    Error = 4,
}

/// A message that says what happened: `foxglove.Log`.
pub fn log(event: &Event) -> String {
    let level = match event.kind.as_str() {
        "violation" => LogLevel::Error,
        "fault" | "stop" => LogLevel::Warning,
        _ => LogLevel::Info,
    };
    let level = level as u8;
    let (seconds, nanoseconds) = seconds_of(event.time);
    let (name, text) = (Value::from(event.name.as_str()), Value::from(event.text.as_str()));
    let kind = Value::from(event.kind.as_str());
    format!(
        "{{\"timestamp\":{{\"sec\":{seconds},\"nsec\":{nanoseconds}}},\"level\":{level},\
         \"message\":{text},\"name\":{name},\"file\":{kind},\"line\":0}}"
    )
}

#[derive(Deserialize)]
struct StoredTransform {
    timestamp: Stamp,
    child_frame_id: String,
    translation: Vector,
    rotation: Quaternion,
}

#[derive(Deserialize)]
struct Stamp {
    sec: u64,
    nsec: u64,
}

#[derive(Deserialize)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Deserialize)]
struct Quaternion {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

/// The pose in a message.
pub(super) fn read_transform(json: &[u8]) -> Option<Pose> {
    let stored: StoredTransform = serde_json::from_slice(json).ok()?;
    let Vector { x, y, z } = stored.translation;
    let Quaternion { x: i, y: j, z: k, w } = stored.rotation;
    let seconds = stored.timestamp.sec.checked_mul(1_000_000_000_000)?;
    let rest = stored.timestamp.nsec.checked_mul(1000)?;
    Some(Pose {
        time: Time::from_ps(seconds.checked_add(rest)?),
        body: stored.child_frame_id,
        position: swap([x, y, z]),
        attitude: turn([w, i, j, k]),
    })
}

fn seconds_of(time: Time) -> (u64, u64) {
    (time.as_ps() / 1_000_000_000_000, time.as_ps() / 1000 % 1_000_000_000)
}
