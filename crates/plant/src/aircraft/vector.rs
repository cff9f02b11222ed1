//! Vectors and rotations over any kind of number.

use ironbird_solvers::Number;

/// A vector with components along x, y and z.
pub type Vector<N> = [N; 3];

#[inline]
pub fn add<N: Number>(a: Vector<N>, b: Vector<N>) -> Vector<N> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
pub fn subtract<N: Number>(a: Vector<N>, b: Vector<N>) -> Vector<N> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub fn cross<N: Number>(a: Vector<N>, b: Vector<N>) -> Vector<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The rows of the matrix that turns vectors of the body to north, east, down; `q` is the attitude
/// w, x, y, z, whose length need not be exactly one.
///
/// ```text
///     1      w²+x²-y²-z²   2(xy-wz)      2(xz+wy)
///  ------    2(xy+wz)      w²-x²+y²-z²   2(yz-wx)
///   |q|²     2(xz-wy)      2(yz+wx)      w²-x²-y²+z²
/// ```
#[inline]
pub fn rotation<N: Number>([w, x, y, z]: [N; 4]) -> [Vector<N>; 3] {
    let [ww, xx, yy, zz] = [w * w, x * x, y * y, z * z];
    let scale = (ww + xx + yy + zz).recip();
    let twice = scale * 2.0;
    let [xy, xz, yz] = [x * y * twice, x * z * twice, y * z * twice];
    let [wx, wy, wz] = [w * x * twice, w * y * twice, w * z * twice];
    [
        [(ww + xx - yy - zz) * scale, xy - wz, xz + wy],
        [xy + wz, (ww - xx + yy - zz) * scale, yz - wx],
        [xz - wy, yz + wx, (ww - xx - yy + zz) * scale],
    ]
}

/// A vector of the body in north, east, down.
#[inline]
pub fn to_ned<N: Number>(rows: &[Vector<N>; 3], [x, y, z]: Vector<N>) -> Vector<N> {
    rows.map(|row| row[0] * x + row[1] * y + row[2] * z)
}

/// A vector of north, east, down in the body.
#[inline]
pub fn to_body<N: Number>(rows: &[Vector<N>; 3], [n, e, d]: Vector<N>) -> Vector<N> {
    let column = |k: usize| rows[0][k] * n + rows[1][k] * e + rows[2][k] * d;
    [column(0), column(1), column(2)]
}
