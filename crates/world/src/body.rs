//! Bodies: what moves in a world.

use std::sync::Arc;

use ironbird_control::MOST_LOOP_STATES;
use ironbird_kinematics::{Attitude, Channel, RigidMotion};
use ironbird_plant::vehicle::integrate::SolvedInertia;
use ironbird_plant::vehicle::{MOST_STATES, Surroundings, Vehicle};
use nalgebra::{Isometry3, Vector3};

use crate::body_plan::{BodyPlan, BodyProblem, Drive, Pilot};
use crate::body_state::{BodyState, Reaction};
use crate::flight::Felt;
use crate::geometry::Collider;
use crate::geometry::convert::pose_of;
use crate::jointed::{Jointed, LinkSeen};

/// How a body resists.
pub(crate) enum Mechanics {
    Free { vehicle: Option<Arc<dyn Vehicle>>, mass: SolvedInertia },
    Jointed(Box<Jointed>),
    Outside,
}

/// A body in a world.
pub struct Body {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) mechanics: Mechanics,
    pub(crate) pilot: Option<Pilot>,
    pub(crate) colliders: Vec<Collider>,
    /// How far it reaches from its centre of mass, in m.
    pub(crate) reach: f64,
    pub(crate) own_count: usize,
    pub(crate) loop_count: usize,
    /// What it feels, if that is known.
    pub(crate) felt: Felt,
    /// How it is now.
    pub state: BodyState,
    /// The air and the rest where it is.
    pub(crate) around: Surroundings,
    /// Velocity of the air that only it feels, in m/s: north, east, down.
    pub(crate) own_wind: Vector3<f64>,
    /// What it was at the beginning of the step.
    pub(crate) before: RigidMotion,
    /// What it was when what is being computed began.
    pub(crate) kept: BodyState,
    /// Until the next epoch its centre of mass moves no farther than `stay` from `home` along each axis ...
    pub(crate) home: Vector3<f64>,
    pub(crate) stay: Vector3<f64>,
    /// ... so that all of it is in this box ...
    pub(crate) lower: Vector3<f64>,
    pub(crate) upper: Vector3<f64>,
    /// ... and can touch these.
    pub(crate) near_fixed: Vec<u32>,
    /// What of the ground can be below it.
    pub(crate) below: Vec<u32>,
    pub(crate) near_plane: bool,
    pub(crate) near_bodies: bool,
}

impl Body {
    pub(crate) fn new(number: u32, plan: BodyPlan) -> Result<Self, BodyProblem> {
        let BodyPlan { name, drive, pilot, colliders, motion } = plan;
        let mut joints = Vec::new();
        let mechanics = match drive {
            Drive::Vehicle(vehicle) => {
                let mass = SolvedInertia::new(vehicle.inertia())?;
                Mechanics::Free { vehicle: Some(vehicle), mass }
            }
            Drive::Inert(inertia) => {
                Mechanics::Free { vehicle: None, mass: SolvedInertia::new(&inertia)? }
            }
            Drive::Jointed(plan) => {
                let (body, numbers) = Jointed::new(&plan, &motion, &colliders)?;
                joints = numbers;
                Mechanics::Jointed(Box::new(body))
            }
            Drive::Outside => Mechanics::Outside,
        };
        let mut state = BodyState {
            motion,
            own: [0.0; MOST_STATES],
            joints,
            loop_own: [0.0; MOST_LOOP_STATES],
            commands: rest(mechanics.commands()),
            set_points: Vec::new(),
            acceleration: Vector3::zeros(),
            angular_acceleration: Vector3::zeros(),
            reaction: Reaction::default(),
            warm: Vec::new(),
        };
        let (mut own_count, mut loop_count) = (0, 0);
        if let Mechanics::Free { vehicle: Some(vehicle), .. } = &mechanics {
            own_count = fits(vehicle.states().len(), MOST_STATES, "states")?;
            vehicle.start(&mut state.own[..own_count]);
        }
        if let Some(pilot) = &pilot {
            loop_count = fits(pilot.law.states(), MOST_LOOP_STATES, "states of its inner loop")?;
            pilot.law.start(&mut state.loop_own[..loop_count]);
            state.set_points = rest(pilot.law.set_points());
            stay(pilot.law.set_points(), &motion, &mut state.set_points);
            if pilot.every == 0 {
                return Err(BodyProblem::NeverSteered);
            }
        }
        if !is_finite(&motion) {
            return Err(BodyProblem::Start);
        }
        let reach = |part: &Collider| match &mechanics {
            Mechanics::Jointed(body) => body.reach_of(part),
            _ => part.pose.translation.vector.norm() + part.reach,
        };
        let reach = colliders.iter().map(reach).fold(0.0, f64::max);
        if !reach.is_finite() {
            return Err(BodyProblem::Endless);
        }
        Ok(Body {
            number,
            name,
            mechanics,
            pilot,
            colliders,
            reach,
            own_count,
            loop_count,
            felt: Felt::nothing(state.commands.len()),
            before: motion,
            kept: state.clone(),
            state,
            around: Surroundings::default(),
            own_wind: Vector3::zeros(),
            home: motion.position,
            stay: Vector3::zeros(),
            lower: motion.position,
            upper: motion.position,
            near_fixed: Vec::new(),
            below: Vec::new(),
            near_plane: true,
            near_bodies: true,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What drives it: the commands of its vehicle, or of what acts on its joints.
    pub fn commands(&self) -> &[Channel] {
        self.mechanics.commands()
    }

    /// What it can be told: the set points of its inner loop.
    pub fn set_points(&self) -> &[Channel] {
        self.pilot.as_ref().map_or(&[], |pilot| pilot.law.set_points())
    }

    /// The numbers of its vehicle, or positions and speeds of its joints, with their names.
    pub fn own(&self) -> impl Iterator<Item = (&str, f64)> {
        let names = match &self.mechanics {
            Mechanics::Free { vehicle: Some(vehicle), .. } => vehicle.states(),
            _ => &[],
        };
        let joints = match &self.mechanics {
            Mechanics::Jointed(body) => body.shown(),
            _ => &[],
        };
        let joints = joints.iter().map(|(name, at)| (name.as_str(), self.state.joints[*at]));
        names.iter().map(String::as_str).zip(self.state.own).chain(joints)
    }

    /// Its mass in kg; infinite where somebody outside moves it.
    pub fn mass(&self) -> f64 {
        match &self.mechanics {
            Mechanics::Free { mass, .. } => mass.mass(),
            Mechanics::Jointed(body) => body.mass(),
            Mechanics::Outside => f64::INFINITY,
        }
    }

    /// The centre of mass of all of it and its velocity, in m and m/s: north, east, down. [`BodyState::motion`] has those
    /// of its first link alone.
    pub fn centre_of_mass(&self) -> (Vector3<f64>, Vector3<f64>) {
        let own = (self.state.motion.position, self.state.motion.velocity);
        match &self.mechanics {
            Mechanics::Jointed(body) => body.centre_of_mass().unwrap_or(own),
            _ => own,
        }
    }

    /// The link whose motion [`BodyState::motion`] is, by name; none where it is all of the body.
    pub fn root(&self) -> Option<&str> {
        match &self.mechanics {
            Mechanics::Jointed(body) => Some(body.root()),
            _ => None,
        }
    }

    /// Its shapes.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// What surrounds it.
    pub fn around(&self) -> &Surroundings {
        &self.around
    }

    /// What an accelerometer in its centre of mass shows, in m/s², in the body.
    pub fn specific_force(&self) -> Vector3<f64> {
        self.state.motion.to_body(&(self.state.acceleration - self.around.gravity))
    }

    /// Where a link of it is; link 0 is all of it where it has no joints.
    #[inline]
    pub(crate) fn pose_of_link(&self, link: usize) -> Isometry3<f64> {
        let motion = match &self.mechanics {
            Mechanics::Jointed(body) if link > 0 => &body.links[link].motion,
            _ => &self.state.motion,
        };
        pose_of(&motion.position, &motion.attitude)
    }

    /// How a link of it moves, and what it feels; link 0 is all of it where it has no joints.
    #[inline]
    pub(crate) fn seen(&self, link: usize) -> LinkSeen {
        match &self.mechanics {
            Mechanics::Jointed(body) if link > 0 => body.links[link],
            _ => LinkSeen {
                motion: self.state.motion,
                specific_force: self.specific_force(),
                angular_acceleration: self.state.angular_acceleration,
            },
        }
    }

    /// Places its links anew, where its numbers came from elsewhere.
    pub(crate) fn refresh(&mut self) {
        if let Mechanics::Jointed(body) = &mut self.mechanics {
            body.refresh(&self.state.motion, &self.state.joints);
        }
    }

    /// Keeps what a step can change, to come back to it: not set points, and commands only where an inner loop steers.
    pub(crate) fn keep(&mut self) {
        let Body { state, kept, own_count, loop_count, pilot, .. } = self;
        kept.motion = state.motion;
        kept.own[..*own_count].copy_from_slice(&state.own[..*own_count]);
        kept.loop_own[..*loop_count].copy_from_slice(&state.loop_own[..*loop_count]);
        if pilot.is_some() {
            kept.commands.copy_from_slice(&state.commands);
        }
        (kept.acceleration, kept.angular_acceleration) =
            (state.acceleration, state.angular_acceleration);
        kept.reaction = state.reaction;
        kept.joints.clone_from(&state.joints);
        kept.warm.clone_from(&state.warm);
    }

    /// Comes back to what was kept.
    pub(crate) fn restore(&mut self) {
        let Body { state, kept, pilot, .. } = self;
        kept.set_points.copy_from_slice(&state.set_points);
        if pilot.is_none() {
            kept.commands.copy_from_slice(&state.commands);
        }
        state.clone_from(kept);
        self.felt.known = false;
        self.refresh();
    }

    /// Whether it is where it was said to stay; what is no number is not.
    #[inline]
    pub(crate) fn has_stayed(&self) -> bool {
        let moved = self.state.motion.position - self.home;
        (0..3).all(|axis| moved[axis].abs() <= self.stay[axis])
    }

    pub(crate) fn is_finite(&self) -> bool {
        let mut numbers = self.state.own.iter().chain(&self.state.joints);
        is_finite(&self.state.motion) && numbers.all(|number| number.is_finite())
    }
}

impl Mechanics {
    /// What drives it.
    #[inline]
    pub fn commands(&self) -> &[Channel] {
        match self {
            Mechanics::Free { vehicle: Some(vehicle), .. } => vehicle.commands(),
            Mechanics::Jointed(body) => body.channels(),
            _ => &[],
        }
    }
}

fn is_finite(motion: &RigidMotion) -> bool {
    let RigidMotion { position, velocity, attitude, rates } = motion;
    let mut parts = position.iter().chain(velocity).chain(rates).chain(attitude.coords.iter());
    parts.all(|part| part.is_finite())
}

/// Set points that are places or headings begin with those of the body: nobody is sent to the origin unasked.
fn stay(channels: &[Channel], motion: &RigidMotion, values: &mut [f64]) {
    let place = &motion.position;
    let [_, _, heading] = Attitude::from(motion.attitude).to_euler();
    for (value, channel) in values.iter_mut().zip(channels) {
        match (channel.name.as_str(), channel.unit) {
            ("north", "m") => *value = place.x,
            ("east", "m") => *value = place.y,
            ("down" | "depth", "m") => *value = place.z,
            ("height", "m") => *value = -place.z,
            ("heading" | "yaw", "rad") => *value = heading,
            _ => {}
        }
    }
}

fn fits(found: usize, most: usize, what: &'static str) -> Result<usize, BodyProblem> {
    if found <= most { Ok(found) } else { Err(BodyProblem::TooMany { found, most, what }) }
}

fn rest(channels: &[Channel]) -> Vec<f64> {
    channels.iter().map(|channel| channel.rest).collect()
}
