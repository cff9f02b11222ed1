//! From the axes of SDF to ours: x forward, y to port, z up become forward, starboard, down; east, north, up become
//! north, east, down. Nothing else in the project knows the axes of SDF.
//!
//! ```text
//! F = diag(1, -1, -1)                 a vector of a link (a half turn about x)
//! W = (v ↦ (v_y, v_x, -v_z)) R_z(h)   a vector of the world whose x is turned by the heading h from east to north
//! ```
//!
//! A pose P of a frame in a frame becomes F P F⁻¹, one in the world W P F⁻¹. Shapes stay in their own axes, so that
//! theirs are F P and W P. Both are rotations: angles of joints and moments keep their signs.

use nalgebra::{Isometry3, Matrix3, Quaternion, UnitQuaternion, Vector3};

/// How a world is turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    heading: UnitQuaternion<f64>,
}

/// F
fn flip() -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(0.0, 1.0, 0.0, 0.0))
}

/// A half turn about x in a pose.
fn flipped() -> Isometry3<f64> {
    Isometry3::from_parts(Default::default(), flip())
}

/// A vector of a link.
pub(super) fn vector(v: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(v.x, -v.y, -v.z)
}

/// A tensor of a link.
pub(super) fn tensor(m: &Matrix3<f64>) -> Matrix3<f64> {
    let f = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, -1.0));
    f * m * f
}

/// A frame in a frame.
pub(super) fn pose(p: &Isometry3<f64>) -> Isometry3<f64> {
    flipped() * p * flipped().inverse()
}

/// A shape in a frame.
pub(super) fn shape(p: &Isometry3<f64>) -> Isometry3<f64> {
    flipped() * p
}

impl Axes {
    /// Of a world whose x is turned from east to north by so many degrees.
    pub fn new(heading_deg: f64) -> Self {
        let heading = heading_deg.to_radians();
        Axes { heading: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), heading) }
    }

    /// W as a rotation.
    fn turn(&self) -> Isometry3<f64> {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let swap = UnitQuaternion::new_unchecked(Quaternion::new(0.0, half, half, 0.0));
        Isometry3::from_parts(Default::default(), swap * self.heading)
    }

    /// A vector of the world.
    pub fn vector(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let v = self.heading * v;
        Vector3::new(v.y, v.x, -v.z)
    }

    /// A frame in the world.
    pub fn pose(&self, p: &Isometry3<f64>) -> Isometry3<f64> {
        let turned = self.turn().rotation * p.rotation * flip().inverse();
        Isometry3::from_parts(self.vector(&p.translation.vector).into(), turned)
    }

    /// A shape in the world.
    pub fn shape(&self, p: &Isometry3<f64>) -> Isometry3<f64> {
        let turned = self.turn().rotation * p.rotation;
        Isometry3::from_parts(self.vector(&p.translation.vector).into(), turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn east_is_east_and_forward_stays_forward() {
        let axes = Axes::new(0.0);
        assert_eq!(axes.vector(&Vector3::new(1.0, 2.0, 3.0)), Vector3::new(2.0, 1.0, -3.0));
        // A model that is not turned looks to the east.
        let here = axes.pose(&Isometry3::translation(1.0, 2.0, 3.0));
        assert!((here * Vector3::x() - Vector3::y()).norm() < 1e-12);
        assert!((here * Vector3::z() - Vector3::z()).norm() < 1e-12);
        let up = axes.shape(&Isometry3::identity()) * Vector3::z();
        assert!((up + Vector3::z()).norm() < 1e-12);
        let turned = Axes::new(90.0);
        assert!((turned.vector(&Vector3::x()) - Vector3::x()).norm() < 1e-12);
        assert!((turned.pose(&Isometry3::identity()) * Vector3::x() - Vector3::x()).norm() < 1e-12);
    }

    #[test]
    fn a_pitch_that_lifts_the_tail_in_one_lowers_the_nose_in_the_other() {
        let nose_down = Isometry3::rotation(Vector3::new(0.0, 0.1, 0.0));
        let ours = Axes::new(0.0).pose(&nose_down) * Vector3::x();
        assert!(ours.z > 0.09, "{ours}");
        let inside = pose(&nose_down) * Vector3::x();
        assert!(inside.z > 0.09, "{inside}");
    }
}
