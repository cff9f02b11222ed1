//! A path plan: the way to a place, cut into way-points, and the circle that is flown afterwards.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::area::Polygon;
use super::dubins::{DubinsWay, Pose, arrivals, ways};

/// How a vehicle can fly, and where it may not.
#[derive(Clone, Debug)]
pub struct Rules<'a> {
    /// Radius of turns and circles in m.
    pub turn_radius: f64,
    /// Longest distance from way-point to way-point in m.
    pub spacing: f64,
    /// How far a parallel arrival is straight, in m, where that takes no loop.
    pub run_in: f64,
    pub zones: &'a [Polygon],
}

/// From which side a place may be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrival {
    /// Along a course, or against it.
    Parallel(f64),
    /// From any side.
    Any,
}

/// Way-points north and east: first to the place, then round for ever.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub way: Vec<[f64; 2]>,
    pub circle: Vec<[f64; 2]>,
    /// Length of the way in m.
    pub length: f64,
}

/// Arrival courses that are tried where any will do.
const COURSES: u32 = 72;

/// Courses beside the parallel one that are tried, in degrees: a vehicle that has come slightly off its row
/// would otherwise fly a whole loop to the next cell of it.
const ASIDE: [f64; 9] = [0.0, 5.0, -5.0, 10.0, -10.0, 15.0, -15.0, 20.0, -20.0];

/// What each degree costs, in m of way.
const COST_OF_ASIDE: f64 = 3.0;

/// A way to a place, in pieces.
struct Candidate {
    pieces: Vec<DubinsWay>,
    /// On which it arrives.
    course: f64,
    /// By which it is picked, in m.
    cost: f64,
}

impl Candidate {
    fn new(pieces: Vec<DubinsWay>, course: f64) -> Self {
        let cost = pieces.iter().map(|way| way.length).sum();
        Candidate { pieces, course, cost }
    }
}

impl Rules<'_> {
    /// The shortest way to a place that leaves all zones out, if there is one.
    ///
    /// All six words of Dubins are tried for every course of arrival; where each of them enters a zone,
    /// ways past a corner of a zone are. A zone in which the vehicle already is does not count.
    pub fn plan(&self, from: Pose, to: [f64; 2], arrival: Arrival) -> Option<Plan> {
        if self.zones.iter().any(|zone| zone.contains(from.place)) {
            let others = self.zones.iter().filter(|zone| !zone.contains(from.place)).cloned();
            let zones: Vec<Polygon> = others.collect();
            return Rules { zones: &zones, ..*self }.plan(from, to, arrival);
        }
        if let Some(plan) = self.cheapest_free(self.candidates(from, to, arrival), to) {
            return Some(plan);
        }
        let mut past = Vec::new();
        let corners =
            self.zones.iter().flat_map(|zone| zone.corners_farther_by(2.0 * self.turn_radius));
        for corner in corners {
            let course = libm::atan2(to[1] - corner[1], to[0] - corner[0]);
            // Towards the goal, and a little to both sides, as the zone may lie between.
            for turned in [0.0, 0.25 * PI, -0.25 * PI, FRAC_PI_2, -FRAC_PI_2] {
                let via = Pose { place: corner, course: course + turned };
                let free = |way: &DubinsWay| self.is_free(&self.cut(way));
                let first = ways(from, via, self.turn_radius).filter(free);
                let Some(first) = first.min_by(|a, b| a.length.total_cmp(&b.length)) else {
                    continue;
                };
                for mut candidate in self.candidates(via, to, arrival) {
                    candidate.pieces.insert(0, first);
                    candidate.cost += first.length;
                    past.push(candidate);
                }
            }
        }
        self.cheapest_free(past, to)
    }

    /// A circle to starboard from a pose, or to port if a zone lies to starboard.
    pub fn circle(&self, from: Pose) -> Vec<[f64; 2]> {
        let [starboard, port] = [1.0, -1.0].map(|side| self.circle_to(from, side));
        if !self.is_free(&starboard) && self.is_free(&port) { port } else { starboard }
    }

    fn circle_to(&self, from: Pose, side: f64) -> Vec<[f64; 2]> {
        let radius = self.turn_radius;
        let count = (TAU * radius / self.spacing).ceil().clamp(8.0, 360.0);
        let outward = from.course - side * FRAC_PI_2;
        let (sine, cosine) = libm::sincos(outward);
        let middle = [from.place[0] - radius * cosine, from.place[1] - radius * sine];
        let corner = |n: u32| {
            let (sine, cosine) = libm::sincos(outward + side * TAU * f64::from(n) / count);
            [middle[0] + radius * cosine, middle[1] + radius * sine]
        };
        (1..=count as u32).map(corner).collect()
    }

    /// All ways to a place.
    fn candidates(&self, from: Pose, to: [f64; 2], arrival: Arrival) -> Vec<Candidate> {
        let radius = self.turn_radius;
        let on = |course: f64| {
            let goal = Pose { place: to, course };
            ways(from, goal, radius).map(move |way| Candidate::new(vec![way], course))
        };
        match arrival {
            Arrival::Any => arrivals(from, to, radius, COURSES).flat_map(on).collect(),
            Arrival::Parallel(course) => {
                let mut all = Vec::new();
                for along in [course, course + PI] {
                    for aside in ASIDE {
                        all.extend(on(along + aside.to_radians()).map(|candidate| {
                            let cost = candidate.cost + COST_OF_ASIDE * aside.abs();
                            Candidate { cost, ..candidate }
                        }));
                    }
                    all.extend(self.with_run_in(from, Pose { place: to, course: along }));
                }
                all
            }
        }
    }

    /// Ways that end with a straight piece, which costs nothing: a vehicle that is still turning when it
    /// arrives is in no state to fly on along its row.
    fn with_run_in(&self, from: Pose, goal: Pose) -> Vec<Candidate> {
        let (sine, cosine) = libm::sincos(goal.course);
        let [north, east] = goal.place;
        let before = Pose {
            place: [north - self.run_in * cosine, east - self.run_in * sine],
            course: goal.course,
        };
        let straight = ways(before, goal, self.turn_radius)
            .min_by(|a, b| a.length.total_cmp(&b.length))
            .filter(|_| self.run_in > 0.0);
        let Some(straight) = straight else { return Vec::new() };
        let joined = |way: DubinsWay| {
            let candidate = Candidate::new(vec![way, straight], goal.course);
            Candidate { cost: candidate.cost - straight.length, ..candidate }
        };
        ways(from, before, self.turn_radius).map(joined).collect()
    }

    /// The first of the cheapest ways that enters no zone, the circle at its end included if that can be.
    fn cheapest_free(&self, mut candidates: Vec<Candidate>, to: [f64; 2]) -> Option<Plan> {
        candidates.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let mut second_best = None;
        for Candidate { pieces, course, .. } in candidates {
            // A piece begins where the one before it ends.
            let start = pieces[0].place(0.0);
            let points = pieces.iter().flat_map(|piece| self.cut(piece).into_iter().skip(1));
            let way: Vec<[f64; 2]> = std::iter::once(start).chain(points).collect();
            if !self.is_free(&way) {
                continue;
            }
            let circle = self.circle(Pose { place: to, course });
            let free = self.is_free(&circle);
            let length = pieces.iter().map(|way| way.length).sum();
            let plan = Plan { way: way[1..].to_vec(), circle, length };
            if free {
                return Some(plan);
            }
            second_best.get_or_insert(plan);
        }
        second_best
    }

    /// Points along a way, its start and its end among them.
    fn cut(&self, way: &DubinsWay) -> Vec<[f64; 2]> {
        // What rounding has made longer needs no point more. The conversion saturates.
        let count = (way.length / self.spacing - 1e-9).ceil().clamp(1.0, 1e6) as u32;
        let each = way.length / f64::from(count);
        (0..=count).map(|n| way.place(f64::from(n) * each)).collect()
    }

    fn is_free(&self, points: &[[f64; 2]]) -> bool {
        let enters =
            |zone: &Polygon| points.windows(2).any(|pair| zone.is_entered(pair[0], pair[1]));
        !self.zones.iter().any(enters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plan_enters_a_zone_and_few_places_are_blocked() {
        let square = |north: f64, east: f64| {
            let corner = |n, e| [north + 80.0 * n, east + 80.0 * e];
            let corners =
                vec![corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0), corner(1.0, 0.0)];
            Polygon::new(corners).expect("a square")
        };
        let zones = [square(100.0, 50.0), square(-200.0, 150.0), square(0.0, -300.0)];
        let rules = Rules { turn_radius: 65.0, spacing: 20.0, run_in: 0.0, zones: &zones };
        let mut number = 3u64;
        let mut random = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        };
        let (mut planned, mut blocked) = (0, 0);
        while planned < 300 {
            let from = Pose { place: [400.0 * random(), 400.0 * random()], course: PI * random() };
            let to = [400.0 * random(), 400.0 * random()];
            if zones.iter().any(|zone| zone.contains(from.place) || zone.contains(to)) {
                continue;
            }
            for arrival in [Arrival::Any, Arrival::Parallel(0.3)] {
                let Some(plan) = rules.plan(from, to, arrival) else {
                    blocked += 1;
                    continue;
                };
                planned += 1;
                let mut points = vec![from.place];
                points.extend(&plan.way);
                assert!(rules.is_free(&points));
                let end = points[points.len() - 1];
                assert!(libm::hypot(end[0] - to[0], end[1] - to[1]) < 1e-6);
                let pieces =
                    points.windows(2).map(|p| libm::hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]));
                let flown: f64 = pieces.clone().sum();
                assert!(pieces.fold(0.0, f64::max) <= 20.0 + 1e-9);
                assert!(flown <= plan.length + 1e-6 && flown > 0.99 * plan.length - 1.0);
            }
        }
        // From close before a zone there may be no way out.
        assert!(blocked < 30, "{blocked} of {planned}");
    }

    #[test]
    fn what_is_in_a_zone_may_leave_it() {
        let corners = vec![[-50.0, -50.0], [-50.0, 50.0], [50.0, 50.0], [50.0, -50.0]];
        let zones = [Polygon::new(corners).expect("a square")];
        let rules = Rules { turn_radius: 65.0, spacing: 20.0, run_in: 0.0, zones: &zones };
        let from = Pose { place: [0.0, 0.0], course: 0.0 };
        assert!(rules.plan(from, [500.0, 0.0], Arrival::Any).is_some());
    }

    #[test]
    fn a_circle_begins_and_ends_where_it_is_tangent_to_the_course() {
        let rules = Rules { turn_radius: 65.0, spacing: 20.0, run_in: 0.0, zones: &[] };
        let circle = rules.circle(Pose { place: [10.0, 20.0], course: 0.5 });
        let end = circle[circle.len() - 1];
        assert!(libm::hypot(end[0] - 10.0, end[1] - 20.0) < 1e-9);
        // To starboard: the first point lies ahead and a little to the right.
        let off = [circle[0][0] - 10.0, circle[0][1] - 20.0];
        let bearing = libm::atan2(off[1], off[0]) - 0.5;
        assert!((0.0..0.3).contains(&bearing), "{bearing}");
    }
}
