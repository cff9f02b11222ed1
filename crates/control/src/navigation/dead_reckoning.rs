//! Dead reckoning: attitude from the gyroscope, velocity from the DVL.
//!
//! ```text
//! v = C u,   p' = v       u: velocity in the body, C: body to north, east, down
//! ```
//!
//! From one sample of the gyroscope to the next, h later, u is held in the body and p grows by the
//! trapezoidal rule, h (C0 u + C1 u) / 2. A new sample u1 of the DVL, taken at t1 and T after u0, tells
//! that u went on a straight line from u0 to u1; what p has got too little until the time t of the last
//! sample of the gyroscope is made good:
//!
//! ```text
//! p += C(t1) (u1 - u0) (T/2 + t - t1)
//! ```
//!
//! With all samples at the same times this is the trapezoidal rule for v. It holds for late samples
//! too (t > t1), and for a gyroscope that is later than the DVL (t < t1). The error is O(h² + T²).
//!
//! While the DVL is silent the last velocity holds *in the body*: the vehicle turns and the velocity
//! turns with it. When it comes back within [`LONGEST_LINE`] the gap counts as a straight line of u;
//! after a longer one the new velocity counts from its own time on.

use ironbird_kernel::{Duration, Time};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::attitude_track::AttitudeTrack;
use super::estimate::{Estimate, Planet};
use super::history::{seconds, signed_seconds};

/// A longer gap between two samples of the DVL is not taken as a straight line.
pub const LONGEST_LINE: Duration = Duration::from_secs(2);

/// A vehicle that follows its gyroscope and its DVL.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DeadReckoning {
    track: AttitudeTrack,
    /// At the time of the last sample of the gyroscope, like `velocity`.
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    /// The last sample of the DVL, and when it was taken.
    in_body: Vector3<f64>,
    measured: Time,
}

impl DeadReckoning {
    /// Begins somewhere.
    pub fn starting(time: Time, estimate: &Estimate) -> Self {
        DeadReckoning {
            track: AttitudeTrack::starting(time, estimate.attitude),
            position: estimate.position,
            velocity: estimate.velocity,
            in_body: estimate.attitude.to_body(estimate.velocity),
            measured: time,
        }
    }

    /// Whether there has been a sample of the gyroscope.
    pub fn has_rate(&self) -> bool {
        self.track.has_rate()
    }

    /// Follows a sample of the gyroscope, in rad/s.
    #[inline]
    pub fn turn(&mut self, taken: Time, rate: Vector3<f64>, planet: &Planet) {
        let h = self.track.turn(taken, rate, &planet.rotation);
        let velocity = self.track.attitude().to_ned(self.in_body);
        self.position += (self.velocity + velocity) * (0.5 * h);
        self.velocity = velocity;
    }

    /// Follows samples of both sensors, taken at the same time.
    #[inline]
    pub fn turn_and_measure_velocity(
        &mut self,
        taken: Time,
        rate: Vector3<f64>,
        in_body: Vector3<f64>,
        planet: &Planet,
    ) {
        if self.measured != self.track.time() {
            self.turn(taken, rate, planet);
            return self.measure_velocity(taken, in_body, planet);
        }
        // So were the last ones: the line of u is as long as the step of C, and p grows by v alone.
        let h = self.track.turn(taken, rate, &planet.rotation);
        let velocity = self.track.attitude().to_ned(in_body);
        self.position += (self.velocity + velocity) * (0.5 * h);
        (self.velocity, self.in_body, self.measured) = (velocity, in_body, taken);
    }

    /// Follows a sample of the DVL, in m/s in the body.
    #[inline]
    pub fn measure_velocity(&mut self, taken: Time, in_body: Vector3<f64>, planet: &Planet) {
        let change = in_body - self.in_body;
        let gap = taken - self.measured;
        let line = if gap <= LONGEST_LINE { 0.5 * seconds(gap) } else { 0.0 };
        let time = self.track.time();
        let step = self.track.at(taken, &planet.rotation).to_ned(change);
        self.position += step * (line + signed_seconds(taken, time));
        self.velocity = if taken == time {
            self.velocity + step
        } else {
            self.track.attitude().to_ned(in_body)
        };
        (self.in_body, self.measured) = (in_body, taken);
    }

    /// Moves the vehicle up or down so that it is at this depth.
    pub fn measure_depth(&mut self, taken: Time, depth: f64, planet: &Planet) {
        let position = self.position + self.velocity * signed_seconds(self.track.time(), taken);
        self.position.z += depth - planet.earth.depth(position);
    }

    /// Where the vehicle is now.
    #[inline]
    pub fn estimate(&self, now: Time, planet: &Planet) -> Estimate {
        let time = self.track.time();
        let (position, velocity) = (self.position, self.velocity);
        if now == time {
            return Estimate { position, velocity, attitude: self.track.attitude() };
        }
        let attitude = self.track.at(now, &planet.rotation);
        let then = attitude.to_ned(self.in_body);
        let position = position + (velocity + then) * (0.5 * signed_seconds(time, now));
        Estimate { position, velocity: then, attitude }
    }
}
