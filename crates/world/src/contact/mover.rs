//! A body during a step with contact.
//!
//! A part of a step, of length τ, goes by the midpoint rule of Moreau: with p, v and L the place, the velocity and the
//! spin (the angular momentum about the centre of mass) at its beginning, and ¹ what they would be at its end if nothing
//! touched, contacts are sought and impulses found where the body is at
//!
//! ```text
//! p̄ = p¹ - τ/2 v¹                             the same for the attitude
//! v' = v¹ + Σ λ/m       p' = p̄ + τ/2 v'       L' = L¹ + Σ r × λ      r from p̄ to the point of the contact
//! ```
//!
//! So places are of the second order, and since p' × m v' - p¹ × m v¹ = p̄ × Σ λ, two bodies that push each other in one
//! point keep their momentum and their angular momentum to the last digits, whatever their shape and however long the
//! step. Bodies with joints do likewise, see `jointed/contact.rs`.

use ironbird_kinematics::RigidMotion;
use nalgebra::{Isometry3, Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::rows::{Side, rigid_row};
use super::solver::Solver;
use super::turning::{times, turned, turned_tensor};
use crate::body::{Body, Mechanics};
use crate::geometry::convert::pose_of;

/// When in a part of a step bodies are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// As it begins.
    Begin,
    /// At p̄.
    Middle,
}

/// A body during a step with contact.
pub(super) struct Mover {
    pub side: Side,
    /// How it moves when the part begins, and when it ends if nothing touches.
    pub now: RigidMotion,
    pub free: RigidMotion,
    middle: Isometry3<f64>,
    /// What arms count from.
    origin: Vector3<f64>,
    axes: UnitQuaternion<f64>,
    pub inverse_mass: f64,
    /// Its inertia and the inverse of that, in its own axes, where it is a rigid body without water that moves with it.
    pub inertia: Option<(Matrix3<f64>, Matrix3<f64>)>,
    /// The inverse in north, east, down.
    inverse: Matrix3<f64>,
    /// What all but contact does to it on average over the step: its acceleration, and the change of its spin or, where
    /// water moves with it, of its rates.
    pull: Vector3<f64>,
    twist: Vector3<f64>,
    /// What contacts gave it in this part.
    pub impulse: Vector3<f64>,
    pub moment: Vector3<f64>,
    /// In how many points it was pushed in this part, and the most of this step.
    points: u32,
    most_points: u32,
    /// By what part of it contacts may make its energy larger, where it touches nothing that moves.
    pub gain: Option<f64>,
    /// How fast any point of it moves in this part, at most, in m/s.
    pub fastest: f64,
}

impl Mover {
    /// A body that has flown freely for a step of `h` seconds.
    pub fn new(body: &mut Body, h: f64) -> Self {
        let (now, mut free) = (body.before, body.state.motion);
        if let Mechanics::Outside = body.mechanics {
            free.position += now.velocity * h;
        }
        let (inverse_mass, inertia) = match &body.mechanics {
            Mechanics::Free { mass, .. } => (1.0 / mass.mass(), mass.tensors()),
            _ => (0.0, None),
        };
        let mut mover = Mover {
            side: Side { first: 0, count: 0 },
            now,
            free,
            middle: Isometry3::identity(),
            origin: now.position,
            axes: now.attitude,
            inverse_mass,
            inertia,
            inverse: Matrix3::zeros(),
            pull: Vector3::zeros(),
            twist: Vector3::zeros(),
            impulse: Vector3::zeros(),
            moment: Vector3::zeros(),
            points: 0,
            most_points: 0,
            fastest: 0.0,
            gain: None,
        };
        mover.centre(body, h);
        mover
    }

    /// Finds out where it is in the middle of a part of `span` seconds that it has flown freely.
    fn centre(&mut self, body: &mut Body, span: f64) {
        if let Mechanics::Jointed(jointed) = &mut body.mechanics {
            jointed.centre(0.5 * span);
            (self.now, self.fastest) = (jointed.begin(), jointed.fastest);
            return;
        }
        let (now, free) = (&self.now, &self.free);
        let back = -0.5 * span;
        let attitude = turned(&free.attitude, &(free.to_ned(&free.rates) * back));
        self.middle = pose_of(&(free.position + free.velocity * back), &attitude);
        let linear = now.velocity.norm().max(free.velocity.norm());
        let angular = now.rates.norm().max(free.rates.norm());
        self.fastest = linear + body.reach * angular + 10.0 * span;
    }

    /// Where a link of it is; link 0 is all of it where it has no joints.
    #[inline]
    pub fn pose(&self, body: &Body, link: usize, when: When) -> Isometry3<f64> {
        match (&body.mechanics, when) {
            (Mechanics::Jointed(jointed), When::Begin) => jointed.places[link],
            (Mechanics::Jointed(jointed), When::Middle) => jointed.middles[link],
            (_, When::Begin) => pose_of(&self.now.position, &self.now.attitude),
            (_, When::Middle) => self.middle,
        }
    }

    /// Finds out what drives it over the step, to be able to cut that.
    pub fn prepare(&mut self, h: f64) {
        let (now, free) = (&self.now, &self.free);
        self.pull = (free.velocity - now.velocity) / h;
        self.twist = match self.spin(free).zip(self.spin(now)) {
            Some((after, before)) => (after - before) / h,
            None => (free.rates - now.rates) / h,
        };
    }

    /// Flies freely for `span` seconds.
    pub fn fly(&mut self, body: &mut Body, span: f64) {
        let Body { mechanics, state, around, colliders, .. } = &mut *body;
        match mechanics {
            Mechanics::Jointed(jointed) => {
                let commands = &state.commands[..jointed.channels().len()];
                jointed.fly_on(&state.joints, commands, around, colliders, span);
            }
            _ => self.free = self.flown(span),
        }
        self.centre(body, span);
    }

    fn flown(&self, span: f64) -> RigidMotion {
        let RigidMotion { position, velocity, attitude, rates } = self.now;
        let moved = velocity * span + self.pull * (0.5 * span * span);
        let position = position + moved;
        let velocity = velocity + self.pull * span;
        let Some((begin, (_, inverse))) = self.spin(&self.now).zip(self.inertia) else {
            let after = rates + self.twist * span;
            let mean = attitude * ((rates + after) * 0.5);
            let attitude = turned(&attitude, &(mean * span));
            return RigidMotion { position, velocity, attitude, rates: after };
        };
        // q' = ½ (0, R J⁻¹ Rᵀ L) q by the classical Runge-Kutta method; L grows evenly.
        let rate = |q: &Quaternion<f64>, time: f64| {
            let attitude = UnitQuaternion::new_normalize(*q);
            let spin = attitude.inverse_transform_vector(&(begin + self.twist * time));
            let turning = attitude * times(&inverse, &spin) * 0.5;
            Quaternion::new(0.0, turning.x, turning.y, turning.z) * q
        };
        let q = attitude.into_inner();
        let half = 0.5 * span;
        let a = rate(&q, 0.0);
        let b = rate(&(q + a * half), half);
        let c = rate(&(q + b * half), half);
        let d = rate(&(q + c * span), span);
        let turned = q + (a + (b + c) * 2.0 + d) * (span / 6.0);
        let attitude = UnitQuaternion::new_normalize(turned);
        let rates = inverse * attitude.inverse_transform_vector(&(begin + self.twist * span));
        RigidMotion { position, velocity, attitude, rates }
    }

    /// Gives its velocities to the solver: at the beginning and the end of a part of `span` seconds, or, at its
    /// beginning, as they are.
    pub fn open(&mut self, body: &mut Body, solver: &mut Solver, when: When, span: f64) {
        (self.impulse, self.moment, self.points) = (Vector3::zeros(), Vector3::zeros(), 0);
        if let Mechanics::Jointed(jointed) = &mut body.mechanics {
            match when {
                When::Begin => jointed.open_begin(),
                When::Middle => jointed.open_middle(span),
            }
            self.origin = jointed.opened_at();
            let [before, after] = &jointed.velocities;
            self.side = solver.add_mover(before, after);
            return;
        }
        let (end, place) = match when {
            When::Begin => (&self.now, self.pose(body, 0, when)),
            When::Middle => (&self.free, self.middle),
        };
        (self.origin, self.axes) = (place.translation.vector, place.rotation);
        if let Some((_, inverse)) = &self.inertia {
            self.inverse = turned_tensor(inverse, &self.axes);
        }
        self.side = solver.add_mover(&velocities(&self.now), &velocities(end));
    }

    /// Puts right what turning does to it, after the impulses of the part before went to the solver.
    pub fn bend(&self, body: &mut Body, solver: &mut Solver, span: f64) {
        if let Mechanics::Jointed(jointed) = &mut body.mechanics {
            let own = self.side.first..self.side.first + self.side.count;
            jointed.bend(&mut solver.velocities[own], span);
        }
    }

    /// The row of a push along `way` at a point of a link, and what it does.
    #[inline]
    pub fn row(
        &self,
        body: &Body,
        link: usize,
        point: &Vector3<f64>,
        way: &Vector3<f64>,
        jacobian: &mut [f64],
        response: &mut [f64],
    ) {
        let mass = match &body.mechanics {
            Mechanics::Jointed(jointed) => {
                return jointed.row(link, point, way, jacobian, response);
            }
            Mechanics::Free { mass, .. } => Some(mass),
            Mechanics::Outside => None,
        };
        rigid_row(way, &(point - self.origin), jacobian);
        let Some(mass) = mass else { return };
        if self.inertia.is_some() {
            let moment = Vector3::new(jacobian[3], jacobian[4], jacobian[5]);
            response[..3].copy_from_slice((way * self.inverse_mass).as_slice());
            response[3..].copy_from_slice(times(&self.inverse, &moment).as_slice());
        } else {
            // Water moves with it, along its own axes.
            let moment = Vector3::new(jacobian[3], jacobian[4], jacobian[5]);
            let [a, b, c] = self.axes.inverse_transform_vector(way).into();
            let [d, e, f] = self.axes.inverse_transform_vector(&moment).into();
            let [a, b, c, d, e, f] = mass.respond(&[a, b, c, d, e, f]);
            let linear = self.axes * Vector3::new(a, b, c);
            let angular = self.axes * Vector3::new(d, e, f);
            response[..3].copy_from_slice(linear.as_slice());
            response[3..].copy_from_slice(angular.as_slice());
        }
    }

    /// How fast a point of it moves as the part begins; of the first link, where it has several.
    pub fn now_velocity_of(&self, point: &Vector3<f64>) -> Vector3<f64> {
        let RigidMotion { position, velocity, rates, .. } = &self.now;
        velocity + self.now.to_ned(rates).cross(&(point - position))
    }

    /// Takes an impulse at a point.
    #[inline]
    pub fn take(&mut self, impulse: &Vector3<f64>, point: &Vector3<f64>) {
        self.impulse += impulse;
        self.moment += (point - self.origin).cross(impulse);
        self.points += 1;
        self.most_points = self.most_points.max(self.points);
    }

    /// Ends an impact.
    pub fn strike(&mut self, body: &mut Body, solver: &Solver) {
        if self.points == 0 {
            return;
        }
        let u = &solver.velocities[self.side.first..self.side.first + self.side.count];
        match &mut body.mechanics {
            Mechanics::Jointed(jointed) => jointed.strike(u),
            Mechanics::Outside => {}
            Mechanics::Free { .. } => {
                let Some((spin, (_, inverse))) = self.spin(&self.now).zip(self.inertia) else {
                    self.now.velocity = Vector3::new(u[0], u[1], u[2]);
                    self.now.rates = self.now.to_body(&Vector3::new(u[3], u[4], u[5]));
                    return;
                };
                // By the impulses, not by what the solver has summed up: so nothing is lost by rounding.
                self.now.velocity += self.impulse * self.inverse_mass;
                self.now.rates = times(&inverse, &self.now.to_body(&(spin + self.moment)));
            }
        }
    }

    /// Ends a part of `span` seconds. `shift` is by how much it is moved out of others at the end; `alone` says that
    /// nothing in its group stands on the ground, so that the group keeps its momentum.
    pub fn close(
        &mut self,
        body: &mut Body,
        solver: &Solver,
        shift: Option<&[f64]>,
        span: f64,
        alone: bool,
    ) {
        let own = self.side.first..self.side.first + self.side.count;
        let u = &solver.velocities[own.clone()];
        let shift = shift.map(|shift| &shift[own]);
        if let Mechanics::Jointed(jointed) = &mut body.mechanics {
            if self.points > 0 {
                let about_origin = self.moment + self.origin.cross(&self.impulse);
                let momentum = alone.then_some((self.impulse, about_origin));
                jointed.close(u, shift, span, momentum);
            } else {
                jointed.go_on();
            }
            return;
        }
        if self.points == 0 || matches!(body.mechanics, Mechanics::Outside) {
            self.now = self.free;
            return;
        }
        let half = 0.5 * span;
        let mut linear = Vector3::new(u[0], u[1], u[2]);
        let angular = Vector3::new(u[3], u[4], u[5]);
        if self.inertia.is_some() {
            linear = self.free.velocity + self.impulse * self.inverse_mass;
        }
        let mut position = self.middle.translation.vector + linear * half;
        let mut attitude = turned(&self.middle.rotation, &(angular * half));
        let mut moment = self.moment;
        if let Some(&[a, b, c, d, e, f]) = shift.and_then(|shift| <&[f64; 6]>::try_from(shift).ok())
        {
            let moved = Vector3::new(a, b, c);
            position += moved;
            attitude = turned(&attitude, &Vector3::new(d, e, f));
            if alone && self.inverse_mass > 0.0 {
                moment -= moved.cross(&linear) / self.inverse_mass;
            }
        }
        let rates = match (self.inertia, self.spin(&self.free)) {
            (Some((_, inverse)), Some(spin)) => {
                inverse * attitude.inverse_transform_vector(&(spin + moment))
            }
            _ => attitude.inverse_transform_vector(&angular),
        };
        let mut end = RigidMotion { position, velocity: linear, attitude, rates };
        if let Some(gain) = self.gain {
            self.bound(&mut end, gain);
        }
        self.now = end;
    }

    /// Angular momentum about the centre of mass: north, east, down.
    pub fn spin(&self, motion: &RigidMotion) -> Option<Vector3<f64>> {
        self.inertia.map(|(tensor, _)| motion.to_ned(&times(&tensor, &motion.rates)))
    }

    /// What it has become in the end.
    pub fn finish(&self, body: &mut Body) {
        if self.most_points == 0 {
            return;
        }
        let Body { mechanics, state, .. } = body;
        state.reaction.points = self.most_points;
        match mechanics {
            Mechanics::Free { .. } => state.motion = self.now,
            Mechanics::Jointed(jointed) => jointed.finish(&mut state.motion, &mut state.joints),
            Mechanics::Outside => {}
        }
    }
}

/// Velocity and angular velocity: north, east, down.
#[inline]
fn velocities(motion: &RigidMotion) -> [f64; 6] {
    let (linear, angular) = (&motion.velocity, motion.to_ned(&motion.rates));
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}
