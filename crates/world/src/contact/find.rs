//! Where bodies of an island touch each other and the ground, or may do so within a part of a step.

use nalgebra::{Isometry3, Vector3};

use super::mover::{Mover, When};
use super::tangents;
use crate::body::Body;
use crate::geometry::{Collider, Fixed, Form, Surface, Touch, touches};

/// Bits of a key that tell the contacts of two shapes apart.
pub(super) const FEATURE: u32 = 56;
/// Surfaces that are closer than this are looked at in any case, in m.
const NEAR: f64 = 1e-4;

/// One contact between bodies of an island, or between one and the ground.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub a: usize,
    pub b: Option<usize>,
    /// The links that touch.
    pub links: [usize; 2],
    pub touch: Touch,
    /// Its normal and its two tangents.
    pub ways: [Vector3<f64>; 3],
    /// Whether it was found with the bodies where they were as the part began, though it was to be sought in its
    /// middle: they are too fast for their size.
    pub early: bool,
    pub surface: Surface,
    pub key: u128,
}

impl Found {
    /// The vector with these parts along its normal and its tangents.
    #[inline]
    pub fn vector(&self, parts: &[f64; 3]) -> Vector3<f64> {
        self.ways[0] * parts[0] + self.ways[1] * parts[1] + self.ways[2] * parts[2]
    }

    /// The parts of a vector.
    #[inline]
    pub fn parts(&self, vector: &Vector3<f64>) -> [f64; 3] {
        [self.ways[0].dot(vector), self.ways[1].dot(vector), self.ways[2].dot(vector)]
    }
}

/// What stays the same in an island during a step.
pub(super) struct Scene<'a> {
    /// Bodies that may touch, by their places in the island, in order.
    pub pairs: &'a [(u32, u32)],
    pub fixed: &'a Fixed,
    /// What is left of friction.
    pub grip: f64,
}

/// Seeks contacts in the order of bodies and shapes.
pub(super) struct Search<'a> {
    pub scene: &'a Scene<'a>,
    pub bodies: &'a [Box<Body>],
    pub movers: &'a [Option<Mover>],
    pub when: When,
    /// Length of the part of the step in s.
    pub span: f64,
    pub touches: &'a mut Vec<Touch>,
    pub found: &'a mut Vec<Found>,
}

impl Search<'_> {
    /// All contacts of the bodies for which `within` holds.
    pub fn run(&mut self, within: impl Fn(usize) -> bool) {
        let Scene { pairs, fixed, .. } = *self.scene;
        for number in (0..self.bodies.len()).filter(|&number| within(number)) {
            let (Some(mover), body) = (&self.movers[number], &*self.bodies[number]) else {
                continue;
            };
            let margin = NEAR + self.span * mover.fastest;
            if body.near_plane {
                for (plane, ground) in fixed.planes().iter().enumerate() {
                    self.meet([number, usize::MAX], ground, margin, plane as u64);
                }
            }
            for &near in &body.near_fixed {
                let ground = &fixed.others()[near as usize];
                self.meet([number, usize::MAX], ground, margin, 1 << 32 | u64::from(near));
            }
        }
        for &(a, b) in pairs {
            let (a, b) = (a as usize, b as usize);
            let (Some(first), Some(second)) = (&self.movers[a], &self.movers[b]) else { continue };
            if !within(a) || !within(b) {
                continue;
            }
            let margin = NEAR + self.span * (first.fastest + second.fastest);
            let apart = (first.now.position - second.now.position).norm();
            let body = &*self.bodies[b];
            if apart > self.bodies[a].reach + body.reach + margin {
                continue;
            }
            for (number, collider) in body.colliders.iter().enumerate() {
                let key = 1 << 63 | u64::from(body.number) << 24 | number as u64;
                self.meet([a, b], collider, margin, key);
            }
        }
    }

    /// Where a body meets a shape of another, or of the ground.
    fn meet(&mut self, [a, b]: [usize; 2], other: &Collider, margin: f64, with: u64) {
        let body = &*self.bodies[a];
        for (number, collider) in body.colliders.iter().enumerate() {
            // How far they come until the middle of the part, at most.
            let moved = 0.5 * (margin - NEAR);
            let early = self.when == When::Middle
                && !matches!(other.form, Form::HalfSpace)
                && moved > 0.5 * collider.thin.min(other.thin);
            let when = if early { When::Begin } else { self.when };
            let (here, there) = (self.pose(a, collider, when), self.pose(b, other, when));
            self.touches.clear();
            touches(collider, &here, other, &there, margin, self.touches);
            let mut surface = collider.surface.with(&other.surface);
            surface.friction *= self.scene.grip;
            let links = [collider.link, other.link];
            let b = (b != usize::MAX).then_some(b);
            for touch in self.touches.drain(..) {
                let key = u128::from(with) << 64
                    | (number as u128) << FEATURE
                    | u128::from(touch.feature);
                let (first, second) = tangents(&touch.normal);
                let ways = [touch.normal, first, second];
                self.found.push(Found { a, b, links, touch, ways, early, surface, key });
            }
        }
    }

    fn pose(&self, number: usize, collider: &Collider, when: When) -> Isometry3<f64> {
        match self.movers.get(number) {
            Some(Some(mover)) => mover.pose(&self.bodies[number], collider.link, when),
            _ => Isometry3::identity(),
        }
    }
}
