//! Attitudes turned on, and tensors turned with them.

use ironbird_kinematics::half_turn;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// R A Rᵀ of a symmetric A: nalgebra's own products go through loops.
pub(super) fn turned_tensor(tensor: &Matrix3<f64>, axes: &UnitQuaternion<f64>) -> Matrix3<f64> {
    let rotation = axes.to_rotation_matrix();
    let across = rotation.matrix().transpose();
    let columns = [0, 1, 2].map(|n| rotation.matrix().column(n).into_owned());
    let turned = |v: Vector3<f64>| columns[0] * v.x + columns[1] * v.y + columns[2] * v.z;
    let column = |n: usize| turned(times(tensor, &across.column(n).into_owned()));
    Matrix3::from_columns(&[column(0), column(1), column(2)])
}

#[inline]
pub(super) fn times(m: &Matrix3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let row = |n: usize| m[(n, 0)] * v.x + m[(n, 1)] * v.y + m[(n, 2)] * v.z;
    Vector3::new(row(0), row(1), row(2))
}

/// An attitude turned on by a rotation vector in north, east, down.
#[inline]
pub(crate) fn turned(attitude: &UnitQuaternion<f64>, by: &Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(half_turn(*by) * attitude.into_inner())
}
