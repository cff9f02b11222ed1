//! The component that navigates.

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Duration, Periodic, SignalIn, SignalOut, Step, Time};
use ironbird_kinematics::{
    Alignment, Attitude, EarthParameters, Fix, STANDARD_GRAVITY, ScalarSample, VectorSample,
};
use nalgebra::Vector3;

use super::dead_reckoning::DeadReckoning;
use super::estimate::{Estimate, Planet};
use super::kalman::{Assumptions, ErrorStateFilter, KalmanParameters};
use super::method::{Last, Method};
use super::strapdown::Strapdown;

/// How long the sensors that a method cannot do without may take to their first sample.
const PATIENCE: Duration = Duration::from_secs(10);

/// The Kalman filter refuses measurements that are later than this; it keeps estimates for about half of it.
const LATEST: Duration = Duration::from_secs(1);

/// Estimates where a vehicle is, how fast it moves and how it is turned, from what its sensors say.
///
/// It begins with the alignment that it reads at its first step. Each method uses the sensors that it
/// needs, at whatever rates they come: what counts is when a sample was taken. Between samples the
/// estimate goes on with the last rate, velocity or acceleration. Samples that are not finite numbers
/// are not used, and counted as rejected.
///
/// `method` may change while it runs: the new method begins with place, velocity and attitude of the
/// old one. Nothing else is kept: `kalman` begins with the deviations of `kalman.initial` and no known
/// biases, `gps` holds the place until the next fix.
///
/// `gps` shows the last fix, also under water, and the attitude with which it began. `dvl-gyro` holds
/// the last velocity in the body while the DVL is silent. `inertial` and `kalman` need gyroscope and
/// accelerometer, `dvl-gyro` the gyroscope: without a sample for 10 s the run fails. `kalman` takes in
/// measurements that are up to 0.5 s late at the time at which they were taken, and refuses those that are
/// later than 1 s.
#[derive(Component)]
#[component(type = "navigation.function", periodic, rate = "1 kHz", changed = Self::prepare)]
pub struct NavigationFunction {
    /// How to navigate: `gps` (the last fix), `dvl-gyro` (dead reckoning), `inertial` (double
    /// integration of the accelerometer) or `kalman` (all sensors).
    #[parameter(default = Method::DvlGyro)]
    method: Method,
    /// Whether `dvl-gyro` takes its depth from the barometer.
    #[parameter(default = false)]
    barometer_depth: bool,
    #[group]
    earth: EarthParameters,
    #[group]
    pressure: Pressure,
    #[group]
    kalman: KalmanParameters,
    /// Angular velocity of the body against the stars.
    #[input(unit = "value: rad/s", frame = "body", default = VectorSample::default())]
    gyroscope: SignalIn<VectorSample>,
    /// Specific force.
    #[input(unit = "value: m/s^2", frame = "body", default = VectorSample::default())]
    accelerometer: SignalIn<VectorSample>,
    /// Velocity over ground.
    #[input(unit = "value: m/s", frame = "body", default = VectorSample::default())]
    dvl: SignalIn<VectorSample>,
    /// Pressure of the water.
    #[input(unit = "value: Pa", default = ScalarSample::default())]
    barometer: SignalIn<ScalarSample>,
    /// Heading from true north over east.
    #[input(unit = "value: rad", default = ScalarSample::default())]
    compass: SignalIn<ScalarSample>,
    /// Fixes of the satellite receiver.
    #[input(unit = "position: m, velocity: m/s", frame = "ecef", default = Fix::default())]
    gps: SignalIn<Fix>,
    /// Where the vehicle believes to be at the first step.
    #[input(unit = "position: m, velocity: m/s", frame = "ned")]
    alignment: SignalIn<Alignment>,
    /// Estimated place.
    #[output(unit = "m", frame = "ned")]
    position: SignalOut<[f64; 3]>,
    /// Estimated velocity.
    #[output(unit = "m/s", frame = "ned")]
    velocity: SignalOut<[f64; 3]>,
    /// Estimated attitude.
    #[output]
    attitude: SignalOut<Attitude>,
    /// Covariance of the place, row by row; zero if the method has none.
    #[output(unit = "m^2", frame = "ned")]
    covariance: SignalOut<[f64; 9]>,
    /// Estimated bias of the gyroscope; zero if the method has none.
    #[output(unit = "rad/s", frame = "body")]
    gyroscope_bias: SignalOut<[f64; 3]>,
    /// Estimated bias of the accelerometer; zero if the method has none.
    #[output(unit = "m/s^2", frame = "body")]
    accelerometer_bias: SignalOut<[f64; 3]>,
    /// How many measurements were rejected: as too unlikely by `kalman`, or not finite.
    #[output]
    rejected: SignalOut<u64>,
    /// The method that runs, and since when.
    running: Option<Method>,
    since: Time,
    held: Estimate,
    reckoning: DeadReckoning,
    strapdown: Strapdown,
    filter: Box<ErrorStateFilter>,
    last: LastSamples,
    /// Measurements that were rejected, without those of the running filter.
    refused: u64,
    /// What `rejected` shows.
    shown: u64,
    #[skip]
    planet: Planet,
    #[skip]
    assumed: Assumptions,
}

/// What depth follows from a pressure.
#[derive(Parameters)]
struct Pressure {
    /// Pressure at the surface.
    #[parameter(unit = "Pa", default = 101_325.0, min = 0)]
    atmospheric: f64,
    /// Density of the water.
    #[parameter(unit = "kg/m^3", default = 1025.0, above = 0)]
    density: f64,
    /// Gravity in the column of water.
    #[parameter(unit = "m/s^2", default = STANDARD_GRAVITY, above = 0)]
    gravity: f64,
}

impl Pressure {
    fn per_metre(&self) -> f64 {
        self.density * self.gravity
    }

    fn depth(&self, pressure: f64) -> f64 {
        (pressure - self.atmospheric) / self.per_metre()
    }
}

/// When the last used sample of each sensor was taken.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct LastSamples {
    gyroscope: Last,
    accelerometer: Last,
    dvl: Last,
    barometer: Last,
    compass: Last,
    gps: Last,
}

impl LastSamples {
    /// When the sensors that a method cannot do without have last spoken all.
    #[inline]
    fn heard(&self, method: Method) -> Time {
        match method {
            // A fix may be as old as it likes.
            Method::Gps => Time::from_ps(u64::MAX / 2),
            Method::DvlGyro => self.gyroscope.time(),
            Method::Inertial | Method::Kalman => {
                self.gyroscope.time().min(self.accelerometer.time())
            }
        }
    }
}

/// A vector, if the sample is new and finite.
#[inline(always)]
fn vector(
    step: &Step<'_>,
    port: SignalIn<VectorSample>,
    last: &mut Last,
    refused: &mut u64,
) -> Option<(Time, Vector3<f64>)> {
    let sample = step.signal(port);
    let news = last.is_news(step.now(), sample.taken, sample.valid);
    finite(news, &sample.value, refused).then(|| (sample.taken, sample.value.into()))
}

/// A number, if the sample is new and finite.
fn number(
    step: &Step<'_>,
    port: SignalIn<ScalarSample>,
    last: &mut Last,
    refused: &mut u64,
) -> Option<(Time, f64)> {
    let sample = step.signal(port);
    let news = last.is_news(step.now(), sample.taken, sample.valid);
    finite(news, &[sample.value], refused).then_some((sample.taken, sample.value))
}

/// Whether news consist of numbers; if not, they are refused.
#[inline]
fn finite(news: bool, numbers: &[f64], refused: &mut u64) -> bool {
    let fine = numbers.iter().all(|number| number.is_finite());
    *refused += u64::from(news && !fine);
    news && fine
}

impl NavigationFunction {
    fn prepare(&mut self) {
        self.planet = Planet::from(&self.earth);
        self.assumed = self.kalman.assumptions(self.pressure.per_metre());
    }

    /// A fix in north, east, down, if it is new and finite.
    fn fix(&mut self, step: &Step<'_>) -> Option<(Time, [Vector3<f64>; 2])> {
        let fix = step.signal(self.gps);
        let news = self.last.gps.is_news(step.now(), fix.taken, fix.valid);
        let plane = &self.planet.plane;
        let place = finite(news, &fix.position, &mut self.refused)
            && finite(news, &fix.velocity, &mut self.refused);
        place.then(|| {
            let position = plane.from_ecef(fix.position.into());
            (fix.taken, [position, plane.direction_from_ecef(fix.velocity.into())])
        })
    }

    /// The estimate of the method that runs.
    fn estimate(&self, method: Method, now: Time) -> Estimate {
        match method {
            Method::Gps => self.held,
            Method::DvlGyro => self.reckoning.estimate(now, &self.planet),
            Method::Inertial => self.strapdown.estimate(now, &self.planet),
            Method::Kalman => self.filter.estimate(now, &self.planet),
        }
    }

    /// Begins a method: with the alignment, or with what the method before it has found.
    #[cold]
    fn begin(&mut self, step: &mut Step<'_>) {
        let now = step.now();
        let estimate = match self.running {
            None => Estimate::from(step.signal(self.alignment)),
            Some(before) => {
                // The old method hears what is new at this instant; then all of it is new again.
                self.follow(before, step);
                self.last = LastSamples::default();
                self.estimate(before, now)
            }
        };
        let Attitude { w, x, y, z } = estimate.attitude;
        let is_turn = (0.999_999..1.000_001).contains(&(w * w + x * x + y * y + z * z));
        let is_place = estimate.position.iter().chain(&estimate.velocity).all(|x| x.is_finite());
        if !is_turn || !is_place {
            step.fail(
                "there is no place to begin at: an alignment has an attitude of length one, and a \
                 finite position and velocity",
            );
            return;
        }
        if self.running == Some(Method::Kalman) {
            self.refused += self.filter.refused();
        }
        match self.method {
            Method::Gps => self.held = estimate,
            Method::DvlGyro => self.reckoning = DeadReckoning::starting(now, &estimate),
            Method::Inertial => self.strapdown = Strapdown::starting(now, &estimate, &self.planet),
            Method::Kalman => {
                *self.filter =
                    ErrorStateFilter::starting(now, &estimate, &self.planet, &self.assumed);
            }
        }
        (self.running, self.since) = (Some(self.method), now);
        step.write(self.covariance, [0.0; 9]);
        step.write(self.gyroscope_bias, [0.0; 3]);
        step.write(self.accelerometer_bias, [0.0; 3]);
    }

    /// Hears what is new; whether all sensors that the method cannot do without have spoken yet.
    #[inline]
    fn follow(&mut self, method: Method, step: &mut Step<'_>) -> bool {
        match method {
            Method::Gps => {
                self.hold(step);
                true
            }
            Method::DvlGyro => {
                self.reckon(step);
                self.reckoning.has_rate()
            }
            Method::Inertial => {
                self.integrate(step);
                self.strapdown.has_samples()
            }
            Method::Kalman => {
                self.filter(step);
                self.filter.has_samples()
            }
        }
    }

    fn hold(&mut self, step: &Step<'_>) {
        if let Some((_, [position, velocity])) = self.fix(step) {
            (self.held.position, self.held.velocity) = (position, velocity);
        }
    }

    #[inline]
    fn reckon(&mut self, step: &Step<'_>) {
        let NavigationFunction { reckoning, last, refused, planet, .. } = self;
        let rate = vector(step, self.gyroscope, &mut last.gyroscope, refused);
        let velocity = vector(step, self.dvl, &mut last.dvl, refused);
        match (rate, velocity) {
            (Some((turned, rate)), Some((taken, velocity))) if turned == taken => {
                reckoning.turn_and_measure_velocity(taken, rate, velocity, planet);
            }
            (rate, velocity) => {
                if let Some((taken, rate)) = rate {
                    reckoning.turn(taken, rate, planet);
                }
                if let Some((taken, velocity)) = velocity {
                    reckoning.measure_velocity(taken, velocity, planet);
                }
            }
        }
        if self.barometer_depth {
            let pressure = number(step, self.barometer, &mut last.barometer, refused);
            if let Some((taken, pressure)) = pressure {
                reckoning.measure_depth(taken, self.pressure.depth(pressure), planet);
            }
        }
    }

    fn integrate(&mut self, step: &Step<'_>) {
        let NavigationFunction { strapdown, last, refused, planet, .. } = self;
        if let Some((taken, rate)) = vector(step, self.gyroscope, &mut last.gyroscope, refused) {
            strapdown.turn(taken, rate, planet);
        }
        let force = vector(step, self.accelerometer, &mut last.accelerometer, refused);
        if let Some((taken, force)) = force {
            strapdown.push(taken, force, planet);
        }
    }

    fn filter(&mut self, step: &mut Step<'_>) {
        let fix = self.fix(step);
        let NavigationFunction { filter, last, refused, planet, assumed, .. } = self;
        if let Some((taken, rate)) = vector(step, self.gyroscope, &mut last.gyroscope, refused) {
            filter.turn(taken, rate, planet);
        }
        let force = vector(step, self.accelerometer, &mut last.accelerometer, refused);
        if let Some((taken, force)) = force {
            filter.push(taken, force, planet, assumed);
        }
        // What is older than the estimates that are kept cannot be compared with them.
        let now = step.now();
        let mut too_late = 0;
        let mut in_time = |taken: Time| {
            let late = taken + LATEST < now;
            too_late += u64::from(late);
            !late
        };
        let velocity = vector(step, self.dvl, &mut last.dvl, refused);
        if let Some((taken, velocity)) = velocity.filter(|(taken, _)| in_time(*taken)) {
            filter.measure_velocity(taken, velocity, planet, assumed);
        }
        let pressure = number(step, self.barometer, &mut last.barometer, refused);
        if let Some((taken, pressure)) = pressure.filter(|(taken, _)| in_time(*taken)) {
            filter.measure_depth(taken, self.pressure.depth(pressure), planet, assumed);
        }
        let heading = number(step, self.compass, &mut last.compass, refused);
        if let Some((taken, heading)) = heading.filter(|(taken, _)| in_time(*taken)) {
            filter.measure_heading(taken, heading, planet, assumed);
        }
        if let Some((taken, fix)) = fix.filter(|(taken, _)| in_time(*taken)) {
            filter.measure_fix(taken, fix, planet, assumed);
        }
        self.refused += too_late;
        let mut covariance = [0.0; 9];
        covariance.copy_from_slice(
            self.filter.covariance().fixed_view::<3, 3>(0, 0).into_owned().as_slice(),
        );
        step.write(self.covariance, covariance);
        step.write(self.gyroscope_bias, self.filter.gyroscope_bias().into());
        step.write(self.accelerometer_bias, self.filter.accelerometer_bias().into());
    }

    /// Ends the run if a sensor that the method cannot do without does not speak.
    #[cold]
    fn wait(&self, step: &mut Step<'_>) {
        if step.now() - self.since.max(self.last.heard(self.method)) <= PATIENCE {
            return;
        }
        let (method, needs) = match self.method {
            Method::DvlGyro => ("dvl-gyro", "the gyroscope"),
            Method::Inertial => ("inertial", "both gyroscope and accelerometer"),
            _ => ("kalman", "both gyroscope and accelerometer"),
        };
        step.fail(format!(
            "method \"{method}\" has had no valid sample of {needs} for {PATIENCE}: link them, start \
             their sensors, or choose another method"
        ));
    }
}

impl Periodic for NavigationFunction {
    fn step(&mut self, step: &mut Step<'_>) {
        if self.running != Some(self.method) {
            self.begin(step);
        }
        // Before what is new is heard: a long silence cannot be made good.
        if self.last.heard(self.method) + PATIENCE < step.now() {
            self.wait(step);
        }
        let speaks = self.follow(self.method, step);
        if !speaks {
            self.wait(step);
        }
        let estimate = self.estimate(self.method, step.now());
        if !(estimate.position + estimate.velocity).sum().is_finite() {
            return step.fail(
                "the estimate has left all numbers: what the sensors say, or what is assumed of them, is absurd",
            );
        }
        step.write(self.position, estimate.position.into());
        step.write(self.velocity, estimate.velocity.into());
        step.write(self.attitude, estimate.attitude);
        let filter = if self.method == Method::Kalman { self.filter.refused() } else { 0 };
        if self.refused + filter != self.shown {
            self.shown = self.refused + filter;
            step.write(self.rejected, self.shown);
        }
    }
}
