//! How bodies move and feel where nothing is in the way; those of one kind side by side.

use std::ptr::addr_eq;

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use ironbird_plant::vehicle::abreast::{Rider, Riders};
use ironbird_plant::vehicle::integrate::{self, Change, Held, SolvedInertia};
use ironbird_plant::vehicle::number::LANES;
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};

use crate::body::{Body, Mechanics};
use crate::body_state::Reaction;

/// How a body changes, and what it was driven by: the next step may begin with it.
pub(crate) struct Felt {
    change: Change,
    commands: Vec<f64>,
    /// Whether the rest means anything; not after what surrounds the body has changed.
    pub known: bool,
}

impl Felt {
    /// Nothing yet, of a body with so many commands.
    pub fn nothing(commands: usize) -> Self {
        Felt { change: Change::default(), commands: vec![0.0; commands], known: false }
    }

    /// Whether it would be the same now.
    #[inline]
    fn holds(&self, commands: &[f64]) -> bool {
        self.known && self.commands == commands
    }
}

/// A step of `h` seconds of each body as if nothing were in the way.
#[inline]
pub(crate) fn fly(bodies: &mut [Box<Body>], h: f64) {
    for some in bodies.chunks_mut(LANES) {
        for body in some.iter_mut() {
            body.before = body.state.motion;
            body.state.reaction = Reaction::default();
        }
        let step = |vehicle: &dyn Vehicle, mass: &SolvedInertia, riders: &mut Riders<'_>| {
            vehicle.advance_abreast(mass, riders, h)
        };
        if !abreast(some, step) {
            some.iter_mut().for_each(|body| body.fly(h));
        }
        some.iter_mut().for_each(|body| body.felt.known = false);
    }
}

/// How the motion of each body changes after a step of `h` seconds.
#[inline]
pub(crate) fn feel(bodies: &mut [Box<Body>], h: f64) {
    for some in bodies.chunks_mut(LANES) {
        let free = some.iter().all(|body| body.state.reaction.points == 0);
        let change = |vehicle: &dyn Vehicle, mass: &SolvedInertia, riders: &mut Riders<'_>| {
            vehicle.change_abreast(mass, riders)
        };
        if free && abreast(some, change) {
            some.iter_mut().for_each(|body| body.has_felt());
        } else {
            for body in some {
                body.feel((body.state.reaction.points > 0).then_some(h));
            }
        }
    }
}

/// Does something with bodies side by side, where there are enough of one kind and their vehicle can; whether it was
/// done.
#[inline]
fn abreast(
    bodies: &mut [Box<Body>],
    action: impl FnOnce(&dyn Vehicle, &SolvedInertia, &mut Riders<'_>) -> bool,
) -> bool {
    let Ok(bodies) = <&mut [Box<Body>; LANES]>::try_from(bodies) else { return false };
    let [a, b, c, d] = bodies;
    let (Some(a), Some(b), Some(c), Some(d)) = (a.ride(), b.ride(), c.ride(), d.ride()) else {
        return false;
    };
    let (vehicle, mass, first) = a;
    let same = |other: &dyn Vehicle| addr_eq(vehicle, other);
    same(b.0) && same(c.0) && same(d.0) && action(vehicle, mass, &mut [first, b.2, c.2, d.2])
}

impl Body {
    /// Its vehicle, and it as one of several.
    #[inline]
    fn ride(&mut self) -> Option<(&dyn Vehicle, &SolvedInertia, Rider<'_>)> {
        let Body { state, around, felt, mechanics, own_count, .. } = self;
        let Mechanics::Free { vehicle: Some(vehicle), mass } = mechanics else { return None };
        let commands = state.commands.as_slice();
        let rider = Rider {
            known: felt.holds(commands),
            motion: &mut state.motion,
            own: &mut state.own[..*own_count],
            held: Held { commands, around },
            change: &mut felt.change,
        };
        Some((&**vehicle, mass, rider))
    }

    /// Lets the inner loop steer, if it is its turn.
    #[inline]
    pub(crate) fn steer(&mut self, step: u64, h: f64) {
        let Some(pilot) = &self.pilot else { return };
        if !step.is_multiple_of(u64::from(pilot.every)) {
            return;
        }
        let state = &mut self.state;
        pilot.law.step(
            h * f64::from(pilot.every),
            &state.motion,
            &state.set_points,
            &mut state.loop_own[..self.loop_count],
            &mut state.commands,
        );
        for (command, channel) in state.commands.iter_mut().zip(self.mechanics.commands()) {
            *command = channel.limit(*command);
        }
    }

    #[inline]
    fn fly(&mut self, h: f64) {
        if let Mechanics::Jointed(body) = &mut self.mechanics {
            let Body { state, around, colliders, .. } = self;
            let (motion, joints) = (&mut state.motion, &mut state.joints);
            body.fly(motion, joints, &state.commands, around, colliders, h);
        } else if let Some((vehicle, mass, rider)) = self.ride() {
            let Rider { motion, own, held, change, known } = rider;
            vehicle.advance(mass, motion, own, &held, h, known.then_some(change));
        } else if let Mechanics::Free { mass, .. } = &self.mechanics {
            let Body { state, around, felt, .. } = self;
            let held = Held { commands: &[], around };
            let known = felt.known.then_some(&felt.change);
            integrate::step(&Nothing, mass, &mut state.motion, &mut [], &held, h, known);
        }
    }

    /// How its motion changes as it is now; `pushed` is the length of the step if something touched it in that.
    #[inline]
    pub(crate) fn feel(&mut self, pushed: Option<f64>) {
        if let Mechanics::Jointed(body) = &mut self.mechanics {
            let Body { state, around, .. } = self;
            let felt = body.feel(&state.motion, &state.joints, &state.commands, around, pushed);
            (state.acceleration, state.angular_acceleration) = felt;
        } else if let Some(h) = pushed {
            let (before, after) = (&self.before, &self.state.motion);
            self.state.acceleration = (after.velocity - before.velocity) / h;
            self.state.angular_acceleration = (after.rates - before.rates) / h;
        } else if let Some((vehicle, mass, rider)) = self.ride() {
            vehicle.change(mass, rider.motion, rider.own, &rider.held, rider.change);
            self.has_felt();
        } else if let Mechanics::Free { mass, .. } = &self.mechanics {
            let held = Held { commands: &[], around: &self.around };
            let (motion, change) = (&self.state.motion, &mut self.felt.change);
            integrate::change(&Nothing, mass, motion, &[], &held, change);
            self.has_felt();
        }
    }

    /// Takes over what it feels.
    #[inline]
    fn has_felt(&mut self) {
        let Body { state, felt, .. } = self;
        state.acceleration = felt.change.acceleration.linear;
        state.angular_acceleration = felt.change.acceleration.angular;
        felt.commands.copy_from_slice(&state.commands);
        felt.known = true;
    }
}

/// Nothing but weight acts on it.
struct Nothing;

impl Vehicle for Nothing {
    fn inertia(&self) -> &Inertia {
        unreachable!("a body that nothing drives has its inertia beside it")
    }
    fn commands(&self) -> &[Channel] {
        &[]
    }
    #[inline]
    fn forces(
        &self,
        _: &RigidMotion,
        _: &[f64],
        _: &[f64],
        _: &Surroundings,
        _: &mut [f64],
    ) -> Wrench {
        Wrench::default()
    }
}
