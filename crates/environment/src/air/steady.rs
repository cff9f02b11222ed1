//! A steady wind, with its profile over the height (`profile.rs`).

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::profile::{Profile, WindProfile};

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
    #[skip]
    over_height: WindProfile,
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
        self.over_height = match self.profile {
            Profile::Uniform => WindProfile::default(),
            Profile::Power => WindProfile::power(self.reference_height, self.exponent),
            Profile::Log => WindProfile::logarithmic(self.reference_height, self.roughness),
        };
    }

    fn wind(&self, height: f64) -> Result<[f64; 3], &'static str> {
        if height.is_nan() {
            return Err("the input \"height\" is NaN: it must be a number");
        }
        let share = self.over_height.share(height);
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
