//! What the air does to links: surfaces as simulation worlds describe them, and rotors made of such surfaces.
//!
//! | type | law |
//! |---|---|
//! | [`LiftDrag`] | a surface with lift and drag in proportion to its angle of attack, and stall (Gazebo's LiftDrag) |
//! | [`AdvancedLiftDrag`] | a whole wing or aeroplane with all derivatives and control surfaces (PX4's AdvancedLiftDrag) |
//! | [`BladeRotor`] | blades on a spinning joint, averaged over a turn |
//!
//! All work in the axes of the link that they are attached to, with the velocity of the link through the air: none
//! knows which way is up.

mod advanced_lift_drag;
mod blade_rotor;
mod lift_drag;
mod wing;

pub use advanced_lift_drag::AdvancedLiftDrag;
pub use blade_rotor::{BladeLoads, BladeRotor};
pub use lift_drag::{LiftDrag, Surface};
pub use wing::{ControlSurface, Derivatives, Wing};

use nalgebra::Vector3;
use thiserror::Error;

/// What is wrong with a surface.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{what} is {value}; {remedy}")]
pub struct AeroError {
    what: &'static str,
    value: String,
    remedy: &'static str,
}

/// Forward and upward as unit vectors that span a plane.
fn directions(
    forward: &Vector3<f64>,
    upward: &Vector3<f64>,
) -> Result<(Vector3<f64>, Vector3<f64>), AeroError> {
    let unit = |what: &'static str, vector: &Vector3<f64>| {
        let length = vector.norm();
        if length > 1e-9 && length.is_finite() {
            Ok(vector / length)
        } else {
            let value = format!("{:?}", vector.as_slice());
            Err(AeroError { what, value, remedy: "give a direction: a vector with a length" })
        }
    };
    let (forward, upward) = (unit("forward", forward)?, unit("upward", upward)?);
    if forward.cross(&upward).norm() < 1e-6 {
        let value = format!("{:?}", upward.as_slice());
        return Err(AeroError { what: "upward", value, remedy: "give a direction across forward" });
    }
    Ok((forward, upward))
}

fn finite(what: &'static str, values: &[f64]) -> Result<(), AeroError> {
    match values.iter().find(|v| !v.is_finite()) {
        Some(value) => {
            Err(AeroError { what, value: value.to_string(), remedy: "give finite numbers" })
        }
        None => Ok(()),
    }
}
