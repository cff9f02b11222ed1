//! What navigation estimates, and the Earth on which it does.

use ironbird_kinematics::{Alignment, Attitude, Earth, EarthParameters, TangentPlane};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Where a vehicle is, how it moves and how it is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Place in m: north, east, down.
    pub position: Vector3<f64>,
    /// Velocity in m/s: north, east, down.
    pub velocity: Vector3<f64>,
    /// Attitude.
    pub attitude: Attitude,
}

impl From<&Alignment> for Estimate {
    fn from(alignment: &Alignment) -> Self {
        Estimate {
            position: alignment.position.into(),
            velocity: alignment.velocity.into(),
            attitude: alignment.attitude,
        }
    }
}

/// The Earth, with what follows from its parameters worked out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planet {
    /// Gravity and depth.
    pub earth: Earth,
    /// Angular velocity of north, east, down against the stars, in rad/s.
    pub rotation: Vector3<f64>,
    /// Where north, east, down touches the ellipsoid, for fixes.
    pub plane: TangentPlane,
}

impl From<&EarthParameters> for Planet {
    fn from(parameters: &EarthParameters) -> Self {
        let earth = parameters.earth();
        Planet { earth, rotation: earth.rotation(), plane: parameters.origin.plane() }
    }
}
