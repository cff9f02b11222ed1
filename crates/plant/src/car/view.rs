//! What others see of a car, sampled.
//!
//! ```text
//! lateral acceleration  a = v' + u r        jerk  (a(t) - a(t - h)) / h, with h the step
//! ```
//!
//! v' is the slope of the trajectory of v.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};
use ironbird_solvers::Trajectory;

/// What others see of a car: its motion at the instants of this component, as odometer and inertial
/// sensors without errors show it.
#[derive(Component)]
#[component(type = "car.view", periodic, rate = "100 Hz")]
pub struct CarView {
    /// Place to the north.
    #[input(unit = "m")]
    north: SignalIn<Trajectory>,
    /// Place to the east.
    #[input(unit = "m")]
    east: SignalIn<Trajectory>,
    /// Where the car points, from north to east.
    #[input(unit = "rad")]
    heading: SignalIn<Trajectory>,
    /// Velocity to starboard.
    #[input(unit = "m/s")]
    lateral_velocity: SignalIn<Trajectory>,
    /// Angular velocity, positive to starboard.
    #[input(unit = "rad/s")]
    yaw_rate: SignalIn<Trajectory>,
    /// Velocity forward.
    #[input(unit = "m/s")]
    speed: SignalIn<Trajectory>,
    /// Place; the road is at down = 0.
    #[output(unit = "m", frame = "ned")]
    position: SignalOut<[f64; 3]>,
    /// Velocity over ground.
    #[output(unit = "m/s", frame = "ned")]
    velocity: SignalOut<[f64; 3]>,
    /// Velocity forward.
    #[output(name = "speed", unit = "m/s")]
    forward: SignalOut<f64>,
    /// Angular velocity, positive to starboard.
    #[output(name = "yaw_rate", unit = "rad/s")]
    turning: SignalOut<f64>,
    /// Acceleration of the centre of mass to starboard, parallel to the road.
    #[output(unit = "m/s^2")]
    lateral_acceleration: SignalOut<f64>,
    /// How fast that changes, from step to step; 0 at the first.
    #[output(unit = "m/s^3", initial = 0.0)]
    lateral_jerk: SignalOut<f64>,
    last: Option<(Time, f64)>,
}

impl Periodic for CarView {
    fn step(&mut self, step: &mut Step<'_>) {
        let now = step.now();
        let value = |port: SignalIn<Trajectory>| step.signal(port).at(now);
        let position = [value(self.north), value(self.east), 0.0];
        let (forward, turning) = (value(self.speed), value(self.yaw_rate));
        let [lateral, slope, ..] = step.signal(self.lateral_velocity).from(now).coefficients;
        let (sin, cos) = libm::sincos(value(self.heading));
        let velocity = [forward * cos - lateral * sin, forward * sin + lateral * cos, 0.0];
        let acceleration = slope + forward * turning;
        let jerk = self
            .last
            .map_or(0.0, |(then, before)| (acceleration - before) / (now - then).as_secs_f64());
        self.last = Some((now, acceleration));
        step.write(self.position, position);
        step.write(self.velocity, velocity);
        step.write(self.forward, forward);
        step.write(self.turning, turning);
        step.write(self.lateral_acceleration, acceleration);
        step.write(self.lateral_jerk, jerk);
    }
}
