//! Discrete gusts.
//!
//! With x the time since the gust begins, or the way through its air, and d its duration or length:
//!
//! ```text
//! ramp      (1 - cos(π x/d)) / 2, and 1 beyond d        the discrete gust of MIL-F-8785C, 3.7.1.3
//! pulse     (1 - cos(2π x/d)) / 2, and 0 beyond d       the 1-cosine gust of FAR/CS 25.341
//! step      1
//! doublet   1 up to d/2, -1 up to d, and 0 beyond
//! ```
//!
//! times the amplitude along each axis.

use std::f64::consts::{PI, TAU};

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::Attitude;
use nalgebra::Vector3;

/// A discrete gust: a ramp, a pulse (1-cosine), a step or a doublet, once or several times.
///
/// It begins at a time and lasts a duration, or it begins where the vehicle has flown a way through the
/// air and has a length. `ramp` is the discrete gust of MIL-F-8785C: half a cosine that rises to the
/// amplitude, which then stays. Gusts of different kinds are added by `wind.sum`.
#[derive(Component)]
#[component(
    type = "wind.gust",
    periodic,
    rate = "50 Hz",
    start = Self::begin,
    check = Self::fits
)]
pub struct Gust {
    /// `ramp`, `pulse`, `step` or `doublet`.
    #[parameter(default = GustShape::Pulse)]
    shape: GustShape,
    /// How fast the air moves at most: to the north, to the east and down; or forward, to starboard and
    /// down.
    #[parameter(unit = "m/s")]
    amplitude: [f64; 3],
    /// Along which axes: `ned`, or `body`.
    #[parameter(default = GustAxes::Ned)]
    axes: GustAxes,
    /// Over what it extends: `time` or `distance`.
    #[parameter(default = Extent::Time)]
    over: Extent,
    /// Time at which it begins.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    start: f64,
    /// How long it lasts.
    #[parameter(unit = "s", default = 1.0, above = 0)]
    duration: f64,
    /// Time from the beginning of one to that of the next.
    #[parameter(unit = "s", default = 10.0, above = 0)]
    interval: f64,
    /// Way through the air to where it begins, with `over = "distance"`.
    #[parameter(unit = "m", default = 0.0, min = 0)]
    start_distance: f64,
    /// How long it is.
    #[parameter(unit = "m", default = 50.0, above = 0)]
    length: f64,
    /// Way from the beginning of one to that of the next.
    #[parameter(unit = "m", default = 500.0, above = 0)]
    spacing: f64,
    /// How many there are: pulses and doublets only, as ramps and steps stay.
    #[parameter(default = 1, min = 1)]
    gusts: u32,
    /// Speed of the vehicle through the air, for `over = "distance"`.
    #[input(unit = "m/s", default = 15.0)]
    airspeed: SignalIn<f64>,
    /// Its attitude, for `axes = "body"`.
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
    /// Way through the air so far, and the speed then.
    way: f64,
    speed: f64,
    last: Time,
}

/// The shape of a gust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum GustShape {
    /// Rises as half a cosine, and stays.
    Ramp,
    /// Rises and falls as a cosine.
    #[default]
    Pulse,
    /// Is there at once, and stays.
    Step,
    /// One way, then the other.
    Doublet,
}

/// Along which axes a gust is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum GustAxes {
    /// North, east, down.
    #[default]
    Ned,
    /// Forward, starboard, down.
    Body,
}

/// Over what a gust extends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Extent {
    /// Time.
    #[default]
    Time,
    /// Way through the air.
    Distance,
}

impl GustShape {
    /// What there is of the amplitude at a place in the gust, of which 0 is the beginning and 1 the end.
    pub fn at(self, place: f64) -> f64 {
        let (before, beyond) = (place < 0.0, place > 1.0);
        match self {
            _ if before => 0.0,
            GustShape::Ramp if beyond => 1.0,
            GustShape::Ramp => 0.5 - 0.5 * libm::cos(PI * place),
            GustShape::Step => 1.0,
            GustShape::Pulse | GustShape::Doublet if beyond => 0.0,
            GustShape::Pulse => 0.5 - 0.5 * libm::cos(TAU * place),
            GustShape::Doublet if place < 0.5 => 1.0,
            GustShape::Doublet => -1.0,
        }
    }
}

impl Gust {
    fn fits(&self) -> Result<(), String> {
        if self.gusts == 1 {
            return Ok(());
        }
        if matches!(self.shape, GustShape::Ramp | GustShape::Step) {
            return Err(
                "a ramp or a step stays: with more than one, the shape must be \"pulse\" or \
                        \"doublet\""
                    .into(),
            );
        }
        let (long, apart, names) = match self.over {
            Extent::Time => (self.duration, self.interval, ["duration", "interval"]),
            Extent::Distance => (self.length, self.spacing, ["length", "spacing"]),
        };
        if apart >= long {
            return Ok(());
        }
        let [extent, distance] = names;
        Err(format!("{distance} = {apart} is less than {extent} = {long}: gusts must not overlap"))
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.last = start.now();
        self.speed = *start.signal(self.airspeed);
    }

    /// What there is of the amplitude at a time and a way.
    fn share(&self, time: f64, way: f64) -> f64 {
        let (passed, long, apart) = match self.over {
            Extent::Time => (time - self.start, self.duration, self.interval),
            Extent::Distance => (way - self.start_distance, self.length, self.spacing),
        };
        let number = (passed / apart).floor().clamp(0.0, f64::from(self.gusts - 1));
        self.shape.at((passed - number * apart) / long)
    }
}

impl Periodic for Gust {
    fn step(&mut self, step: &mut Step<'_>) {
        let airspeed = *step.signal(self.airspeed);
        let attitude = match self.axes {
            GustAxes::Ned => Attitude::default(),
            GustAxes::Body => *step.signal(self.attitude),
        };
        if !(airspeed.is_finite() && attitude.is_rotation()) {
            return step.fail(format!(
                "the airspeed is {airspeed} m/s, the attitude {attitude:?}: the one must be a number, \
                 the other a quaternion of length one"
            ));
        }
        let elapsed = (step.now() - self.last).as_secs_f64();
        self.way += 0.5 * (self.speed + airspeed) * elapsed;
        (self.speed, self.last) = (airspeed, step.now());
        let share = self.share(step.now().as_secs_f64(), self.way);
        let wind = attitude.to_ned(share * Vector3::from(self.amplitude));
        step.write(self.north, wind.x);
        step.write(self.east, wind.y);
        step.write(self.down, wind.z);
    }
}
