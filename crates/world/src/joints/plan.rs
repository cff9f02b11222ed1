//! A tree as people and files describe it, and how it becomes one that moves.
//!
//! A planned link has a frame of its own, a place in the frame of its parent while all joints are at zero, and a
//! joint somewhere in its frame. On the way to a [`Tree`]
//! - links on fixed joints become part of their parent: masses and inertias are merged;
//! - a universal joint becomes two axes with a link without mass between them;
//! - every link gets the frame of its joint, where the axis passes through the origin.
//!
//! Where a planned link went says [`Tree::attachment`].

use nalgebra::{Isometry3, Matrix3, Vector3};
use thiserror::Error;

use super::inertia::LinkInertia;
use super::law::JointLaw;
use super::mass_matrix::MassMatrix;
use super::motion::LinkMotions;
use super::spatial::SpatialVector;
use super::state::TreeState;
use super::tree::{Attachment, Axis, Base, Freedom, Link, Tree};

/// Kinds of joints. Axes are in the joint's frame and need not have length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// None: the link is part of its parent.
    Fixed,
    /// Turns about an axis; `continuous` is this without stops.
    Revolute(Vector3<f64>),
    /// Slides along an axis.
    Prismatic(Vector3<f64>),
    /// Turns about an axis and advances along it.
    Screw {
        /// The axis.
        axis: Vector3<f64>,
        /// Advance in m per rad.
        pitch: f64,
    },
    /// Turns about a first axis, then about a second one that the first carries along.
    Universal(Vector3<f64>, Vector3<f64>),
    /// Turns about a point.
    Ball,
}

/// A joint of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What it lets the link do.
    pub kind: JointKind,
    /// Its frame in the frame of the link that it moves.
    pub place: Isometry3<f64>,
    /// The forces of its axes, in order; those that are not given do nothing.
    pub laws: Vec<JointLaw>,
}

impl Joint {
    /// In the origin of the link, with nothing that hinders it.
    pub fn new(kind: JointKind) -> Self {
        Joint { kind, place: Isometry3::identity(), laws: Vec::new() }
    }

    /// With the forces of its (first) axis.
    pub fn with(mut self, law: JointLaw) -> Self {
        self.laws.push(law);
        self
    }
}

/// What is wrong with a plan.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TreeError {
    /// A parent that comes later or does not exist.
    #[error(
        "link `{link}` hangs on link number {parent}, which has not been added before it; add parents first"
    )]
    Parent {
        /// The link.
        link: String,
        /// Its parent.
        parent: usize,
    },
    /// Mass properties that no body has.
    #[error("link `{link}` has {fault}; correct its inertial properties")]
    Inertia {
        /// The link.
        link: String,
        /// What is wrong.
        fault: String,
    },
    /// A joint that cannot be.
    #[error("the joint of link `{link}`: {fault}")]
    Joint {
        /// The link.
        link: String,
        /// What is wrong.
        fault: String,
    },
    /// A link that nothing keeps from accelerating without bound.
    #[error(
        "link `{link}` and what it carries have no inertia about an axis of its joint; give it mass and inertia or fix it"
    )]
    NoInertia {
        /// The link.
        link: String,
    },
}

#[derive(Clone, Debug)]
struct PlannedLink {
    name: String,
    parent: usize,
    place: Isometry3<f64>,
    joint: Joint,
    inertia: LinkInertia,
}

/// A tree before it is built.
#[derive(Clone, Debug)]
pub struct TreePlan {
    base: Base,
    links: Vec<PlannedLink>,
}

impl TreePlan {
    /// A base, which becomes planned link 0.
    pub fn new(base: Base, name: &str, inertia: LinkInertia) -> Self {
        let joint = Joint::new(JointKind::Fixed);
        let link = PlannedLink {
            name: name.into(),
            parent: 0,
            place: Isometry3::identity(),
            joint,
            inertia,
        };
        TreePlan { base, links: vec![link] }
    }

    /// Hangs a link on an earlier one and gives its number. `place` is that of its frame in the frame of its parent
    /// while its joint is at zero.
    pub fn add(
        &mut self,
        parent: usize,
        name: &str,
        place: Isometry3<f64>,
        joint: Joint,
        inertia: LinkInertia,
    ) -> usize {
        self.links.push(PlannedLink { name: name.into(), parent, place, joint, inertia });
        self.links.len() - 1
    }

    /// Checks the plan and makes the tree.
    pub fn build(&self) -> Result<Tree, TreeError> {
        let mut bodies: Vec<LinkInertia> = Vec::new();
        let mut tree = Tree {
            base: self.base,
            links: Vec::new(),
            attachments: Vec::new(),
            positions: 0,
            velocities: 0,
            stopped: false,
        };
        for (index, planned) in self.links.iter().enumerate() {
            planned.check(index)?;
            let attachment = if index == 0 {
                tree.push(
                    &planned.name,
                    0,
                    &Isometry3::identity(),
                    Freedom::Base,
                    JointLaw::default(),
                );
                Attachment { link: 0, place: Isometry3::identity() }
            } else {
                planned.hang(&mut tree)
            };
            bodies.resize(tree.links.len(), LinkInertia::massless());
            let body = &mut bodies[attachment.link];
            *body = body.merged(&planned.inertia.placed(&attachment.place));
            tree.attachments.push(attachment);
        }
        for (link, body) in tree.links.iter_mut().zip(&bodies) {
            link.inertia = body.into();
            if let Freedom::Axis(axis) = &link.freedom {
                link.leaf_carried = link.inertia.momentum(&axis.subspace);
                link.leaf_resistance = axis.subspace.dot(&link.leaf_carried);
            }
        }
        tree.check_inertia()?;
        Ok(tree)
    }
}

impl PlannedLink {
    fn check(&self, index: usize) -> Result<(), TreeError> {
        let link = || self.name.clone();
        let joint = |fault: String| Err(TreeError::Joint { link: link(), fault });
        if index > 0 && self.parent >= index {
            return Err(TreeError::Parent { link: link(), parent: self.parent });
        }
        if let Some(fault) = self.inertia.fault() {
            return Err(TreeError::Inertia { link: link(), fault });
        }
        for place in [&self.place, &self.joint.place] {
            if !place.to_homogeneous().iter().all(|v| v.is_finite()) {
                return joint("its place has numbers that are not finite".into());
            }
        }
        let axes = match self.joint.kind {
            JointKind::Fixed | JointKind::Ball => vec![],
            JointKind::Revolute(axis)
            | JointKind::Prismatic(axis)
            | JointKind::Screw { axis, .. } => vec![axis],
            JointKind::Universal(first, second) => vec![first, second],
        };
        for axis in &axes {
            let length = axis.norm();
            if !(length.is_finite() && length > 1e-9) {
                return joint("its axis must have a length".into());
            }
        }
        if let JointKind::Universal(first, second) = self.joint.kind
            && first.normalize().cross(&second.normalize()).norm() < 1e-6
        {
            return joint("the axes of a universal joint must not be parallel".into());
        }
        if let JointKind::Screw { pitch, .. } = self.joint.kind
            && !pitch.is_finite()
        {
            return joint(format!("its pitch is {pitch}"));
        }
        let forces = if self.joint.kind == JointKind::Ball { 1 } else { axes.len() };
        if self.joint.laws.len() > forces {
            return joint(format!(
                "forces for {} axes where it has {forces}",
                self.joint.laws.len()
            ));
        }
        for law in &self.joint.laws {
            if let Some(fault) = law.fault() {
                return joint(fault);
            }
            if self.joint.kind == JointKind::Ball && (law.stiffness > 0.0 || law.has_stops()) {
                return joint(
                    "a ball joint has neither spring nor stops here; leave them out".into(),
                );
            }
        }
        Ok(())
    }

    /// Adds the links that the joint makes to the tree.
    fn hang(&self, tree: &mut Tree) -> Attachment {
        let carrier = tree.attachments[self.parent];
        let place = carrier.place * self.place;
        let at = place * self.joint.place;
        let law = |axis: usize| self.joint.laws.get(axis).copied().unwrap_or_default();
        let axis = |at: &Isometry3<f64>, turning: Vector3<f64>, sliding: Vector3<f64>| {
            Freedom::Axis(Box::new(Axis::new(
                at.rotation.to_rotation_matrix().matrix(),
                turning,
                sliding,
            )))
        };
        let still = Vector3::zeros();
        let freedom = match self.joint.kind {
            JointKind::Fixed => return Attachment { link: carrier.link, place },
            JointKind::Revolute(direction) => axis(&at, direction.normalize(), still),
            JointKind::Prismatic(direction) => axis(&at, still, direction.normalize()),
            JointKind::Screw { axis: direction, pitch } => {
                axis(&at, direction.normalize(), direction.normalize() * pitch)
            }
            JointKind::Ball => Freedom::Ball,
            JointKind::Universal(first, second) => {
                let cross = format!("{} (cross)", self.name);
                let first = axis(&at, first.normalize(), still);
                let link = tree.push(&cross, carrier.link, &at, first, law(0));
                let here = Isometry3::identity();
                let second = axis(&here, second.normalize(), still);
                let link = tree.push(&self.name, link, &here, second, law(1));
                return Attachment { link, place: self.joint.place.inverse() };
            }
        };
        let link = tree.push(&self.name, carrier.link, &at, freedom, law(0));
        Attachment { link, place: self.joint.place.inverse() }
    }
}

impl Tree {
    fn push(
        &mut self,
        name: &str,
        parent: usize,
        at: &Isometry3<f64>,
        freedom: Freedom,
        law: JointLaw,
    ) -> usize {
        let (position, dof) = (self.positions, self.velocities);
        let (positions, velocities) = match freedom {
            Freedom::Base => (0, 0),
            Freedom::Axis(_) => (1, 1),
            Freedom::Ball => (4, 3),
        };
        self.positions += positions;
        self.velocities += velocities;
        self.stopped |= law.has_stops();
        self.links.push(Link {
            name: name.into(),
            parent,
            freedom,
            arm: at.translation.vector,
            rotation: at.rotation,
            inertia: (&LinkInertia {
                mass: 0.0,
                centre: Vector3::zeros(),
                tensor: Matrix3::zeros(),
            })
                .into(),
            position,
            dof,
            law,
            leaf: true,
            leaf_carried: SpatialVector::zero(),
            leaf_resistance: 0.0,
        });
        if self.links.len() > 1 {
            self.links[parent].leaf = false;
        }
        self.links.len() - 1
    }

    /// Every joint, and a floating base, must have something to accelerate.
    fn check_inertia(&self) -> Result<(), TreeError> {
        let mut motions = LinkMotions::new(self);
        motions.place(self, &TreeState::at_rest(self));
        let mut matrix = MassMatrix::new(self);
        matrix.compose(self, &motions, 0.0, &[]);
        matrix.factorise().map_err(|dof| {
            let first = |link: &&Link| self.base_dofs() + link.dof <= dof;
            let link = self.links[1..].iter().rev().find(first).unwrap_or(&self.links[0]);
            TreeError::NoInertia { link: link.name.clone() }
        })
    }
}
