//! How a body is turned against the local level frame.

use ironbird_kernel::Value;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

/// The rotation that takes vectors of the body (x forward, y starboard, z down) to north, east, down:
/// a unit quaternion w + xi + yj + zk (Hamilton).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Value)]
#[allow(missing_docs)]
pub struct Attitude {
    pub w: f64,
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// Level, heading north.
impl Default for Attitude {
    fn default() -> Self {
        Attitude { w: 1.0, x: 0.0, y: 0.0, z: 0.0 }
    }
}

impl From<UnitQuaternion<f64>> for Attitude {
    #[inline]
    fn from(q: UnitQuaternion<f64>) -> Self {
        Attitude { w: q.w, x: q.i, y: q.j, z: q.k }
    }
}

impl Attitude {
    /// From the angles of the rotations about z (yaw), then y (pitch), then x (roll), in radians.
    pub fn from_euler(roll: f64, pitch: f64, yaw: f64) -> Self {
        scaled_to_one(UnitQuaternion::from_euler_angles(roll, pitch, yaw).into_inner())
    }

    /// Roll, pitch and yaw in radians; pitch lies within a quarter turn, the others within half a turn.
    pub fn to_euler(self) -> [f64; 3] {
        let Attitude { w, x, y, z } = self;
        let roll = libm::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
        let pitch = libm::asin((2.0 * (w * y - z * x)).clamp(-1.0, 1.0));
        let yaw = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
        [roll, pitch, yaw]
    }

    /// The same as a unit quaternion of nalgebra. What came over a port is taken to have length one.
    #[inline]
    pub fn quaternion(self) -> UnitQuaternion<f64> {
        UnitQuaternion::new_unchecked(Quaternion::new(self.w, self.x, self.y, self.z))
    }

    /// Whether it is a rotation at all, as far as rounding over a long run lets it be: a quaternion
    /// of length one.
    pub fn is_rotation(self) -> bool {
        (self.quaternion().norm_squared() - 1.0).abs() < 1e-6
    }

    /// A vector of the body in north, east, down.
    #[inline]
    pub fn to_ned(self, body: Vector3<f64>) -> Vector3<f64> {
        self.quaternion() * body
    }

    /// A vector in north, east, down as the body sees it.
    #[inline]
    pub fn to_body(self, ned: Vector3<f64>) -> Vector3<f64> {
        self.quaternion().inverse() * ned
    }

    /// The attitude after the body has turned by `angle` (a rotation vector in the body, radians):
    /// q exp(angle / 2), scaled back to length one.
    #[inline]
    pub fn turned(self, angle: Vector3<f64>) -> Self {
        scaled_to_one(self.quaternion().into_inner() * half_turn(angle))
    }
}

/// A quaternion whose length is off by rounding only: one step of Newton's method for 1/|q|.
fn scaled_to_one(q: Quaternion<f64>) -> Attitude {
    let q = q * (1.5 - 0.5 * q.norm_squared());
    Attitude { w: q.w, x: q.i, y: q.j, z: q.k }
}

/// exp(angle / 2) as a quaternion: cos(a/2) + sin(a/2)/a · angle, by its series where the angle is
/// small; the terms left out are below the rounding error there.
#[inline]
pub fn half_turn(angle: Vector3<f64>) -> Quaternion<f64> {
    let squared = angle.norm_squared();
    let (cosine, over) = if squared < 1e-4 {
        let h = 0.25 * squared;
        (
            1.0 - h * (1.0 / 2.0 - h * (1.0 / 24.0 - h / 720.0)),
            0.5 - 0.5 * h * (1.0 / 6.0 - h * (1.0 / 120.0 - h / 5040.0)),
        )
    } else {
        let size = squared.sqrt();
        let (sine, cosine) = libm::sincos(0.5 * size);
        (cosine, sine / size)
    };
    Quaternion::from_parts(cosine, angle * over)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn a_body_that_heads_east_goes_east() {
        let attitude = Attitude::from_euler(0.0, 0.0, FRAC_PI_2);
        let moved = attitude.to_ned(Vector3::x());
        assert!((moved - Vector3::y()).norm() < 1e-15);
        assert!((attitude.to_body(moved) - Vector3::x()).norm() < 1e-15);
    }

    #[test]
    fn a_raised_nose_is_a_positive_pitch() {
        let up = Attitude::from_euler(0.0, 0.3, 0.0).to_ned(Vector3::x());
        assert!(up.z < 0.0);
    }

    #[test]
    fn angles_come_back() {
        let angles = [0.4, -1.1, 2.9];
        let [roll, pitch, yaw] = angles;
        let back = Attitude::from_euler(roll, pitch, yaw).to_euler();
        for (a, b) in angles.iter().zip(back) {
            assert!((a - b).abs() < 1e-14);
        }
    }

    #[test]
    fn small_turns_and_the_sine_agree() {
        for size in [0.999e-2, 1.001e-2] {
            let angle = Vector3::new(0.6, 0.0, 0.8) * size;
            let exact = UnitQuaternion::from_scaled_axis(angle);
            let ours = Attitude::default().turned(angle).quaternion();
            assert!(exact.angle_to(&ours) < 1e-15);
        }
    }

    #[test]
    fn a_million_small_turns_end_where_one_large_one_does() {
        let rate = Vector3::new(0.1, -0.2, 0.3) * 1e-6;
        let mut attitude = Attitude::default();
        for _ in 0..1_000_000 {
            attitude = attitude.turned(rate);
        }
        let once = UnitQuaternion::from_scaled_axis(rate * 1e6);
        assert!(once.angle_to(&attitude.quaternion()) < 1e-11);
        assert!((attitude.quaternion().norm() - 1.0).abs() < 1e-15);
    }
}
