//! What surrounds bodies: air, water, gravity, rain.
//!
//! The density of the air is that of the standard atmosphere, from a table over the height: between entries 10 m apart
//! a straight line is off by less than 3e-7 of it.

use ironbird_environment::air::{SEA_LEVEL_PRESSURE, StandardAtmosphere, WindField};
use ironbird_plant::rain::{WET_ASPHALT, friction_left};
use ironbird_plant::vehicle::{Surroundings, Water};
use nalgebra::Vector3;

use crate::geometry::Ground;
use crate::sensor::air_at;

/// What surrounds bodies, wherever they are.
#[derive(Clone, Debug)]
pub struct Weather {
    /// The wind of the world.
    pub wind: WindField,
    /// Velocity of the air that is added to it, in m/s: north, east, down.
    pub more_wind: Vector3<f64>,
    /// Density of the air.
    pub density: Density,
    /// Acceleration of a falling body in m/s²: north, east, down.
    pub gravity: Vector3<f64>,
    /// By how much the air is warmer than that of the standard atmosphere, in K.
    pub warmer: f64,
    /// Rain in mm/h.
    pub rain: f64,
    /// The water.
    pub water: Water,
}

/// Density of the air over the height.
#[derive(Clone, Debug, PartialEq)]
pub enum Density {
    /// The same everywhere, in kg/m³.
    Uniform(f64),
    /// That of the standard atmosphere: its values from the lowest height on, every 10 m.
    Standard {
        /// Height of the origin above sea level in m.
        elevation: f64,
        /// In kg/m³.
        values: Vec<f64>,
    },
}

/// Heights of the table in m.
const LOWEST: f64 = -500.0;
const HIGHEST: f64 = 20_000.0;
/// Between two entries of the table, in m.
const STEP: f64 = 10.0;

impl Density {
    /// That of the standard atmosphere, warmer by `offset` K, over an origin so high above sea level.
    pub fn standard(elevation: f64, offset: f64) -> Self {
        let atmosphere = StandardAtmosphere::new(offset, SEA_LEVEL_PRESSURE);
        let count = ((HIGHEST - LOWEST) / STEP) as usize + 1;
        let value = |number: usize| air_at(&atmosphere, LOWEST + STEP * number as f64).density;
        Density::Standard { elevation, values: (0..count).map(value).collect() }
    }

    /// At a coordinate down.
    #[inline]
    pub fn at(&self, down: f64) -> f64 {
        match self {
            Density::Uniform(density) => *density,
            Density::Standard { elevation, values } => {
                let place = ((elevation - down).clamp(LOWEST, HIGHEST - STEP) - LOWEST) / STEP;
                // What is no number is at the lowest entry; the body is found out elsewhere.
                let (number, share) = (place as usize, place - libm::trunc(place));
                values[number] + (values[number + 1] - values[number]) * share
            }
        }
    }
}

impl Default for Weather {
    fn default() -> Self {
        let Surroundings { density, gravity, rain, water, .. } = Surroundings::default();
        let density = Density::Uniform(density);
        let more_wind = Vector3::zeros();
        let (wind, warmer) = (WindField::default(), 0.0);
        Weather { wind, more_wind, density, gravity, warmer, rain, water }
    }
}

impl Weather {
    /// What surrounds a body.
    pub(crate) fn at(&self, place: &Vector3<f64>, ground: &Ground, time: f64) -> Surroundings {
        let Weather { gravity, rain, water, .. } = *self;
        let mut around = Surroundings { gravity, rain, water, ..Surroundings::default() };
        self.follow(place, ground, time, &mut around);
        around
    }

    /// The same where only the place and the time are others than before.
    #[inline]
    pub(crate) fn follow(
        &self,
        place: &Vector3<f64>,
        ground: &Ground,
        time: f64,
        around: &mut Surroundings,
    ) {
        around.wind = self.wind.at(place, ground.height, time) + self.more_wind;
        around.density = self.density.at(place.z);
        around.height = ground.height;
        around.ground_normal = ground.normal;
    }

    /// What the rain leaves of friction.
    pub(crate) fn grip(&self) -> f64 {
        friction_left(self.rain, WET_ASPHALT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_atmosphere() {
        let table = Density::standard(430.0, 0.0);
        let exact = StandardAtmosphere::new(0.0, SEA_LEVEL_PRESSURE);
        for height in [-100.0, 0.0, 3.7, 1234.5, 10_999.0] {
            let wanted = air_at(&exact, 430.0 + height).density;
            assert!((table.at(-height) / wanted - 1.0).abs() < 3e-7, "{height} m");
        }
        assert!(table.at(f64::NAN).is_nan(), "no panic where there is no number");
    }
}
