//! A first-order lag between samples.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// Follows its input with the time constant tau: y' = (u - y) / tau, solved exactly for an input that
/// keeps its new value since the last sample.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lag {
    at: Option<(Time, f64)>,
}

impl Lag {
    /// Settled at `value`.
    pub fn start(&mut self, now: Time, value: f64) {
        self.at = Some((now, value));
    }

    /// Where it is at `now`, given the input. Without a time constant, and at first, it is the input.
    pub fn follow(&mut self, now: Time, input: f64, tau: f64) -> f64 {
        let value = match self.at {
            Some((last, value)) if tau > 0.0 => {
                let elapsed = (now - last).as_secs_f64();
                value + (input - value) * -libm::expm1(-elapsed / tau)
            }
            _ => input,
        };
        self.at = Some((now, value));
        value
    }
}
