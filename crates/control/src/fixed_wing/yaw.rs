//! The yaw controller: damps yaw, coordinates turns and takes sideslip away with the rudder.
//!
//! ```text
//! roll φ, airspeed V ─► RLL (g/V) sin φ ─┐
//!                                       -▼
//! yaw rate r ──────────────────────────►(Σ)─► T s/(T s + 1) ─┬───────────────┐
//!                                                            ▼              -▼
//! lateral specific force f_y ─► SLIP ──────────────────────►(Σ)─► -INT/s ─►(Σ)─► DAMP s² ─► limit ─► -1 ─► rudder
//! ```
//!
//! ArduPilot, *Plane: Roll, Pitch and Yaw Controller Tuning*, YAW2SRV_SLIP, _INT, _DAMP and _RLL. The
//! yaw rate of a coordinated turn, ψ' cos φ = (g/V) sin φ, is taken off and the rest washed out with
//! T = 5 s, so that the damper does not hold against turns and trim. With the wind from starboard the
//! fuselage is pushed to port, f_y < 0: the integral then turns the nose to starboard, into the wind.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Attitude, STANDARD_GRAVITY};

use super::pitch::STEEPEST_BANK;
use super::seen::{LastStep, not_a_number};
use super::speed_scaling::SpeedScaling;
use crate::integral::Integral;
use crate::lag::Lag;

/// Damps yaw and keeps the aircraft from slipping, in the structure of ArduPilot.
///
/// The defaults suit a UAV of 2 kg and 1.27 m span at 17 m/s (Ultra Stick 25e). A positive rudder yaws
/// the nose to port.
#[derive(Component)]
#[component(type = "control.yaw", periodic, rate = "50 Hz")]
pub struct YawController {
    /// Yaw rate per lateral specific force (YAW2SRV_SLIP).
    #[parameter(unit = "s/m", default = 0.1, min = 0)]
    slip: f64,
    /// Gain of the integral of slip and yaw rate (YAW2SRV_INT).
    #[parameter(unit = "1/s", default = 1.0, min = 0)]
    integral: f64,
    /// Deflection per washed-out yaw rate (YAW2SRV_DAMP); without it there is no rudder at all.
    #[parameter(unit = "s", default = 0.06, min = 0)]
    damping: f64,
    /// How much of the yaw rate of a coordinated turn is taken off (YAW2SRV_RLL).
    #[parameter(default = 1.0, min = 0)]
    roll_compensation: f64,
    /// Deflection of the rudder per deflection of the ailerons, against their adverse yaw
    /// (KFF_RDDRMIX).
    #[parameter(default = 0.2)]
    aileron_mix: f64,
    /// Time constant of the washout.
    #[parameter(unit = "s", default = 5.0, above = 0)]
    washout: f64,
    /// Largest part of the deflection that the integral holds (YAW2SRV_IMAX).
    #[parameter(unit = "deg", default = 10.0, min = 0)]
    integrator_limit: f64,
    /// Largest deflection.
    #[parameter(unit = "deg", default = 25.0, above = 0, max = 90)]
    deflection_limit: f64,
    /// Slowest airspeed at which turns are flown, for their yaw rate.
    #[parameter(unit = "m/s", default = 10.0, above = 0)]
    lowest_airspeed: f64,
    #[group]
    scaling: SpeedScaling,
    /// Attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Angular velocity.
    #[input(unit = "rad/s", frame = "body")]
    angular_velocity: SignalIn<[f64; 3]>,
    /// Specific force, as an accelerometer measures it.
    #[input(unit = "m/s^2", frame = "body")]
    specific_force: SignalIn<[f64; 3]>,
    /// Airspeed.
    #[input(unit = "m/s")]
    airspeed: SignalIn<f64>,
    /// Deflection of the ailerons, for `aileron_mix`.
    #[input(unit = "rad", default = 0.0)]
    aileron: SignalIn<f64>,
    /// Deflection of the rudder.
    #[output(unit = "rad", initial = 0.0)]
    rudder: SignalOut<f64>,
    /// The slow part of the yaw rate, which the washout takes off; from the first yaw rate on.
    slow: Option<Lag>,
    turning: Integral,
    last: LastStep,
}

impl YawController {
    /// The part of a yaw rate that is not slow.
    fn washed_out(&mut self, rate: f64, elapsed: f64) -> f64 {
        let slow = self.slow.get_or_insert(Lag(rate));
        rate - slow.follow(rate, elapsed, self.washout)
    }
}

impl Periodic for YawController {
    fn step(&mut self, step: &mut Step<'_>) {
        let [roll, ..] = step.signal(self.attitude).to_euler();
        let [_, _, yaw_rate] = *step.signal(self.angular_velocity);
        let [_, lateral, _] = *step.signal(self.specific_force);
        let (airspeed, aileron) = (*step.signal(self.airspeed), *step.signal(self.aileron));
        if let Some(wrong) = not_a_number(&[
            ("attitude", &[roll]),
            ("angular_velocity", &[yaw_rate]),
            ("specific_force", &[lateral]),
            ("airspeed", &[airspeed]),
            ("aileron", &[aileron]),
        ]) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let bank = roll.clamp(-STEEPEST_BANK, STEEPEST_BANK);
        let turn = STANDARD_GRAVITY / airspeed.max(self.lowest_airspeed) * libm::sin(bank);
        let excess = self.washed_out(yaw_rate - self.roll_compensation * turn, elapsed);
        let scale = self.scaling.at(airspeed);
        let gain = self.damping * scale * scale;
        let limit = self.deflection_limit.to_radians();
        let growth = -gain * self.integral * (self.slip * lateral + excess) * elapsed;
        let rest = self.aileron_mix * aileron - gain * excess;
        let bound = self.integrator_limit.to_radians();
        let starboard = self.turning.bounded(rest, growth, bound, [-limit, limit]);
        step.write(self.rudder, -starboard);
    }
}
