//! Attitudes turned on, and tensors turned with them.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

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
    // cos x and sin x / (2 x) of half of the angle; as a series where that is exact.
    let square = 0.25 * by.norm_squared();
    let (cosine, factor) = if square < 0.01 {
        let s = square;
        let cosine = 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)));
        let sine = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)));
        (cosine, 0.5 * sine)
    } else {
        let half = square.sqrt();
        let (sine, cosine) = libm::sincos(half);
        (cosine, 0.5 * sine / half)
    };
    let rotation = Quaternion::new(cosine, by.x * factor, by.y * factor, by.z * factor);
    UnitQuaternion::new_normalize(rotation * attitude.into_inner())
}
