//! Incremental encoders: a reading head counts the marks of a scale or of a disc.
//!
//! ```text
//! reading = resolution · round((x + noise) / resolution)
//! speed' = ((reading - last reading) / (t - last t) - speed) / filter
//! ```
//!
//! An incremental encoder with N lines, read in quadrature, has 4 N marks per revolution: 1024 lines
//! are 2π/4096 rad = 1.53 mrad.

use std::f64::consts::TAU;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step};
use ironbird_solvers::Trajectory;

use crate::counter::{Counter, nearest_mark};

/// Two encoders that differ in what they measure, and therefore in units only.
macro_rules! encoder {
    ($(#[$doc:meta])* $name:ident, $type:tt, $unit:tt, $speed:tt, $resolution:expr) => {
        $(#[$doc])*
        #[derive(Component)]
        #[component(type = $type, periodic, rate = "1 kHz", start = Self::begin)]
        pub struct $name {
            /// Distance of two marks; 0 for none.
            #[parameter(unit = $unit, default = $resolution, min = 0)]
            resolution: f64,
            /// Standard deviation of the place at which a mark is seen.
            #[parameter(unit = $unit, default = 0.0, min = 0)]
            noise: f64,
            /// Time constant of the filter behind the differences that give the speed; 0 s for none.
            #[parameter(unit = "s", default = 0.01, min = 0)]
            filter: f64,
            /// What is measured.
            #[input(unit = $unit)]
            measured: SignalIn<Trajectory>,
            /// The mark that was counted last.
            #[output(unit = $unit)]
            reading: SignalOut<f64>,
            /// Speed, from the differences of the readings.
            #[output(unit = $speed)]
            speed: SignalOut<f64>,
            #[random(name = "noise")]
            stream: RandomIn,
            counter: Counter,
        }

        impl $name {
            fn begin(&mut self, start: &mut Start<'_>) {
                let measured = start.signal(self.measured).at(start.now());
                start.write(self.reading, nearest_mark(measured, self.resolution));
            }
        }

        impl Periodic for $name {
            fn step(&mut self, step: &mut Step<'_>) {
                let noise = self.noise * step.random(self.stream).normal();
                let seen = step.signal(self.measured).at(step.now()) + noise;
                let (mark, speed) =
                    self.counter.sample(step.now(), seen, self.resolution, self.filter);
                step.write(self.reading, mark);
                step.write(self.speed, speed);
            }
        }
    };
}

encoder! {
    /// A scale with marks along a track: measures a position, and its speed by differences.
    ///
    /// It knows the position at the start, as after a reference run.
    LinearEncoder, "sensor.linear-encoder", "m", "m/s", 10e-6
}

encoder! {
    /// A disc with marks on a shaft: measures an angle, and its speed by differences.
    ///
    /// It counts on over full revolutions, and knows the angle at the start, as after a reference run.
    /// The default resolution is that of 1024 lines, read in quadrature: 4096 marks per revolution.
    RotaryEncoder, "sensor.rotary-encoder", "rad", "rad/s", TAU / 4096.0
}
