//! Rotors and thrusters that are part of their carrier: their speed is a number, not a joint.
//!
//! ```text
//! rotor      F = (k_T ω² n - ω c_d v⊥) ρ/ρ₀        M = (-s k_M ω² n - ω c_r v⊥) ρ/ρ₀ - s J ω' n - s J ω Ω × n
//! ```
//!
//! as in `plant::multirotor::rotor`, on a link of an articulated body; k_T ω² n times the ground effect at the height of
//! the hub, over what lies below the first link. The speed follows its command with a time
//! constant up and another down, exactly over a step. A thruster is that of `plant::submersible`.

use ironbird_kinematics::Channel;
use ironbird_plant::multirotor::{Rotor, ground_effect};
use ironbird_plant::submersible::Thruster;
use ironbird_plant::vehicle::Surroundings;

use super::actor::{Law, LinkActor, Links, Loads};

/// Density of air to which the coefficients of rotors belong, in kg/m³.
const STANDARD_DENSITY: f64 = 1.225;

/// A rotor on a link.
#[derive(Clone, Debug)]
pub struct RotorOnLink {
    /// The link.
    pub link: usize,
    /// The rotor; its place and axis are in the frame of the link.
    pub rotor: Rotor,
    /// Its command: the speed in rad/s.
    pub command: [Channel; 1],
}

impl LinkActor for RotorOnLink {
    fn commands(&self) -> &[Channel] {
        &self.command
    }

    /// ω and ω'.
    fn numbers(&self) -> usize {
        2
    }

    fn last_link(&self) -> usize {
        self.link
    }

    fn law(&self, law: &mut Law<'_>, commands: &[f64], own: &mut [f64]) {
        let wanted = commands[0].clamp(0.0, self.rotor.fastest);
        let constant = if wanted > own[0] { self.rotor.rise } else { self.rotor.fall };
        let next = wanted + (own[0] - wanted) * libm::exp(-law.h / constant);
        own[1] = (next - own[0]) / law.h;
        own[0] = next;
    }

    fn act(
        &self,
        links: &Links<'_>,
        own: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let Rotor { at, axis, thrust, torque, inertia, drag, rolling, turns, radius, .. } =
            &self.rotor;
        let (speed, change, sign) = (own[0], own[1], turns.sign());
        let motion = &links.motions[self.link];
        let air = around.density / STANDARD_DENSITY;
        let velocity = motion.velocity_of(at) - motion.to_link(&around.wind);
        let across = velocity - axis * axis.dot(&velocity);
        let lower = motion.point(at).z - links.motions[0].position.z;
        let grown = ground_effect(*radius, around.height - lower);
        let load = &mut loads.wrenches[self.link];
        load.push((axis * (thrust * speed * speed * grown) - across * (drag * speed)) * air, at);
        load.moment -= (axis * (sign * torque * speed * speed) + across * (rolling * speed)) * air;
        load.moment -= axis * (sign * inertia * change)
            + motion.velocity.angular.cross(axis) * (sign * inertia * speed);
    }
}

/// A thruster on a link.
#[derive(Clone, Debug)]
pub struct ThrusterOnLink {
    /// The link.
    pub link: usize,
    /// The thruster; its place and direction are in the frame of the link.
    pub thruster: Thruster,
    /// Its command, from -1 to 1.
    pub command: [Channel; 1],
}

impl LinkActor for ThrusterOnLink {
    fn commands(&self) -> &[Channel] {
        &self.command
    }

    fn numbers(&self) -> usize {
        1
    }

    fn last_link(&self) -> usize {
        self.link
    }

    fn law(&self, law: &mut Law<'_>, commands: &[f64], own: &mut [f64]) {
        let left = libm::exp(-law.h / self.thruster.time_constant);
        own[0] = commands[0] + (own[0] - commands[0]) * left;
    }

    fn act(&self, _: &Links<'_>, own: &[f64], _: &[f64], _: &Surroundings, loads: &mut Loads<'_>) {
        let (force, _) = self.thruster.at(own[0], own[0]);
        loads.wrenches[self.link].push(self.thruster.direction * force, &self.thruster.place);
    }
}
