//! Vehicles as forces: what a world, or any other integrator, asks of them.
//!
//! A vehicle does not integrate itself. It has numbers of its own beside place and attitude (the speeds of its
//! motors, say), and answers, as a pure function, with the force and the moment that act on it and with the rates of
//! its own numbers. Whoever owns the body solves
//!
//! ```text
//! ( m 1        0 )         ( Rᵀ v' )   ( force + m Rᵀ g   )
//! (          J   + added ) ( ω'    ) = ( moment - ω × J ω )      both about the centre of mass, in the body
//! own' = rates
//! ```
//!
//! with v' the acceleration in north, east, down. `added` is the added mass of a body in water; what belongs to it
//! beyond this equation (its Coriolis terms, its part of an accelerating current) is in the force and the moment.

pub mod abreast;
pub mod integrate;
pub mod number;
pub(crate) mod runge_kutta;

use abreast::Riders;
use integrate::{Change, Held, SolvedInertia};
use ironbird_component::scenery::Body;
use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::{Matrix3, Matrix6, Vector3};

/// Numbers of its own that a vehicle may have at most.
pub const MOST_STATES: usize = 24;

/// What surrounds a vehicle where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Velocity of the air in m/s: north, east, down.
    pub wind: Vector3<f64>,
    /// Density of the air in kg/m³.
    pub density: f64,
    /// Acceleration of a falling body in m/s²: north, east, down.
    pub gravity: Vector3<f64>,
    /// Height of the centre of mass above what lies below it, in m; infinite where nothing does.
    pub height: f64,
    /// The normal of what lies below, out of it: north, east, down, length one.
    pub ground_normal: Vector3<f64>,
    /// Rain in mm/h.
    pub rain: f64,
    /// The water.
    pub water: Water,
}

/// The water around a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// The coordinate down of its surface in m; infinite where there is none.
    pub surface: f64,
    /// Its density in kg/m³.
    pub density: f64,
    /// Its velocity in m/s: north, east, down.
    pub current: Vector3<f64>,
    /// Its acceleration in m/s²: north, east, down.
    pub current_acceleration: Vector3<f64>,
}

/// Calm air at sea level, far from ground and water.
impl Default for Surroundings {
    fn default() -> Self {
        Surroundings {
            wind: Vector3::zeros(),
            density: 1.225,
            gravity: Vector3::new(0.0, 0.0, ironbird_kinematics::STANDARD_GRAVITY),
            height: f64::INFINITY,
            ground_normal: -Vector3::z(),
            rain: 0.0,
            water: Water {
                surface: f64::INFINITY,
                density: 1025.0,
                current: Vector3::zeros(),
                current_acceleration: Vector3::zeros(),
            },
        }
    }
}

/// What resists acceleration.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertia {
    /// In kg.
    pub mass: f64,
    /// About the centre of mass, in the body, in kg m².
    pub tensor: Matrix3<f64>,
    /// Added mass, about the centre of mass, in the body: kg, kg m, kg m².
    pub added: Option<Box<Matrix6<f64>>>,
}

/// A vehicle as forces.
pub trait Vehicle: Send + Sync {
    /// What resists acceleration.
    fn inertia(&self) -> &Inertia;

    /// The numbers that drive it.
    fn commands(&self) -> &[Channel];

    /// The names of the numbers of its own, at most [`MOST_STATES`].
    fn states(&self) -> &[String] {
        &[]
    }

    /// What it looks like; its outputs go by the names of its own numbers. An object, where nothing is known.
    fn look(&self) -> Body {
        Body::default()
    }

    /// What the numbers of its own are at the start.
    fn start(&self, own: &mut [f64]) {
        own.fill(0.0);
    }

    /// The force and the moment on it, without its weight, and the rates of its own numbers.
    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench;

    /// One step of `h` seconds ([`integrate::step`]), compiled for this vehicle. `first`, where it is known, is how
    /// it changes at the beginning of the step.
    fn advance(
        &self,
        mass: &SolvedInertia,
        motion: &mut RigidMotion,
        own: &mut [f64],
        held: &Held<'_>,
        h: f64,
        first: Option<&Change>,
    ) {
        integrate::step(self, mass, motion, own, held, h, first);
    }

    /// How it changes as it is now ([`integrate::change`]), compiled for this vehicle.
    fn change(
        &self,
        mass: &SolvedInertia,
        motion: &RigidMotion,
        own: &[f64],
        held: &Held<'_>,
        into: &mut Change,
    ) {
        integrate::change(self, mass, motion, own, held, into);
    }
    /// One step of `h` seconds of several vehicles like this one, side by side, each with the bits of
    /// [`Vehicle::advance`]. Whether it was done: a vehicle may have no such way.
    fn advance_abreast(&self, _: &SolvedInertia, _: &mut Riders<'_>, _h: f64) -> bool {
        false
    }

    /// How each of several changes as it is now, with the bits of [`Vehicle::change`]; whether it was done.
    fn change_abreast(&self, _: &SolvedInertia, _: &mut Riders<'_>) -> bool {
        false
    }
}
