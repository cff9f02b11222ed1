//! Simpler stand-ins for vehicles, so that the model can be chosen for each of many.
//!
//! | fidelity | vehicle | has |
//! |---|---|---|
//! | full | that of its kind | motors, wheels, surfaces, air and water |
//! | simple | [`PointMass`] | mass, thrust, drag; its attitude follows what is wanted |
//! | kinematic | [`KinematicVehicle`] | no physics: its velocity follows what is wanted |
//!
//! Both answer with the force and the moment that make a rigid body move so, hence contact and islands work for
//! them as for others.

mod kinematic;
mod point_mass;

use ironbird_component::Choice;
use nalgebra::{Matrix3, Vector3};

pub use kinematic::{KinematicVehicle, VelocityFrame};
pub use point_mass::{PointMass, PointMassParts};

/// How much of a vehicle is modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Fidelity {
    /// All that its model has.
    #[default]
    Full,
    /// A mass with thrust and drag.
    Simple,
    /// A velocity that follows.
    Kinematic,
}

/// The moment (N m) that gives a body an angular acceleration (rad/s²): J α + ω × J ω.
#[inline]
fn moment_for(
    tensor: &Matrix3<f64>,
    rates: &Vector3<f64>,
    acceleration: &Vector3<f64>,
) -> Vector3<f64> {
    tensor * acceleration + rates.cross(&(tensor * rates))
}
