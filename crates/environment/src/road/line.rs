//! The middle of a lane: straights, clothoids and arcs, one after the other.
//!
//! ```text
//! κ(s) = κ_0 + κ' s          ψ(s) = ψ_0 + κ_0 s + κ' s²/2
//! n(s) = n_0 + ∫ cos ψ ds    e(s) = e_0 + ∫ sin ψ ds
//! ```
//!
//! The integrals are taken by the five-point rule of Gauss and Legendre between nodes so near to each other
//! that it is exact to the last digits. Beyond both ends the lane goes on straight.
//!
//! The point nearest to a place p is where (p - c) · t = 0, with t the direction of the lane: Newton's method
//! from the nearest node, with the slope -(1 - κ y) for a place y to starboard of the lane.

/// A stretch whose curvature changes evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    pub length: f64,
    /// At its two ends.
    pub curvature: [f64; 2],
}

/// A point, a direction and a curvature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Node {
    pub distance: f64,
    pub place: [f64; 2],
    pub heading: f64,
    pub curvature: f64,
    /// How much the curvature grows per metre after it.
    pub growth: f64,
}

/// The middle of a lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    nodes: Vec<Node>,
}

/// Longest distance between nodes in m, and most that the lane turns between them in rad.
const NODE_DISTANCE: f64 = 2.0;
const NODE_TURN: f64 = 0.1;

/// More nodes would fill the memory: roads of a thousand kilometres are refused before.
const MOST_NODES: f64 = 2e6;

/// Points that a line beside the lane has.
const MOST_BESIDE: f64 = 5000.0;

/// How far from where it was last a vehicle is looked for, in m.
const WINDOW: f64 = 100.0;

/// Newton's method ends below this step in m, or after so many steps.
const NEAR_ENOUGH: f64 = 1e-10;
const MOST_STEPS: u32 = 50;

/// Abscissae and weights of Gauss and Legendre on -1 to 1.
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

impl Node {
    /// The point `further` along.
    fn after(&self, further: f64) -> Node {
        let heading = |s: f64| self.heading + (self.curvature + 0.5 * self.growth * s) * s;
        let half = 0.5 * further;
        let mut place = self.place;
        for (abscissa, weight) in GAUSS {
            let (sin, cos) = libm::sincos(heading(half * (1.0 + abscissa)));
            place[0] += half * weight * cos;
            place[1] += half * weight * sin;
        }
        Node {
            distance: self.distance + further,
            place,
            heading: heading(further),
            curvature: self.curvature + self.growth * further,
            growth: self.growth,
        }
    }
}

impl Line {
    /// A lane from a place (north, east) and a heading on.
    pub fn new(
        place: [f64; 2],
        heading: f64,
        stretches: impl IntoIterator<Item = Stretch>,
    ) -> Result<Line, &'static str> {
        let mut nodes = Vec::new();
        let mut last = Node { place, heading, ..Node::default() };
        let mut count = 0.0;
        for Stretch { length, curvature: [from, to] } in stretches {
            let turns = from.abs().max(to.abs()) * length;
            let parts = (length / NODE_DISTANCE).max(turns / NODE_TURN).ceil().max(1.0);
            count += parts;
            // Also what is not a number.
            if !matches!(count.partial_cmp(&MOST_NODES), Some(std::cmp::Ordering::Less)) {
                return Err("the road is too long, or turns too often");
            }
            last = Node { curvature: from, growth: (to - from) / length, ..last };
            for _ in 0..parts as u64 {
                nodes.push(last);
                last = last.after(length / parts);
            }
        }
        nodes.push(Node { curvature: 0.0, growth: 0.0, ..last });
        Ok(Line { nodes })
    }

    /// The point at a distance along it.
    pub fn at(&self, distance: f64) -> Node {
        let after = self.nodes.partition_point(|node| node.distance <= distance);
        match after.checked_sub(1).map(|index| self.nodes[index]) {
            Some(node) => node.after(distance - node.distance),
            None => {
                let first = self.nodes.first().copied().unwrap_or_default();
                Node { curvature: 0.0, growth: 0.0, ..first }.after(distance)
            }
        }
    }

    /// The line so far to starboard of it, from its start to its end: a point every few metres, fewer where it is very
    /// long.
    pub fn beside(&self, offset: f64, every: f64) -> Vec<[f64; 2]> {
        let length = self.nodes.last().map_or(0.0, |last| last.distance);
        let count = (length / every).ceil().clamp(1.0, MOST_BESIDE);
        let points = (0..=count as u32).map(|number| {
            let point = self.at(length * f64::from(number) / count);
            let (sin, cos) = libm::sincos(point.heading);
            [point.place[0] - offset * sin, point.place[1] + offset * cos]
        });
        points.collect()
    }

    /// The point nearest to a place, and how far the place is to starboard of it.
    pub fn nearest(&self, place: [f64; 2], near: Option<f64>) -> (Node, f64) {
        let (from, until) = match near {
            None => (0, self.nodes.len()),
            Some(near) => {
                let from = self.nodes.partition_point(|node| node.distance < near - WINDOW);
                let until = self.nodes.partition_point(|node| node.distance <= near + WINDOW);
                // Beyond the ends the nearest node is that of the end.
                (from.min(self.nodes.len().saturating_sub(1)), until.max(1))
            }
        };
        let away = |node: &Node| {
            let [north, east] = [place[0] - node.place[0], place[1] - node.place[1]];
            north * north + east * east
        };
        let candidates = self.nodes.get(from..until).unwrap_or_default();
        let nearest = candidates.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        let mut point = nearest.copied().unwrap_or_default();
        let mut offset = 0.0;
        for _ in 0..MOST_STEPS {
            let (sin, cos) = libm::sincos(point.heading);
            let [north, east] = [place[0] - point.place[0], place[1] - point.place[1]];
            offset = east * cos - north * sin;
            let step = (north * cos + east * sin) / (1.0 - point.curvature * offset).max(0.1);
            if step.abs() < NEAR_ENOUGH {
                break;
            }
            point = self.at(point.distance + step);
        }
        (point, offset)
    }
}
