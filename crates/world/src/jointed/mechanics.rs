//! An articulated body that moves.

use std::sync::Arc;

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use ironbird_plant::vehicle::Surroundings;
use nalgebra::{Isometry3, Vector3};

use super::actor::{Law, LinkActor, Links, Loads};
use crate::body_plan::BodyProblem;
use crate::geometry::Collider;
use crate::joints::{Base, Dynamics, LinkForces, LinkMotions, Tree, TreeState};

/// Joints that damp or spring back faster than this, over the length of a step, are stepped semi-implicitly.
pub(super) const STIFF: f64 = 2.0;

/// An articulated body as it is planned.
#[derive(Clone)]
pub struct JointedPlan {
    /// Its links and joints; the frame of the first link is in its centre of mass ([`Tree::centred`]).
    pub tree: Tree,
    /// What acts on it.
    pub actors: Vec<Arc<dyn LinkActor>>,
    /// Where its joints are at the start, in the order of the tree; all at zero where it is empty.
    pub positions: Vec<f64>,
    /// Joints with one axis whose position and speed are shown: the name, and the link that it moves.
    pub shown: Vec<(String, usize)>,
}

/// What is seen of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkSeen {
    /// Its origin, and how it moves.
    pub motion: RigidMotion,
    /// What an accelerometer in its origin feels, in its axes.
    pub specific_force: Vector3<f64>,
    /// In its axes.
    pub angular_acceleration: Vector3<f64>,
}

/// An articulated body with room for its steps.
pub(crate) struct Jointed {
    pub(super) dynamics: Dynamics,
    pub(super) actors: Vec<Arc<dyn LinkActor>>,
    channels: Vec<Channel>,
    /// Of each joint that is shown: its position and speed, and where they are among the numbers.
    shown: Vec<(String, usize)>,
    /// How many numbers the joints have; those of the actors follow.
    pub(super) joints: usize,
    /// The fastest rate of a joint's damping or spring in 1/s.
    pub(super) stiffness: f64,
    /// How it is at the end of a step, at its beginning, and in its middle.
    pub(super) state: TreeState,
    pub(super) before: TreeState,
    pub(super) middle: TreeState,
    /// Where impulses act on it.
    pub(super) opened: TreeState,
    /// How fast any point of a shape moves at either end of the step, in m/s, and what weight adds.
    pub fastest: f64,
    /// Velocities in the order of the tree before a step with contact, and after it if nothing touched.
    pub velocities: [Vec<f64>; 2],
    /// Room for what turning does, if nothing touched and with contacts.
    pub(super) turning: [Vec<f64>; 2],
    /// Where the links were at the beginning of the step, and in its middle.
    pub places: Vec<Isometry3<f64>>,
    pub middles: Vec<Isometry3<f64>>,
    /// What is seen of the links at its end.
    pub links: Vec<LinkSeen>,
}

/// All actors as forces.
pub(super) struct Acting<'a> {
    pub actors: &'a [Arc<dyn LinkActor>],
    pub own: &'a [f64],
    pub commands: &'a [f64],
    pub around: &'a Surroundings,
}

impl LinkForces for Acting<'_> {
    fn forces(
        &mut self,
        tree: &Tree,
        state: &TreeState,
        motions: &LinkMotions,
        wrenches: &mut [Wrench],
        torques: &mut [f64],
    ) {
        let links = Links { tree, state, motions };
        let mut loads = Loads { wrenches, torques };
        let (mut own, mut commands) = (self.own, self.commands);
        for actor in self.actors {
            let (numbers, others) = own.split_at(actor.numbers());
            let (given, rest) = commands.split_at(actor.commands().len());
            actor.act(&links, numbers, given, self.around, &mut loads);
            (own, commands) = (others, rest);
        }
    }
}

macro_rules! acting {
    ($body:expr, $own:expr, $commands:expr, $around:expr) => {
        Acting { actors: &$body.actors, own: $own, commands: $commands, around: $around }
    };
}

impl Jointed {
    /// Makes it, with the numbers that it begins with.
    pub fn new(
        plan: &JointedPlan,
        motion: &RigidMotion,
        colliders: &[Collider],
    ) -> Result<(Self, Vec<f64>), BodyProblem> {
        let tree = plan.tree.clone();
        let links = tree.links();
        if tree.base() == Base::Floating && tree.link_centre(0).norm() > 1e-9 {
            return Err(BodyProblem::OffCentre);
        }
        let named = colliders.iter().map(|shape| shape.link);
        let named = named.chain(plan.actors.iter().map(|actor| actor.last_link()));
        let named = named.chain(plan.shown.iter().map(|(_, link)| *link));
        if let Some(link) = named.max().filter(|link| *link >= links) {
            return Err(BodyProblem::NoLink { link, links });
        }
        let mut state = TreeState::at_rest(&tree);
        if !plan.positions.is_empty() {
            let (found, needed) = (plan.positions.len(), state.positions.len());
            if found != needed {
                return Err(BodyProblem::Positions { found, needed });
            }
            state.positions.copy_from_slice(&plan.positions);
        }
        state.base = *motion;
        let joints = tree.joint_positions() + tree.joint_velocities();
        let own: usize = plan.actors.iter().map(|actor| actor.numbers()).sum();
        let mut numbers = state.positions.clone();
        numbers.resize(joints + own, 0.0);
        let channels = plan.actors.iter().flat_map(|actor| actor.commands().iter().cloned());
        let shown = plan.shown.iter().flat_map(|(name, link)| {
            let speed = tree.joint_positions() + tree.velocity_of(*link);
            let position = (format!("{name}_position"), tree.position_of(*link));
            [position, (format!("{name}_speed"), speed)]
        });
        let still = LinkSeen {
            motion: RigidMotion::default(),
            specific_force: Vector3::zeros(),
            angular_acceleration: Vector3::zeros(),
        };
        let mut body = Jointed {
            channels: channels.collect(),
            shown: shown.collect(),
            actors: plan.actors.clone(),
            joints,
            stiffness: 0.0,
            before: state.clone(),
            middle: state.clone(),
            opened: state.clone(),
            fastest: 0.0,
            velocities: [vec![0.0; tree.dofs()], vec![0.0; tree.dofs()]],
            turning: [Vec::new(), Vec::new()],
            places: vec![Isometry3::identity(); links],
            middles: vec![Isometry3::identity(); links],
            links: vec![still; links],
            dynamics: Dynamics::new(tree),
            state,
        };
        let calm = Surroundings { gravity: Vector3::zeros(), ..Surroundings::default() };
        let commands: Vec<f64> = body.channels.iter().map(|channel| channel.rest).collect();
        let mut acting = acting!(body, &numbers[joints..], &commands, &calm);
        body.dynamics.evaluate(&body.state, &calm.gravity, &mut acting);
        body.stiffness = body.dynamics.fastest_rate();
        Ok((body, numbers))
    }

    /// The numbers that drive it.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Joints that are shown, by their names, with where they are among its numbers.
    pub fn shown(&self) -> &[(String, usize)] {
        &self.shown
    }

    /// Its mass in kg.
    pub fn mass(&self) -> f64 {
        self.dynamics.tree().mass()
    }

    /// Where the centre of mass of all links is and how fast it moves, in m and m/s: north, east, down; as the links are
    /// placed.
    pub fn centre_of_mass(&self) -> Option<(Vector3<f64>, Vector3<f64>)> {
        let (tree, motions) = (self.dynamics.tree(), self.dynamics.motions());
        let place = motions.centre_of_mass(tree)?;
        Some((place, motions.momentum(tree).linear / tree.mass()))
    }

    /// The name of the first link.
    pub fn root(&self) -> &str {
        self.dynamics.tree().name(0)
    }

    /// How far a shape on a link can be from the first link's centre of mass, in m.
    pub fn reach_of(&self, shape: &Collider) -> f64 {
        let tree = self.dynamics.tree();
        tree.reach_of(shape.link) + shape.pose.translation.vector.norm() + shape.reach
    }

    fn load(&mut self, motion: &RigidMotion, numbers: &[f64]) {
        self.state.base = *motion;
        let (positions, rest) = numbers.split_at(self.state.positions.len());
        self.state.positions.copy_from_slice(positions);
        let count = self.state.velocities.len();
        self.state.velocities.copy_from_slice(&rest[..count]);
    }

    /// Writes how it is.
    pub fn finish(&self, motion: &mut RigidMotion, numbers: &mut [f64]) {
        *motion = self.state.base;
        let (positions, rest) = numbers.split_at_mut(self.state.positions.len());
        positions.copy_from_slice(&self.state.positions);
        rest[..self.state.velocities.len()].copy_from_slice(&self.state.velocities);
    }

    /// A step of `h` seconds as if nothing were in the way.
    pub fn fly(
        &mut self,
        motion: &mut RigidMotion,
        numbers: &mut [f64],
        commands: &[f64],
        around: &Surroundings,
        shapes: &[Collider],
        h: f64,
    ) {
        self.load(motion, numbers);
        self.before.clone_from(&self.state);
        let fastest = self.look(shapes);
        self.apply_laws(numbers, commands, h);
        self.step(&numbers[self.joints..], commands, around, h);
        self.finish(motion, numbers);
        if !shapes.is_empty() {
            self.dynamics.place(&self.state);
            self.fastest = fastest.max(self.speed_of(shapes)) + 10.0 * h;
        }
    }

    fn apply_laws(&mut self, numbers: &mut [f64], commands: &[f64], h: f64) {
        let (mut own, mut commands) = (&mut numbers[self.joints..], commands);
        for actor in &self.actors {
            let (mine, others) = own.split_at_mut(actor.numbers());
            let (given, rest) = commands.split_at(actor.commands().len());
            let mut law = Law { h, state: &self.before, dynamics: &mut self.dynamics };
            actor.law(&mut law, given, mine);
            (own, commands) = (others, rest);
        }
    }

    /// The fastest that a point of a shape moves, as the links are placed.
    pub(super) fn speed_of(&self, shapes: &[Collider]) -> f64 {
        let motions = self.dynamics.motions();
        let speed = |shape: &Collider| {
            let motion = &motions[shape.link];
            let centre = motion.velocity_of(&shape.pose.translation.vector).norm();
            centre + motion.velocity.angular.norm() * shape.reach
        };
        shapes.iter().map(speed).fold(0.0, f64::max)
    }

    /// What is seen of the links as they are now; `pushed` is the length of the step if something touched in it.
    /// Answers with the acceleration of the first link's centre of mass over ground, and of its rates.
    pub fn feel(
        &mut self,
        motion: &RigidMotion,
        numbers: &[f64],
        commands: &[f64],
        around: &Surroundings,
        pushed: Option<f64>,
    ) -> (Vector3<f64>, Vector3<f64>) {
        self.load(motion, numbers);
        let mut acting = acting!(self, &numbers[self.joints..], commands, around);
        let motions = self.dynamics.evaluate(&self.state, &around.gravity, &mut acting);
        for (link, seen) in self.links.iter_mut().enumerate() {
            let now = motions[link].rigid();
            let (specific_force, angular_acceleration) = match pushed {
                // What it felt on average, contact included.
                Some(h) => {
                    let gained = (now.velocity - seen.motion.velocity) / h - around.gravity;
                    (now.to_body(&gained), (now.rates - seen.motion.rates) / h)
                }
                None => {
                    let felt = motions[link].specific_force(&Vector3::zeros());
                    (felt, motions[link].acceleration.angular)
                }
            };
            *seen = LinkSeen { motion: now, specific_force, angular_acceleration };
        }
        let first = &self.links[0];
        let over_ground = first.motion.to_ned(&first.specific_force) + around.gravity;
        (over_ground, first.angular_acceleration)
    }

    /// Places the links after numbers came from elsewhere; what they feel is not known then.
    pub fn refresh(&mut self, motion: &RigidMotion, numbers: &[f64]) {
        self.load(motion, numbers);
        let motions = self.dynamics.place(&self.state);
        for (link, seen) in self.links.iter_mut().enumerate() {
            seen.motion = motions[link].rigid();
        }
    }
}
