//! Islands: bodies that could meet before the next epoch.
//!
//! Every body gets a box that holds it until the next epoch, from its state alone: where it is, how fast it goes, how
//! far it reaches. Bodies whose boxes overlap may touch, and belong to one island, as do those that are joined through
//! others. What a body does in a step depends on those that it really touches, never on the rest of its island: so it
//! does not matter how bodies are put into islands, as long as nothing that can touch is kept apart. A body that leaves
//! its box all the same, since something pushes it harder than was thought, makes the boxes too small: the world then
//! goes back to where they were made and makes larger ones.

use nalgebra::Vector3;

use crate::body::Body;
use crate::geometry::{DEEPEST, Fixed};

/// Accelerations up to this leave a body in its box, in m/s²; each attempt that fails quadruples it.
const USUAL_ACCELERATION: f64 = 50.0;
/// Bodies come no closer to the edges of their boxes than this, in m.
const SLACK: f64 = 0.01;

/// How bodies are put into islands.
#[derive(Default)]
pub(crate) struct Islands {
    /// The bodies of each island stand together: where each begins, and the end of the last.
    pub starts: Vec<usize>,
    /// Pairs of bodies that may touch, by their places in the island, island by island ...
    pub pairs: Vec<(u32, u32)>,
    /// ... where those of each begin, and the end.
    pub pair_starts: Vec<usize>,
    /// By which the bodies are sorted: the number of the first body of the island.
    roots: Vec<u32>,
    order: Vec<u32>,
    found: Vec<(u32, u32)>,
}

impl Islands {
    /// Makes boxes that hold for `time` seconds, and islands of them. `bodies` are put in the order of the islands.
    /// With `one`, all bodies are one island.
    pub fn form(
        &mut self,
        bodies: &mut [Box<Body>],
        fixed: &Fixed,
        time: f64,
        attempt: u32,
        one: bool,
    ) {
        bodies.sort_by_key(|body| body.number);
        for body in bodies.iter_mut() {
            enclose(body, fixed, time, attempt);
        }
        self.overlaps(bodies);
        self.join(bodies.len());
        for &(a, b) in &self.found {
            bodies[a as usize].near_bodies = true;
            bodies[b as usize].near_bodies = true;
        }
        if one {
            self.roots.fill(0);
        }
        self.arrange(bodies);
    }

    /// Pairs of bodies whose boxes overlap: sorted by their lower ends along the axis on which they are spread most.
    fn overlaps(&mut self, bodies: &[Box<Body>]) {
        self.found.clear();
        if bodies.len() < 2 {
            return;
        }
        let (mut lower, mut upper) = (bodies[0].lower, bodies[0].upper);
        for body in bodies {
            lower = lower.inf(&body.lower);
            upper = upper.sup(&body.upper);
        }
        let axis = (upper - lower).imax();
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        self.order.clear();
        self.order.extend(0..bodies.len() as u32);
        self.order.sort_by(|&a, &b| {
            let key = |n: u32| bodies[n as usize].lower[axis];
            key(a).total_cmp(&key(b)).then(a.cmp(&b))
        });
        for (place, &a) in self.order.iter().enumerate() {
            let first = &bodies[a as usize];
            for &b in &self.order[place + 1..] {
                let second = &bodies[b as usize];
                if second.lower[axis] > first.upper[axis] {
                    break;
                }
                let meets = |axis: usize| {
                    first.lower[axis] <= second.upper[axis]
                        && second.lower[axis] <= first.upper[axis]
                };
                if meets(next) && meets(last) {
                    self.found.push((a.min(b), a.max(b)));
                }
            }
        }
        self.found.sort_unstable();
    }

    fn join(&mut self, count: usize) {
        self.roots.clear();
        self.roots.extend(0..count as u32);
        fn root(roots: &[u32], mut of: u32) -> u32 {
            while roots[of as usize] != of {
                of = roots[of as usize];
            }
            of
        }
        for &(a, b) in &self.found {
            let (a, b) = (root(&self.roots, a), root(&self.roots, b));
            let first = a.min(b);
            self.roots[a as usize] = first;
            self.roots[b as usize] = first;
        }
        for number in 0..count as u32 {
            self.roots[number as usize] = root(&self.roots, number);
        }
    }

    /// Puts the bodies of each island together, in order, and says where each begins.
    fn arrange(&mut self, bodies: &mut [Box<Body>]) {
        let Islands { starts, pairs, pair_starts, roots, order, found } = self;
        // Where the bodies stand now, their number is their place.
        if !found.is_empty() {
            bodies.sort_by_key(|body| (roots[body.number as usize], body.number));
        }
        starts.clear();
        let mut last = None;
        order.clear();
        order.resize(bodies.len(), 0);
        for (place, body) in bodies.iter().enumerate() {
            let root = roots[body.number as usize];
            if last != Some(root) {
                starts.push(place);
                last = Some(root);
            }
            let begin = starts.last().copied().unwrap_or(0);
            order[body.number as usize] = (place - begin) as u32;
        }
        starts.push(bodies.len());
        // Pairs go with the island of their first body.
        found.sort_by_key(|&(a, b)| (roots[a as usize], a, b));
        pairs.clear();
        pair_starts.clear();
        let mut next = found.iter().peekable();
        for &start in &starts[..starts.len() - 1] {
            pair_starts.push(pairs.len());
            let root = bodies.get(start).map(|body| roots[body.number as usize]);
            while let Some(&&(a, b)) = next.peek() {
                if Some(roots[a as usize]) != root {
                    break;
                }
                pairs.push((order[a as usize], order[b as usize]));
                next.next();
            }
        }
        pair_starts.push(pairs.len());
    }

    /// How many islands there are.
    pub fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// How many bodies an island has.
    pub fn size(&self, island: usize) -> usize {
        self.starts[island + 1] - self.starts[island]
    }

    /// The pairs of an island.
    pub fn pairs_of(&self, island: usize) -> &[(u32, u32)] {
        &self.pairs[self.pair_starts[island]..self.pair_starts[island + 1]]
    }
}

/// The box of a body, and what of the ground is in it.
fn enclose(body: &mut Body, fixed: &Fixed, time: f64, attempt: u32) {
    let motion = &body.state.motion;
    let pushed = USUAL_ACCELERATION * f64::from(1_u32 << (2 * attempt).min(30));
    let speed = motion.velocity.map(f64::abs);
    let moved = speed * time + Vector3::repeat(0.5 * pushed * time * time + SLACK);
    let size = moved + Vector3::repeat(body.reach);
    // The centre of mass stays within `moved`; the box of the whole body is larger by its reach.
    (body.lower, body.upper) = (motion.position - size, motion.position + size);
    body.stay = moved;
    body.home = motion.position;
    body.near_bodies = false;
    body.near_plane = fixed.clearance_of_planes(&motion.position) <= size.norm();
    fixed.near(&body.lower, &body.upper, &mut body.near_fixed);
    let deep = body.upper + Vector3::new(0.0, 0.0, DEEPEST);
    fixed.near(&body.lower, &deep, &mut body.below);
}
