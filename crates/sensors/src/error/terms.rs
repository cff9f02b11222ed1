//! The parameters of the error model, a group for each unit in which sensors read.

use ironbird_component::Parameters;

/// The terms of one axis, in the unit u of the reading; see [the model](super).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Terms {
    pub bias: f64,
    pub bias_spread: f64,
    pub scale: f64,
    pub scale_spread: f64,
    /// u/s
    pub drift: f64,
    pub noise: f64,
    /// u √s
    pub noise_density: f64,
    /// u/√s
    pub random_walk: f64,
    pub instability: f64,
    /// s
    pub instability_time: f64,
    pub quantisation: f64,
    pub saturation: f64,
}

/// A group of parameters that says how wrong a sensor of N axes is.
pub(crate) trait ErrorTerms<const N: usize> {
    /// The terms of each axis.
    fn axes(&self) -> [Terms; N];
}

/// One number, or one for each axis.
trait PerAxis {
    fn of(&self, axis: usize) -> f64;
}

impl PerAxis for f64 {
    fn of(&self, _: usize) -> f64 {
        *self
    }
}

impl PerAxis for [f64; 3] {
    fn of(&self, axis: usize) -> f64 {
        self[axis]
    }
}

/// The group of a unit: derived parameters have literal units and no generics.
macro_rules! error_terms {
    ($(#[$doc:meta])* $name:ident: $axes:literal of $number:ty, $zero:expr, $hundred:expr,
     $unit:tt, drift $drift:tt, density $density:tt, walk $walk:tt) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Parameters)]
        pub struct $name {
            /// What it reads too much.
            #[parameter(unit = $unit, default = $zero)]
            bias: $number,
            /// Standard deviation of a further bias, drawn at the start.
            #[parameter(unit = $unit, default = $zero, min = 0, fixed)]
            bias_spread: $number,
            /// Error of the scale factor: what it reads too much of what there is, as "200 ppm".
            #[parameter(default = $zero)]
            scale: $number,
            /// Standard deviation of a further error of the scale factor, drawn at the start.
            #[parameter(default = $zero, min = 0, fixed)]
            scale_spread: $number,
            /// How fast the bias grows.
            #[parameter(unit = $drift, default = $zero)]
            drift: $number,
            /// Standard deviation of the noise of a sample, whatever the rate.
            #[parameter(unit = $unit, default = $zero, min = 0)]
            noise: $number,
            /// Density of white noise: its standard deviation in a sample grows with the root of the
            /// rate.
            #[parameter(unit = $density, default = $zero, min = 0)]
            noise_density: $number,
            /// Random walk of the bias: its standard deviation after 1 s, growing with the root of time.
            #[parameter(unit = $walk, default = $zero, min = 0)]
            random_walk: $number,
            /// Standard deviation of the instability of the bias, a first-order Gauss-Markov process.
            #[parameter(unit = $unit, default = $zero, min = 0)]
            instability: $number,
            /// Time over which the instability is correlated.
            #[parameter(unit = "s", default = $hundred, above = 0)]
            instability_time: $number,
            /// Size of a digit; 0 for none.
            #[parameter(unit = $unit, default = $zero, min = 0)]
            quantisation: $number,
            /// Largest reading, in both directions; 0 for none.
            #[parameter(unit = $unit, default = $zero, min = 0)]
            saturation: $number,
        }

        impl ErrorTerms<$axes> for $name {
            fn axes(&self) -> [Terms; $axes] {
                std::array::from_fn(|axis| Terms {
                    bias: self.bias.of(axis),
                    bias_spread: self.bias_spread.of(axis),
                    scale: self.scale.of(axis),
                    scale_spread: self.scale_spread.of(axis),
                    drift: self.drift.of(axis),
                    noise: self.noise.of(axis),
                    noise_density: self.noise_density.of(axis),
                    random_walk: self.random_walk.of(axis),
                    instability: self.instability.of(axis),
                    instability_time: self.instability_time.of(axis),
                    quantisation: self.quantisation.of(axis),
                    saturation: self.saturation.of(axis),
                })
            }
        }
    };
}

error_terms! {
    /// Errors of three angular rates.
    AngularRateError: 3 of [f64; 3], [0.0; 3], [100.0; 3],
    "rad/s", drift "rad/s^2", density "rad/s/Hz^0.5", walk "rad/s/s^0.5"
}

error_terms! {
    /// Errors of three accelerations.
    AccelerationError: 3 of [f64; 3], [0.0; 3], [100.0; 3],
    "m/s^2", drift "m/s^3", density "m/s^2/Hz^0.5", walk "m/s^2/s^0.5"
}

error_terms! {
    /// Errors of three speeds.
    SpeedError: 3 of [f64; 3], [0.0; 3], [100.0; 3],
    "m/s", drift "m/s^2", density "m/s/Hz^0.5", walk "m/s/s^0.5"
}

error_terms! {
    /// Errors of a pressure.
    PressureError: 1 of f64, 0.0, 100.0,
    "Pa", drift "Pa/s", density "Pa/Hz^0.5", walk "Pa/s^0.5"
}

error_terms! {
    /// Errors of an angle.
    AngleError: 1 of f64, 0.0, 100.0,
    "rad", drift "rad/s", density "rad/Hz^0.5", walk "rad/s^0.5"
}
