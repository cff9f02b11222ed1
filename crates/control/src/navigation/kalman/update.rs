//! What a measurement changes: gates, gain, covariance, correction.
//!
//! With the innovation y, its model H, white noise R and S = H P Hᵀ + R (Groves 2013, section 3.2):
//!
//! ```text
//! K = P Hᵀ S⁻¹,   δx = K y,   P ← (1 - K H) P (1 - K H)ᵀ + K R Kᵀ      (Joseph's form)
//! ```
//!
//! which keeps P symmetric and positive whatever is rounded. A measurement is refused where yᵀ S⁻¹ y is
//! beyond its chi-square quantile. The correction goes into the nominal state at once; as the angular
//! error is small, its Jacobian of the reset is taken as one (Solà 2017, section 7.3).
//!
//! The scale factors of the DVL are *considered*, not estimated (Schmidt's filter; Groves 2013, section 3.4.2): their
//! rows of K are zero, and P holds for any K in Joseph's form. They are seen only through small changes of
//! velocity, and their derivative, the velocity, has an error that goes with the innovation. Over thousands of
//! measurements that shifts an estimate by more than it is worth, and by more than the filter knows.
//!
//! A late measurement has its innovation computed from the estimate at the time at which it was taken,
//! but acts with the covariance of now: right as long as the error has hardly changed since, which is
//! so within the half second for which estimates are kept. What is older is compared with the oldest.

use nalgebra::{SMatrix, SVector, Vector3};

use super::state::{
    ACCELEROMETER_BIAS, ANGLE, COMPASS_BIAS, DEPTH_BIAS, DVL_MISALIGNMENT, DVL_SCALE,
    GYROSCOPE_BIAS, POSITION, VELOCITY,
};
use super::{Assumptions, ErrorStateFilter, STATES};

/// Whose refusals are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sensor {
    Dvl,
    Barometer,
    Compass,
    GpsPosition,
    GpsVelocity,
}

/// How many of them there are.
pub(super) const SENSORS: usize = 5;

impl Sensor {
    /// The states that are wrong when nobody believes it: the first, and how many.
    fn measures(self) -> (usize, usize) {
        match self {
            Sensor::Dvl | Sensor::GpsVelocity => (VELOCITY, 3),
            Sensor::GpsPosition => (POSITION, 3),
            Sensor::Barometer => (POSITION + 2, 1),
            Sensor::Compass => (ANGLE + 2, 1),
        }
    }
}

/// A measurement, compared with what was expected.
pub(super) struct Measurement<const M: usize> {
    pub innovation: SVector<f64, M>,
    /// H: how the measurement changes with the error state.
    pub model: SMatrix<f64, M, STATES>,
    /// Diagonal of R.
    pub variance: SVector<f64, M>,
}

impl ErrorStateFilter {
    /// Takes a measurement in, unless it is too unlikely.
    pub(super) fn update<const M: usize>(
        &mut self,
        sensor: Sensor,
        measurement: &Measurement<M>,
        assumed: &Assumptions,
    ) {
        if self.try_update(measurement, assumed) {
            self.refusals[sensor as usize] = 0;
            return;
        }
        self.refused += 1;
        self.refusals[sensor as usize] += 1;
        if self.refusals[sensor as usize] >= assumed.patience {
            self.refusals[sensor as usize] = 0;
            let (from, count) = sensor.measures();
            let miss = measurement.innovation.norm_squared();
            for state in from..from + count {
                self.covariance[(state, state)] += miss;
            }
            self.try_update(measurement, assumed);
        }
    }

    /// Whether the measurement was likely enough.
    fn try_update<const M: usize>(
        &mut self,
        measurement: &Measurement<M>,
        assumed: &Assumptions,
    ) -> bool {
        let Measurement { innovation, model, variance } = measurement;
        let cross = model * self.covariance;
        let spread = cross * model.transpose() + SMatrix::from_diagonal(variance);
        let Some(root) = spread.cholesky() else { return false };
        let unlikely = innovation.dot(&root.solve(innovation));
        // What is not a number is not likely either.
        let is_likely = unlikely <= quantile(M, assumed.gate);
        if !is_likely {
            return false;
        }
        let mut gain = root.solve(&cross).transpose();
        gain.fixed_rows_mut::<3>(DVL_SCALE).fill(0.0);
        let mut covariance = self.covariance - gain * cross;
        let mut noise = gain;
        for (mut column, variance) in noise.column_iter_mut().zip(variance.iter()) {
            column.scale_mut(*variance);
        }
        let rest = noise - covariance * model.transpose();
        covariance += rest * gain.transpose();
        self.covariance = (covariance + covariance.transpose()) * 0.5;
        self.correct(&(gain * innovation));
        true
    }

    fn correct(&mut self, error: &SVector<f64, STATES>) {
        let part = |from: usize| Vector3::from(error.fixed_rows::<3>(from));
        let (position, angle) = (part(POSITION), part(ANGLE));
        let velocity = part(VELOCITY) + angle.cross(&self.nominal.moved().1);
        let biases = [part(GYROSCOPE_BIAS), part(ACCELEROMETER_BIAS)];
        self.nominal.correct(position, velocity, angle, biases);
        self.corrected.position += position;
        self.corrected.velocity += velocity;
        self.gyroscope_bias += biases[0];
        self.accelerometer_bias += biases[1];
        self.dvl_misalignment += error[DVL_MISALIGNMENT];
        self.compass_bias += error[COMPASS_BIAS];
        self.depth_bias += error[DEPTH_BIAS];
    }
}

/// The chi-square quantile of so many degrees of freedom that is as unlikely as a normal deviation, to
/// one side (Wilson and Hilferty 1931); it is off by some percent.
fn quantile(degrees: usize, deviation: f64) -> f64 {
    let k = degrees as f64;
    let spread = 2.0 / (9.0 * k);
    let root = 1.0 - spread + deviation * spread.sqrt();
    k * root * root * root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_near_those_of_the_tables() {
        // Beyond three deviations, to one side, lie 0.00135: chi-square with 1 and with 3 degrees.
        assert!((quantile(1, 3.0) / 10.27 - 1.0).abs() < 0.04, "{}", quantile(1, 3.0));
        assert!((quantile(3, 3.0) / 15.63 - 1.0).abs() < 0.02, "{}", quantile(3, 3.0));
    }
}
