//! Links that are joined, as a tree.
//!
//! A model may hold several bodies that nothing joins: each becomes a body of its own. The root of a body is the
//! canonical link of its model where it is part of it, and the first link otherwise; a body that is joined to the world
//! hangs there. A joint whose child carries its parent has its axis turned round; one that closes a loop is left out.

use std::collections::{BTreeMap, BTreeSet};

use ironbird_sdf::{Axis, Joint, JointKind, Link, Model, SdfError};
use nalgebra::{Isometry3, Vector3};

use super::axes;
use super::notes::Notes;
use crate::joints::{
    Attachment, Base, Joint as PlannedJoint, JointKind as Kind, JointLaw, LinkInertia, Tree,
    TreePlan,
};

/// How far a joint slides that has no stops, in m.
const LONGEST_SLIDE: f64 = 10.0;

/// One link in the order of the tree.
struct Hung<'a> {
    /// Its number in the model.
    link: usize,
    /// The place of its parent in this order; none of the first.
    parent: Option<usize>,
    /// By what it hangs, and whether it is the joint's parent.
    joint: Option<(&'a Joint, bool)>,
}

/// Links that are joined.
pub(super) struct Assembly<'a> {
    pub model: &'a Model,
    hung: Vec<Hung<'a>>,
    /// Whether it is joined to the world.
    pub grounded: bool,
}

/// An assembly as a tree.
pub(super) struct Built {
    pub tree: Tree,
    /// The number of each link of the model among the planned ones.
    planned: BTreeMap<usize, usize>,
    /// Mass properties of the links, in their own frames.
    inertias: BTreeMap<usize, LinkInertia>,
    /// The centre of mass of the first link of the tree in the frame of the root.
    pub centre: Vector3<f64>,
    /// Where the joints begin.
    pub positions: Vec<f64>,
    /// Joints with one axis, by their numbers in the model: the link of the tree that each moves.
    pub joints: BTreeMap<usize, usize>,
}

impl Built {
    /// Where a link of the model is in the tree.
    pub fn attachment(&self, link: usize) -> Option<Attachment> {
        self.planned.get(&link).map(|planned| self.tree.attachment(*planned))
    }

    /// Mass properties of a link of the model, in its own frame.
    pub fn inertia(&self, link: usize) -> LinkInertia {
        self.inertias.get(&link).copied().unwrap_or_else(LinkInertia::massless)
    }

    /// Mass properties of all that is part of the first link of the tree, about its centre of mass.
    pub fn of_first_link(&self) -> LinkInertia {
        let mut whole = LinkInertia::massless();
        for (link, planned) in &self.planned {
            let attached = self.tree.attachment(*planned);
            if attached.link == 0 {
                whole = whole.merged(&self.inertia(*link).placed(&attached.place));
            }
        }
        whole
    }
}

/// The bodies of a model.
pub(super) fn assemblies<'a>(model: &'a Model, notes: &mut Notes) -> Vec<Assembly<'a>> {
    let number: BTreeMap<&str, usize> =
        model.links.iter().enumerate().map(|(n, link)| (link.name.as_str(), n)).collect();
    let canonical = model.canonical_link.as_deref().and_then(|name| number.get(name)).copied();
    // Links of static models inside are part of the world.
    let still = |name: &str| {
        name == "world" || number.get(name).is_some_and(|link| model.links[*link].is_static)
    };
    let on_world = |link: usize| {
        let name = &model.links[link].name;
        model.joints.iter().find(|j| {
            (still(&j.parent) && j.child == *name) || (still(&j.child) && j.parent == *name)
        })
    };
    let mut seen: Vec<bool> = model.links.iter().map(|link| link.is_static).collect();
    let mut used = BTreeSet::new();
    let grounded = (0..seen.len()).filter(|link| on_world(*link).is_some());
    let order: Vec<usize> = grounded.chain(canonical).chain(0..seen.len()).collect();
    let mut found = Vec::new();
    for root in order {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let ground = on_world(root).map(|joint| (joint, !still(&joint.parent)));
        if let Some((joint, _)) = ground {
            used.insert(&joint.name);
        }
        let mut hung = vec![Hung { link: root, parent: None, joint: ground }];
        let mut next = 0;
        while next < hung.len() {
            let name = &model.links[hung[next].link].name;
            for joint in &model.joints {
                let (other, reversed) = if joint.parent == *name {
                    (&joint.child, false)
                } else if joint.child == *name {
                    (&joint.parent, true)
                } else {
                    continue;
                };
                let Some(&link) = number.get(other.as_str()) else { continue };
                if seen[link] || used.contains(&joint.name) {
                    continue;
                }
                seen[link] = true;
                used.insert(&joint.name);
                hung.push(Hung { link, parent: Some(next), joint: Some((joint, reversed)) });
            }
            next += 1;
        }
        found.push(Assembly { model, hung, grounded: ground.is_some() });
    }
    let open = |joint: &&Joint| !used.contains(&joint.name);
    for joint in model.joints.iter().filter(open) {
        if still(&joint.parent) && still(&joint.child) {
            continue;
        }
        let text = format!("the joint {} closes a loop, which is not simulated", joint.name);
        notes.add(&joint.place, text);
    }
    found
}

impl<'a> Assembly<'a> {
    /// The first link.
    pub fn root(&self) -> &'a Link {
        &self.model.links[self.hung[0].link]
    }

    /// Its links, by their numbers in the model.
    pub fn links(&self) -> impl Iterator<Item = (usize, &'a Link)> {
        self.hung.iter().map(|hung| (hung.link, &self.model.links[hung.link]))
    }

    /// The tree. Joints that `rigid` names are fixed; links on joints that `turning` names are averaged over a turn.
    pub fn build(
        &self,
        rigid: &BTreeSet<usize>,
        turning: &BTreeSet<usize>,
        notes: &mut Notes,
    ) -> Result<Built, SdfError> {
        let root = self.root();
        let mut plan = if self.grounded {
            TreePlan::new(Base::Fixed, "world", LinkInertia::massless())
        } else {
            TreePlan::new(Base::Floating, &root.name, inertia_of(root))
        };
        let (mut planned, mut inertias, mut joints) =
            (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let mut numbers = Vec::new();
        for hung in &self.hung {
            let link = &self.model.links[hung.link];
            let mut inertia = inertia_of(link);
            let number = match hung.joint {
                None => 0,
                Some((joint, reversed)) => {
                    let index = self.model.joints.iter().position(|other| other.name == joint.name);
                    let index = index.unwrap_or(0);
                    let fixed = rigid.contains(&index);
                    let at = axes::pose(&(link.pose.inverse() * joint.pose));
                    let (kind, laws) = joint_of(joint, reversed, fixed, notes);
                    if turning.contains(&index)
                        && let Kind::Revolute(axis) = kind
                    {
                        let about = inertia.placed(&at.inverse()).averaged_about(&axis.normalize());
                        inertia = about.placed(&at);
                    }
                    let (parent, here) = match hung.parent {
                        Some(parent) => {
                            let other = &self.model.links[self.hung[parent].link];
                            let here = axes::pose(&(other.pose.inverse() * link.pose));
                            (numbers[parent], here)
                        }
                        None => (0, Isometry3::identity()),
                    };
                    let planned_joint = PlannedJoint { kind, place: at, laws };
                    let number = plan.add(parent, &link.name, here, planned_joint, inertia);
                    joints.push((index, number, joint));
                    number
                }
            };
            numbers.push(number);
            planned.insert(hung.link, number);
            inertias.insert(hung.link, inertia);
        }
        let wrong = |error: crate::joints::TreeError| {
            SdfError::new(&root.place, error.to_string(), "correct the links of this model")
        };
        let tree = plan.build().map_err(wrong)?;
        let centre = if self.grounded { Vector3::zeros() } else { tree.link_centre(0) };
        let tree = tree.centred();
        let mut positions = vec![0.0; tree.joint_positions()];
        let mut moving = BTreeMap::new();
        let start = crate::joints::TreeState::at_rest(&tree);
        positions.copy_from_slice(&start.positions);
        for (index, number, joint) in joints {
            let link = tree.attachment(number).link;
            let is_own = tree.name(link) == self.model.links[self.link_of(number, &planned)].name;
            if link == 0 || !is_own || tree.axis(link).is_none() {
                continue;
            }
            moving.insert(index, link);
            if let Some(axis) = &joint.axis {
                let law = tree.law(link);
                positions[tree.position_of(link)] =
                    axis.initial_position.clamp(law.lower, law.upper);
            }
        }
        Ok(Built { tree, planned, inertias, centre, positions, joints: moving })
    }

    /// The link of the model with a planned number.
    fn link_of(&self, number: usize, planned: &BTreeMap<usize, usize>) -> usize {
        planned.iter().find(|(_, n)| **n == number).map_or(self.hung[0].link, |(link, _)| *link)
    }
}

/// Mass properties of a link, in its frame.
fn inertia_of(link: &Link) -> LinkInertia {
    let inertial = &link.inertial;
    let turn = inertial.pose.rotation.to_rotation_matrix();
    LinkInertia {
        mass: inertial.mass,
        centre: axes::vector(&inertial.pose.translation.vector),
        tensor: axes::tensor(&(turn.matrix() * inertial.moments * turn.matrix().transpose())),
    }
}

fn law(axis: &Axis) -> JointLaw {
    let some = |limit: f64| if limit == 0.0 { f64::INFINITY } else { limit };
    JointLaw {
        damping: axis.damping.max(0.0),
        friction: axis.friction,
        stiffness: axis.spring_stiffness.max(0.0),
        reference: axis.spring_reference,
        lower: axis.lower,
        upper: axis.upper,
        // Zero is what files write that mean no limit.
        effort: some(axis.effort),
        speed: some(axis.velocity),
        ..JointLaw::default()
    }
}

/// What a joint lets its link do, and what hinders it.
fn joint_of(
    joint: &Joint,
    reversed: bool,
    fixed: bool,
    notes: &mut Notes,
) -> (Kind, Vec<JointLaw>) {
    if fixed {
        return (Kind::Fixed, vec![]);
    }
    let sign = if reversed { -1.0 } else { 1.0 };
    let way = |axis: &Option<Axis>| {
        axis.as_ref().map_or(Vector3::z(), |axis| axes::vector(&axis.xyz)) * sign
    };
    let mut first = joint.axis.as_ref().map_or_else(JointLaw::default, law);
    if joint.axis.iter().chain(&joint.axis2).any(|axis| axis.mimic.is_some()) {
        notes.add(&joint.place, format!("the joint {} follows no other joint", joint.name));
    }
    let pushes = |axis: &Axis| axis.damping < 0.0 || axis.spring_stiffness < 0.0;
    if joint.axis.iter().chain(&joint.axis2).any(pushes) {
        let text = format!("damping or stiffness of {} below zero is taken as none", joint.name);
        notes.add(&joint.place, text);
    }
    if !joint.sensors.is_empty() {
        notes.add(&joint.place, format!("sensors in the joint {} are not simulated", joint.name));
    }
    let turns = way(&joint.axis);
    match joint.kind {
        JointKind::Fixed => (Kind::Fixed, vec![]),
        // A joint that cannot move is how older files fix links.
        JointKind::Revolute | JointKind::Prismatic if first.lower == 0.0 && first.upper == 0.0 => {
            (Kind::Fixed, vec![])
        }
        JointKind::Revolute | JointKind::Continuous => (Kind::Revolute(turns), vec![first]),
        JointKind::Gearbox { .. } => {
            let text = format!("the ratio of the gearbox {} is not simulated", joint.name);
            notes.add(&joint.place, text);
            (Kind::Revolute(turns), vec![first])
        }
        JointKind::Prismatic => {
            if !(first.lower.is_finite() && first.upper.is_finite()) {
                let text = format!(
                    "the joint {} slides without end; it stops {LONGEST_SLIDE} m from its middle",
                    joint.name
                );
                notes.add(&joint.place, text);
                first.lower = first.lower.max(-LONGEST_SLIDE);
                first.upper = first.upper.min(LONGEST_SLIDE);
            }
            (Kind::Prismatic(turns), vec![first])
        }
        JointKind::Screw { pitch } => {
            first.lower = first.lower.max(-1e3);
            first.upper = first.upper.min(1e3);
            let pitch = pitch / std::f64::consts::TAU;
            (Kind::Screw { axis: turns, pitch }, vec![first])
        }
        JointKind::Ball => (Kind::Ball, vec![]),
        JointKind::Universal | JointKind::Revolute2 => {
            let second = joint.axis2.as_ref().map_or_else(JointLaw::default, law);
            let (a, b) = (turns, way(&joint.axis2));
            // Seen from the child, the axes come in the other order.
            if reversed {
                (Kind::Universal(b, a), vec![second, first])
            } else {
                (Kind::Universal(a, b), vec![first, second])
            }
        }
    }
}
