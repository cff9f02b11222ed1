//! The inner loop of roll and pitch: from a demanded angular rate to the deflection of a surface.
//!
//! ```text
//!              ┌──────────── FF · s ───────────┐
//!              │                               ▼
//! demand ω_d ──┴─►(Σ)──e──► P + I/s ── s² ──►(Σ)──► limit ──► deflection
//!                 -▲                          -▲
//! rate ω ──────────┴───────── D · d/dt ── s² ──┘           s = scaling speed / airspeed
//! ```
//!
//! ArduPilot, *Plane: Roll, Pitch and Yaw Controller Tuning* (4.1 and later). A surface turns with the
//! square of the airspeed, ω' = L_ω V ω + L_δ V² δ. So corrections, which are accelerations, need
//! deflections with 1/V² and a steady rate needs one with 1/V: hence s² and s. The derivative is that of
//! the measured rate, so that a step of the demand does not kick. The integral stands still while it
//! would drive the deflection further beyond its limit.

use serde::{Deserialize, Serialize};

use crate::integral::Integral;
use crate::lag::Lag;

/// Gains and limits; deflections in rad, rates in rad/s.
pub(super) struct RateGains {
    pub p: f64,
    pub i: f64,
    pub d: f64,
    pub feed_forward: f64,
    /// Time constant of the lag of the derivative in s.
    pub derivative_filter: f64,
    pub integrator_limit: f64,
    pub deflection_limit: f64,
}

/// The state of the loop.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct RateLoop {
    integral: Integral,
    acceleration: Lag,
    last_rate: Option<f64>,
}

impl RateLoop {
    /// A loop whose integral is at this: all that one without a derivative keeps.
    pub fn resumed(integral: f64) -> Self {
        RateLoop { integral: Integral(integral), ..RateLoop::default() }
    }

    /// Where the integral is.
    pub fn integral(&self) -> f64 {
        self.integral.0
    }

    /// The deflection that turns towards the demand; positive for a positive rate. `bias` is a
    /// deflection that is always there.
    pub fn deflection(
        &mut self,
        gains: &RateGains,
        [demand, rate]: [f64; 2],
        [scale, bias]: [f64; 2],
        elapsed: f64,
    ) -> f64 {
        let square = scale * scale;
        let before = self.last_rate.replace(rate).unwrap_or(rate);
        if elapsed > 0.0 {
            let slope = (rate - before) / elapsed;
            self.acceleration.follow(slope, elapsed, gains.derivative_filter);
        }
        let error = demand - rate;
        let fast = square * (gains.p * error - gains.d * self.acceleration.0);
        let rest = bias + gains.feed_forward * scale * demand + fast;
        let growth = gains.i * square * error * elapsed;
        let limit = gains.deflection_limit;
        self.integral.bounded(rest, growth, gains.integrator_limit, [-limit, limit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAINS: RateGains = RateGains {
        p: 0.1,
        i: 0.5,
        d: 0.01,
        feed_forward: 0.2,
        derivative_filter: 0.0,
        integrator_limit: 0.3,
        deflection_limit: 0.4,
    };

    #[test]
    fn corrections_scale_with_the_square_of_the_speed_and_the_feed_forward_with_the_speed() {
        let slow = RateLoop::default().deflection(&GAINS, [0.5, 0.3], [1.0, 0.0], 0.0);
        let fast = RateLoop::default().deflection(&GAINS, [0.5, 0.3], [0.5, 0.0], 0.0);
        assert!((slow - (0.2 * 0.5 + 0.1 * 0.2)).abs() < 1e-15);
        assert!((fast - (0.2 * 0.5 / 2.0 + 0.1 * 0.2 / 4.0)).abs() < 1e-15);
    }

    #[test]
    fn a_step_of_the_demand_does_not_kick_through_the_derivative() {
        let mut rates = RateLoop::default();
        rates.deflection(&GAINS, [0.0, 0.0], [1.0, 0.0], 0.02);
        let steps = rates.deflection(&RateGains { i: 0.0, ..GAINS }, [0.5, 0.0], [1.0, 0.0], 0.02);
        assert!((steps - (0.2 * 0.5 + 0.1 * 0.5)).abs() < 1e-15);
    }

    #[test]
    fn the_integral_does_not_wind_up_at_the_limit_of_the_deflection() {
        let mut rates = RateLoop::default();
        for _ in 0..500 {
            // 0.2 · 2 + 0.1 · 2 is beyond the limit from the start.
            assert_eq!(rates.deflection(&GAINS, [2.0, 0.0], [1.0, 0.0], 0.02), 0.4);
        }
        assert_eq!(rates.deflection(&GAINS, [0.0, 0.0], [1.0, 0.0], 0.02), 0.0);
    }

    #[test]
    fn the_integral_keeps_to_its_own_limit() {
        let mut rates = RateLoop::default();
        let gains = RateGains { p: 0.0, feed_forward: 0.0, ..GAINS };
        for _ in 0..500 {
            rates.deflection(&gains, [0.5, 0.0], [1.0, 0.0], 0.02);
        }
        let held = rates.deflection(&gains, [0.0, 0.0], [1.0, 0.0], 0.02);
        assert!((held - 0.3).abs() < 1e-12, "{held}");
    }

    /// ω' = -16 ω + 160 δ, about the roll of an Ultra Stick 25e at 17 m/s, with a constant moment of 4
    /// rad/s² against it: the integral takes that over.
    #[test]
    fn the_rate_of_a_linear_plant_settles_at_the_demand_against_a_constant_moment() {
        let (mut rates, mut rate) = (RateLoop::default(), 0.0);
        let gains = RateGains { feed_forward: 0.1, d: 0.0, ..GAINS };
        for _ in 0..400 {
            let deflection = rates.deflection(&gains, [0.8, rate], [1.0, 0.0], 0.02);
            for _ in 0..20 {
                rate += 0.001 * (-16.0 * rate + 160.0 * deflection - 4.0);
            }
        }
        assert!((rate - 0.8).abs() < 1e-3, "{rate}");
    }
}
