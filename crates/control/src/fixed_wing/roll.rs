//! The roll controller: from a demanded bank to the ailerons.
//!
//! ```text
//! demand φ_d ──►(Σ)──► 1/τ ──► limit ──► rate loop ──► aileron
//!               -▲                         ▲
//! roll φ ────────┘          roll rate p ───┘
//! ```
//!
//! ArduPilot, *Plane: Roll, Pitch and Yaw Controller Tuning*; the inner loop is that of
//! `rate_loop.rs`.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::Attitude;

use super::rate_loop::{RateGains, RateLoop};
use super::seen::{LastStep, not_a_number};
use super::speed_scaling::SpeedScaling;
use crate::autopilot::wrapped;

/// Holds a demanded roll angle with the ailerons, in the structure of ArduPilot: the error of the angle
/// over a time constant is a demanded rate, which a PID with feed-forward turns into a deflection.
///
/// The defaults suit a UAV of 2 kg and 1.27 m span at 17 m/s (Ultra Stick 25e). A positive aileron
/// rolls to starboard.
#[derive(Component)]
#[component(type = "control.roll", periodic, rate = "50 Hz")]
pub struct RollController {
    /// Time from demanded to achieved angle (RLL2SRV_TCONST).
    #[parameter(unit = "s", default = 0.5, above = 0)]
    time_constant: f64,
    /// Largest demanded roll rate (RLL2SRV_RMAX).
    #[parameter(unit = "deg/s", default = 75.0, above = 0)]
    rate_limit: f64,
    /// Deflection per error of the rate (RLL_RATE_P).
    #[parameter(unit = "s", default = 0.05, min = 0)]
    p: f64,
    /// Change of deflection per error of the rate (RLL_RATE_I).
    #[parameter(default = 0.15, min = 0)]
    i: f64,
    /// Deflection against angular acceleration (RLL_RATE_D).
    #[parameter(unit = "s^2", default = 0.0, min = 0)]
    d: f64,
    /// Deflection per demanded rate (RLL_RATE_FF).
    #[parameter(unit = "s", default = 0.1, min = 0)]
    feed_forward: f64,
    /// Time constant of the filter of the angular acceleration (RLL_RATE_FLTD: 12 Hz).
    #[parameter(unit = "s", default = 0.013, min = 0)]
    derivative_filter: f64,
    /// Largest part of the deflection that the integral holds (RLL_RATE_IMAX).
    #[parameter(unit = "deg", default = 10.0, min = 0)]
    integrator_limit: f64,
    /// Largest deflection.
    #[parameter(unit = "deg", default = 25.0, above = 0, max = 90)]
    deflection_limit: f64,
    #[group]
    scaling: SpeedScaling,
    /// The roll angle to hold.
    #[input(unit = "rad")]
    demand: SignalIn<f64>,
    /// Attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Angular velocity.
    #[input(unit = "rad/s", frame = "body")]
    angular_velocity: SignalIn<[f64; 3]>,
    /// Airspeed.
    #[input(unit = "m/s")]
    airspeed: SignalIn<f64>,
    /// Deflection of the ailerons.
    #[output(unit = "rad", initial = 0.0)]
    aileron: SignalOut<f64>,
    /// The roll rate that it wants.
    #[output(unit = "rad/s", initial = 0.0)]
    rate_demand: SignalOut<f64>,
    rates: RateLoop,
    last: LastStep,
}

impl RollController {
    fn gains(&self) -> RateGains {
        RateGains {
            p: self.p,
            i: self.i,
            d: self.d,
            feed_forward: self.feed_forward,
            derivative_filter: self.derivative_filter,
            integrator_limit: self.integrator_limit.to_radians(),
            deflection_limit: self.deflection_limit.to_radians(),
        }
    }
}

impl Periodic for RollController {
    fn step(&mut self, step: &mut Step<'_>) {
        let (demand, airspeed) = (*step.signal(self.demand), *step.signal(self.airspeed));
        let [roll, ..] = step.signal(self.attitude).to_euler();
        let [roll_rate, ..] = *step.signal(self.angular_velocity);
        if let Some(wrong) = not_a_number(&[
            ("demand", &[demand]),
            ("attitude", &[roll]),
            ("angular_velocity", &[roll_rate]),
            ("airspeed", &[airspeed]),
        ]) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let limit = self.rate_limit.to_radians();
        let wanted = (wrapped(demand - roll) / self.time_constant).clamp(-limit, limit);
        let (gains, scale) = (self.gains(), self.scaling.at(airspeed));
        let aileron = self.rates.deflection(&gains, [wanted, roll_rate], [scale, 0.0], elapsed);
        step.write(self.aileron, aileron);
        step.write(self.rate_demand, wanted);
    }
}
