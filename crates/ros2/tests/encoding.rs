//! Our messages beside those that Cyclone DDS encodes, byte by byte.

mod peer;

use std::collections::BTreeMap;
use std::fmt::Debug;

use ironbird_ros2::message::*;
use rustdds::no_key::{DeserializerAdapter, SerializerAdapter};
use rustdds::{CDRDeserializerAdapter, CDRSerializerAdapter, RepresentationIdentifier};
use serde_json::Value;

/// Counts 1.5, 2.5, 3.5 … as the leaves of the samples of `peer.py` do.
struct Count(f64);

impl Count {
    fn next(&mut self) -> f64 {
        self.0 += 1.0;
        self.0
    }
    fn text(&mut self) -> String {
        "x".repeat(self.next() as usize % 7)
    }
    fn header(&mut self) -> Header {
        let stamp = Stamp { sec: self.next() as i32, nanosec: self.next() as u32 };
        Header { stamp, frame_id: self.text() }
    }
    fn vector(&mut self) -> Vector3 {
        Vector3 { x: self.next(), y: self.next(), z: self.next() }
    }
    fn quaternion(&mut self) -> Quaternion {
        Quaternion { x: self.next(), y: self.next(), z: self.next(), w: self.next() }
    }
    fn pose(&mut self) -> Pose {
        Pose { position: self.vector(), orientation: self.quaternion() }
    }
    fn twist(&mut self) -> Twist {
        Twist { linear: self.vector(), angular: self.vector() }
    }
    fn matrix<const N: usize>(&mut self) -> [[f64; N]; N] {
        [(); N].map(|()| [(); N].map(|()| self.next()))
    }
}

fn decoded<M: Message>(bytes: &[u8]) -> Result<M, String> {
    let encoding = RepresentationIdentifier::CDR_LE;
    CDRDeserializerAdapter::<M>::from_bytes(bytes, encoding).map_err(|why| why.to_string())
}

/// The bytes of Cyclone DDS, by type.
fn references() -> BTreeMap<String, Vec<u8>> {
    let output = peer::command().arg("encode").output().expect("python starts: run ./test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let bytes = line["bytes"].as_array().unwrap().iter();
        let bytes = bytes.map(|byte| byte.as_u64().unwrap() as u8).collect();
        (line["type"].as_str().unwrap().to_owned(), bytes)
    };
    lines.lines().map(read).collect()
}

fn assert_same<M: Message + Debug + PartialEq>(reference: &[u8], message: M) {
    let ours = CDRSerializerAdapter::<M>::to_bytes(&message).unwrap();
    let (header, body) = reference.split_at(4);
    assert_eq!(header[..2], [0, 1], "plain CDR, little-endian");
    assert_eq!(ours[..], body[..ours.len()], "{}", M::TYPE);
    // What follows is what Cyclone DDS pads a message with to a multiple of four.
    assert!(body.len() - ours.len() < 4, "{}", M::TYPE);
    assert_eq!(decoded::<M>(body).unwrap(), message);
    for length in 0..ours.len() {
        assert!(decoded::<M>(&ours[..length]).is_err(), "{} of {length} bytes", M::TYPE);
    }
}

#[test]
fn messages_have_the_bytes_of_cyclone_dds() {
    let references = references();
    let count = || Count(0.5);
    let n = &mut count();
    let clock = Clock { clock: Stamp { sec: n.next() as i32, nanosec: n.next() as u32 } };
    assert_same(&references["Clock"], clock);

    let n = &mut count();
    let imu = Imu {
        header: n.header(),
        orientation: n.quaternion(),
        orientation_covariance: n.matrix(),
        angular_velocity: n.vector(),
        angular_velocity_covariance: n.matrix(),
        linear_acceleration: n.vector(),
        linear_acceleration_covariance: n.matrix(),
    };
    assert_same(&references["Imu"], imu);

    let n = &mut count();
    assert_same(&references["PoseStamped"], PoseStamped { header: n.header(), pose: n.pose() });
    let n = &mut count();
    let vector = Vector3Stamped { header: n.header(), vector: n.vector() };
    assert_same(&references["Vector3Stamped"], vector);
    assert_same(&references["Twist"], count().twist());
    assert_same(&references["Float64"], Float64 { data: count().next() });

    let n = &mut count();
    let odometry = Odometry {
        header: n.header(),
        child_frame_id: n.text(),
        pose: PoseWithCovariance { pose: n.pose(), covariance: n.matrix() },
        twist: TwistWithCovariance { twist: n.twist(), covariance: n.matrix() },
    };
    assert_same(&references["Odometry"], odometry);

    let n = &mut count();
    let mut transform =
        || TransformStamped { header: n.header(), child_frame_id: n.text(), transform: n.pose() };
    let transforms = vec![transform(), transform()];
    assert_same(&references["TFMessage"], TfMessage { transforms });
    assert_eq!(references.len(), 8, "all that peer.py knows");
}

#[test]
fn a_length_that_is_not_there_is_refused() {
    // Four thousand million transforms, in a message of eight bytes.
    assert!(decoded::<TfMessage>(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]).is_err());
    // A frame of as many letters.
    let header = [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, b'm', 0, 0, 0];
    assert!(decoded::<PoseStamped>(&header).is_err());
}
