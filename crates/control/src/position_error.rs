//! How wrong an estimated place is.
//!
//! ```text
//! e = estimate - position,   normalised = eᵀ P⁻¹ e   (3 degrees of freedom: its mean is 3 if P is right)
//! ```

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use nalgebra::{Matrix3, Vector3};

/// Below this distance in m there is no relative error.
const SHORTEST: f64 = 1.0;

/// Compares an estimated place with the true one.
#[derive(Component)]
#[component(type = "analysis.position-error", periodic, rate = "1 kHz")]
pub struct PositionError {
    /// True place.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Estimated place.
    #[input(unit = "m", frame = "ned")]
    estimate: SignalIn<[f64; 3]>,
    /// Covariance of the estimate, row by row; zero for none.
    #[input(unit = "m^2", frame = "ned", default = [0.0; 9])]
    covariance: SignalIn<[f64; 9]>,
    /// Way made good since the start.
    #[input(unit = "m", default = 0.0)]
    distance: SignalIn<f64>,
    /// Estimate less truth.
    #[output(unit = "m", frame = "ned")]
    error: SignalOut<[f64; 3]>,
    /// Size of its north and east.
    #[output(unit = "m")]
    horizontal: SignalOut<f64>,
    /// Size of the error.
    #[output(unit = "m")]
    total: SignalOut<f64>,
    /// Size of the error per way made good; 0 below 1 m.
    #[output]
    relative: SignalOut<f64>,
    /// Normalised estimation error squared, with 3 degrees of freedom; 0 without a covariance.
    #[output]
    normalised: SignalOut<f64>,
    /// Largest size of the error so far.
    #[output(unit = "m", name = "largest")]
    largest_out: SignalOut<f64>,
    largest: f64,
    had_covariance: bool,
}

impl Periodic for PositionError {
    fn step(&mut self, step: &mut Step<'_>) {
        let position = Vector3::from(*step.signal(self.position));
        let error = Vector3::from(*step.signal(self.estimate)) - position;
        let level = error.x * error.x + error.y * error.y;
        let total = (level + error.z * error.z).sqrt();
        let distance = *step.signal(self.distance);
        let relative = if distance < SHORTEST { 0.0 } else { total / distance };
        step.write(self.error, error.into());
        step.write(self.horizontal, level.sqrt());
        step.write(self.total, total);
        step.write(self.relative, relative);
        if total > self.largest {
            self.largest = total;
            step.write(self.largest_out, total);
        }
        let covariance = step.signal(self.covariance);
        let has_covariance = covariance[0] != 0.0;
        if has_covariance || self.had_covariance {
            let normalised = normalised(&error, covariance);
            step.write(self.normalised, normalised);
            self.had_covariance = has_covariance;
        }
    }
}

/// eᵀ P⁻¹ e; 0 if P is not positive definite.
#[inline(never)]
fn normalised(error: &Vector3<f64>, covariance: &[f64; 9]) -> f64 {
    let root = Matrix3::from_row_slice(covariance).cholesky();
    root.map_or(0.0, |root| error.dot(&root.solve(error)))
}
