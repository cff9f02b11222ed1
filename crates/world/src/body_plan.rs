//! What is put into a world, and why it cannot be.

use std::sync::Arc;

use ironbird_control::InnerLoop;
use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::integrate;
use ironbird_plant::vehicle::{Inertia, Vehicle};

use crate::geometry::Collider;
use crate::jointed::JointedPlan;

/// What is put into a world.
#[derive(Clone)]
pub struct BodyPlan {
    /// Its name; bodies are ordered by it.
    pub name: String,
    /// What drives it.
    pub drive: Drive,
    /// What steers it, if its commands do not come from outside.
    pub pilot: Option<Pilot>,
    /// Its shapes, about the centre of mass.
    pub colliders: Vec<Collider>,
    /// How it moves at the start.
    pub motion: RigidMotion,
}

/// What moves a body.
#[derive(Clone)]
pub enum Drive {
    /// Forces.
    Vehicle(Arc<dyn Vehicle>),
    /// Nothing but weight and contact.
    Inert(Inertia),
    /// Forces on links that are joined.
    Jointed(Arc<JointedPlan>),
    /// Somebody outside says how it moves; contact does not move it.
    Outside,
}

/// An inner loop, and how often it steps.
#[derive(Clone)]
pub struct Pilot {
    /// The law.
    pub law: Arc<dyn InnerLoop>,
    /// It steps at every so-many-th step of the world.
    pub every: u32,
}

/// Why there can be no such body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BodyProblem {
    #[error(transparent)]
    Inertia(#[from] integrate::InertiaProblem),
    #[error("{found} {what} are too many: {most} are allowed")]
    TooMany { found: usize, most: usize, what: &'static str },
    #[error("its inner loop never steps: it must step at least once in some steps of the world")]
    NeverSteered,
    #[error("its place or velocity at the start is no number")]
    Start,
    #[error("a plane or a height field cannot move: make the body a part of the ground")]
    Endless,
    #[error(
        "the frame of its first link must be in that link's centre of mass: see `Tree::centred`"
    )]
    OffCentre,
    #[error("a shape or a force belongs to link {link}, and it has {links} links")]
    NoLink { link: usize, links: usize },
    #[error("{found} positions of joints were given, and it has {needed}")]
    Positions { found: usize, needed: usize },
    #[error("there are two bodies of this name")]
    Twice,
}
