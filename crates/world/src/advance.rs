//! How islands go on for some steps.

use ironbird_plant::vehicle::number::LANES;

use crate::body::Body;
use crate::contact::{Groups, resolve};
use crate::flight::{feel, fly};
use crate::geometry::Fixed;
use crate::island::Islands;
use crate::weather::Weather;
use crate::world::Stepping;

/// What all islands need to know for some steps.
pub(crate) struct Job<'a> {
    pub fixed: &'a Fixed,
    pub weather: &'a Weather,
    pub stepping: &'a Stepping,
    pub islands: &'a Islands,
    pub from: u64,
    pub steps: u32,
}

/// Islands that one thread advances.
pub(crate) struct Chunk<'a> {
    pub job: &'a Job<'a>,
    pub bodies: &'a mut [Box<Body>],
    pub islands: std::ops::Range<usize>,
    pub groups: &'a mut Groups,
}

impl Job<'_> {
    /// Islands in as many chunks as there are buffers, with about as many bodies each.
    pub fn split<'a>(
        &'a self,
        bodies: &'a mut [Box<Body>],
        groups: &'a mut [Groups],
    ) -> Vec<Chunk<'a>> {
        let (starts, wanted) = (&self.islands.starts, groups.len());
        let share = bodies.len().div_ceil(wanted).max(1);
        let mut chunks = Vec::with_capacity(wanted);
        let (mut rest, mut begin) = (bodies, 0);
        for groups in groups {
            let mut end = begin;
            while end < self.islands.count() && starts[end] - starts[begin] < share {
                end += 1;
            }
            if end == begin {
                break;
            }
            let (own, others) = rest.split_at_mut(starts[end] - starts[begin]);
            chunks.push(Chunk { job: self, bodies: own, islands: begin..end, groups });
            (rest, begin) = (others, end);
        }
        chunks
    }
}

impl Chunk<'_> {
    /// Whether all bodies stayed in their boxes.
    pub fn run(self) -> bool {
        let Chunk { job, mut bodies, islands, groups } = self;
        let mut stayed = true;
        let mut island = islands.start;
        while island < islands.end {
            // Bodies that are alone go together: what one does never depends on another that it does not touch.
            let last = islands.end.min(island + LANES);
            let alone = (island..last).take_while(|&other| job.islands.size(other) == 1).count();
            let next = island + alone.max(1);
            let (own, rest) =
                bodies.split_at_mut(job.islands.starts[next] - job.islands.starts[island]);
            stayed &= job.advance(own, job.islands.pairs_of(island), groups);
            (bodies, island) = (rest, next);
        }
        stayed
    }
}

impl Job<'_> {
    /// One island, or bodies that are alone; whether they stayed in their boxes.
    fn advance(&self, bodies: &mut [Box<Body>], pairs: &[(u32, u32)], groups: &mut Groups) -> bool {
        let Job { fixed, weather, stepping, .. } = self;
        let h = stepping.step;
        let mut stayed = true;
        for body in bodies.iter_mut() {
            // Where this is an attempt after another, the body is as it was kept then.
            body.keep();
            let before = body.around;
            surround(body, fixed, weather, h * self.from as f64);
            body.felt.known &= body.around == before;
        }
        for step in 0..u64::from(self.steps) {
            let mut may_touch = !pairs.is_empty();
            for body in bodies.iter_mut() {
                body.steer(self.from + step, h);
                may_touch |= body.near_plane || !body.near_fixed.is_empty();
            }
            fly(bodies, h);
            if may_touch {
                resolve(bodies, pairs, fixed, weather.grip(), h, groups);
            }
            for body in bodies.iter_mut() {
                follow(body, fixed, weather, h * (self.from + step + 1) as f64);
                stayed &= body.has_stayed();
                if body.state.reaction.points == 0 {
                    body.state.warm.clear();
                }
            }
            if stepping.feel {
                feel(bodies, h);
            } else {
                bodies.iter_mut().for_each(|body| body.refresh());
            }
        }
        stayed
    }
}

/// What surrounds a body at the beginning of a step.
#[inline]
pub(crate) fn surround(body: &mut Body, fixed: &Fixed, weather: &Weather, time: f64) {
    let place = &body.state.motion.position;
    let ground = fixed.below(place, &body.below);
    body.around = weather.at(place, &ground, time);
    body.around.wind += body.own_wind;
}

/// What surrounds a body that has moved, in the same weather.
#[inline]
fn follow(body: &mut Body, fixed: &Fixed, weather: &Weather, time: f64) {
    let place = &body.state.motion.position;
    let ground = fixed.below(place, &body.below);
    weather.follow(place, &ground, time, &mut body.around);
    body.around.wind += body.own_wind;
}
