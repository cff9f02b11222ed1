//! An error-state Kalman filter: strapdown navigation, held by all other sensors.
//!
//! The *nominal* state is that of [`Strapdown`], fed with samples less the estimated biases. The filter
//! estimates by how much the truth (index t) differs from it (Solà 2017, *Quaternion kinematics for the
//! error-state Kalman filter*, section 7, with the angular error in north, east, down; Groves 2013,
//! sections 14.2 and 3.2):
//!
//! ```text
//! p_t = p + δp,  v_t = v + δθ × v + η,  C_t = (1 + [δθ]×) C,  b_t = b + δb
//! ```
//!
//! | states | of | model |
//! |---|---|---|
//! | 0..3 | δp | δp' = η - [v]× δθ |
//! | 3..6 | η | η' = Γ δp - 2 Ω × η + ([g]× + [v]× [Ω]×) δθ - C (δb_a + n_a) - [v]× C (δb_g + n_g), Γ the gradient of gravity |
//! | 6..9 | δθ | δθ' = -Ω × δθ - C (δb_g + n_g) |
//! | 9..12, 12..15 | biases b_g, b_a of gyroscope and accelerometer | random walk |
//! | 15..18 | scale factors s of the DVL | constant; considered, not estimated |
//! | 18 | misalignment μ of the DVL about down | constant, by default known to be zero |
//! | 19 | slow error of the compass | first-order Gauss-Markov: its declination and the iron aboard change over minutes |
//! | 20 | bias of the depth | constant |
//!
//! The velocity's error η is that of the velocity in the body: C_tᵀ v_t = Cᵀ (v + η). So a DVL tells nothing of
//! the heading, which it cannot see, and the specific force drops out of the transition. With the plain error
//! v_t - v both hold only as far as the estimate of the velocity does not jump at each measurement, and the
//! filter would believe to see the heading a little at each of them (the right-invariant error of Barrau and
//! Bonnabel 2017, *The invariant extended Kalman filter as a stable observer*).
//!
//! The angle's error is in north, east, down, not in the body, because then heading and tilt keep apart however
//! the vehicle turns, and the transition does not depend on the rate of turn. The errors of fixes are
//! taken as white: a receiver is on the surface for minutes, and a state for its slow error would be
//! as uncertain as the place it is to correct; `gps.horizontal` should be the whole error.
//! Sensors are taken to be at the origin of the body (no lever arms).

mod assumptions;
mod propagation;
mod sensors;
mod update;

use ironbird_kernel::Time;
use nalgebra::{SMatrix, SVector, Vector3};
use serde::{Deserialize, Serialize};

use super::estimate::{Estimate, Planet};
use super::history::{History, fraction, seconds};
use super::strapdown::Strapdown;
pub use assumptions::{Assumptions, KalmanParameters};

/// How many states there are.
pub const STATES: usize = 21;

/// Where the states begin.
pub(super) mod state {
    pub const POSITION: usize = 0;
    pub const VELOCITY: usize = 3;
    pub const ANGLE: usize = 6;
    pub const GYROSCOPE_BIAS: usize = 9;
    pub const ACCELEROMETER_BIAS: usize = 12;
    pub const DVL_SCALE: usize = 15;
    pub const DVL_MISALIGNMENT: usize = 18;
    pub const COMPASS_BIAS: usize = 19;
    pub const DEPTH_BIAS: usize = 20;
}

/// Covariance of the error state.
pub type Covariance = SMatrix<f64, STATES, STATES>;

/// The filter: strapdown navigation, and the covariance of its error.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ErrorStateFilter {
    nominal: Strapdown,
    /// Estimates of the states from [`state::GYROSCOPE_BIAS`] on.
    gyroscope_bias: Vector3<f64>,
    accelerometer_bias: Vector3<f64>,
    dvl_misalignment: f64,
    compass_bias: f64,
    depth_bias: f64,
    covariance: Covariance,
    /// The time of the covariance.
    covered: Time,
    /// Sums of all corrections, so that what was kept before one can be brought up to it.
    corrected: Moved,
    history: History<Kept>,
    refusals: [u32; update::SENSORS],
    refused: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Moved {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Kept {
    moved: Moved,
    corrected: Moved,
}

impl ErrorStateFilter {
    /// Begins somewhere, with no known biases.
    pub fn starting(
        time: Time,
        estimate: &Estimate,
        planet: &Planet,
        assumed: &Assumptions,
    ) -> Self {
        let mut deviations = SVector::<f64, STATES>::zeros();
        let mut set = |from: usize, values: &[f64]| {
            deviations.rows_mut(from, values.len()).copy_from_slice(values);
        };
        let (horizontal, tilt) = (assumed.initial_horizontal, assumed.initial_tilt);
        set(state::POSITION, &[horizontal, horizontal, assumed.initial_vertical]);
        set(state::VELOCITY, &[assumed.initial_velocity; 3]);
        set(state::ANGLE, &[tilt, tilt, assumed.initial_heading]);
        set(state::GYROSCOPE_BIAS, &[assumed.gyroscope_bias; 3]);
        set(state::ACCELEROMETER_BIAS, &[assumed.accelerometer_bias; 3]);
        set(state::DVL_SCALE, &[assumed.dvl_scale; 3]);
        set(state::DVL_MISALIGNMENT, &[assumed.dvl_misalignment]);
        set(state::COMPASS_BIAS, &[assumed.compass_bias]);
        set(state::DEPTH_BIAS, &[assumed.depth_bias]);
        // What is known of velocity and angle apart from each other, as η = δv + [v]× δθ.
        let mut plain = Covariance::identity();
        let carried = estimate.velocity.cross_matrix();
        plain.fixed_view_mut::<3, 3>(state::VELOCITY, state::ANGLE).copy_from(&carried);
        let covariance = Covariance::from_diagonal(&deviations.component_mul(&deviations));
        ErrorStateFilter {
            nominal: Strapdown::starting(time, estimate, planet),
            covariance: plain * covariance * plain.transpose(),
            covered: time,
            ..ErrorStateFilter::default()
        }
    }

    /// Whether there have been samples of both inertial sensors.
    pub fn has_samples(&self) -> bool {
        self.nominal.has_samples()
    }

    /// Follows a sample of the gyroscope, in rad/s.
    pub fn turn(&mut self, taken: Time, rate: Vector3<f64>, planet: &Planet) {
        self.nominal.turn(taken, rate - self.gyroscope_bias, planet);
    }

    /// Follows a sample of the accelerometer, in m/s².
    pub fn push(
        &mut self,
        taken: Time,
        force: Vector3<f64>,
        planet: &Planet,
        assumed: &Assumptions,
    ) {
        let (time, kept) = (self.nominal.time(), self.present());
        self.history.keep(time, || kept);
        self.nominal.push(taken, force - self.accelerometer_bias, planet);
        if seconds(self.nominal.time() - self.covered) >= assumed.period {
            self.propagate(planet, assumed);
        }
    }

    /// Where the vehicle is now.
    pub fn estimate(&self, now: Time, planet: &Planet) -> Estimate {
        self.nominal.estimate(now, planet)
    }

    /// Covariance of the error state, at the last sample of the accelerometer or a little earlier.
    pub fn covariance(&self) -> &Covariance {
        &self.covariance
    }

    /// Estimated bias of the gyroscope in rad/s.
    pub fn gyroscope_bias(&self) -> Vector3<f64> {
        self.gyroscope_bias
    }

    /// Estimated bias of the accelerometer in m/s².
    pub fn accelerometer_bias(&self) -> Vector3<f64> {
        self.accelerometer_bias
    }

    /// Estimated misalignment of the DVL about down in rad.
    pub fn dvl_misalignment(&self) -> f64 {
        self.dvl_misalignment
    }

    /// How many measurements were refused.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn present(&self) -> Kept {
        let (position, velocity) = self.nominal.moved();
        Kept { moved: Moved { position, velocity }, corrected: self.corrected }
    }

    /// The estimate at the time of a measurement, brought up to the corrections made since.
    fn at(&self, time: Time, planet: &Planet) -> Estimate {
        if time >= self.nominal.time() {
            return self.nominal.estimate(time, planet);
        }
        let present = (self.nominal.time(), self.present());
        let ((from, a), (to, b)) = self.history.around(time, present);
        let now = &self.corrected;
        let place = |kept: &Kept| kept.moved.position + now.position - kept.corrected.position;
        let speed = |kept: &Kept| kept.moved.velocity + now.velocity - kept.corrected.velocity;
        let part = fraction(from, to, time);
        Estimate {
            position: place(&a).lerp(&place(&b), part),
            velocity: speed(&a).lerp(&speed(&b), part),
            attitude: self.nominal.track().at(time, &planet.rotation),
        }
    }
}
