//! The component of the turbulence.

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Step, Time};
use ironbird_kinematics::Attitude;

use super::field::{DrydenField, Gusts};
use super::scales::{Intensity, Scales};

/// Continuous turbulence by Dryden's spectra (MIL-F-8785C): gusts along three axes, and how the air turns.
///
/// Near the ground lengths and intensities follow from the height and from the wind at 20 ft: light,
/// moderate or severe turbulence is 15, 30 or 45 kn of it. The formulas hold from 10 ft to 1000 ft; below
/// and above, it is as there. Higher up, `scales = "given"` takes intensities and lengths as parameters
/// (MIL-F-8785C: 1750 ft).
///
/// Gusts have their axes along the body, or along the mean wind and the vertical. `p`, `q` and `r` are the
/// angular velocity of the air in the body: aerodynamic rates are those of the vehicle minus these. Samples
/// have the statistics of the continuous process at any rate. A speed through the air below 1 m/s counts as
/// 1 m/s.
#[derive(Component)]
#[component(type = "wind.dryden", periodic, rate = "50 Hz", changed = Self::prepare)]
pub struct DrydenTurbulence {
    /// Where lengths and intensities come from: `low-altitude`, from the height and the wind at 20 ft, or
    /// `given`, from `sigma` and `length`.
    #[parameter(default = TurbulenceScales::LowAltitude)]
    scales: TurbulenceScales,
    /// How strong it is near the ground: `light`, `moderate`, `severe` or `given`, by `wind_20ft`.
    #[parameter(default = Intensity::Light)]
    intensity: Intensity,
    /// Wind at 20 ft, for `intensity = "given"`.
    #[parameter(unit = "m/s", default = 0.0, min = 0)]
    wind_20ft: f64,
    /// Standard deviations along the three axes, for `scales = "given"`.
    #[parameter(unit = "m/s", default = [1.0; 3], min = 0)]
    sigma: [f64; 3],
    /// Lengths along the three axes, for `scales = "given"`. The default is 1750 ft.
    #[parameter(unit = "m", default = [533.4; 3], above = 0)]
    length: [f64; 3],
    /// Span of the vehicle.
    #[parameter(unit = "m", default = 2.0, above = 0)]
    span: f64,
    /// Along which axes the gusts are: `body`, or `wind`, of which x points where the mean wind goes to.
    #[parameter(default = TurbulenceAxes::Body)]
    axes: TurbulenceAxes,
    /// Where the mean wind comes from, clockwise from north, for `axes = "wind"`.
    #[parameter(unit = "deg", default = 0.0)]
    direction: f64,
    /// Speed of the vehicle through the air.
    #[input(unit = "m/s", default = 15.0)]
    airspeed: SignalIn<f64>,
    /// Its height above ground.
    #[input(unit = "m", default = 50.0)]
    height: SignalIn<f64>,
    /// Its attitude.
    #[input(default = Attitude::default())]
    attitude: SignalIn<Attitude>,
    /// How fast the air moves to the north.
    #[output(unit = "m/s", initial = 0.0)]
    north: SignalOut<f64>,
    /// To the east.
    #[output(unit = "m/s", initial = 0.0)]
    east: SignalOut<f64>,
    /// Down.
    #[output(unit = "m/s", initial = 0.0)]
    down: SignalOut<f64>,
    /// Angular velocity of the air about the forward axis of the body.
    #[output(unit = "rad/s", initial = 0.0)]
    p: SignalOut<f64>,
    /// About the starboard axis.
    #[output(unit = "rad/s", initial = 0.0)]
    q: SignalOut<f64>,
    /// About the downward axis.
    #[output(unit = "rad/s", initial = 0.0)]
    r: SignalOut<f64>,
    #[random]
    stream: RandomIn,
    field: DrydenField,
    /// When the field was looked at last.
    last: Option<Time>,
    #[skip]
    wind_axes: Attitude,
}

/// Where the scales of the turbulence come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum TurbulenceScales {
    /// The height and the wind at 20 ft.
    #[default]
    LowAltitude,
    /// Parameters.
    Given,
}

/// Along which axes gusts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum TurbulenceAxes {
    /// Those of the body.
    #[default]
    Body,
    /// Along the mean wind, across it, and down.
    Wind,
}

impl DrydenTurbulence {
    fn prepare(&mut self) {
        self.wind_axes = Attitude::from_euler(0.0, 0.0, (self.direction + 180.0).to_radians());
    }

    fn scales(&self, height: f64) -> Scales {
        match self.scales {
            TurbulenceScales::LowAltitude => {
                Scales::low(height, self.intensity.wind(self.wind_20ft))
            }
            TurbulenceScales::Given => Scales { length: self.length, sigma: self.sigma },
        }
    }
}

impl Periodic for DrydenTurbulence {
    fn step(&mut self, step: &mut Step<'_>) {
        let (airspeed, height) = (*step.signal(self.airspeed), *step.signal(self.height));
        let attitude = match self.axes {
            TurbulenceAxes::Body => *step.signal(self.attitude),
            TurbulenceAxes::Wind => self.wind_axes,
        };
        if !(airspeed.is_finite() && height.is_finite() && attitude.is_rotation()) {
            return step.fail(format!(
                "the airspeed is {airspeed} m/s, the height {height} m, the attitude {attitude:?}: \
                 they must be numbers, and the attitude a quaternion of length one"
            ));
        }
        let elapsed = self.last.map(|last| (step.now() - last).as_secs_f64());
        self.last = Some(step.now());
        let (scales, random) = (self.scales(height), step.random(self.stream));
        let Gusts { velocity, turning } =
            self.field.gusts(&scales, self.span, airspeed, elapsed, random);
        let ned = attitude.to_ned(velocity);
        step.write(self.north, ned.x);
        step.write(self.east, ned.y);
        step.write(self.down, ned.z);
        step.write(self.p, turning[0]);
        step.write(self.q, turning[1]);
        step.write(self.r, turning[2]);
    }
}
