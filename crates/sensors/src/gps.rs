//! A satellite receiver, which works above water only.
//!
//! ```text
//! fix = truth + north, east and down at the truth · errors
//! ```
//!
//! What atmosphere and orbits do to a position stays for minutes: `position_error.instability`, a
//! first-order Gauss-Markov process. It goes on under water.

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Fix, Geodetic, TangentPlane};
use nalgebra::Vector3;

use crate::error::{ErrorModel, ErrorTerms, Terms};

/// A satellite receiver: position and velocity, where its antenna is above water.
///
/// There is a fix when the antenna has been no deeper than `surface` for `time_to_fix`; otherwise what it
/// says is not valid. Without errors it is ideal. A single-frequency receiver errs by some 1.5 m along
/// north and east and 3 m along down, mostly slowly: `instability`, over some minutes.
#[derive(Component)]
#[component(type = "sensor.gps", periodic, rate = "1 Hz",
    start = Self::begin, changed = Self::prepare)]
pub struct Gps {
    /// Depth of the antenna down to which it receives: waves and the height of a mast.
    #[parameter(unit = "m", default = 0.5)]
    surface: f64,
    /// How long it must receive before it has a fix; at the start of the run it begins to.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    time_to_fix: f64,
    #[group]
    position_error: PositionError,
    #[group]
    velocity_error: VelocityError,
    /// Place of the antenna.
    #[input(unit = "m", frame = "ecef")]
    position: SignalIn<[f64; 3]>,
    /// Velocity of the antenna over ground.
    #[input(unit = "m/s", frame = "ecef")]
    velocity: SignalIn<[f64; 3]>,
    /// Depth of the antenna; where it is not linked, 0 m.
    #[input(unit = "m", default = 0.0)]
    depth: SignalIn<f64>,
    /// What it says.
    #[output(unit = "position: m, velocity: m/s", frame = "ecef")]
    fix: SignalOut<Fix>,
    #[random(name = "position-errors")]
    position_random: RandomIn,
    #[random(name = "velocity-errors")]
    velocity_random: RandomIn,
    position_errors: ErrorModel<3>,
    velocity_errors: ErrorModel<3>,
    /// Since when it receives.
    receives_since: Option<Time>,
}

/// Errors of a position: north, east, down.
#[derive(Clone, Debug, Parameters)]
pub struct PositionError {
    /// What it says too much.
    #[parameter(unit = "m", default = [0.0; 3])]
    bias: [f64; 3],
    /// Standard deviation of the noise of a fix.
    #[parameter(unit = "m", default = [0.0; 3], min = 0)]
    noise: [f64; 3],
    /// Standard deviation of an error that stays for a while, a first-order Gauss-Markov process.
    #[parameter(unit = "m", default = [0.0; 3], min = 0)]
    instability: [f64; 3],
    /// Time over which the instability is correlated.
    #[parameter(unit = "s", default = [300.0; 3], above = 0)]
    instability_time: [f64; 3],
}

/// Errors of a velocity: north, east, down.
#[derive(Clone, Debug, Parameters)]
pub struct VelocityError {
    /// What it says too much.
    #[parameter(unit = "m/s", default = [0.0; 3])]
    bias: [f64; 3],
    /// Standard deviation of the noise of a fix.
    #[parameter(unit = "m/s", default = [0.0; 3], min = 0)]
    noise: [f64; 3],
}

impl ErrorTerms<3> for PositionError {
    fn axes(&self) -> [Terms; 3] {
        std::array::from_fn(|i| Terms {
            bias: self.bias[i],
            noise: self.noise[i],
            instability: self.instability[i],
            instability_time: self.instability_time[i],
            ..Terms::default()
        })
    }
}

impl ErrorTerms<3> for VelocityError {
    fn axes(&self) -> [Terms; 3] {
        std::array::from_fn(|i| Terms {
            bias: self.bias[i],
            noise: self.noise[i],
            ..Terms::default()
        })
    }
}

impl Gps {
    fn prepare(&mut self) {
        self.position_errors.prepare(&self.position_error);
        self.velocity_errors.prepare(&self.velocity_error);
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.position_errors.start(&self.position_error, start, self.position_random);
        self.velocity_errors.start(&self.velocity_error, start, self.velocity_random);
        self.receives_since = None;
    }

    fn has_fix(&mut self, now: Time, depth: f64) -> bool {
        if depth <= self.surface {
            let since = *self.receives_since.get_or_insert(now);
            now.since(since).as_secs_f64() >= self.time_to_fix
        } else {
            self.receives_since = None;
            false
        }
    }

    #[inline(never)]
    fn fix(&mut self, step: &mut Step<'_>) -> Fix {
        let (mut position, mut velocity) =
            (*step.signal(self.position), *step.signal(self.velocity));
        if !self.position_errors.is_ideal() || !self.velocity_errors.is_ideal() {
            let place = Vector3::from(position);
            let there = TangentPlane::at(Geodetic::from_ecef(place));
            let errors = self.position_errors.read(step, self.position_random, [0.0; 3]);
            position = (place + there.direction_to_ecef(errors.into())).into();
            let errors = self.velocity_errors.read(step, self.velocity_random, [0.0; 3]);
            velocity = (Vector3::from(velocity) + there.direction_to_ecef(errors.into())).into();
        }
        Fix { position, velocity, taken: step.now(), valid: true }
    }
}

impl Periodic for Gps {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, depth) = (step.now(), *step.signal(self.depth));
        let fix = if self.has_fix(now, depth) {
            self.fix(step)
        } else {
            Fix { taken: now, ..Fix::default() }
        };
        step.write(self.fix, fix);
    }
}
