//! A Doppler velocity log: the velocity over ground from the echoes of the sea bed.
//!
//! ```text
//! reading = errors(velocity), valid while min_range ≤ height ≤ max_range and the ping is not lost
//! ```
//!
//! Data sheets give its long-term accuracy as "0.2 % ± 1 mm/s": a scale factor that differs from device
//! to device, `error.scale_spread`, and a noise, `error.noise`.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::VectorSample;

use crate::error::{ErrorModel, SpeedError};

/// A Doppler velocity log: the velocity over ground, as long as it sees the bottom.
///
/// Out of its range, and where a ping is lost, a sample is not valid. Without parameters it is ideal
/// and sees the bottom of any sea. A Teledyne Workhorse of 600 kHz sees it from 0.7 m to 90 m.
#[derive(Component)]
#[component(type = "sensor.dvl", periodic, rate = "10 Hz",
    start = Self::begin, changed = Self::prepare, check = Self::check)]
pub struct Dvl {
    /// Least height from which it sees the bottom.
    #[parameter(unit = "m", default = 0.0, min = 0)]
    min_range: f64,
    /// Largest height from which it sees the bottom.
    #[parameter(unit = "m", default = 12_000.0, above = 0)]
    max_range: f64,
    /// Probability that a ping is lost.
    #[parameter(default = 0.0, min = 0, max = 1)]
    dropout: f64,
    #[group]
    error: SpeedError,
    /// Velocity over ground.
    #[input(unit = "m/s", frame = "sensor")]
    velocity: SignalIn<[f64; 3]>,
    /// Height above the bottom; where it is not linked, 10 m.
    #[input(unit = "m", default = 10.0)]
    height: SignalIn<f64>,
    /// What it reads.
    #[output(unit = "value: m/s", frame = "sensor")]
    reading: SignalOut<VectorSample>,
    #[random(name = "errors")]
    random: RandomIn,
    #[random(name = "pings")]
    pings: RandomIn,
    errors: ErrorModel<3>,
}

impl Dvl {
    fn check(&self) -> Result<(), String> {
        let (min, max) = (self.min_range, self.max_range);
        if min < max {
            return Ok(());
        }
        Err(format!("\"min_range\" ({min} m) must be below \"max_range\" ({max} m)"))
    }

    fn prepare(&mut self) {
        self.errors.prepare(&self.error);
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.errors.start(&self.error, start, self.random);
    }
}

impl Periodic for Dvl {
    fn step(&mut self, step: &mut Step<'_>) {
        let truth = *step.signal(self.velocity);
        let sees = (self.min_range..=self.max_range).contains(step.signal(self.height));
        let value = self.errors.read(step, self.random, truth);
        let lost = self.dropout > 0.0 && step.random(self.pings).chance(self.dropout);
        let valid = sees && !lost;
        let value = if valid { value } else { [0.0; 3] };
        step.write(self.reading, VectorSample { value, taken: step.now(), valid });
    }
}
