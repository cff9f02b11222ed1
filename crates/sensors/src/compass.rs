//! A magnetic compass that shows true headings.
//!
//! ```text
//! magnetic heading = heading - declination
//! reading = errors(magnetic heading + assumed_declination), from -π to π
//! ```

use std::f64::consts::{PI, TAU};

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{Attitude, ScalarSample};

use crate::error::{AngleError, ErrorModel};

/// A compass: the heading against true north, from -π to π, east positive.
///
/// It feels the magnetic heading, which is the true one less the `declination`, and adds the declination
/// that it was told. Tilted beyond `tilt_limit`, a sample is not valid. Without parameters it is ideal.
#[derive(Component)]
#[component(type = "sensor.compass", periodic, rate = "10 Hz",
    start = Self::begin, changed = Self::prepare)]
pub struct Compass {
    /// Where magnetic north really lies: east of true north.
    #[parameter(unit = "rad", default = 0.0)]
    declination: f64,
    /// Where the compass takes it to lie.
    #[parameter(unit = "rad", default = 0.0)]
    assumed_declination: f64,
    /// Largest angle between its own vertical axis and the vertical at which it works; 180 deg for any.
    #[parameter(unit = "deg", default = 180.0, above = 0, max = 180)]
    tilt_limit: f64,
    #[group]
    error: AngleError,
    /// Attitude of the vehicle.
    #[input]
    attitude: SignalIn<Attitude>,
    /// The heading.
    #[output(unit = "value: rad")]
    reading: SignalOut<ScalarSample>,
    #[random(name = "errors")]
    random: RandomIn,
    errors: ErrorModel<1>,
    /// Cosine of the largest tilt.
    #[skip]
    least_cosine: f64,
}

impl Compass {
    fn prepare(&mut self) {
        self.least_cosine = if self.tilt_limit < 180.0 {
            libm::cos(self.tilt_limit.to_radians())
        } else {
            f64::NEG_INFINITY
        };
        self.errors.prepare(&self.error);
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.errors.start(&self.error, start, self.random);
    }
}

impl Periodic for Compass {
    fn step(&mut self, step: &mut Step<'_>) {
        let attitude = *step.signal(self.attitude);
        let Attitude { x, y, .. } = attitude;
        let valid = 1.0 - 2.0 * (x * x + y * y) >= self.least_cosine;
        let [_, _, heading] = attitude.to_euler();
        let shown = heading + (self.assumed_declination - self.declination);
        let [shown] = self.errors.read(step, self.random, [shown]);
        let value = if valid { within_half_a_turn(shown) } else { 0.0 };
        step.write(self.reading, ScalarSample { value, taken: step.now(), valid });
    }
}

/// The same direction between -π and π.
fn within_half_a_turn(angle: f64) -> f64 {
    if (-PI..=PI).contains(&angle) { angle } else { angle - TAU * (angle / TAU).round() }
}
