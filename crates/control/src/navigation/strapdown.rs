//! Strapdown inertial navigation: attitude from the gyroscope, velocity and place from the
//! accelerometer.
//!
//! The accelerometer measures the specific force f of the body, so that in north, east, down, which
//! turn with the Earth (Groves 2013, *Principles of GNSS, Inertial, and Multisensor Integrated
//! Navigation Systems*, section 5.3, in a frame fixed to the Earth),
//!
//! ```text
//! v' = C f + g(p) - 2 Ω × v,    p' = v
//! ```
//!
//! From one sample to the next the right-hand side is linear in time (Heun's method, whose predictor
//! is explicit Euler):
//!
//! ```text
//! v1 = v0 + h (a0 + a1) / 2,    p1 = p0 + h v0 + h² (2 a0 + a1) / 6
//! ```

use ironbird_kernel::Time;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::attitude_track::AttitudeTrack;
use super::estimate::{Estimate, Planet};
use super::history::{seconds, signed_seconds};

/// A vehicle that follows its gyroscope and its accelerometer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Strapdown {
    track: AttitudeTrack,
    /// When the last sample of the accelerometer was taken; what follows is of that time.
    time: Time,
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    /// C f, in north, east, down.
    force: Option<Vector3<f64>>,
    gravity: Vector3<f64>,
}

impl Strapdown {
    /// Begins somewhere.
    pub fn starting(time: Time, estimate: &Estimate, planet: &Planet) -> Self {
        Strapdown {
            track: AttitudeTrack::starting(time, estimate.attitude),
            time,
            position: estimate.position,
            velocity: estimate.velocity,
            force: None,
            gravity: planet.earth.gravity(estimate.position),
        }
    }

    /// Whether there have been samples of both sensors.
    pub fn has_samples(&self) -> bool {
        self.track.has_rate() && self.force.is_some()
    }

    /// When the last sample of the accelerometer was taken.
    pub fn time(&self) -> Time {
        self.time
    }

    /// Place and velocity at that time.
    pub fn moved(&self) -> (Vector3<f64>, Vector3<f64>) {
        (self.position, self.velocity)
    }

    /// How the attitude went.
    pub fn track(&self) -> &AttitudeTrack {
        &self.track
    }

    /// Gravity where the vehicle is, in m/s².
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    /// Follows a sample of the gyroscope, in rad/s.
    pub fn turn(&mut self, taken: Time, rate: Vector3<f64>, planet: &Planet) {
        self.track.turn(taken, rate, &planet.rotation);
    }

    /// Follows a sample of the accelerometer, in m/s². Samples that are not later than the one before it
    /// are no news.
    pub fn push(&mut self, taken: Time, force: Vector3<f64>, planet: &Planet) {
        let force = self.track.at(taken, &planet.rotation).to_ned(force);
        if taken <= self.time {
            self.force.get_or_insert(force);
            return;
        }
        let h = seconds(taken - self.time);
        let before = self.force.unwrap_or(force);
        let coriolis = |velocity: &Vector3<f64>| planet.rotation.cross(velocity) * 2.0;
        let first = before + self.gravity - coriolis(&self.velocity);
        let gravity = planet.earth.gravity(self.position + self.velocity * h);
        let second = force + gravity - coriolis(&(self.velocity + first * h));
        self.position += self.velocity * h + (first * 2.0 + second) * (h * h / 6.0);
        self.velocity += (first + second) * (0.5 * h);
        (self.time, self.force, self.gravity) = (taken, Some(force), gravity);
    }

    /// Where the vehicle is now: on with the last acceleration.
    pub fn estimate(&self, now: Time, planet: &Planet) -> Estimate {
        let attitude = self.track.at(now, &planet.rotation);
        let dt = signed_seconds(self.time, now);
        let Some(force) = self.force else {
            let (position, velocity) = (self.position + self.velocity * dt, self.velocity);
            return Estimate { position, velocity, attitude };
        };
        let acceleration = force + self.gravity - planet.rotation.cross(&self.velocity) * 2.0;
        Estimate {
            position: self.position + (self.velocity + acceleration * (0.5 * dt)) * dt,
            velocity: self.velocity + acceleration * dt,
            attitude,
        }
    }

    /// Corrects place and velocity, turns the attitude by a small rotation vector in north, east, down,
    /// and takes changes of the biases, in the body, back from the last samples.
    pub fn correct(
        &mut self,
        position: Vector3<f64>,
        velocity: Vector3<f64>,
        angle: Vector3<f64>,
        [gyroscope_bias, accelerometer_bias]: [Vector3<f64>; 2],
    ) {
        self.position += position;
        self.velocity += velocity;
        self.track.correct(angle, -gyroscope_bias);
        let bias = self.track.attitude().to_ned(accelerometer_bias);
        self.force = self.force.map(|force| force + angle.cross(&force) - bias);
    }
}
