//! From a mission to straight lines and arcs of circles.
//!
//! ```text
//! semicircles: way-points in pairs            corners: all way-points
//!
//!   1 ───────── 2                               1 ──────╮ 2
//!                ╮                                      │
//!   4 ───────── 3                               4 ──────╯ 3
//! ```
//!
//! *Semicircles.* The first two way-points are a line, the next two another, and so on. Two lines are
//! joined by the arc that touches both. It begins where the first line ends, or it ends where the second
//! begins; the other line is drawn longer until it touches the arc. Between parallel lines of opposite
//! directions it is a semicircle whose diameter is their distance. With p the end of the first line, q
//! the start of the second, n₁ and n₂ the directions from the lines to the centre:
//!
//! ```text
//! r = (p - q)·n₂ / (1 - n₁·n₂)   from p,     r = (q - p)·n₁ / (1 - n₁·n₂)   to q
//! ```
//!
//! *Corners.* At every way-point but the first and last the corner is cut by an arc of radius r that
//! touches both legs, r tan(δ/2) before and after the way-point, for a turn by δ.
//!
//! The level goes from one way-point to the next by the polynomial 10 x³ - 15 x⁴ + 6 x⁵: the drone is
//! level at way-points. A way-point that was cut off counts as passed in the middle of its arc.
//! Curvature jumps where a line meets an arc, and with it the rate of turn and the acceleration.

use ironbird_component::Choice;
use nalgebra::Vector2;

use super::path::{Path, Piece, Shape, shifted, turned};
use ironbird_kinematics::{Level, Mission, Waypoint};

/// How lines are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Turns {
    /// Way-points in pairs are lines; arcs join them.
    #[default]
    Semicircles,
    /// All way-points are joined by lines; arcs round the corners.
    Corners,
}

/// The path of a mission.
pub fn plan(mission: &Mission, turns: Turns, radius: f64) -> Result<Path, String> {
    if mission.waypoints.len() < 2 {
        return Err("the mission has fewer than two way-points".into());
    }
    let track = match turns {
        Turns::Semicircles => survey(&mission.waypoints)?,
        Turns::Corners => corners(&mission.waypoints, radius)?,
    };
    Ok(track.path(mission))
}

/// Shapes one after the other, and the distances at which the way-points are passed.
#[derive(Default)]
struct Track {
    shapes: Vec<(Shape, f64)>,
    length: f64,
    passed: Vec<f64>,
}

impl Track {
    fn line(&mut self, from: Vector2<f64>, to: Vector2<f64>, direction: Vector2<f64>) {
        let length = (to - from).dot(&direction);
        if length > 0.0 {
            self.shapes.push((Shape::Line { start: from, direction }, length));
            self.length += length;
        }
    }

    fn turn(&mut self, turn: &Turn) {
        let Turn { centre, radius, out, side, angle } = *turn;
        self.shapes.push((Shape::Arc { centre, radius, out, side }, radius * angle));
        self.length += radius * angle;
    }

    fn pass(&mut self, before_the_end: f64) {
        self.passed.push((self.length - before_the_end).max(0.0));
    }

    /// Cuts the shapes at the way-points and gives each piece its level.
    fn path(self, mission: &Mission) -> Path {
        let waypoints = &mission.waypoints;
        let mut pieces: Vec<Piece> = Vec::new();
        let (mut from, mut leg) = (0.0, 0);
        for (shape, length) in self.shapes {
            let mut at = from;
            loop {
                while leg + 2 < self.passed.len() && self.passed[leg + 1] <= at {
                    leg += 1;
                }
                let level = level(&self.passed[leg..], &waypoints[leg..], at);
                pieces.push(Piece { from: at, shape: shape.after(at - from), level });
                let next = self.passed[leg + 1];
                if leg + 2 >= self.passed.len() || next >= from + length {
                    break;
                }
                at = next;
            }
            from += length;
        }
        let speeds = self.passed.iter().zip(waypoints).map(|(s, waypoint)| (*s, waypoint.speed));
        let mut speeds: Vec<(f64, f64)> = speeds.collect();
        // Nothing follows the last way-point.
        speeds.pop();
        Path { pieces, speeds, length: self.length, above_bed: mission.level == Level::Height }
    }
}

/// The level at the distance `at` of the leg from the first to the second way-point, as a polynomial of
/// what follows.
fn level(passed: &[f64], waypoints: &[Waypoint], at: f64) -> [f64; 6] {
    let (low, high) = (waypoints[0].level, waypoints[1].level);
    let (rise, length) = (high - low, passed[1] - passed[0]);
    if rise == 0.0 {
        return [low, 0.0, 0.0, 0.0, 0.0, 0.0];
    }
    let cube = length * length * length;
    let [c3, c4, c5] = [10.0 / cube, -15.0 / (cube * length), 6.0 / (cube * length * length)];
    shifted([low, 0.0, 0.0, rise * c3, rise * c4, rise * c5], at - passed[0])
}

impl Shape {
    /// What is left of it after a distance.
    fn after(self, x: f64) -> Shape {
        match self {
            Shape::Line { start, direction } => {
                Shape::Line { start: start + direction * x, direction }
            }
            Shape::Arc { centre, radius, out, side } => {
                Shape::Arc { centre, radius, out: turned(out, side * x / radius), side }
            }
            Shape::Curve(polynomials) => Shape::Curve(polynomials.map(|c| shifted(c, x))),
        }
    }
}

/// Lines of two way-points each.
fn survey(waypoints: &[Waypoint]) -> Result<Track, String> {
    let count = waypoints.len();
    if !count.is_multiple_of(2) {
        return Err(format!(
            "semicircles join lines of two way-points each, but the mission has {count} way-points; \
             add one, or set turns = \"corners\""
        ));
    }
    let mut track = Track::default();
    let mut start = waypoints[0].place();
    for (k, line) in waypoints.chunks_exact(2).enumerate() {
        let (from, to) = (line[0].place(), line[1].place());
        let direction = (to - from).normalize();
        let join = match waypoints.get(2 * k + 2..2 * k + 4) {
            Some(next) => Some(join(line, next)?),
            None => None,
        };
        let end = join.as_ref().map_or(to, |join| join.begins);
        track.line(start, end, direction);
        track.pass((end - from).dot(&direction));
        track.pass((end - to).dot(&direction));
        if let Some(join) = join {
            track.turn(&join.turn);
            start = join.ends;
        }
    }
    Ok(track)
}

/// An arc of a path.
struct Turn {
    centre: Vector2<f64>,
    radius: f64,
    out: Vector2<f64>,
    side: f64,
    angle: f64,
}

/// An arc between two lines, and where it touches them.
struct Join {
    turn: Turn,
    begins: Vector2<f64>,
    ends: Vector2<f64>,
}

fn join(line: &[Waypoint], next: &[Waypoint]) -> Result<Join, String> {
    let (p, q) = (line[1].place(), next[0].place());
    let first = (p - line[0].place()).normalize();
    let second = (next[1].place() - q).normalize();
    let side = if cross(first, q - p) < 0.0 { -1.0 } else { 1.0 };
    let (n1, n2) = (across(first, side), across(second, side));
    let apart = 1.0 - n1.dot(&n2);
    let fail = || {
        format!(
            "no arc joins the line that ends at the way-point of line {} with the one that begins at \
             that of line {}: a turn needs a second line beside the first that leads back; or set \
             turns = \"corners\"",
            line[1].line, next[0].line
        )
    };
    if apart < 1e-9 {
        return Err(fail());
    }
    // From the end of the first line; if that is beyond the start of the second, to that start.
    let mut radius = (p - q).dot(&n2) / apart;
    let mut begins = p;
    let mut centre = p + n1 * radius;
    if (centre - n2 * radius - q).dot(&second) > 0.0 {
        radius = (q - p).dot(&n1) / apart;
        centre = q + n2 * radius;
        begins = centre - n1 * radius;
    }
    let ends = centre - n2 * radius;
    let mut angle = libm::atan2(side * cross(first, second), first.dot(&second));
    if angle < 0.0 {
        angle += std::f64::consts::TAU;
    }
    // Both lines may only get longer.
    let slack = 1e-9 * (1.0 + radius.abs());
    let shorter = (begins - p).dot(&first) < -slack || (ends - q).dot(&second) > slack;
    if radius <= 0.0 || shorter {
        return Err(fail());
    }
    let out = -n1;
    Ok(Join { turn: Turn { centre, radius, out, side, angle }, begins, ends })
}

/// Legs between all way-points, with round corners.
fn corners(waypoints: &[Waypoint], radius: f64) -> Result<Track, String> {
    let legs: Vec<Vector2<f64>> =
        waypoints.windows(2).map(|w| w[1].place() - w[0].place()).collect();
    let directions: Vec<Vector2<f64>> = legs.iter().map(|leg| leg.normalize()).collect();
    // tan(δ/2) of the turn at every way-point: sin δ / (1 + cos δ).
    let mut tangents = vec![0.0; waypoints.len()];
    for (k, pair) in directions.windows(2).enumerate() {
        let (sine, cosine) = (cross(pair[0], pair[1]).abs(), pair[0].dot(&pair[1]));
        if 1.0 + cosine < 1e-9 {
            return Err(format!(
                "at the way-point of line {} the mission goes back the way it came; no corner can be \
                 cut there",
                waypoints[k + 1].line
            ));
        }
        tangents[k + 1] = sine / (1.0 + cosine);
    }
    for (k, leg) in legs.iter().enumerate() {
        let (length, cuts) = (leg.norm(), tangents[k] + tangents[k + 1]);
        if radius * cuts > length {
            return Err(format!(
                "turns of radius {radius} m take {:.3} m of the {length:.3} m between the way-points \
                 of lines {} and {}; a turn_radius of at most {:.3} m fits there",
                radius * cuts,
                waypoints[k].line,
                waypoints[k + 1].line,
                length / cuts
            ));
        }
    }
    let mut track = Track::default();
    let mut start = waypoints[0].place();
    track.pass(0.0);
    for (k, direction) in directions.iter().enumerate() {
        let corner = waypoints[k + 1].place();
        let cut = radius * tangents[k + 1];
        let end = corner - *direction * cut;
        track.line(start, end, *direction);
        start = end;
        let mut angle = 0.0;
        if let Some(next) = directions.get(k + 1).filter(|_| cut > 0.0) {
            let side = if cross(*direction, *next) < 0.0 { -1.0 } else { 1.0 };
            let inward = across(*direction, side);
            angle = 2.0 * libm::atan(tangents[k + 1]);
            let (centre, out) = (end + inward * radius, -inward);
            track.turn(&Turn { centre, radius, out, side, angle });
            start = corner + *next * cut;
        }
        track.pass(0.5 * radius * angle);
    }
    Ok(track)
}

/// Positive where `b` points to starboard of `a`.
fn cross(a: Vector2<f64>, b: Vector2<f64>) -> f64 {
    a.x * b.y - a.y * b.x
}

/// A quarter turn to starboard (1) or to port (-1).
fn across(a: Vector2<f64>, side: f64) -> Vector2<f64> {
    Vector2::new(-side * a.y, side * a.x)
}
