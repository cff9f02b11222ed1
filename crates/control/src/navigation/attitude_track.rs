//! Attitude from the samples of a gyroscope.
//!
//! The gyroscope measures the angular velocity ω of the body against the stars. With Ω the rotation of
//! the Earth in north, east, down, and h from sample 0 to sample 1, between which ω is linear
//! (Savage 1998, *Strapdown inertial navigation integration algorithm design part 1*, equations 13 and
//! 33: the last term is that of coning, to second order):
//!
//! ```text
//! φ  = h (ω0 + ω1) / 2 + h² (ω0 × ω1) / 12
//! q1 = exp(-Ω h / 2) q0 exp(φ / 2)
//! ```
//!
//! north, east, down are fixed to the Earth: there is no transport rate. What is wrong after a time is
//! h² (ω'(t) - ω'(0)) / 12: it does not accumulate.

use ironbird_kernel::Time;
use ironbird_kinematics::Attitude;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use super::history::{History, fraction, seconds};

/// An attitude that follows a gyroscope, and what it was shortly before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AttitudeTrack {
    time: Time,
    attitude: Attitude,
    /// The last sample, if there was one.
    rate: Vector3<f64>,
    has_rate: bool,
    /// The sum of all corrections, so that what was kept before one can be brought up to it.
    corrected: Vector3<f64>,
    history: History<Kept>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Kept {
    attitude: Attitude,
    corrected: Vector3<f64>,
}

impl AttitudeTrack {
    /// A track that begins with this attitude.
    pub fn starting(time: Time, attitude: Attitude) -> Self {
        AttitudeTrack { time, attitude, ..AttitudeTrack::default() }
    }

    /// When the last sample was taken.
    pub fn time(&self) -> Time {
        self.time
    }

    /// The attitude at that time.
    pub fn attitude(&self) -> Attitude {
        self.attitude
    }

    /// Whether there has been a sample at all.
    pub fn has_rate(&self) -> bool {
        self.has_rate
    }

    /// Follows a sample `rate` in rad/s; `earth` is the rotation of the Earth. How many seconds have
    /// passed since the one before it. Samples that are not later than that one are no news.
    #[inline]
    pub fn turn(&mut self, taken: Time, rate: Vector3<f64>, earth: &Vector3<f64>) -> f64 {
        let before = if self.has_rate { self.rate } else { rate };
        self.has_rate = true;
        if taken <= self.time {
            self.rate = before;
            return 0.0;
        }
        let h = seconds(taken - self.time);
        let angle = (before + rate) * (0.5 * h) + before.cross(&rate) * (h * h / 12.0);
        let AttitudeTrack { time, attitude, corrected, history, .. } = self;
        history.keep(*time, || Kept { attitude: *attitude, corrected: *corrected });
        self.attitude = turned(self.attitude, angle, h, earth);
        (self.rate, self.time) = (rate, taken);
        h
    }

    /// The attitude at any time: between what was kept, or on with the last rate.
    #[inline]
    pub fn at(&self, time: Time, earth: &Vector3<f64>) -> Attitude {
        if time == self.time { self.attitude } else { self.elsewhere(time, earth) }
    }

    #[inline(never)]
    fn elsewhere(&self, time: Time, earth: &Vector3<f64>) -> Attitude {
        if time > self.time {
            let h = seconds(time - self.time);
            let angle = self.rate * h;
            return if self.has_rate {
                turned(self.attitude, angle, h, earth)
            } else {
                self.attitude
            };
        }
        let ((from, a), (to, b)) = self.history.around(time, (self.time, self.present()));
        let (a, b) = (self.up_to_date(a), self.up_to_date(b));
        // Moments are so close that the straight line between two quaternions does.
        let (a, b) = (a.into_inner(), b.into_inner());
        let b = if a.coords.dot(&b.coords) < 0.0 { -b } else { b };
        UnitQuaternion::new_normalize(a.lerp(&b, fraction(from, to, time))).into()
    }

    /// Turns all of it by a small rotation vector in north, east, down, and changes the last rate.
    pub fn correct(&mut self, angle: Vector3<f64>, rate: Vector3<f64>) {
        self.corrected += angle;
        self.attitude = (rotation(angle) * self.attitude.quaternion()).into();
        self.rate += rate;
    }

    fn present(&self) -> Kept {
        Kept { attitude: self.attitude, corrected: self.corrected }
    }

    fn up_to_date(&self, kept: Kept) -> UnitQuaternion<f64> {
        rotation(self.corrected - kept.corrected) * kept.attitude.quaternion()
    }
}

/// A small rotation vector as a quaternion.
fn rotation(angle: Vector3<f64>) -> UnitQuaternion<f64> {
    Attitude::default().turned(angle).quaternion()
}

/// The attitude after the body has turned by `angle` against the stars in `h` seconds.
#[inline]
fn turned(attitude: Attitude, angle: Vector3<f64>, h: f64, earth: &Vector3<f64>) -> Attitude {
    if *earth == Vector3::zeros() {
        // A vehicle that goes straight on has nothing to turn.
        return if angle == Vector3::zeros() { attitude } else { attitude.turned(angle) };
    }
    // exp(-Ω h / 2) to first order, as `turned` scales to length one: what is left out is (Ω h)³ / 24.
    let lean = earth * (-0.5 * h);
    let Attitude { w, x, y, z } = attitude;
    let q = Quaternion::new(w, x, y, z);
    let vector = q.vector().into_owned();
    let q = Quaternion::from_parts(w - lean.dot(&vector), vector + lean * w + lean.cross(&vector));
    Attitude { w: q.w, x: q.i, y: q.j, z: q.k }.turned(angle)
}
