//! The driver of a vector sensor: what it measured, in the body.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};
use nalgebra::{Matrix3, Vector3};

use crate::mounting::Mounting;
use crate::sample::VectorSample;

/// Turns what a sensor measured to the body, by the mounting that the driver of the sensor assumes.
///
/// When the sample was taken and whether it is valid are passed on. Where the assumed mounting is not
/// the true one, that of adapter.body-to-sensor, the sensor is misaligned.
#[derive(Component)]
#[component(
    type = "adapter.sensor-to-body", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct SensorToBody {
    /// Unit of what was measured, as in "m/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    #[group]
    mounting: Mounting,
    /// What the sensor measured, in its frame.
    #[input(name = "in", frame = "sensor")]
    input: SignalIn<VectorSample>,
    /// The same in the body.
    #[output(name = "out", frame = "body")]
    output: SignalOut<VectorSample>,
    #[skip]
    to_body: Matrix3<f64>,
}

impl SensorToBody {
    fn prepare(&mut self) {
        self.to_body = self.mounting.to_body();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let turned = self.turned(start.signal(self.input));
        start.write(self.output, turned);
    }

    fn turned(&self, sample: &VectorSample) -> VectorSample {
        VectorSample { value: (self.to_body * Vector3::from(sample.value)).into(), ..*sample }
    }
}

impl Periodic for SensorToBody {
    fn step(&mut self, step: &mut Step<'_>) {
        let turned = self.turned(step.signal(self.input));
        step.write(self.output, turned);
    }
}

/// Turns a vector that a sensor shows to the body, by the mounting that the driver of the sensor assumes.
///
/// As adapter.sensor-to-body, for the vector alone: part `value` of a sample.
#[derive(Component)]
#[component(
    type = "adapter.sensor-vector-to-body", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct SensorVectorToBody {
    /// Unit of the vector, as in "m/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    #[group]
    mounting: Mounting,
    /// The vector in the frame of the sensor.
    #[input(name = "in", frame = "sensor")]
    input: SignalIn<[f64; 3]>,
    /// The same in the body.
    #[output(name = "out", frame = "body")]
    output: SignalOut<[f64; 3]>,
    #[skip]
    to_body: Matrix3<f64>,
}

impl SensorVectorToBody {
    fn prepare(&mut self) {
        self.to_body = self.mounting.to_body();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let turned = self.to_body * Vector3::from(*start.signal(self.input));
        start.write(self.output, turned.into());
    }
}

impl Periodic for SensorVectorToBody {
    fn step(&mut self, step: &mut Step<'_>) {
        let turned = self.to_body * Vector3::from(*step.signal(self.input));
        step.write(self.output, turned.into());
    }
}
