//! Roots of polynomials up to degree three, by +, -, *, / and sqrt only.
//!
//! All of them answer one question: starting on one side of a level, when does a polynomial
//! c0 + c1 s + c2 s^2 + c3 s^3 first pass to the other side at some s > 0?

use crate::trajectory::evaluate;

/// The first s >= 0 at which `p` falls below zero, coming from zero or above. Infinity if never.
///
/// A polynomial that starts below zero has to rise above it first.
pub(crate) fn first_fall(p: &[f64; 4]) -> f64 {
    if p[3] == 0.0 {
        return first_fall_of_parabola(p[0], p[1], p[2]);
    }
    // Between its extrema the polynomial is monotone: look for the falling piece that begins at or
    // above zero and ends below it.
    let (low, high) = extrema(p);
    let mut left = 0.0;
    for right in [low, high] {
        if right > left {
            if evaluate(p, left) >= 0.0 && evaluate(p, right) < 0.0 {
                return bracketed_root(p, left, right);
            }
            left = right;
        }
    }
    if p[3] > 0.0 || evaluate(p, left) < 0.0 {
        return f64::INFINITY;
    }
    let mut width = if left > 0.0 { left } else { 1e-12 };
    while evaluate(p, left + width) >= 0.0 {
        width *= 4.0;
        if width > 1e12 {
            return f64::INFINITY;
        }
    }
    bracketed_root(p, left, left + width)
}

/// The first s >= 0 at which |p| reaches `band`; zero if it is there already.
pub(crate) fn leave_band(p: &[f64; 4], band: f64) -> f64 {
    if p[0].abs() >= band {
        return 0.0;
    }
    if p[3] == 0.0 {
        return leave_band_of_parabola(p[0], p[1], p[2], band);
    }
    if band > 1e100 {
        return leave_band(&p.map(|term| term / band), 1.0);
    }
    let up = [band - p[0], -p[1], -p[2], -p[3]];
    let down = [band + p[0], p[1], p[2], p[3]];
    first_fall(&up).min(first_fall(&down))
}

/// As [`leave_band`], for d0 + d1 s + d2 s^2 with |d0| < band.
#[inline]
pub(crate) fn leave_band_of_parabola(d0: f64, d1: f64, d2: f64, band: f64) -> f64 {
    // Mirrored so that it opens downwards: it can only leave by the top on its way up, and leaves
    // by the bottom otherwise.
    let (d0, d1, d2) = if d2 > 0.0 { (-d0, -d1, -d2) } else { (d0, d1, d2) };
    if !(2.0 * d1 * d1 + 16.0 * d2.abs() * band).is_finite() && band > 1.0 {
        // Squares of such numbers do not fit: count in bands.
        return leave_band_of_parabola(d0 / band, d1 / band, d2 / band, 1.0);
    }
    if d1 > 0.0 {
        let discriminant = d1 * d1 + 4.0 * d2 * (band - d0);
        if discriminant >= 0.0 {
            return 2.0 * (band - d0) / (d1 + discriminant.sqrt());
        }
    }
    first_fall_of_parabola(band + d0, d1, d2)
}

/// As [`first_fall`], for c0 + c1 s + c2 s^2.
#[inline]
pub(crate) fn first_fall_of_parabola(c0: f64, c1: f64, c2: f64) -> f64 {
    if c2 == 0.0 {
        return if c1 < 0.0 && c0 >= 0.0 { -c0 / c1 } else { f64::INFINITY };
    }
    let discriminant = c1 * c1 - 4.0 * c2 * c0;
    if discriminant < 0.0 || (c2 > 0.0 && (c1 >= 0.0 || c0 < 0.0)) || (c0 < 0.0 && c1 <= 0.0) {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    // Both forms avoid subtracting nearly equal numbers.
    if c1 > 0.0 { (c1 + root) / (-2.0 * c2) } else { 2.0 * c0 / (root - c1) }
}

/// Where the slope of a cubic is zero, in order; zero for what does not exist.
fn extrema(p: &[f64; 4]) -> (f64, f64) {
    let (a, b, c) = (3.0 * p[3], 2.0 * p[2], p[1]);
    let discriminant = b * b - 4.0 * a * c;
    if discriminant <= 0.0 {
        return (0.0, 0.0);
    }
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let (one, two) = (q / a, if q == 0.0 { 0.0 } else { c / q });
    if one < two { (one, two) } else { (two, one) }
}

/// The root in [left, right], where `p` falls from >= 0 to < 0: Newton's steps, and bisection
/// where they leave the bracket.
fn bracketed_root(p: &[f64; 4], mut left: f64, mut right: f64) -> f64 {
    let mut s = 0.5 * (left + right);
    for _ in 0..100 {
        let value = evaluate(p, s);
        if value >= 0.0 {
            left = s;
        } else {
            right = s;
        }
        let slope = p[1] + s * (2.0 * p[2] + s * 3.0 * p[3]);
        let newton = s - value / slope;
        let next = if newton > left && newton < right { newton } else { 0.5 * (left + right) };
        if (next - s).abs() <= 1e-16 * s || next == left || next == right {
            return next;
        }
        s = next;
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bands_whose_squares_do_not_fit_are_left_like_others() {
        let near = leave_band_of_parabola(0.0, 300.0, 20.0, 1.0);
        let far = leave_band_of_parabola(0.0, 300e200, 20e200, 1e200);
        assert!((near - far).abs() < 1e-15, "{near} {far}");
        let near = leave_band(&[0.0, 300.0, 20.0, 7.0], 1.0);
        let far = leave_band(&[0.0, 300e200, 20e200, 7e200], 1e200);
        assert!((near - far).abs() < 1e-15, "{near} {far}");
    }

    /// Looks for the first fall by walking.
    fn walked(p: &[f64; 4], end: f64) -> Option<f64> {
        let steps = 20_000;
        let at = |k: i32| end * f64::from(k) / f64::from(steps);
        (0..steps).find(|k| evaluate(p, at(*k)) >= 0.0 && evaluate(p, at(k + 1)) < 0.0).map(at)
    }

    proptest! {
        #[test]
        fn the_first_fall_is_where_walking_finds_it(
            p in prop::array::uniform4(-3.0..3.0f64), degree in 1..4usize,
        ) {
            let p: [f64; 4] = std::array::from_fn(|k| if k <= degree { p[k] } else { 0.0 });
            let found = first_fall(&p);
            match walked(&p, 4.0) {
                Some(s) => prop_assert!((found - s).abs() < 4e-4, "{} is not {}", found, s),
                // Walking may miss two roots that lie close together.
                None => prop_assert!(found > 3.99 || evaluate(&p, found).abs() < 1e-6),
            }
        }

        #[test]
        fn leaving_a_band_ends_at_its_edge(p in prop::array::uniform4(-3.0..3.0f64)) {
            let s = leave_band(&p, 3.5);
            if s.is_finite() && s < 100.0 {
                prop_assert!((evaluate(&p, s).abs() - 3.5).abs() < 1e-6);
            }
            for k in 0..100 {
                let earlier = s.min(10.0) * f64::from(k) / 100.0;
                prop_assert!(evaluate(&p, earlier).abs() <= 3.5 + 1e-9);
            }
        }
    }

    #[test]
    fn a_polynomial_that_starts_below_has_to_rise_first() {
        assert!((first_fall(&[-1e-12, 1.0, -1.0, 0.0]) - 1.0).abs() < 1e-9);
        assert_eq!(first_fall(&[-1.0, -1.0, 0.0, 0.0]), f64::INFINITY);
        assert_eq!(first_fall(&[-1.0, 1.0, -1.0, 0.0]), f64::INFINITY);
    }
}
