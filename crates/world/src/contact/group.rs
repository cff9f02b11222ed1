//! Which bodies of an island touch in a step, directly or through others.

use super::find::{Found, Scene, Search};
use super::mover::{Mover, When};
use super::part::Room;
use crate::body::Body;
use crate::geometry::{Fixed, Touch};

/// Buffers for one island after the other.
#[derive(Default)]
pub(crate) struct Groups {
    found: Vec<Found>,
    touches: Vec<Touch>,
    /// Those that are near anything.
    movers: Vec<Option<Mover>>,
    /// Of each body of the island: the first of the bodies that it touches, also through others.
    roots: Vec<usize>,
    room: Room,
}

/// After all bodies of an island have flown freely for a step of `h` seconds: keeps those apart that touch.
/// `pairs` are bodies of the island that may touch, in order; `grip` is what is left of friction.
pub(crate) fn resolve(
    bodies: &mut [Box<Body>],
    pairs: &[(u32, u32)],
    fixed: &Fixed,
    grip: f64,
    h: f64,
    groups: &mut Groups,
) {
    let scene = Scene { pairs, fixed, grip };
    let Groups { found, touches, movers, roots, room } = groups;
    movers.clear();
    movers.extend(bodies.iter_mut().map(|body| {
        let near = body.near_plane || body.near_bodies || !body.near_fixed.is_empty();
        near.then(|| Mover::new(body, h))
    }));
    found.clear();
    let when = When::Middle;
    Search { scene: &scene, bodies, movers, when, span: h, touches, found }.run(|_| true);
    if found.is_empty() {
        return;
    }
    join(found, bodies.len(), roots);
    for root in 0..bodies.len() {
        if roots[root] == root && found.iter().any(|found| roots[found.a] == root) {
            room.own.clear();
            room.own.extend(found.iter().filter(|found| roots[found.a] == root));
            room.members.clear();
            room.members.extend((0..bodies.len()).filter(|&number| roots[number] == root));
            room.step(bodies, movers, &scene, h);
        }
    }
}

/// Bodies that touch have one root, the first of them.
fn join(found: &[Found], count: usize, roots: &mut Vec<usize>) {
    roots.clear();
    roots.extend(0..count);
    fn root(roots: &[usize], mut of: usize) -> usize {
        while roots[of] != of {
            of = roots[of];
        }
        of
    }
    for found in found {
        if let Some(b) = found.b {
            let (a, b) = (root(roots, found.a), root(roots, b));
            let first = a.min(b);
            roots[a] = first;
            roots[b] = first;
        }
    }
    for number in 0..count {
        roots[number] = root(roots, number);
    }
}
