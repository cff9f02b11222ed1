//! A sea bed that is a plane with waves of sand on it.
//!
//! ```text
//! s = n cos direction + e sin direction
//! depth(n, e) = depth + slope_north n + slope_east e + amplitude sin(2π s / wavelength)
//! ```

use std::f64::consts::TAU;

use ironbird_component::scenery::Scenery;
use ironbird_component::{Answers, Component};
use ironbird_kernel::Time;

use super::bed_drawn::sea_above;
use super::question::{BedAnswer, SeaBed, SeaPoint};

/// A sea bed that is a plane with a sinusoid on it.
#[derive(Clone, Component)]
#[component(
    type = "sea-bed.model",
    provider,
    provides = fn(SeaPoint) -> BedAnswer,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct SeaBedModel {
    /// Depth of the plane below the origin.
    #[parameter(unit = "m", default = 100.0)]
    depth: f64,
    /// How much deeper the plane gets per metre northwards.
    #[parameter(default = 0.0)]
    slope_north: f64,
    /// How much deeper the plane gets per metre eastwards.
    #[parameter(default = 0.0)]
    slope_east: f64,
    /// How much deeper than the plane the sinusoid gets, and how much shallower.
    #[parameter(unit = "m", default = 0.0, min = 0)]
    amplitude: f64,
    /// Length of its waves.
    #[parameter(unit = "m", default = 100.0, above = 0)]
    wavelength: f64,
    /// The direction along which it goes up and down, clockwise from north.
    #[parameter(unit = "deg", default = 0.0)]
    direction: f64,
    /// Waves per metre northwards and eastwards.
    #[skip]
    waves: [f64; 2],
}

impl SeaBedModel {
    fn scenery(&self) -> Option<Scenery> {
        Some(sea_above(self.clone()))
    }

    fn prepare(&mut self) {
        let (east, north) = libm::sincos(self.direction.to_radians());
        self.waves = [north / self.wavelength, east / self.wavelength];
    }
}

impl Answers<SeaPoint, BedAnswer> for SeaBedModel {
    fn answer(&self, _: Time, point: &SeaPoint) -> BedAnswer {
        let [north, east, _] = point.position;
        let plane = self.depth + self.slope_north * north + self.slope_east * east;
        let tilt = [self.slope_north, self.slope_east];
        if self.amplitude == 0.0 {
            return Ok(SeaBed { depth: plane, slope: tilt });
        }
        let waves = self.waves[0] * north + self.waves[1] * east;
        let (sine, cosine) = libm::sincos(TAU * (waves - waves.floor()));
        let steepness = self.amplitude * TAU * cosine;
        Ok(SeaBed {
            depth: plane + self.amplitude * sine,
            slope: [tilt[0] + steepness * self.waves[0], tilt[1] + steepness * self.waves[1]],
        })
    }
}
