//! An articulated body during a step with contact: what `contact/mover.rs` says, with joints.
//!
//! With q, u the places and velocities at the beginning of a part of length τ and u¹ the velocities at its end if nothing
//! touched, impulses act where the links are after half of the part, q̄ = q + τ/2 u:
//!
//! ```text
//! u' = u¹ + τ (c(ū') - c(ū¹)) + M(q̄)⁻¹ Σ J(q̄)ᵀ λ        q' = q̄ + τ/2 u'
//! ```
//!
//! c(ū) is what turning does at q̄ with the mean velocities ū; ū' is known from the forces of the part before.
//! In M stands what damping and springs of joints add over half of the part, or over all of it where they are stiff.
//! What is left of the second order in the momentum of the whole is put right by its base (`Dynamics::give_momentum`),
//! so that bodies that push each other in the air keep it.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::Surroundings;
use nalgebra::Vector3;

use super::mechanics::{Acting, Jointed, STIFF};
use crate::geometry::Collider;
use crate::geometry::convert::pose_of;
use crate::joints::Momentum;

impl Jointed {
    /// How its base moves at the beginning.
    pub fn begin(&self) -> RigidMotion {
        self.before.base
    }

    /// Finds out where its links are `ahead` seconds after the beginning.
    pub fn centre(&mut self, ahead: f64) {
        self.middle.clone_from(&self.before);
        self.dynamics.drift(&mut self.middle, ahead);
        let motions = self.dynamics.place(&self.middle);
        for (link, place) in self.middles.iter_mut().enumerate() {
            let rigid = motions[link].rigid();
            *place = pose_of(&rigid.position, &rigid.attitude);
        }
    }

    /// Flies on freely from the beginning for `span` seconds.
    pub fn fly_on(
        &mut self,
        numbers: &[f64],
        commands: &[f64],
        around: &Surroundings,
        shapes: &[Collider],
        span: f64,
    ) {
        self.state.clone_from(&self.before);
        let fastest = self.look(shapes);
        self.step(&numbers[self.joints..], commands, around, span);
        self.dynamics.place(&self.state);
        self.fastest = fastest.max(self.speed_of(shapes)) + 10.0 * span;
    }

    /// Places the links as they are at the beginning, for impulses there.
    pub fn open_begin(&mut self) {
        let tree = self.dynamics.tree();
        self.before.read_velocities(tree, &mut self.velocities[0]);
        self.before.read_velocities(tree, &mut self.velocities[1]);
        self.opened.clone_from(&self.before);
        self.dynamics.place(&self.before);
        self.dynamics.factorise(0.0);
    }

    /// Places the links as they are in the middle of a part of `span` seconds, for impulses there.
    pub fn open_middle(&mut self, span: f64) {
        // Both ends in the axes of the middle.
        for (state, velocities) in [&self.before, &self.state].into_iter().zip(&mut self.velocities)
        {
            self.opened.clone_from(state);
            let angular = state.base.to_ned(&state.base.rates);
            self.opened.base.attitude = self.middle.base.attitude;
            self.opened.base.rates = self.opened.base.to_body(&angular);
            self.opened.read_velocities(self.dynamics.tree(), velocities);
        }
        self.opened.clone_from(&self.middle);
        self.dynamics.place(&self.middle);
        let stiff = self.stiffness * span > STIFF;
        self.dynamics.factorise(if stiff { span } else { 0.5 * span });
    }

    /// Puts `pushed` right, the velocities at the end of a part of `span` seconds as contacts will change them: what
    /// turning does depends on the velocities, and these are not as if nothing touched.
    pub fn bend(&mut self, pushed: &mut [f64], span: f64) {
        if self.stiffness * span > STIFF {
            return;
        }
        let [before, free] = &self.velocities;
        let ends = [free.as_slice(), &*pushed];
        for (end, rates) in ends.into_iter().zip(&mut self.turning) {
            let mean = before.iter().zip(end).map(|(before, end)| 0.5 * (before + end));
            rates.clear();
            rates.extend(mean);
            self.opened.write_velocities(self.dynamics.tree(), rates);
            self.dynamics.turning(&self.opened, rates);
        }
        let [free, touched] = &self.turning;
        for ((velocity, free), touched) in pushed.iter_mut().zip(free).zip(touched) {
            *velocity += span * (touched - free);
        }
    }

    /// The place of its base where impulses act.
    pub fn opened_at(&self) -> Vector3<f64> {
        self.opened.base.position
    }

    /// The row of a point of a link along a direction, and what an impulse along it changes.
    pub fn row(
        &self,
        link: usize,
        point: &Vector3<f64>,
        way: &Vector3<f64>,
        jacobian: &mut [f64],
        response: &mut [f64],
    ) {
        self.dynamics.motions().point_row(self.dynamics.tree(), link, point, way, jacobian);
        self.dynamics.mass_matrix().response(jacobian, response);
    }

    /// Ends an impact: the velocities after it.
    pub fn strike(&mut self, velocities: &[f64]) {
        self.before.write_velocities(self.dynamics.tree(), velocities);
        self.dynamics.hold_stops(&mut self.before, 0.0);
    }

    /// Ends a part of `span` seconds with `velocities` in the axes of its middle. `shift` moves it out of others;
    /// `pushed` is the impulse that it got, and its moment about the origin, where its momentum is to be exact.
    pub fn close(
        &mut self,
        velocities: &[f64],
        shift: Option<&[f64]>,
        span: f64,
        pushed: Option<(Vector3<f64>, Vector3<f64>)>,
    ) {
        let momentum = pushed.map(|(impulse, moment)| {
            let free = self.dynamics.momentum(&self.state);
            Momentum { linear: free.linear + impulse, angular: free.angular + moment }
        });
        self.state.clone_from(&self.middle);
        if let Some(shift) = shift {
            self.state.write_velocities(self.dynamics.tree(), shift);
            self.dynamics.drift(&mut self.state, 1.0);
        }
        self.state.write_velocities(self.dynamics.tree(), velocities);
        self.dynamics.drift(&mut self.state, 0.5 * span);
        self.dynamics.hold_stops(&mut self.state, 0.0);
        if let Some(momentum) = momentum {
            self.dynamics.give_momentum(&mut self.state, &momentum);
        }
        self.go_on();
    }

    /// What was the end of a part is the beginning of the next one.
    pub fn go_on(&mut self) {
        self.before.clone_from(&self.state);
        self.look(&[]);
    }

    /// Where the links are at the beginning; how fast the shapes move then.
    pub(super) fn look(&mut self, shapes: &[Collider]) -> f64 {
        let motions = self.dynamics.place(&self.before);
        for (link, place) in self.places.iter_mut().enumerate() {
            let rigid = motions[link].rigid();
            *place = pose_of(&rigid.position, &rigid.attitude);
        }
        self.speed_of(shapes)
    }

    /// Brings the state on by a step as if nothing were in the way.
    pub(super) fn step(&mut self, own: &[f64], commands: &[f64], around: &Surroundings, span: f64) {
        let mut acting = Acting { actors: &self.actors, own, commands, around };
        if self.stiffness * span > STIFF {
            self.dynamics.kick(&mut self.state, &around.gravity, span, &mut acting);
            self.dynamics.drift(&mut self.state, span);
        } else {
            self.dynamics.step(&mut self.state, &around.gravity, span, &mut acting);
        }
    }
}
