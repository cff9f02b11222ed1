//! Vectors of the collision library as those that everything else is written in, and back.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};

#[inline]
pub fn to_parry(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

#[inline]
pub fn from_parry(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

#[inline]
pub fn pose_to_parry(pose: &Isometry3<f64>) -> Pose {
    let q = pose.rotation;
    let rotation = Rotation::from_xyzw(q.i, q.j, q.k, q.w);
    Pose::from_parts(to_parry(&pose.translation.vector), rotation)
}

/// A place and an attitude as one.
#[inline]
pub fn pose_of(position: &Vector3<f64>, attitude: &UnitQuaternion<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(*position), *attitude)
}

/// A quarter turn about x: the axis of the collision library's cylinders, y, becomes z.
pub fn y_to_z() -> UnitQuaternion<f64> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    UnitQuaternion::new_unchecked(Quaternion::new(half, half, 0.0, 0.0))
}
