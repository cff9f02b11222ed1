//! What a sensor sees of a vector of the body, as it is really mounted.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};
use nalgebra::{Matrix3, Vector3};

use crate::mounting::Mounting;

/// Turns a vector from the body to the frame of a sensor, by the true mounting of the sensor.
///
/// With a yaw of 15 deg the sensor looks to starboard, and what moves ahead seems to it to drift to
/// port. The mounting can change while the system runs: a sensor that was knocked. The driver on the
/// other side, adapter.sensor-to-body, has a mounting of its own, the assumed one.
#[derive(Component)]
#[component(
    type = "adapter.body-to-sensor", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct BodyToSensor {
    /// Unit of the vector, as in "m/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    #[group]
    mounting: Mounting,
    /// The vector in the body.
    #[input(name = "in", frame = "body")]
    input: SignalIn<[f64; 3]>,
    /// The vector in the frame of the sensor.
    #[output(name = "out", frame = "sensor")]
    output: SignalOut<[f64; 3]>,
    #[skip]
    to_sensor: Matrix3<f64>,
}

impl BodyToSensor {
    fn prepare(&mut self) {
        self.to_sensor = self.mounting.to_sensor();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let turned = self.to_sensor * Vector3::from(*start.signal(self.input));
        start.write(self.output, turned.into());
    }
}

impl Periodic for BodyToSensor {
    fn step(&mut self, step: &mut Step<'_>) {
        let turned = self.to_sensor * Vector3::from(*step.signal(self.input));
        step.write(self.output, turned.into());
    }
}
