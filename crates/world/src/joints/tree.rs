//! A tree of links as the algorithms see it: every link but the first hangs on an earlier one by one axis or a ball.
//!
//! The frame of a link has its origin in its joint, with the joint's axes; that of the base is the base's own. What
//! the plan called links are attached to these: see [`Attachment`].

use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use super::inertia::OriginInertia;
use super::law::JointLaw;
use super::spatial::SpatialVector;

/// Whether the first link of a tree moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// It stays where it is.
    Fixed,
    /// It moves freely.
    Floating,
}

/// Where a link of the plan is in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The link of the tree that carries it.
    pub link: usize,
    /// The place of its own frame in the frame of that link.
    pub place: Isometry3<f64>,
}

impl Attachment {
    /// A point of the planned link, as the link of the tree sees it.
    pub fn point(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.place.rotation * point + self.place.translation.vector
    }

    /// A direction of the planned link, as the link of the tree sees it.
    pub fn direction(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        self.place.rotation * direction
    }
}

/// How a link moves against its parent.
#[derive(Clone, Debug)]
pub(super) enum Freedom {
    /// It is the base.
    Base,
    /// Turning about, sliding along, or screwing along one axis.
    Axis(Box<Axis>),
    /// Turning about a point.
    Ball,
}

/// One axis. The rotation to the parent is steady + cos q · cosine + sin q · sine (Rodrigues' formula after the
/// constant rotation of the joint), the arm is that of the joint + q · slide.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub subspace: SpatialVector,
    pub steady: Matrix3<f64>,
    pub cosine: Matrix3<f64>,
    pub sine: Matrix3<f64>,
    pub slide: Vector3<f64>,
    pub turns: bool,
}

impl Axis {
    pub fn new(rotation: &Matrix3<f64>, turning: Vector3<f64>, sliding: Vector3<f64>) -> Self {
        let projection = turning * turning.transpose();
        Axis {
            subspace: SpatialVector { angular: turning, linear: sliding },
            steady: rotation * projection,
            cosine: rotation * (Matrix3::identity() - projection),
            sine: rotation * turning.cross_matrix(),
            slide: rotation * sliding,
            turns: turning != Vector3::zeros(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    pub name: String,
    pub parent: usize,
    pub freedom: Freedom,
    /// Of the joint, in the parent.
    pub arm: Vector3<f64>,
    /// From the joint at zero to the parent.
    pub rotation: UnitQuaternion<f64>,
    pub inertia: OriginInertia,
    /// First of its numbers among the positions.
    pub position: usize,
    /// First of its numbers among the velocities.
    pub dof: usize,
    pub law: JointLaw,
    /// Whether nothing hangs on it: its U and D do not change then, see `articulated`.
    pub leaf: bool,
    pub leaf_carried: SpatialVector,
    pub leaf_resistance: f64,
}

/// An articulated body: what does not change while it moves. Made by [`TreePlan`](super::TreePlan).
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) base: Base,
    pub(super) links: Vec<Link>,
    pub(super) attachments: Vec<Attachment>,
    pub(super) positions: usize,
    pub(super) velocities: usize,
    /// Whether any joint has stops.
    pub(super) stopped: bool,
}

impl Tree {
    /// Whether the base moves.
    pub fn base(&self) -> Base {
        self.base
    }

    /// The number of links, with the base, which is link 0.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// The name of a link.
    pub fn name(&self, link: usize) -> &str {
        &self.links[link].name
    }

    /// The link that a link hangs on; none of the base.
    pub fn parent(&self, link: usize) -> Option<usize> {
        (link > 0).then(|| self.links[link].parent)
    }

    /// Where a link of the plan, by its number there, is in the tree.
    pub fn attachment(&self, planned: usize) -> Attachment {
        self.attachments[planned]
    }

    /// Numbers that say where the joints are: one for an axis, four for a ball.
    pub fn joint_positions(&self) -> usize {
        self.positions
    }

    /// Numbers that say how fast the joints are: one for an axis, three for a ball. Torques have the same order.
    pub fn joint_velocities(&self) -> usize {
        self.velocities
    }

    /// The first of a link's numbers among the joint positions.
    pub fn position_of(&self, link: usize) -> usize {
        self.links[link].position
    }

    /// The first of a link's numbers among the joint velocities and torques.
    pub fn velocity_of(&self, link: usize) -> usize {
        self.links[link].dof
    }

    /// The forces in the joint of a link.
    pub fn law(&self, link: usize) -> &JointLaw {
        &self.links[link].law
    }

    /// Mass of all of it in kg.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.inertia.mass).sum()
    }

    /// Mass of a link in kg, with what is fixed to it.
    pub fn link_mass(&self, link: usize) -> f64 {
        self.links[link].inertia.mass
    }

    /// Centre of mass of a link in its frame in m; its origin where it weighs nothing.
    pub fn link_centre(&self, link: usize) -> Vector3<f64> {
        let inertia = &self.links[link].inertia;
        if inertia.mass > 0.0 { inertia.first_moment / inertia.mass } else { Vector3::zeros() }
    }

    /// Numbers of the velocity that contact deals with: six of a floating base (its rates, then the velocity of its
    /// origin, both in its axes), then those of the joints.
    pub fn dofs(&self) -> usize {
        self.base_dofs() + self.velocities
    }

    /// The same tree with the frame of its base moved to the base's centre of mass, so that the place and the velocity
    /// of a [`TreeState`](super::TreeState) are those of that point.
    pub fn centred(mut self) -> Self {
        let centre = self.link_centre(0);
        let base = &mut self.links[0].inertia;
        let about = centre.norm_squared();
        base.tensor -= (Matrix3::identity() * about - centre * centre.transpose()) * base.mass;
        base.first_moment = Vector3::zeros();
        for link in self.links.iter_mut().skip(1).filter(|link| link.parent == 0) {
            link.arm -= centre;
        }
        for attached in self.attachments.iter_mut().filter(|attached| attached.link == 0) {
            attached.place.translation.vector -= centre;
        }
        self
    }

    /// How far the origin of a link can be from that of the base in m, wherever the joints are.
    pub fn reach_of(&self, link: usize) -> f64 {
        if link == 0 {
            return 0.0;
        }
        let own = &self.links[link];
        let travel = match &own.freedom {
            Freedom::Axis(axis) if axis.slide != Vector3::zeros() => {
                axis.slide.norm() * own.law.lower.abs().max(own.law.upper.abs())
            }
            _ => 0.0,
        };
        self.reach_of(own.parent) + own.arm.norm() + travel
    }

    /// The axis of the joint of a link in its own frame, and whether it turns; none of a ball or the base.
    pub fn axis(&self, link: usize) -> Option<(Vector3<f64>, bool)> {
        match &self.links[link].freedom {
            Freedom::Axis(axis) if axis.turns => Some((axis.subspace.angular, true)),
            Freedom::Axis(axis) => Some((axis.subspace.linear, false)),
            _ => None,
        }
    }

    pub(super) fn base_dofs(&self) -> usize {
        match self.base {
            Base::Fixed => 0,
            Base::Floating => 6,
        }
    }
}
