//! Cubic splines through points: C², with no curvature at both ends.
//!
//! Between the knots i and i + 1, h apart, with the second derivatives m and a = 1 - b, b = (t - tᵢ)/h:
//!
//! ```text
//! p = a pᵢ + b pᵢ₊₁ + ((a³ - a) mᵢ + (b³ - b) mᵢ₊₁) h²/6
//! hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((pᵢ₊₁ - pᵢ)/hᵢ - (pᵢ - pᵢ₋₁)/hᵢ₋₁),   m₀ = mₙ = 0
//! ```

use nalgebra::SVector;

/// A spline through points of `D` coordinates.
#[derive(Clone, Debug, Default)]
pub struct CubicSpline<const D: usize> {
    knots: Vec<f64>,
    points: Vec<SVector<f64, D>>,
    /// Second derivatives at the knots.
    bends: Vec<SVector<f64, D>>,
}

impl<const D: usize> CubicSpline<D> {
    /// The spline that is at `points` at `knots`, which increase; there are at least two.
    pub fn through(knots: Vec<f64>, points: Vec<SVector<f64, D>>) -> Self {
        let count = knots.len();
        let mut bends = vec![SVector::zeros(); count];
        // Elimination downwards (Thomas), then substitution upwards; the matrix is diagonally dominant.
        let mut upper = vec![0.0; count];
        for i in 1..count.saturating_sub(1) {
            let (before, after) = (knots[i] - knots[i - 1], knots[i + 1] - knots[i]);
            let slopes = (points[i + 1] - points[i]) / after - (points[i] - points[i - 1]) / before;
            let pivot = 2.0 * (before + after) - before * upper[i - 1];
            upper[i] = after / pivot;
            bends[i] = (slopes * 6.0 - bends[i - 1] * before) / pivot;
        }
        for i in (1..count.saturating_sub(1)).rev() {
            let next = bends[i + 1];
            bends[i] -= next * upper[i];
        }
        CubicSpline { knots, points, bends }
    }

    /// Where its pieces begin and end.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Value, first and second derivative on piece `i`, `x` after its knot.
    #[inline]
    pub fn at(&self, i: usize, x: f64) -> [SVector<f64, D>; 3] {
        let h = self.knots[i + 1] - self.knots[i];
        let (p, q) = (&self.points[i], &self.points[i + 1]);
        let (m, n) = (&self.bends[i], &self.bends[i + 1]);
        let jerk = (n - m) / h;
        let slope = (q - p) / h - (m * 2.0 + n) * (h / 6.0);
        [
            p + (slope + (m * 0.5 + jerk * (x / 6.0)) * x) * x,
            slope + (m + jerk * (0.5 * x)) * x,
            m + jerk * x,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector1;

    #[test]
    fn a_spline_goes_through_its_points_and_is_smooth_there() {
        let knots = vec![0.0, 1.0, 1.5, 4.0, 4.25];
        let points = [3.0, -1.0, 2.0, 2.5, 0.0].map(Vector1::new).to_vec();
        let spline = CubicSpline::through(knots.clone(), points.clone());
        for i in 0..3 {
            let end = spline.at(i, knots[i + 1] - knots[i]);
            let start = spline.at(i + 1, 0.0);
            assert!((end[0] - points[i + 1]).norm() < 1e-14);
            for (a, b) in end.iter().zip(start) {
                assert!((a - b).norm() < 1e-13, "{a} {b}");
            }
        }
        assert_eq!(spline.at(0, 0.0)[2].x, 0.0);
        assert!(spline.at(3, 0.25)[2].norm() < 1e-13);
    }
}
