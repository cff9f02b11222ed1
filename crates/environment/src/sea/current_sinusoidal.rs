//! The sea current of the paper's Figure 3: a mean speed with a sinusoid on it, in one direction.
//!
//! ```text
//! c(t) = (speed + amplitude sin(2π (t + offset) / period)) (cos direction, sin direction, 0)
//! ∂c/∂t = amplitude 2π/period cos(2π (t + offset) / period) (cos direction, sin direction, 0)
//! ```
//!
//! It is the same everywhere, so a moving point sees no more than ∂c/∂t. The figure gives the
//! amplitude in metres; it is added to a speed, so it can only be one, and is taken in m/s.

use std::f64::consts::TAU;

use ironbird_component::{Answers, Component};
use ironbird_kernel::Time;

use super::question::{CurrentAnswer, SeaCurrent, SeaPoint};

/// A sea current that swells and ebbs: a mean speed and a sinusoid on it, the same everywhere.
///
/// The water flows at speed + amplitude sin(2π (t + offset) / period) towards one direction; where
/// that is negative, it flows the other way.
#[derive(Clone, Component)]
#[component(
    type = "sea-current.sinusoidal",
    provider,
    provides = fn(SeaPoint) -> CurrentAnswer,
    changed = Self::prepare
)]
#[configures(name = "set-speed", sets = "speed, direction", doc = "Sets the mean.")]
#[configures(name = "set-signal", sets = "amplitude, period, offset", doc = "Sets the sinusoid.")]
pub struct SinusoidalCurrent {
    /// Mean speed of the water.
    #[parameter(unit = "m/s", default = 0.0)]
    speed: f64,
    /// Where the water flows to (not where it comes from), clockwise from north.
    #[parameter(unit = "deg", default = 0.0)]
    direction: f64,
    /// How much faster than the mean it gets, and how much slower.
    #[parameter(unit = "m/s", default = 0.0, min = 0)]
    amplitude: f64,
    /// Period of the sinusoid. The default is that of the semidiurnal lunar tide.
    #[parameter(unit = "s", default = 44_714.0, above = 0)]
    period: f64,
    /// How far into a period the start of the run lies.
    #[parameter(unit = "s", default = 0.0)]
    offset: f64,
    #[skip]
    towards: [f64; 2],
}

impl SinusoidalCurrent {
    fn prepare(&mut self) {
        let (east, north) = libm::sincos(self.direction.to_radians());
        self.towards = [north, east];
    }

    fn along(&self, along: f64) -> [f64; 3] {
        [along * self.towards[0], along * self.towards[1], 0.0]
    }
}

impl Answers<SeaPoint, CurrentAnswer> for SinusoidalCurrent {
    fn answer(&self, now: Time, _: &SeaPoint) -> CurrentAnswer {
        if self.amplitude == 0.0 {
            return Ok(SeaCurrent { velocity: self.along(self.speed), acceleration: [0.0; 3] });
        }
        let periods = (now.as_secs_f64() + self.offset) / self.period;
        let (sine, cosine) = libm::sincos(TAU * (periods - periods.floor()));
        Ok(SeaCurrent {
            velocity: self.along(self.speed + self.amplitude * sine),
            acceleration: self.along(self.amplitude * TAU / self.period * cosine),
        })
    }
}
