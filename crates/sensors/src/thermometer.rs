//! A digital thermometer.
//!
//! ```text
//! sensed' = (T - sensed) / lag
//! reading = resolution · round((sensed + bias + noise) / resolution), from lowest to highest
//! ```
//!
//! The defaults are those of the Maxim DS18B20 with 12 bits (data sheet, *Electrical
//! Characteristics*): 0.0625 K per digit, -55 degC to 125 degC, at most 750 ms for a conversion;
//! its error of up to 0.5 K is what `bias` is for.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step};
use ironbird_solvers::Trajectory;

use crate::counter::nearest_mark;
use crate::lag::Lag;

/// A digital thermometer: lags behind the temperature, has a bias, is noisy, and shows whole digits.
///
/// Beyond its range it shows the end of it. The defaults are a DS18B20 in still air.
#[derive(Component)]
#[component(type = "sensor.thermometer", periodic, rate = "1 Hz", start = Self::begin, check = Self::check)]
pub struct Thermometer {
    /// Time constant with which the sensing element follows the air; 0 s for none.
    #[parameter(unit = "s", default = 60.0, min = 0)]
    lag: f64,
    /// What it shows too much.
    #[parameter(unit = "K", default = 0.0)]
    bias: f64,
    /// Standard deviation of the noise of a reading.
    #[parameter(unit = "K", default = 0.03, min = 0)]
    noise: f64,
    /// Size of a digit; 0 K for none.
    #[parameter(unit = "K", default = 0.0625, min = 0)]
    resolution: f64,
    /// Lowest reading.
    #[parameter(unit = "degC", default = -55.0, min = -273.15, fixed)]
    lowest: f64,
    /// Highest reading.
    #[parameter(unit = "degC", default = 125.0, min = -273.15, fixed)]
    highest: f64,
    /// Temperature around it.
    #[input(unit = "degC")]
    temperature: SignalIn<Trajectory>,
    /// What it shows.
    #[output(unit = "degC")]
    reading: SignalOut<f64>,
    #[random(name = "noise")]
    stream: RandomIn,
    sensed: Lag,
}

impl Thermometer {
    fn check(&self) -> Result<(), String> {
        let (lowest, highest) = (self.lowest, self.highest);
        if lowest < highest {
            return Ok(());
        }
        Err(format!("\"lowest\" ({lowest} degC) must be below \"highest\" ({highest} degC)"))
    }

    /// It has had time to settle before the start.
    fn begin(&mut self, start: &mut Start<'_>) {
        let temperature = start.signal(self.temperature).at(start.now());
        self.sensed.start(start.now(), temperature);
        let shown = self.shown(temperature);
        start.write(self.reading, shown);
    }

    fn shown(&self, sensed: f64) -> f64 {
        let digits = nearest_mark(sensed + self.bias, self.resolution);
        digits.clamp(self.lowest, self.highest)
    }
}

impl Periodic for Thermometer {
    fn step(&mut self, step: &mut Step<'_>) {
        let temperature = step.signal(self.temperature).at(step.now());
        let sensed = self.sensed.follow(step.now(), temperature, self.lag);
        let noise = self.noise * step.random(self.stream).normal();
        step.write(self.reading, self.shown(sensed + noise));
    }
}
