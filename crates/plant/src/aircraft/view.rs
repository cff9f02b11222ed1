//! What others see of an aircraft, sampled.
//!
//! ```text
//! specific force  f = v' + w x v - R^T (0, 0, g)        what accelerometers feel, in the body
//! acceleration    a = R (v' + w x v)                    over ground, north, east, down
//! ```
//!
//! v' is the slope of the trajectories of u, v and w.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};
use ironbird_kinematics::Attitude;
use ironbird_solvers::Trajectory;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// What others see of an aircraft: its motion at the instants of this component, in the frames and forms
/// that sensors and controllers want.
#[derive(Component)]
#[component(type = "aircraft.view", periodic, rate = "50 Hz")]
pub struct AircraftView {
    /// Acceleration of gravity, for the specific force.
    #[parameter(unit = "m/s^2", default = 9.80665, min = 0)]
    gravity: f64,
    /// Place to the north.
    #[input(unit = "m")]
    north: SignalIn<Trajectory>,
    /// Place to the east.
    #[input(unit = "m")]
    east: SignalIn<Trajectory>,
    /// Place downwards.
    #[input(unit = "m")]
    down: SignalIn<Trajectory>,
    /// Velocity over ground forward.
    #[input(unit = "m/s")]
    u: SignalIn<Trajectory>,
    /// Velocity over ground to starboard.
    #[input(unit = "m/s")]
    v: SignalIn<Trajectory>,
    /// Velocity over ground downwards in the body.
    #[input(unit = "m/s")]
    w: SignalIn<Trajectory>,
    /// Attitude, w.
    #[input]
    qw: SignalIn<Trajectory>,
    /// Attitude, x.
    #[input]
    qx: SignalIn<Trajectory>,
    /// Attitude, y.
    #[input]
    qy: SignalIn<Trajectory>,
    /// Attitude, z.
    #[input]
    qz: SignalIn<Trajectory>,
    /// Angular velocity about the forward axis.
    #[input(unit = "rad/s")]
    p: SignalIn<Trajectory>,
    /// Angular velocity about the axis to starboard.
    #[input(unit = "rad/s")]
    q: SignalIn<Trajectory>,
    /// Angular velocity about the axis downwards.
    #[input(unit = "rad/s")]
    r: SignalIn<Trajectory>,
    /// Wind to the north.
    #[input(unit = "m/s", default = 0.0)]
    wind_north: SignalIn<f64>,
    /// Wind to the east.
    #[input(unit = "m/s", default = 0.0)]
    wind_east: SignalIn<f64>,
    /// Wind downwards.
    #[input(unit = "m/s", default = 0.0)]
    wind_down: SignalIn<f64>,
    /// Place.
    #[output(unit = "m", frame = "ned")]
    position: SignalOut<[f64; 3]>,
    /// Velocity over ground.
    #[output(unit = "m/s", frame = "ned")]
    velocity: SignalOut<[f64; 3]>,
    /// Acceleration over ground.
    #[output(unit = "m/s^2", frame = "ned")]
    acceleration: SignalOut<[f64; 3]>,
    /// Attitude.
    #[output]
    attitude: SignalOut<Attitude>,
    /// Velocity over ground as the body sees it.
    #[output(unit = "m/s", frame = "body")]
    velocity_body: SignalOut<[f64; 3]>,
    /// Angular velocity against north, east, down.
    #[output(unit = "rad/s", frame = "body")]
    angular_velocity: SignalOut<[f64; 3]>,
    /// Specific force: acceleration less gravity.
    #[output(unit = "m/s^2", frame = "body")]
    specific_force: SignalOut<[f64; 3]>,
    /// Roll: starboard wing down.
    #[output(unit = "rad")]
    roll: SignalOut<f64>,
    /// Pitch: nose up.
    #[output(unit = "rad")]
    pitch: SignalOut<f64>,
    /// Yaw: heading, from north to east.
    #[output(unit = "rad")]
    yaw: SignalOut<f64>,
    /// Speed through the air.
    #[output(unit = "m/s")]
    airspeed: SignalOut<f64>,
    /// Angle of attack.
    #[output(unit = "rad")]
    alpha: SignalOut<f64>,
    /// Angle of sideslip.
    #[output(unit = "rad")]
    beta: SignalOut<f64>,
    /// Height above the sea.
    #[output(unit = "m")]
    height: SignalOut<f64>,
    /// Speed upwards.
    #[output(unit = "m/s")]
    climb: SignalOut<f64>,
    /// Speed over ground, horizontally.
    #[output(unit = "m/s")]
    ground_speed: SignalOut<f64>,
    /// Direction of the velocity over ground, from north to east.
    #[output(unit = "rad")]
    course: SignalOut<f64>,
}

/// Value and slope of a trajectory.
fn value_and_slope(trajectory: &Trajectory, now: Time) -> (f64, f64) {
    let [value, slope, ..] = trajectory.from(now).coefficients;
    (value, slope)
}

impl Periodic for AircraftView {
    fn step(&mut self, step: &mut Step<'_>) {
        let now = step.now();
        let value = |port: SignalIn<Trajectory>| step.signal(port).at(now);
        let position = [self.north, self.east, self.down].map(value);
        let [w, x, y, z] = [self.qw, self.qx, self.qy, self.qz].map(value);
        let turning = Vector3::from([self.p, self.q, self.r].map(value));
        let moving = [self.u, self.v, self.w].map(|port| value_and_slope(step.signal(port), now));
        let (body, slope) = (moving.map(|(value, _)| value), moving.map(|(_, slope)| slope));
        let attitude = Attitude::from(UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)));
        let body = Vector3::from(body);
        let wind = [self.wind_north, self.wind_east, self.wind_down].map(|port| *step.signal(port));
        let air = body - attitude.to_body(Vector3::from(wind));
        let accelerated = Vector3::from(slope) + turning.cross(&body);
        let weight = attitude.to_body(Vector3::new(0.0, 0.0, self.gravity));
        let velocity = attitude.to_ned(body);
        let [roll, pitch, yaw] = attitude.to_euler();
        step.write(self.position, position);
        step.write(self.velocity, velocity.into());
        step.write(self.acceleration, attitude.to_ned(accelerated).into());
        step.write(self.attitude, attitude);
        step.write(self.velocity_body, body.into());
        step.write(self.angular_velocity, turning.into());
        step.write(self.specific_force, (accelerated - weight).into());
        step.write(self.roll, roll);
        step.write(self.pitch, pitch);
        step.write(self.yaw, yaw);
        step.write(self.airspeed, air.norm());
        step.write(self.alpha, libm::atan2(air.z, air.x));
        step.write(self.beta, libm::atan2(air.y, libm::hypot(air.x, air.z)));
        step.write(self.height, -position[2]);
        step.write(self.climb, -velocity.z);
        step.write(self.ground_speed, libm::hypot(velocity.x, velocity.y));
        step.write(self.course, libm::atan2(velocity.y, velocity.x));
    }
}
