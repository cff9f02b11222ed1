//! How the covariance goes on with time: P ← Φ P Φᵀ + Q.
//!
//! Over an interval τ with the velocity v, gravity g and the attitude C at its end, Φ = exp(F τ) to the terms
//! that matter at τ of some 10 ms:
//!
//! ```text
//!      δp      η             δθ                            b_g                        b_a
//! δp   1       τ             -τ [v]× + τ²/2 [g]×           -τ³/6 [g]× C               -τ²/2 C
//! η    Γ τ     1 - 2τ [Ω]×   τ ([g]× + [v]× [Ω]×)          -τ [v]× C - τ²/2 [g]× C    -τ C
//! δθ           0             1 - τ [Ω]×                    -τ C
//! ```
//!
//! with Γ = g/R (3 d dᵀ - 1) the gradient of gravity of a sphere, d straight down, and white noise of
//! density n: Q of η n_a² τ - n_g² τ [v]×², of the place n_a² τ³/3, between both n_a² τ²/2, of the angle n_g² τ,
//! between η and the angle n_g² τ [v]×. The other states have no dynamics but the decay of the compass's error, so that only nine
//! rows and columns change: what is multiplied are blocks of 3 × 3.

use ironbird_kinematics::SEMI_MAJOR;
use nalgebra::{Matrix3, SMatrix, Vector3};

use super::super::history::seconds;
use super::state::{ACCELEROMETER_BIAS, ANGLE, COMPASS_BIAS, GYROSCOPE_BIAS, POSITION, VELOCITY};
use super::{Assumptions, ErrorStateFilter, Planet, STATES};

/// Three columns of the covariance.
type Columns = SMatrix<f64, STATES, 3>;

/// The blocks of Φ that are neither zero nor one.
struct Transition {
    step: f64,
    velocity_position: Matrix3<f64>,
    velocity_velocity: Matrix3<f64>,
    velocity_angle: Matrix3<f64>,
    /// -τ [v]×.
    position_angle: Matrix3<f64>,
    angle_angle: Matrix3<f64>,
    /// -τ C.
    turned: Matrix3<f64>,
    /// -τ [v]× C.
    carried: Matrix3<f64>,
    /// -τ²/2 [g]× C.
    tilting: Matrix3<f64>,
}

impl Transition {
    fn new(
        step: f64,
        velocity: &Vector3<f64>,
        gravity: &Vector3<f64>,
        c: Matrix3<f64>,
        omega: &Vector3<f64>,
    ) -> Self {
        let (one, size) = (Matrix3::identity(), gravity.norm());
        let down = gravity / size.max(f64::MIN_POSITIVE);
        let gradient = (down * down.transpose() * 3.0 - one) * (size / SEMI_MAJOR);
        let (velocity, gravity) = (velocity.cross_matrix(), gravity.cross_matrix());
        let omega = omega.cross_matrix();
        let turned = c * -step;
        Transition {
            step,
            velocity_position: gradient * step,
            velocity_velocity: one - omega * (2.0 * step),
            velocity_angle: (gravity + velocity * omega) * step,
            position_angle: velocity * -step,
            angle_angle: one - omega * step,
            turned,
            carried: velocity * turned,
            tilting: gravity * turned * (0.5 * step),
        }
    }

    /// The columns of P Φᵀ that differ from those of P, of which `columns(i)` are three from i on;
    /// by symmetry it is Φ P as well where P is symmetric.
    fn apply<const N: usize>(
        &self,
        [p, v, a, g, b]: [&SMatrix<f64, N, 3>; 5],
    ) -> [SMatrix<f64, N, 3>; 3] {
        let half = 0.5 * self.step;
        let (angle, bias) = (a * self.velocity_angle.transpose(), b * self.turned.transpose());
        let drift = g * self.tilting.transpose();
        [
            p + v * self.step
                + a * self.position_angle.transpose()
                + (angle + bias) * half
                + drift * (self.step / 3.0),
            p * self.velocity_position.transpose()
                + v * self.velocity_velocity.transpose()
                + angle
                + bias
                + drift
                + g * self.carried.transpose(),
            a * self.angle_angle.transpose() + g * self.turned.transpose(),
        ]
    }
}

impl ErrorStateFilter {
    /// Brings the covariance to the time of the last sample of the accelerometer.
    pub(super) fn propagate(&mut self, planet: &Planet, assumed: &Assumptions) {
        let step = seconds(self.nominal.time() - self.covered);
        if step <= 0.0 {
            return;
        }
        let attitude = self.nominal.track().attitude().quaternion();
        let transition = Transition::new(
            step,
            &self.nominal.moved().1,
            &self.nominal.gravity(),
            attitude.to_rotation_matrix().into_inner(),
            &planet.rotation,
        );
        self.covered = self.nominal.time();
        self.spread(&transition);
        self.add_noise(step, assumed);
    }

    /// P ← Φ P Φᵀ.
    fn spread(&mut self, transition: &Transition) {
        let covariance = &mut self.covariance;
        let blocks = [POSITION, VELOCITY, ANGLE, GYROSCOPE_BIAS, ACCELEROMETER_BIAS];
        let columns = blocks.map(|from| covariance.fixed_columns::<3>(from).into_owned());
        let [p, v, a, g, b] = &columns;
        // P Φᵀ, three times three columns; its rows of states without dynamics are final.
        let moved: [Columns; 3] = transition.apply([p, v, a, g, b]);
        let mut cross = SMatrix::<f64, STATES, 9>::zeros();
        for (index, columns) in moved.iter().enumerate() {
            cross.fixed_columns_mut::<3>(3 * index).copy_from(columns);
        }
        // Φ (P Φᵀ) for the nine rows: transposed, it is the same operation on columns.
        let rows = blocks.map(|from| cross.fixed_rows::<3>(from).transpose());
        let [p, v, a, g, b] = &rows;
        let corner: [SMatrix<f64, 9, 3>; 3] = transition.apply([p, v, a, g, b]);
        covariance.fixed_view_mut::<STATES, 9>(0, 0).copy_from(&cross);
        let below = cross.fixed_rows::<{ STATES - 9 }>(9).transpose();
        covariance.fixed_view_mut::<9, { STATES - 9 }>(0, 9).copy_from(&below);
        for (index, columns) in corner.iter().enumerate() {
            covariance.fixed_view_mut::<9, 3>(0, 3 * index).copy_from(columns);
        }
    }

    /// P ← P + Q, with the decay of the compass's error.
    fn add_noise(&mut self, step: f64, assumed: &Assumptions) {
        let velocity = self.nominal.moved().1.cross_matrix();
        let covariance = &mut self.covariance;
        let squared = |density: f64| density * density * step;
        let force = squared(assumed.accelerometer_noise);
        let (turn, gyroscope_bias) =
            (squared(assumed.gyroscope_noise), squared(assumed.gyroscope_walk));
        let accelerometer_bias = squared(assumed.accelerometer_walk);
        for axis in 0..3 {
            let (p, v) = (POSITION + axis, VELOCITY + axis);
            covariance[(p, p)] += force * step * step / 3.0;
            covariance[(p, v)] += force * step / 2.0;
            covariance[(v, p)] += force * step / 2.0;
            covariance[(v, v)] += force;
            covariance[(ANGLE + axis, ANGLE + axis)] += turn;
            let bias = GYROSCOPE_BIAS + axis;
            covariance[(bias, bias)] += gyroscope_bias;
            let bias = ACCELEROMETER_BIAS + axis;
            covariance[(bias, bias)] += accelerometer_bias;
        }
        let mut carried = covariance.fixed_view_mut::<3, 3>(VELOCITY, ANGLE);
        carried += velocity * turn;
        let mut carried = covariance.fixed_view_mut::<3, 3>(ANGLE, VELOCITY);
        carried -= velocity * turn;
        let mut carried = covariance.fixed_view_mut::<3, 3>(VELOCITY, VELOCITY);
        carried -= velocity * velocity * turn;
        let decay = libm::exp(-step / assumed.compass_correlation);
        covariance.column_mut(COMPASS_BIAS).scale_mut(decay);
        covariance.row_mut(COMPASS_BIAS).scale_mut(decay);
        covariance[(COMPASS_BIAS, COMPASS_BIAS)] +=
            assumed.compass_bias * assumed.compass_bias * (1.0 - decay * decay);
        self.compass_bias *= decay;
    }
}
