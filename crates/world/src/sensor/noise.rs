//! The errors of a measurement.
//!
//! ```text
//! measured = true + offset + b + σ n
//! b' = -b / τ + σ_b √(2 / τ) w         a bias that wanders: Gauss-Markov of the first order, stationary deviation σ_b
//! ```
//!
//! n is normal and new in every measurement; over a time h the bias goes on as b e^(-h/τ) + σ_b √(1 - e^(-2h/τ)) n.
//! Gazebo's `dynamic_bias_stddev` and `dynamic_bias_correlation_time` are σ_b and τ. A `precision` rounds the result.

use ironbird_kernel::RandomStream;

/// Errors of one number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Always added.
    pub offset: f64,
    /// σ: standard deviation of what is new in every measurement.
    pub deviation: f64,
    /// σ_b: standard deviation of the bias that wanders.
    pub bias_deviation: f64,
    /// τ in s; zero where the bias is drawn once.
    pub correlation_time: f64,
    /// The smallest difference that it can show; zero where there is none.
    pub precision: f64,
}

/// The bias of one number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NoiseState {
    pub bias: f64,
    /// Whether it has been drawn.
    pub begun: bool,
}

impl Noise {
    /// What is shown of a true number, `passed` seconds after the measurement before.
    pub(crate) fn show(
        &self,
        exact: f64,
        passed: f64,
        state: &mut NoiseState,
        random: &mut RandomStream,
    ) -> f64 {
        if *self == Noise::default() {
            return exact;
        }
        // Two numbers are drawn in any case, so that one parameter does not shift the draws of the others.
        let (new, wander) = (random.normal(), random.normal());
        if !state.begun {
            *state = NoiseState { bias: self.bias_deviation * wander, begun: true };
        } else if self.correlation_time > 0.0 {
            let kept = libm::exp(-passed / self.correlation_time);
            let fresh = self.bias_deviation * (1.0 - kept * kept).max(0.0).sqrt();
            state.bias = state.bias * kept + fresh * wander;
        }
        let shown = exact + self.offset + state.bias + self.deviation * new;
        if self.precision > 0.0 {
            libm::round(shown / self.precision) * self.precision
        } else {
            shown
        }
    }
}
