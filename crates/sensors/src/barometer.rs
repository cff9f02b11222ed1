//! A pressure sensor under water.
//!
//! ```text
//! p = atmospheric_pressure + water_density · gravity · depth
//! ```
//!
//! The water has one density at all depths. A navigation that turns the pressure back into a depth must
//! use the same three numbers, or errs: 1 % of density is 1 % of depth.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{STANDARD_GRAVITY, ScalarSample};

use crate::error::{ErrorModel, PressureError};

/// A barometer under water: the absolute pressure at a depth.
///
/// p = atmospheric_pressure + water_density gravity depth; above the water, the pressure of the air.
/// What turns it back into a depth must use the same numbers. Without errors it is ideal; a transmitter
/// of 30 bar that is right to 0.05 % of its range has a `bias_spread` of 1500 Pa.
#[derive(Component)]
#[component(type = "sensor.barometer", periodic, rate = "10 Hz",
    start = Self::begin, changed = Self::prepare)]
pub struct Barometer {
    /// Pressure of the air at the surface.
    #[parameter(unit = "Pa", default = 101_325.0, min = 0)]
    atmospheric_pressure: f64,
    /// Density of the water.
    #[parameter(unit = "kg/m^3", default = 1025.0, above = 0)]
    water_density: f64,
    /// Gravity.
    #[parameter(unit = "m/s^2", default = STANDARD_GRAVITY, above = 0)]
    gravity: f64,
    #[group]
    error: PressureError,
    /// Depth below the surface.
    #[input(unit = "m")]
    depth: SignalIn<f64>,
    /// What it reads.
    #[output(unit = "value: Pa")]
    reading: SignalOut<ScalarSample>,
    #[random(name = "errors")]
    random: RandomIn,
    errors: ErrorModel<1>,
}

impl Barometer {
    fn prepare(&mut self) {
        self.errors.prepare(&self.error);
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.errors.start(&self.error, start, self.random);
    }
}

impl Periodic for Barometer {
    fn step(&mut self, step: &mut Step<'_>) {
        let depth = *step.signal(self.depth);
        let depth = if depth < 0.0 { 0.0 } else { depth };
        let pressure = self.atmospheric_pressure + self.water_density * self.gravity * depth;
        let [value] = self.errors.read(step, self.random, [pressure]);
        step.write(self.reading, ScalarSample { value, taken: step.now(), valid: true });
    }
}
