//! What surrounds bodies: air, water, gravity.

use ironbird_plant::vehicle::{Surroundings, Water};
use nalgebra::Vector3;

use crate::geometry::Ground;

/// What surrounds bodies, wherever they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Weather {
    /// Velocity of the air in m/s: north, east, down.
    pub wind: Vector3<f64>,
    /// Density of the air in kg/m³.
    pub density: f64,
    /// Acceleration of a falling body in m/s²: north, east, down.
    pub gravity: Vector3<f64>,
    /// Rain in mm/h.
    pub rain: f64,
    /// What is left of friction.
    pub grip: f64,
    /// The water.
    pub water: Water,
}

impl Default for Weather {
    fn default() -> Self {
        let Surroundings { wind, density, gravity, rain, water, .. } = Surroundings::default();
        Weather { wind, density, gravity, rain, grip: 1.0, water }
    }
}

impl Weather {
    /// What surrounds a body.
    #[inline]
    pub(crate) fn at(&self, _place: &Vector3<f64>, ground: &Ground) -> Surroundings {
        Surroundings {
            wind: self.wind,
            density: self.density,
            gravity: self.gravity,
            height: ground.height,
            ground_normal: ground.normal,
            rain: self.rain,
            water: self.water,
        }
    }
}
