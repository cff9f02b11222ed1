//! Shortest ways of a vehicle that cannot turn more tightly than a radius (L. E. Dubins, "On curves of
//! minimal length with a constraint on average curvature, and with prescribed initial and terminal
//! positions and tangents", American Journal of Mathematics 79 (1957) 497).
//!
//! Such a way is one of six words of three pieces: arcs to starboard or port, and a straight line. The
//! crate `dubins_paths` finds them, with `libm` as its mathematics. Its x is north and its y east, so that
//! its angles are courses, and what it calls left is starboard.

use std::f64::consts::TAU;

use dubins_paths::PathType;
use dubins_paths::f64::{DubinsPath, Intermediate, PosRot};

/// A place and a course in radians, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// North and east in m.
    pub place: [f64; 2],
    pub course: f64,
}

/// One way from a pose to another.
#[derive(Clone, Copy, Debug)]
pub struct DubinsWay {
    path: DubinsPath,
    /// Its length in m.
    pub length: f64,
}

/// Turns that rounding has made longer than this are none: a straight way that was a hair off would begin
/// with a full circle otherwise.
const FULL_TURN: f64 = TAU - 1e-9;

/// All ways of the six words that exist, with arcs of this radius.
pub fn ways(from: Pose, to: Pose, radius: f64) -> impl Iterator<Item = DubinsWay> {
    let [start, end] = [from, to].map(|pose| {
        let [north, east] = pose.place;
        PosRot::from_floats(north, east, pose.course)
    });
    let between = Intermediate::new(start, end, radius);
    PathType::ALL.into_iter().filter_map(move |path_type| {
        let lengths = between.word(path_type).ok()?;
        let mut param = lengths;
        let turns = match PathType::CSC.contains(&path_type) {
            true => &[0, 2][..],
            false => &[0, 1, 2],
        };
        for turn in turns {
            if param[*turn] > FULL_TURN {
                param[*turn] = 0.0;
            }
        }
        let path = DubinsPath { qi: start, rho: radius, param, path_type };
        let length = radius * param.iter().sum::<f64>();
        length.is_finite().then_some(DubinsWay { path, length })
    })
}

impl DubinsWay {
    /// The place after a distance.
    pub fn place(&self, distance: f64) -> [f64; 2] {
        let at = self.path.sample(distance.clamp(0.0, self.length));
        [at.x(), at.y()]
    }
}

/// Courses by which the shortest way to a place can arrive there: those of a turn that goes over into the
/// straight line to it, to starboard and to port, and, for places within the turns, every `step`.
pub fn arrivals(from: Pose, to: [f64; 2], radius: f64, steps: u32) -> impl Iterator<Item = f64> {
    let tangents = [1.0, -1.0].into_iter().filter_map(move |side: f64| {
        let (sine, cosine) = libm::sincos(from.course);
        // The middle of the turn, and what the place looks like from there.
        let middle = [from.place[0] - side * radius * sine, from.place[1] + side * radius * cosine];
        let off = [to[0] - middle[0], to[1] - middle[1]];
        let distance = libm::hypot(off[0], off[1]);
        let bearing = libm::atan2(off[1], off[0]);
        (distance >= radius).then(|| bearing + side * libm::asin(radius / distance))
    });
    tangents.chain((0..steps).map(move |n| TAU * f64::from(n) / f64::from(steps)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: f64 = 65.0;

    /// Numbers from -1 to 1 that are the same each time.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }

        fn pose(&mut self, size: f64) -> Pose {
            let place = [size * self.next(), size * self.next()];
            Pose { place, course: 4.0 * self.next() }
        }
    }

    fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
        libm::hypot(a[0] - b[0], a[1] - b[1])
    }

    fn shortest(from: Pose, to: Pose) -> DubinsWay {
        let all = ways(from, to, RADIUS);
        all.min_by(|a, b| a.length.total_cmp(&b.length)).expect("there is always one")
    }

    /// Where turns and straight lines lead, by rotation about the middle of each turn.
    fn flown(mut pose: Pose, pieces: &[(f64, f64)]) -> Pose {
        for (side, length) in pieces {
            let (sine, cosine) = libm::sincos(pose.course);
            if *side == 0.0 {
                pose.place = [pose.place[0] + length * cosine, pose.place[1] + length * sine];
                continue;
            }
            let middle =
                [pose.place[0] - side * RADIUS * sine, pose.place[1] + side * RADIUS * cosine];
            let (s, c) = libm::sincos(side * length / RADIUS);
            let off = [pose.place[0] - middle[0], pose.place[1] - middle[1]];
            pose.place = [middle[0] + c * off[0] - s * off[1], middle[1] + s * off[0] + c * off[1]];
            pose.course += side * length / RADIUS;
        }
        pose
    }

    /// The shortest way by brute force. For each pair of first and last piece: the middle piece is found
    /// by geometry of its own, from the middles of the circles, for every word and side; nothing is shared
    /// with the formulas of the crate.
    fn brute_force(from: Pose, to: Pose) -> f64 {
        let middle = |pose: Pose, side: f64| {
            let (sine, cosine) = libm::sincos(pose.course);
            [pose.place[0] - side * RADIUS * sine, pose.place[1] + side * RADIUS * cosine]
        };
        let turned = |from: f64, to: f64, side: f64| {
            let angle = libm::fmod(side * (to - from), TAU);
            let angle = if angle < 0.0 { angle + TAU } else { angle };
            if angle > TAU - 1e-7 { 0.0 } else { angle }
        };
        let mut best = f64::INFINITY;
        let mut take = |pieces: &[(f64, f64)]| {
            let end = flown(from, pieces);
            let course_off = libm::remainder(end.course - to.course, TAU).abs();
            if distance(end.place, to.place) < 1e-3 && course_off < 1e-5 {
                best = best.min(pieces.iter().map(|(_, length)| length).sum());
            }
        };
        for first in [1.0, -1.0] {
            for last in [1.0, -1.0] {
                let (a, b) = (middle(from, first), middle(to, last));
                let (gap, bearing) = (distance(a, b), libm::atan2(b[1] - a[1], b[0] - a[0]));
                // The straight line touches both circles: an outer tangent, or an inner one.
                let lean = if first == last { 0.0 } else { libm::asin(2.0 * RADIUS / gap) };
                let course = bearing + first * lean;
                let line =
                    if first == last { gap } else { (gap * gap - 4.0 * RADIUS * RADIUS).sqrt() };
                if line.is_finite() && course.is_finite() {
                    let turns =
                        [turned(from.course, course, first), turned(course, to.course, last)];
                    take(&[(first, RADIUS * turns[0]), (0.0, line), (last, RADIUS * turns[1])]);
                }
                if first == last && gap < 4.0 * RADIUS {
                    // The middle circle touches both; it lies on either side of the line between them.
                    for side in [1.0, -1.0] {
                        let up = side * libm::acos(gap / (4.0 * RADIUS));
                        let (sine, cosine) = libm::sincos(bearing + up);
                        let c = [a[0] + 2.0 * RADIUS * cosine, a[1] + 2.0 * RADIUS * sine];
                        let course_at = |m: [f64; 2], other: [f64; 2], turn: f64| {
                            libm::atan2(other[1] - m[1], other[0] - m[0]) + turn * 0.25 * TAU
                        };
                        let (leave, meet) = (course_at(a, c, first), course_at(b, c, last));
                        take(&[
                            (first, RADIUS * turned(from.course, leave, first)),
                            (-first, RADIUS * turned(leave, meet, -first)),
                            (last, RADIUS * turned(meet, to.course, last)),
                        ]);
                    }
                }
            }
        }
        best
    }

    #[test]
    fn the_shortest_way_is_that_of_brute_force() {
        let mut numbers = Numbers(1);
        for size in [10.0, 60.0, 150.0, 400.0, 5000.0] {
            for _ in 0..4000 {
                let (from, to) = (numbers.pose(size), numbers.pose(size));
                let (ours, expected) = (shortest(from, to).length, brute_force(from, to));
                assert!((ours - expected).abs() < 1e-3, "{from:?} {to:?}: {ours}, not {expected}");
            }
        }
    }

    #[test]
    fn every_way_ends_where_it_is_to_end() {
        let mut numbers = Numbers(2);
        for size in [1.0, 50.0, 300.0, 3000.0] {
            for _ in 0..2000 {
                let (from, to) = (numbers.pose(size), numbers.pose(size));
                for way in ways(from, to, RADIUS) {
                    let end = way.place(way.length);
                    let before = way.place(way.length - 1e-3);
                    let course = libm::atan2(end[1] - before[1], end[0] - before[0]);
                    assert!(distance(way.place(0.0), from.place) < 1e-9);
                    assert!(distance(end, to.place) < 1e-5, "{from:?} {to:?} {way:?}");
                    let off = libm::remainder(course - to.course, TAU).abs();
                    assert!(off < 1e-4 || way.length < 1e-2, "{from:?} {to:?} {way:?} {off}");
                }
            }
        }
    }

    #[test]
    fn straight_on_is_straight_whatever_rounding_does() {
        let mut numbers = Numbers(3);
        for _ in 0..20_000 {
            let from = numbers.pose(1000.0);
            let (sine, cosine) = libm::sincos(from.course);
            let ahead = 1000.0 * (1.0 + numbers.next());
            let place = [from.place[0] + ahead * cosine, from.place[1] + ahead * sine];
            let course = from.course + 1e-13 * numbers.next();
            let way = shortest(from, Pose { place, course });
            assert!(way.length < ahead + 1e-6, "{from:?} {ahead} {way:?}");
        }
    }

    #[test]
    fn here_and_now_is_no_way_at_all() {
        let here = Pose { place: [3.0, -4.0], course: 1.0 };
        assert!(shortest(here, here).length < 1e-6);
    }

    #[test]
    fn any_course_of_arrival_is_as_short_as_the_best_of_many() {
        let mut numbers = Numbers(4);
        for size in [40.0, 150.0, 500.0, 2000.0] {
            for _ in 0..300 {
                let (from, to) = (numbers.pose(size), numbers.pose(size).place);
                let with = |course: f64| shortest(from, Pose { place: to, course }).length;
                let ours = arrivals(from, to, RADIUS, 72).map(with).fold(f64::INFINITY, f64::min);
                let many = (0..7200).map(|n| with(TAU * f64::from(n) / 7200.0));
                let best = many.fold(f64::INFINITY, f64::min);
                // Within the turns the best course lies between two of those that are tried.
                let margin = if distance(from.place, to) > 2.0 * RADIUS { 1e-6 } else { 3.0 };
                assert!(ours <= best + margin, "{from:?} {to:?}: {ours}, not {best}");
            }
        }
    }
}
