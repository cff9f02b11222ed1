//! Airspeed and its rate from an airspeed sensor and an accelerometer: a complementary filter.
//!
//! ```text
//! V̂' = a + b + √2 ω (V - V̂)         a: acceleration along the body's x axis, f_x - g sin θ
//! b' = ω² (V - V̂)                   b: what a is wrong by, as in a turn at an angle of attack
//! ```
//!
//! Slow changes come from the airspeed, fast ones from the acceleration; they part at ω (ArduPilot's
//! TECS_SPD_OMEGA).

use std::f64::consts::SQRT_2;

use serde::{Deserialize, Serialize};

/// The filter.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct AirspeedFilter {
    /// V̂, from the first step on.
    airspeed: Option<f64>,
    bias: f64,
}

impl AirspeedFilter {
    /// The airspeed and its rate after `elapsed` seconds.
    pub fn update(
        &mut self,
        measured: f64,
        acceleration: f64,
        omega: f64,
        elapsed: f64,
    ) -> [f64; 2] {
        let estimate = self.airspeed.get_or_insert(measured);
        // Explicit Euler is stable while ω · elapsed is small; slower steps take the measured value.
        if omega * elapsed > 0.5 {
            *estimate = measured;
            return [measured, acceleration + self.bias];
        }
        let error = measured - *estimate;
        self.bias += omega * omega * error * elapsed;
        *estimate += (acceleration + self.bias + SQRT_2 * omega * error) * elapsed;
        [*estimate, acceleration + self.bias]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_acceleration_is_found_out() {
        let mut filter = AirspeedFilter::default();
        // The true acceleration is 0.2 m/s², the accelerometer shows 0.7.
        let last = (0..500).map(|n| filter.update(15.0 + 0.004 * f64::from(n), 0.7, 2.0, 0.02));
        let [airspeed, rate] = last.last().expect("steps");
        assert!((rate - 0.2).abs() < 0.01, "{rate}");
        assert!((airspeed - 16.996).abs() < 0.02, "{airspeed}");
    }
}
