//! Gyroscopes and accelerometers: three axes that are sampled, with the errors of [`crate::error`].
//!
//! Both measure against the stars: a gyroscope reads the rotation of the Earth too, an accelerometer
//! the specific force f = a - g, which at rest points up.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::VectorSample;

use crate::error::{AccelerationError, AngularRateError, ErrorModel};

/// Two sensors that differ in what they measure, and therefore in units only.
macro_rules! inertial_sensor {
    ($(#[$doc:meta])* $name:ident, $type:tt, $error:ty, $(#[$measured_doc:meta])* $measured:ident, $unit:tt, $value:tt) => {
        $(#[$doc])*
        #[derive(Component)]
        #[component(type = $type, periodic, rate = "100 Hz", start = Self::begin, changed = Self::prepare)]
        pub struct $name {
            #[group]
            error: $error,
            $(#[$measured_doc])*
            #[input(unit = $unit, frame = "sensor")]
            $measured: SignalIn<[f64; 3]>,
            /// What it reads.
            #[output(unit = $value, frame = "sensor")]
            reading: SignalOut<VectorSample>,
            #[random(name = "errors")]
            random: RandomIn,
            errors: ErrorModel<3>,
        }

        impl $name {
            fn prepare(&mut self) {
                self.errors.prepare(&self.error);
            }

            fn begin(&mut self, start: &mut Start<'_>) {
                self.errors.start(&self.error, start, self.random);
            }
        }

        impl Periodic for $name {
            fn step(&mut self, step: &mut Step<'_>) {
                let truth = *step.signal(self.$measured);
                let value = self.errors.read(step, self.random, truth);
                step.write(self.reading, VectorSample { value, taken: step.now(), valid: true });
            }
        }
    };
}

inertial_sensor! {
    /// A gyroscope: three angular rates, each with errors of its own.
    ///
    /// Without parameters it is ideal. A fibre-optic gyroscope of tactical grade has a `bias_spread` of
    /// 1 deg/h and a `noise_density` (angle random walk) of 0.1 deg/h^0.5.
    Gyroscope, "sensor.gyroscope", AngularRateError,
    /// Angular velocity against the stars.
    angular_velocity, "rad/s", "value: rad/s"
}

inertial_sensor! {
    /// An accelerometer: three components of the specific force, each with errors of its own.
    ///
    /// Without parameters it is ideal. A quartz accelerometer of tactical grade has a `bias_spread` of
    /// 0.3 mgn.
    Accelerometer, "sensor.accelerometer", AccelerationError,
    /// Specific force: acceleration less gravity.
    specific_force, "m/s^2", "value: m/s^2"
}
