//! A steady wind, with its profile over the height.
//!
//! ```text
//! uniform  W(h) = W_r
//! power    W(h) = W_r (h / h_r)^a
//! log      W(h) = W_r ln(h / z_0) / ln(h_r / z_0)        h > z_0; 0 below
//! ```
//!
//! The logarithmic profile is that of MIL-F-8785C, section 3.7.3.1 (W_20 at 20 ft, z_0 = 0.15 ft for
//! category C flight phases, else 2 ft); the power law with a = 1/7 is that of open, level ground.

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

/// A steady wind: the same everywhere, or growing with the height.
///
/// `direction` is where the wind comes from, as meteorologists say it; the outputs are where the air
/// moves to: a wind of 10 m/s from 270 deg shows 10 m/s at `east`. At and below the ground there is no
/// wind that grows with the height.
#[derive(Component)]
#[component(
    type = "wind.steady",
    periodic,
    rate = "50 Hz",
    start = Self::begin,
    check = Self::fits,
    changed = Self::prepare
)]
#[configures(
    name = "set-wind",
    sets = "speed, direction",
    doc = "Sets the wind at the reference height."
)]
pub struct SteadyWind {
    /// Speed of the wind; with a profile, at the reference height.
    #[parameter(unit = "m/s", default = 0.0, min = 0)]
    speed: f64,
    /// Where it comes from, clockwise from north.
    #[parameter(unit = "deg", default = 0.0)]
    direction: f64,
    /// How fast the air rises; negative where it sinks.
    #[parameter(unit = "m/s", default = 0.0)]
    rise: f64,
    /// How the speed depends on the height: `uniform`, `power` or `log`.
    #[parameter(default = Profile::Uniform)]
    profile: Profile,
    /// Height at which the speed is given.
    #[parameter(unit = "m", default = 10.0, above = 0)]
    reference_height: f64,
    /// Exponent of the power law.
    #[parameter(default = 0.142_857, min = 0, max = 1)]
    exponent: f64,
    /// Roughness length of the logarithmic profile.
    #[parameter(unit = "m", default = 0.03, above = 0)]
    roughness: f64,
    /// Height above ground; a uniform wind does not need it.
    #[input(unit = "m", default = 10.0)]
    height: SignalIn<f64>,
    /// How fast the air moves to the north.
    #[output(unit = "m/s", initial = 0.0)]
    north: SignalOut<f64>,
    /// To the east.
    #[output(unit = "m/s", initial = 0.0)]
    east: SignalOut<f64>,
    /// Down.
    #[output(unit = "m/s", initial = 0.0)]
    down: SignalOut<f64>,
    /// Northwards and eastwards at the reference height.
    #[skip]
    reference: [f64; 2],
    /// 1 / ln(h_r / z_0)
    #[skip]
    logarithmic: f64,
}

/// How a wind depends on the height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Profile {
    /// Not at all.
    #[default]
    Uniform,
    /// As a power of it.
    Power,
    /// As its logarithm.
    Log,
}

impl SteadyWind {
    fn fits(&self) -> Result<(), String> {
        if self.profile == Profile::Log && self.roughness >= self.reference_height {
            return Err(format!(
                "roughness = {} m must be below reference_height = {} m",
                self.roughness, self.reference_height
            ));
        }
        Ok(())
    }

    fn prepare(&mut self) {
        let (sine, cosine) = libm::sincos(self.direction.to_radians());
        self.reference = [-self.speed * cosine, -self.speed * sine];
        self.logarithmic = 1.0 / libm::log(self.reference_height / self.roughness);
    }

    /// The wind at a height, as a share of that at the reference height.
    fn share(&self, height: f64) -> f64 {
        match self.profile {
            Profile::Uniform => 1.0,
            Profile::Power if height > 0.0 => {
                libm::pow(height / self.reference_height, self.exponent)
            }
            Profile::Log if height > self.roughness => {
                libm::log(height / self.roughness) * self.logarithmic
            }
            Profile::Power | Profile::Log => 0.0,
        }
    }

    fn wind(&self, height: f64) -> Result<[f64; 3], &'static str> {
        if height.is_nan() {
            return Err("the input \"height\" is NaN: it must be a number");
        }
        let share = self.share(height);
        Ok([share * self.reference[0], share * self.reference[1], -self.rise])
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        match self.wind(*start.signal(self.height)) {
            Ok([north, east, down]) => {
                start.write(self.north, north);
                start.write(self.east, east);
                start.write(self.down, down);
            }
            Err(reason) => start.fail(reason),
        }
    }
}

impl Periodic for SteadyWind {
    fn step(&mut self, step: &mut Step<'_>) {
        match self.wind(*step.signal(self.height)) {
            Ok([north, east, down]) => {
                step.write(self.north, north);
                step.write(self.east, east);
                step.write(self.down, down);
            }
            Err(reason) => step.fail(reason),
        }
    }
}
