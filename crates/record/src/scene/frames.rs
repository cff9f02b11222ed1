//! From north, east, down and bodies with z down to east, north, up and bodies with z up, as other viewers draw (REP 103).

use std::f64::consts::FRAC_1_SQRT_2;

/// The place east, north, up. It is its own inverse.
pub fn swap(position: [f64; 3]) -> [f64; 3] {
    [position[1], position[0], -position[2]]
}

/// The attitude of a body with x forward, y to port, z up against east, north, up.
///
/// q' = t q s, with t the half turn about (1, 1, 0) that takes north, east, down to east, north, up, and s the half turn
/// about x between the two bodies. Both are their own inverses but for the sign, so this is its own inverse, too.
pub fn turn(q: [f64; 4]) -> [f64; 4] {
    let [w, x, y, z] = q;
    let [a, b, c, d] = [-x, w, z, -y];
    let turned = [-(b + c), a + d, a - d, c - b].map(|part| FRAC_1_SQRT_2 * part);
    // Of the two quaternions of one attitude, that with w ≥ 0.
    if turned[0] < 0.0 { turned.map(|part| -part) } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
        let [w, x, y, z] = q;
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let u = [x, y, z];
        let t = cross(u, v).map(|part| 2.0 * part);
        let ut = cross(u, t);
        [0, 1, 2].map(|i| v[i] + w * t[i] + ut[i])
    }

    fn close(a: &[f64], b: &[f64]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }

    #[test]
    fn what_is_ahead_and_to_port_stays_there() {
        let norm = 1.0 / (0.5f64 * 0.5 + 0.1 * 0.1 + 0.3 * 0.3 + 0.7 * 0.7).sqrt();
        let q = [0.5, -0.1, 0.3, 0.7].map(|part| part * norm);
        let (forward, starboard) = (rotate(q, [1.0, 0.0, 0.0]), rotate(q, [0.0, 1.0, 0.0]));
        let turned = turn(q);
        close(&rotate(turned, [1.0, 0.0, 0.0]), &swap(forward));
        close(&rotate(turned, [0.0, -1.0, 0.0]), &swap(starboard));
    }

    #[test]
    fn turning_twice_gives_the_same_attitude() {
        let q = [0.8, 0.36, -0.48, 0.0];
        close(&turn(turn(q)), &q);
    }
}
