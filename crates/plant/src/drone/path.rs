//! Paths over ground, by the distance s made along them as seen from above.
//!
//! A path gives north, east and a level (depth, or height above the sea bed) at every s, and their first
//! and second derivatives by s. It is made of pieces: straight lines, arcs of circles and polynomials,
//! each exact; north and east have a tangent of length one.

use nalgebra::{Vector2, Vector3};

/// A way to go.
#[derive(Debug, Default)]
pub struct Path {
    pub pieces: Vec<Piece>,
    /// From which distance on which speed is to be held, in m and m/s.
    pub speeds: Vec<(f64, f64)>,
    pub length: f64,
    /// Whether the level is a height above the sea bed.
    pub above_bed: bool,
}

/// A part of a path, until the next one begins.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The distance at which it begins.
    pub from: f64,
    pub shape: Shape,
    /// The level as a polynomial of the distance since `from`.
    pub level: [f64; 6],
}

/// What a piece looks like from above.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Line {
        start: Vector2<f64>,
        /// Of length one.
        direction: Vector2<f64>,
    },
    Arc {
        centre: Vector2<f64>,
        radius: f64,
        /// From the centre to the start, of length one.
        out: Vector2<f64>,
        /// 1 for a turn to starboard, -1 for one to port.
        side: f64,
    },
    /// Polynomials of the distance since the start of the piece.
    Curve([[f64; 6]; 2]),
}

/// A place of a path and its derivatives by the distance: north, east, level.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub place: Vector3<f64>,
    pub first: Vector3<f64>,
    pub second: Vector3<f64>,
}

/// Where on a path somebody is: the numbers of a piece and of a speed.
pub type Mark = (usize, usize);

impl Path {
    /// Moves a mark forward to the distance `s`.
    #[inline]
    pub fn seek(&self, mark: &mut Mark, s: f64) {
        while self.pieces.get(mark.0 + 1).is_some_and(|next| next.from <= s) {
            mark.0 += 1;
        }
        while self.speeds.get(mark.1 + 1).is_some_and(|next| next.0 <= s) {
            mark.1 += 1;
        }
    }

    /// The point at the distance `s`, which lies in the marked piece.
    #[inline(always)]
    pub fn at(&self, mark: Mark, s: f64) -> Point {
        let piece = &self.pieces[mark.0];
        piece.at(s - piece.from)
    }
}

impl Piece {
    #[inline(always)]
    fn at(&self, x: f64) -> Point {
        let [level, slope, bend] = if is_constant(&self.level) {
            [self.level[0], 0.0, 0.0]
        } else {
            polynomial(&self.level, x)
        };
        let (place, first, second) = match &self.shape {
            Shape::Line { start, direction } => {
                (start + direction * x, *direction, Vector2::zeros())
            }
            Shape::Arc { centre, radius, out, side } => {
                let out = turned(*out, side * x / radius);
                let tangent = Vector2::new(-side * out.y, side * out.x);
                (centre + out * *radius, tangent, out * (-1.0 / radius))
            }
            Shape::Curve([north, east]) => {
                let (n, e) = (polynomial(north, x), polynomial(east, x));
                let both = |k: usize| Vector2::new(n[k], e[k]);
                (both(0), both(1), both(2))
            }
        };
        Point { place: place.push(level), first: first.push(slope), second: second.push(bend) }
    }
}

fn is_constant(c: &[f64; 6]) -> bool {
    c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0 && c[4] == 0.0 && c[5] == 0.0
}

/// A direction turned from north to east by an angle.
pub fn turned(a: Vector2<f64>, angle: f64) -> Vector2<f64> {
    let (sin, cos) = libm::sincos(angle);
    Vector2::new(a.x * cos - a.y * sin, a.x * sin + a.y * cos)
}

/// A polynomial and its first two derivatives.
#[inline]
pub fn polynomial(c: &[f64; 6], x: f64) -> [f64; 3] {
    let value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    let first = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * (4.0 * c[4] + x * 5.0 * c[5])));
    let second = 2.0 * c[2] + x * (6.0 * c[3] + x * (12.0 * c[4] + x * 20.0 * c[5]));
    [value, first, second]
}

/// The same polynomial, counted from `x`.
pub fn shifted(mut c: [f64; 6], x: f64) -> [f64; 6] {
    for lowest in 0..5 {
        for k in (lowest..5).rev() {
            c[k] += x * c[k + 1];
        }
    }
    c
}

/// The polynomial of degree five that has these values and first and second derivatives at 0 and at
/// `length`.
pub fn hermite(start: [f64; 3], end: [f64; 3], length: f64) -> [f64; 6] {
    let h = length;
    let [p, v, a] = start;
    // What is left to be made up for by the upper three coefficients, on a piece of length one.
    let rise = end[0] - p - h * (v + 0.5 * h * a);
    let slope = h * (end[1] - v - h * a);
    let bend = h * h * (end[2] - a);
    let c3 = 10.0 * rise - 4.0 * slope + 0.5 * bend;
    let c4 = -15.0 * rise + 7.0 * slope - bend;
    let c5 = 6.0 * rise - 3.0 * slope + 0.5 * bend;
    let cube = h * h * h;
    [p, v, 0.5 * a, c3 / cube, c4 / (cube * h), c5 / (cube * h * h)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_meets_both_ends_and_can_be_counted_from_elsewhere() {
        let (start, end) = ([1.0, -2.0, 0.5], [4.0, 3.0, -1.0]);
        let c = hermite(start, end, 2.5);
        for (ours, given) in polynomial(&c, 2.5).iter().zip(end) {
            assert!((ours - given).abs() < 1e-13);
        }
        assert_eq!(polynomial(&c, 0.0), start);
        let later = polynomial(&shifted(c, 0.7), 0.9);
        for (ours, given) in later.iter().zip(polynomial(&c, 1.6)) {
            assert!((ours - given).abs() < 1e-13);
        }
    }
}
