//! How a rigid body moves, and what moves it: the words that vehicles, worlds and inner loops share.

use std::ops::Neg;

use nalgebra::{Scalar, UnitQuaternion, Vector3};

use crate::attitude::Attitude;

/// How a rigid body moves; several side by side where `T` holds several numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion<T: Scalar + Neg<Output = T> = f64> {
    /// Place of the centre of mass in m: north, east, down.
    pub position: Vector3<T>,
    /// Its velocity over ground in m/s: north, east, down.
    pub velocity: Vector3<T>,
    /// The rotation that takes vectors of the body (forward, starboard, down) to north, east, down.
    pub attitude: UnitQuaternion<T>,
    /// Angular velocity in rad/s, in the body.
    pub rates: Vector3<T>,
}

/// At rest at the origin, level, heading north.
impl Default for RigidMotion {
    fn default() -> Self {
        RigidMotion {
            position: Vector3::zeros(),
            velocity: Vector3::zeros(),
            attitude: UnitQuaternion::identity(),
            rates: Vector3::zeros(),
        }
    }
}

impl RigidMotion {
    /// At rest at a place, with an attitude.
    pub fn at(position: Vector3<f64>, attitude: Attitude) -> Self {
        RigidMotion { position, attitude: attitude.quaternion(), ..RigidMotion::default() }
    }

    /// A vector in north, east, down as the body sees it.
    #[inline]
    pub fn to_body(&self, ned: &Vector3<f64>) -> Vector3<f64> {
        self.attitude.inverse_transform_vector(ned)
    }

    /// A vector of the body in north, east, down.
    #[inline]
    pub fn to_ned(&self, body: &Vector3<f64>) -> Vector3<f64> {
        self.attitude.transform_vector(body)
    }
}

/// A force and a moment about the centre of mass, both in the body; several side by side where `T` holds several
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T: Scalar = f64> {
    /// In N: forward, starboard, down.
    pub force: Vector3<T>,
    /// In N m, about the same axes.
    pub moment: Vector3<T>,
}

impl Default for Wrench {
    fn default() -> Self {
        Wrench { force: Vector3::zeros(), moment: Vector3::zeros() }
    }
}

impl Wrench {
    /// Adds a force that acts at a point of the body.
    #[inline]
    pub fn push(&mut self, force: Vector3<f64>, point: &Vector3<f64>) {
        self.moment += point.cross(&force);
        self.force += force;
    }
}

/// A number that goes into a vehicle or an inner loop: the speed of a motor, a wanted height.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name; that of a port.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// What it may be: others are brought to the nearest end.
    pub range: (f64, f64),
    /// What it is where nobody says otherwise.
    pub rest: f64,
    /// What it means.
    pub doc: &'static str,
}

impl Channel {
    /// A value brought into the range; what is no number becomes the value at rest.
    #[inline]
    pub fn limit(&self, value: f64) -> f64 {
        if value.is_nan() { self.rest } else { value.clamp(self.range.0, self.range.1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_beside_the_centre_turns() {
        let mut wrench = Wrench::default();
        wrench.push(-Vector3::z(), &Vector3::y());
        assert_eq!(wrench.force, -Vector3::z());
        assert_eq!(wrench.moment, -Vector3::x());
    }

    #[test]
    fn channels_have_ends() {
        let channel =
            Channel { name: "motor".into(), unit: "1", range: (0.0, 1.0), rest: 0.25, doc: "" };
        assert_eq!([2.0, -1.0, 0.5, f64::NAN].map(|v| channel.limit(v)), [1.0, 0.0, 0.5, 0.25]);
    }
}
