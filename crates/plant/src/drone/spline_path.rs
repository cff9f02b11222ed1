//! From a mission to a smooth curve through its way-points.
//!
//! North, east and level are a cubic spline over the length of the chords between way-points: position,
//! direction and curvature are continuous. The spline is then laid anew over its own length s, seen from
//! above, in pieces of degree five that agree with it in place, direction and curvature at their ends:
//!
//! ```text
//! σ = |p'ₕ(u)|,   ds = σ du,   dp/ds = p'/σ,   d²p/ds² = (p'' - p' (p'ₕ·p''ₕ)/σ²)/σ²
//! ```
//!
//! Pieces are halved until their tangent has length one within [`TOLERANCE`]. So a drone goes exactly
//! along the pieces at exactly the derivatives that it reports, and no equation is solved on the way.

use nalgebra::{Vector2, Vector3};

use super::cubic_spline::CubicSpline;
use super::path::{Path, Piece, Shape, hermite, polynomial};
use ironbird_kinematics::{Level, Mission};

/// How far the length of the tangent may be from one.
const TOLERANCE: f64 = 1e-9;

/// How often a piece may be halved: below that a curve turns on the spot.
const HALVINGS: u32 = 24;

/// The path of a mission.
pub fn plan(mission: &Mission) -> Result<Path, String> {
    let waypoints = &mission.waypoints;
    if waypoints.len() < 2 {
        return Err("the mission has fewer than two way-points".into());
    }
    let mut chords = vec![0.0];
    for pair in waypoints.windows(2) {
        let chord = (pair[1].place() - pair[0].place()).norm();
        chords.push(chords[chords.len() - 1] + chord);
    }
    let points = waypoints.iter().map(|w| w.place().push(w.level)).collect();
    let spline = CubicSpline::through(chords, points);
    let mut path = Path { above_bed: mission.level == Level::Height, ..Path::default() };
    for (i, pair) in waypoints.windows(2).enumerate() {
        path.speeds.push((path.length, pair[0].speed));
        let end = spline.knots()[i + 1] - spline.knots()[i];
        lay(&mut path, &spline, i, [0.0, end], HALVINGS).ok_or_else(|| {
            format!(
                "the spline turns on the spot between the way-points of lines {} and {}; move one, or \
                 add way-points between them",
                pair[0].line, pair[1].line
            )
        })?;
    }
    Ok(path)
}

/// Appends piece `i` of the spline from u = `ends[0]` to `ends[1]`.
fn lay(
    path: &mut Path,
    spline: &CubicSpline<3>,
    i: usize,
    ends: [f64; 2],
    halvings: u32,
) -> Option<()> {
    let length = length(spline, i, ends);
    let [start, end] = ends.map(|u| by_length(&spline.at(i, u)));
    let fit = |k: usize| {
        let of = |point: &[Vector3<f64>; 3]| [point[0][k], point[1][k], point[2][k]];
        hermite(of(&start), of(&end), length)
    };
    let (curve, level) = ([fit(0), fit(1)], fit(2));
    let straight = ends.map(|u| spline.at(i, u)[2]) == [Vector3::zeros(); 2];
    // Comparisons that NaN fails: where the spline stands still there is no direction.
    let good = [0.1, 0.25, 0.5, 0.75, 0.9].into_iter().all(|part| {
        let tangent = curve.map(|c| polynomial(&c, part * length)[1]);
        (Vector2::from(tangent).norm() - 1.0).abs() < TOLERANCE
    });
    if good {
        let shape = if straight {
            Shape::Line { start: start[0].xy(), direction: start[1].xy() }
        } else {
            Shape::Curve(curve)
        };
        path.pieces.push(Piece { from: path.length, shape, level });
        path.length += length;
        return Some(());
    }
    let middle = 0.5 * (ends[0] + ends[1]);
    let left = halvings.checked_sub(1)?;
    lay(path, spline, i, [ends[0], middle], left)?;
    lay(path, spline, i, [middle, ends[1]], left)
}

/// Place and derivatives by the length, of derivatives by u.
fn by_length([place, first, second]: &[Vector3<f64>; 3]) -> [Vector3<f64>; 3] {
    let squared = first.xy().norm_squared();
    let along = first.xy().dot(&second.xy()) / squared;
    [*place, first / squared.sqrt(), (second - first * along) / squared]
}

/// Length of a part of piece `i`, seen from above, by the rule of Gauss with five points.
fn length(spline: &CubicSpline<3>, i: usize, [from, to]: [f64; 2]) -> f64 {
    /// Places and weights on [-1, 1] (Abramowitz and Stegun, table 25.4).
    const RULE: [(f64, f64); 5] = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let speeds = RULE.map(|(x, weight)| weight * spline.at(i, middle + half * x)[1].xy().norm());
    half * speeds.iter().sum::<f64>()
}
