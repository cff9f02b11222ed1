//! A first-order lag in discrete time.

use serde::{Deserialize, Serialize};

/// y' = (u - y) / tau, exact for an input that is held over a step.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lag(pub f64);

impl Lag {
    /// Follows `input` for `elapsed` seconds with the time constant `tau`; at once where that is 0 s.
    pub fn follow(&mut self, input: f64, elapsed: f64, tau: f64) -> f64 {
        let weight = if tau > 0.0 { -libm::expm1(-elapsed / tau) } else { 1.0 };
        self.0 += (input - self.0) * weight;
        self.0
    }
}
