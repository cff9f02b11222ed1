//! What the air does to links.
//!
//! Lifting surfaces are those of [`crate::aero`], with the density that their file assumes times ρ/ρ₀, so that they do
//! in standard air at sea level (ρ₀ = 1.225 kg/m³) what the file says, and less in thinner air.
//!
//! ```text
//! wind     F = k m (w - v)         a link of mass m in the wind w (Gazebo's WindEffects with its factor k)
//! decay    F = -c m v, M = -c' J ω a link's velocity_decay: per second, of the momentum that it has
//! ```

use ironbird_kinematics::Wrench;
use ironbird_plant::vehicle::Surroundings;
use nalgebra::{Matrix3, Vector3};

use super::actor::{LinkActor, Links, Loads};
use crate::aero::{AdvancedLiftDrag, LiftDrag};

/// Density of standard air at sea level in kg/m³.
const STANDARD_DENSITY: f64 = 1.225;

/// A surface of Gazebo's LiftDrag on a link.
#[derive(Clone, Debug)]
pub struct LiftingSurface {
    /// The link.
    pub link: usize,
    /// The surface, in the frame of the link.
    pub surface: LiftDrag,
    /// The link whose joint turns a control surface.
    pub control: Option<usize>,
}

/// The position of a joint, 0 without one.
fn angle(links: &Links<'_>, control: Option<usize>) -> f64 {
    control.map_or(0.0, |link| links.state.positions[links.tree.position_of(link)])
}

impl LinkActor for LiftingSurface {
    fn last_link(&self) -> usize {
        self.link.max(self.control.unwrap_or(0))
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let motion = &links.motions[self.link];
        let surface = self.surface.surface();
        let velocity = motion.velocity_of(&surface.cp) - motion.to_link(&around.wind);
        let density = surface.air_density * (around.density / STANDARD_DENSITY);
        let force = self.surface.force(&velocity, density, angle(links, self.control));
        loads.wrenches[self.link].push(force, &surface.cp);
    }
}

/// A wing of PX4's AdvancedLiftDrag on a link.
#[derive(Clone, Debug)]
pub struct WingSurface {
    /// The link.
    pub link: usize,
    /// The wing, in the frame of the link.
    pub wing: AdvancedLiftDrag,
    /// The links whose joints turn its control surfaces, in their order.
    pub controls: Vec<Option<usize>>,
}

impl LinkActor for WingSurface {
    fn last_link(&self) -> usize {
        self.controls.iter().flatten().copied().fold(self.link, usize::max)
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let motion = &links.motions[self.link];
        let wing = self.wing.wing();
        let velocity = motion.velocity_of(&wing.cp) - motion.to_link(&around.wind);
        let density = wing.air_density * (around.density / STANDARD_DENSITY);
        let angles = self.controls.iter().map(|control| angle(links, *control));
        let Wrench { force, moment } =
            self.wing.wrench(&velocity, &motion.velocity.angular, density, angles);
        let load = &mut loads.wrenches[self.link];
        load.push(force, &wing.cp);
        load.moment += moment;
    }
}

/// A link that the wind takes along.
#[derive(Clone, Debug)]
pub struct WindDrag {
    /// The link.
    pub link: usize,
    /// Its centre of mass in its frame, in m.
    pub centre: Vector3<f64>,
    /// k m in N s/m.
    pub per_speed: f64,
}

impl LinkActor for WindDrag {
    fn last_link(&self) -> usize {
        self.link
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let motion = &links.motions[self.link];
        let relative = motion.to_link(&around.wind) - motion.velocity_of(&self.centre);
        loads.wrenches[self.link].push(relative * self.per_speed, &self.centre);
    }
}

/// A link whose motion decays.
#[derive(Clone, Debug)]
pub struct MotionDecay {
    /// The link.
    pub link: usize,
    /// Its centre of mass in its frame, in m.
    pub centre: Vector3<f64>,
    /// c m in N s/m.
    pub linear: f64,
    /// c' J in N m s.
    pub angular: Matrix3<f64>,
}

impl LinkActor for MotionDecay {
    fn last_link(&self) -> usize {
        self.link
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        _: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let motion = &links.motions[self.link];
        let load = &mut loads.wrenches[self.link];
        load.push(motion.velocity_of(&self.centre) * -self.linear, &self.centre);
        load.moment -= self.angular * motion.velocity.angular;
    }
}

/// A link without weight.
#[derive(Clone, Debug)]
pub struct Weightless {
    /// The link.
    pub link: usize,
    /// Its centre of mass in its frame, in m.
    pub centre: Vector3<f64>,
    /// Its mass in kg.
    pub mass: f64,
}

impl LinkActor for Weightless {
    fn last_link(&self) -> usize {
        self.link
    }

    fn act(
        &self,
        links: &Links<'_>,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        let lift = links.motions[self.link].to_link(&around.gravity) * -self.mass;
        loads.wrenches[self.link].push(lift, &self.centre);
    }
}
