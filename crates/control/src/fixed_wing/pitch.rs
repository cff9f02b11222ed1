//! The pitch controller: from a demanded pitch to the elevator.
//!
//! ```text
//! demand θ_d ─►(Σ)─► 1/τ ─► limits ─►(Σ)─► rate loop ─► -1 ─► elevator
//!              -▲                     ▲       ▲
//! pitch θ ──────┘                     │       └─ pitch rate q
//! roll φ, airspeed V ─► q_t = k (g/V) tan φ sin φ cos θ
//! ```
//!
//! In a level coordinated turn the heading changes by ψ' = (g/V) tan φ, of which the pitch axis sees
//! q = ψ' sin φ cos θ: without this rate the nose falls in a turn. ArduPilot, *Plane: Roll, Pitch and Yaw
//! Controller Tuning* (PTCH2SRV_RLL is k); the inner loop is that of `rate_loop.rs`.
//!
//! Upside down, beyond 90 degrees of bank, the nose rises with a negative pitch rate: all of the demand
//! changes its sign.

use std::f64::consts::{FRAC_PI_2, PI};

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Attitude, STANDARD_GRAVITY};

use super::rate_loop::{RateGains, RateLoop};
use super::seen::{LastStep, not_a_number};
use super::speed_scaling::SpeedScaling;

/// Beyond this bank the rate of a turn grows beyond use: 80 degrees, as in ArduPilot.
pub(super) const STEEPEST_BANK: f64 = 80.0 / 180.0 * PI;

/// Holds a demanded pitch angle with the elevator, in the structure of ArduPilot: the error of the angle
/// over a time constant, and the pitch rate of a coordinated turn, are a demanded rate, which a PID
/// with feed-forward turns into a deflection.
///
/// The defaults suit a UAV of 2 kg and 1.27 m span at 17 m/s (Ultra Stick 25e). A positive elevator
/// lowers the nose.
#[derive(Component)]
#[component(type = "control.pitch", periodic, rate = "50 Hz")]
pub struct PitchController {
    /// Time from demanded to achieved angle (PTCH2SRV_TCONST).
    #[parameter(unit = "s", default = 0.5, above = 0)]
    time_constant: f64,
    /// Largest demanded pitch rate upwards (PTCH2SRV_RMAX_UP).
    #[parameter(unit = "deg/s", default = 60.0, above = 0)]
    rate_limit_up: f64,
    /// Largest demanded pitch rate downwards (PTCH2SRV_RMAX_DN).
    #[parameter(unit = "deg/s", default = 60.0, above = 0)]
    rate_limit_down: f64,
    /// How much of the pitch rate of a coordinated turn is demanded (PTCH2SRV_RLL).
    #[parameter(default = 1.0, min = 0)]
    roll_compensation: f64,
    /// Deflection per error of the rate (PTCH_RATE_P).
    #[parameter(unit = "s", default = 0.1, min = 0)]
    p: f64,
    /// Change of deflection per error of the rate (PTCH_RATE_I).
    #[parameter(default = 0.5, min = 0)]
    i: f64,
    /// Deflection against angular acceleration (PTCH_RATE_D).
    #[parameter(unit = "s^2", default = 0.0, min = 0)]
    d: f64,
    /// Deflection per demanded rate (PTCH_RATE_FF).
    #[parameter(unit = "s", default = 0.15, min = 0)]
    feed_forward: f64,
    /// Time constant of the filter of the angular acceleration (PTCH_RATE_FLTD: 12 Hz).
    #[parameter(unit = "s", default = 0.013, min = 0)]
    derivative_filter: f64,
    /// Largest part of the deflection that the integral holds (PTCH_RATE_IMAX).
    #[parameter(unit = "deg", default = 15.0, min = 0)]
    integrator_limit: f64,
    /// Largest deflection.
    #[parameter(unit = "deg", default = 25.0, above = 0, max = 90)]
    deflection_limit: f64,
    /// Deflection of the elevator in trimmed flight, from which it starts.
    #[parameter(unit = "deg", default = -3.0)]
    trim: f64,
    /// Slowest airspeed at which turns are flown, for their pitch rate.
    #[parameter(unit = "m/s", default = 10.0, above = 0)]
    lowest_airspeed: f64,
    #[group]
    scaling: SpeedScaling,
    /// The pitch angle to hold.
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
    /// Deflection of the elevator.
    #[output(unit = "rad", initial = 0.0)]
    elevator: SignalOut<f64>,
    /// The pitch rate that it wants.
    #[output(unit = "rad/s", initial = 0.0)]
    rate_demand: SignalOut<f64>,
    rates: RateLoop,
    last: LastStep,
}

impl PitchController {
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

    /// The pitch rate that closes the error of the angle and keeps the nose up in a turn.
    fn wanted(&self, demand: f64, roll: f64, pitch: f64, airspeed: f64) -> f64 {
        let (up, down) = (self.rate_limit_up.to_radians(), self.rate_limit_down.to_radians());
        let climb = ((demand - pitch) / self.time_constant).clamp(-down, up);
        let speed = airspeed.max(self.lowest_airspeed);
        with_turn(climb, [roll, pitch], speed, self.roll_compensation)
    }
}

/// A demanded rate of the nose upwards as a pitch rate in a turn, of whose own pitch rate `share` is added.
pub(super) fn with_turn(climb: f64, [roll, pitch]: [f64; 2], airspeed: f64, share: f64) -> f64 {
    let inverted = roll.abs() > FRAC_PI_2;
    let bank = if inverted { PI - roll.abs() } else { roll.abs() };
    let bank = bank.min(STEEPEST_BANK);
    let turn = STANDARD_GRAVITY / airspeed * (libm::tan(bank) * libm::sin(bank) * libm::cos(pitch));
    let turn = share * turn;
    if inverted { -turn - climb } else { turn + climb }
}

impl Periodic for PitchController {
    fn step(&mut self, step: &mut Step<'_>) {
        let (demand, airspeed) = (*step.signal(self.demand), *step.signal(self.airspeed));
        let [roll, pitch, _] = step.signal(self.attitude).to_euler();
        let [_, pitch_rate, _] = *step.signal(self.angular_velocity);
        if let Some(wrong) = not_a_number(&[
            ("demand", &[demand]),
            ("attitude", &[roll, pitch]),
            ("angular_velocity", &[pitch_rate]),
            ("airspeed", &[airspeed]),
        ]) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let wanted = self.wanted(demand, roll, pitch, airspeed);
        let (gains, bias) = (self.gains(), -self.trim.to_radians());
        let scale = self.scaling.at(airspeed);
        let raises = self.rates.deflection(&gains, [wanted, pitch_rate], [scale, bias], elapsed);
        step.write(self.elevator, -raises);
        step.write(self.rate_demand, wanted);
    }
}
