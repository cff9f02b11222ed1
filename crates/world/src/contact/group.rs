//! Which bodies of an island touch in a step, and what becomes of them.

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::solver::{Point, Side, Solver, rigid_row};
use super::tangents;
use crate::body::{Body, Mechanics};
use crate::body_state::Warm;
use crate::geometry::convert::pose_of;
use crate::geometry::{Collider, Fixed, Surface, Touch, touches};

/// Surfaces that are closer than this are looked at in any case, in m.
const NEAR: f64 = 1e-4;

/// One contact between bodies of an island, or between one and the ground.
struct Found {
    a: usize,
    b: Option<usize>,
    /// The links that touch.
    links: [usize; 2],
    touch: Touch,
    surface: Surface,
    key: u128,
}

/// Buffers for one island after the other.
#[derive(Default)]
pub(crate) struct Groups {
    found: Vec<Found>,
    touches: Vec<Touch>,
    /// Where the links of the bodies were at the beginning of the step, and where those of each body begin.
    poses: Vec<Isometry3<f64>>,
    pose_starts: Vec<usize>,
    /// Of each body of the island: the first of the bodies that it touches, also through others.
    roots: Vec<usize>,
    sides: Vec<Option<Side>>,
    /// Time of the first impact of each body in the step, and whether anything pushed it.
    times: Vec<Option<f64>>,
    pushed: Vec<bool>,
    solver: Solver,
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
    groups.find(bodies, pairs, fixed, grip, h);
    if groups.found.is_empty() {
        return;
    }
    groups.join(bodies.len());
    for root in 0..bodies.len() {
        if groups.roots[root] == root {
            groups.solve(bodies, root, h);
        }
    }
}

impl Groups {
    /// All contacts, in the order of bodies and shapes.
    fn find(
        &mut self,
        bodies: &[Box<Body>],
        pairs: &[(u32, u32)],
        fixed: &Fixed,
        grip: f64,
        h: f64,
    ) {
        self.found.clear();
        self.poses.clear();
        self.pose_starts.clear();
        for body in bodies {
            self.pose_starts.push(self.poses.len());
            match &body.mechanics {
                Mechanics::Jointed(jointed) => self.poses.extend_from_slice(&jointed.places),
                _ => self.poses.push(pose_of(&body.before.position, &body.before.attitude)),
            }
        }
        let still = Isometry3::identity();
        for (number, body) in bodies.iter().enumerate() {
            let margin = NEAR + h * fastest(body, h);
            if body.near_plane {
                for (plane, ground) in fixed.planes().iter().enumerate() {
                    self.touch(number, None, body, (ground, &still), margin, grip, plane as u64);
                }
            }
            for &near in &body.near_fixed {
                let ground = &fixed.others()[near as usize];
                let key = 1 << 32 | u64::from(near);
                self.touch(number, None, body, (ground, &still), margin, grip, key);
            }
        }
        for &(a, b) in pairs {
            let (a, b) = (a as usize, b as usize);
            let (first, second) = (&bodies[a], &bodies[b]);
            let margin = NEAR + h * (fastest(first, h) + fastest(second, h));
            let apart = (first.before.position - second.before.position).norm();
            if apart > first.reach + second.reach + margin {
                continue;
            }
            for (number, collider) in second.colliders.iter().enumerate() {
                let key = 1 << 63 | u64::from(second.number) << 24 | number as u64;
                let there = self.poses[self.pose_starts[b] + collider.link];
                self.touch(a, Some(b), first, (collider, &there), margin, grip, key);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "both sides of a contact, and how it is found")]
    fn touch(
        &mut self,
        a: usize,
        b: Option<usize>,
        body: &Body,
        (other, there): (&Collider, &Isometry3<f64>),
        margin: f64,
        grip: f64,
        with: u64,
    ) {
        for (number, collider) in body.colliders.iter().enumerate() {
            self.touches.clear();
            let pose = &self.poses[self.pose_starts[a] + collider.link];
            touches(collider, pose, other, there, margin, &mut self.touches);
            let mut surface = collider.surface.with(&other.surface);
            surface.friction *= grip;
            let links = [collider.link, other.link];
            for touch in self.touches.drain(..) {
                let key =
                    u128::from(with) << 64 | (number as u128) << 56 | u128::from(touch.feature);
                self.found.push(Found { a, b, links, touch, surface, key });
            }
        }
    }

    /// Bodies that touch have one root, the first of them.
    fn join(&mut self, count: usize) {
        self.roots.clear();
        self.roots.extend(0..count);
        fn root(roots: &[usize], mut of: usize) -> usize {
            while roots[of] != of {
                of = roots[of];
            }
            of
        }
        for found in &self.found {
            if let Some(b) = found.b {
                let (a, b) = (root(&self.roots, found.a), root(&self.roots, b));
                let first = a.min(b);
                self.roots[a] = first;
                self.roots[b] = first;
            }
        }
        for number in 0..count {
            self.roots[number] = root(&self.roots, number);
        }
    }

    /// The impulses of the bodies of one root, and where they lead.
    fn solve(&mut self, bodies: &mut [Box<Body>], group: usize, h: f64) {
        let Groups { found, roots, sides, times, pushed, solver, .. } = self;
        let members: Vec<usize> = (0..bodies.len()).filter(|&n| roots[n] == group).collect();
        let own: Vec<usize> = (0..found.len()).filter(|&n| roots[found[n].a] == group).collect();
        if own.is_empty() {
            return;
        }
        solver.clear();
        sides.resize(bodies.len(), None);
        times.resize(bodies.len(), None);
        pushed.resize(bodies.len(), false);
        for &number in &members {
            let body = &mut *bodies[number];
            let (before, after) = (&body.before, &body.state.motion);
            sides[number] = Some(if let Mechanics::Jointed(jointed) = &mut body.mechanics {
                let commands = &body.state.commands[..jointed.channels().len()];
                jointed.touch(&body.state.joints, commands, &body.around, h);
                let [u0, u1] = &jointed.velocities;
                solver.add_mover(u0, u1)
            } else {
                let u0 = velocities(before, &before.velocity, &before.rates);
                let u1 = velocities(before, &after.velocity, &after.rates);
                solver.add_mover(&u0, &u1)
            });
            times[number] = None;
            pushed[number] = false;
        }
        for &number in &own {
            let contact = &found[number];
            let normal = contact.touch.normal;
            let (first, second) = tangents(&normal);
            let ways = [normal, first, second];
            let warm = bodies[contact.a].state.warm.iter().find(|warm| warm.key == contact.key);
            let point = Point {
                gap: contact.touch.gap,
                friction: contact.surface.friction,
                restitution: contact.surface.restitution,
                warm: warm.map_or([0.0; 3], |warm| warm.impulse),
            };
            let both = [sides[contact.a], contact.b.and_then(|b| sides[b])];
            solver.add_contact(both, &point, h, |way, side, jacobian, response| {
                let number = if side == 0 { contact.a } else { contact.b.unwrap_or(contact.a) };
                let body = &bodies[number];
                let way = if side == 0 { ways[way] } else { -ways[way] };
                if let Mechanics::Jointed(jointed) = &body.mechanics {
                    let point = &contact.touch.point;
                    return jointed.row(contact.links[side], point, &way, jacobian, response);
                }
                let arm = body.before.to_body(&(contact.touch.point - body.before.position));
                rigid_row(&body.before.to_body(&way), &arm, jacobian);
                if let (Mechanics::Free { mass, .. }, Ok(row)) =
                    (&body.mechanics, <&[f64; 6]>::try_from(&*jacobian))
                {
                    response.copy_from_slice(&mass.respond(row));
                }
            });
        }
        solver.solve();
        for &number in &members {
            bodies[number].state.warm.clear();
        }
        for (order, &number) in own.iter().enumerate() {
            let contact = &found[number];
            let impulse = solver.impulse(order);
            bodies[contact.a].state.warm.push(Warm { key: contact.key, impulse });
            let normal = contact.touch.normal;
            let (first, second) = tangents(&normal);
            let force = (normal * impulse[0] + first * impulse[1] + second * impulse[2]) / h;
            for (side, sign) in [(Some(contact.a), 1.0), (contact.b, -1.0)] {
                let Some(side) = side else { continue };
                let body = &mut bodies[side];
                let reaction = &mut body.state.reaction;
                reaction.overlap = reaction.overlap.max(-contact.touch.gap);
                if impulse[0] > 0.0 {
                    reaction.points += 1;
                    reaction.force += force * sign;
                    let arm = contact.touch.point - body.before.position;
                    reaction.moment += arm.cross(&(force * sign));
                    pushed[side] = true;
                    if let Some(time) = solver.impacts[order] {
                        let first = times[side].map_or(time, |other: f64| other.min(time));
                        times[side] = Some(first);
                    }
                }
            }
        }
        for &number in &members {
            let body = &mut bodies[number];
            let (Some(side), true) = (sides[number], pushed[number]) else { continue };
            let u = &solver.velocities[side.first..side.first + side.count];
            let time = times[number].unwrap_or(0.0);
            let Body { mechanics, state, .. } = &mut **body;
            match mechanics {
                Mechanics::Free { .. } => land(body, u, time, h),
                Mechanics::Jointed(jointed) => {
                    jointed.land(&mut state.motion, &mut state.joints, u, time, h);
                }
                Mechanics::Outside => {}
            }
        }
    }
}

/// A body whose velocities after the step are `u`, and which moved as before until `time`.
fn land(body: &mut Body, u: &[f64], time: f64, h: f64) {
    let before = body.before;
    let motion = &mut body.state.motion;
    let (linear, rates) = (Vector3::new(u[0], u[1], u[2]), Vector3::new(u[3], u[4], u[5]));
    motion.velocity = before.to_ned(&linear);
    motion.rates = rates;
    motion.position = before.position + before.velocity * time + motion.velocity * (h - time);
    let turned = UnitQuaternion::from_scaled_axis(before.rates * time)
        * UnitQuaternion::from_scaled_axis(rates * (h - time));
    motion.attitude = UnitQuaternion::new_normalize((before.attitude * turned).into_inner());
}

/// Velocity and angular velocity in the body as it stood at the beginning of the step.
#[inline]
fn velocities(
    frame: &ironbird_kinematics::RigidMotion,
    velocity: &Vector3<f64>,
    rates: &Vector3<f64>,
) -> [f64; 6] {
    let linear = frame.to_body(velocity);
    [linear.x, linear.y, linear.z, rates.x, rates.y, rates.z]
}

/// How fast any point of a body can move during the step, in m/s.
#[inline]
fn fastest(body: &Body, h: f64) -> f64 {
    if let Mechanics::Jointed(jointed) = &body.mechanics {
        return jointed.fastest;
    }
    let (before, after) = (&body.before, &body.state.motion);
    let linear = before.velocity.norm().max(after.velocity.norm());
    linear + body.reach * before.rates.norm().max(after.rates.norm()) + 10.0 * h
}
