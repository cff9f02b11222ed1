//! What acts on the links and joints of an articulated body.
//!
//! An actor is a pure function of how the links move, of numbers of its own that stand still during a step, of commands
//! and of what surrounds the body. What changes from step to step (a controller, a motor that follows its command) is a
//! law that is applied once before each step.

use ironbird_kinematics::{Channel, Wrench};
use ironbird_plant::vehicle::Surroundings;

use crate::joints::{Dynamics, LinkMotions, Tree, TreeState};

/// How links and joints move.
#[derive(Clone, Copy)]
pub struct Links<'a> {
    /// What they are.
    pub tree: &'a Tree,
    /// Where the joints are and how fast.
    pub state: &'a TreeState,
    /// How the links move.
    pub motions: &'a LinkMotions,
}

/// What acts: wrenches in the axes of the links, moments about their origins; torques or forces in the joints.
pub struct Loads<'a> {
    /// Of the links.
    pub wrenches: &'a mut [Wrench],
    /// Of the joints, in the order of their velocities.
    pub torques: &'a mut [f64],
}

/// What a law may see and set before a step.
pub struct Law<'a> {
    /// Length of the step in s.
    pub h: f64,
    /// The joints at its beginning.
    pub state: &'a TreeState,
    pub(super) dynamics: &'a mut Dynamics,
}

impl Law<'_> {
    /// What the body is.
    pub fn tree(&self) -> &Tree {
        self.dynamics.tree()
    }

    /// Gives the joint of a link this speed at the end of the step, whatever acts on it.
    pub fn drive(&mut self, link: usize, speed: f64) {
        let dof = self.dynamics.tree().velocity_of(link);
        let now = self.state.velocities.get(dof).copied().unwrap_or(0.0);
        self.dynamics.prescribe(link, Some((speed - now) / self.h));
    }
}

/// Something that acts on links and joints.
pub trait LinkActor: Send + Sync {
    /// The numbers that drive it.
    fn commands(&self) -> &[Channel] {
        &[]
    }

    /// How many numbers of its own it has; they begin at zero.
    fn numbers(&self) -> usize {
        0
    }

    /// The largest number of a link that it acts on.
    fn last_link(&self) -> usize;

    /// Its numbers for the next step.
    fn law(&self, law: &mut Law<'_>, commands: &[f64], own: &mut [f64]) {
        let _ = (law, commands, own);
    }

    /// Adds what it does.
    fn act(
        &self,
        links: &Links<'_>,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    );
}
