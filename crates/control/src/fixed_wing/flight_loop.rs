//! The inner loop of a fixed-wing aircraft: the laws of the components here on how it moves.
//!
//! ```text
//! heading    φ_w = atan(V (ψ_w - ψ) / (τ_ψ g)) within limits
//! height     θ_w = θ₀ + k_h (h_w - h) - k_c h' + I_h within limits
//! airspeed   throttle = t₀ + k_v (V_w - V) + I_v + k_θ (θ_w - θ₀) from 0 to 1
//! roll       p_w = (φ_w - φ) / τ, pitch q_w = (θ_w - θ) / τ and that of the turn: rate loops (`rate_loop.rs`)
//! yaw        rudder = k_r (V₀ / V)² (r - (g / V) sin φ)
//! ```
//!
//! It takes the velocity over ground for that through the air: in wind, airspeed is that over ground. Numbers of
//! its own: the integrals of roll rate, pitch rate, height and airspeed.

use std::f64::consts::PI;

use ironbird_kinematics::{Attitude, Channel, RigidMotion, STANDARD_GRAVITY};

use super::pitch::with_turn;
use super::rate_loop::{RateGains, RateLoop};
use super::speed_scaling::SpeedScaling;
use crate::autopilot::wrapped;
use crate::inner_loop::InnerLoop;
use crate::integral::Integral;

/// What an aircraft is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlightGuidance {
    /// Roll, pitch and throttle.
    Attitude,
    /// Height, heading and airspeed.
    #[default]
    Height,
}

/// Gains and limits. Deflections in rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightTuning {
    /// V₀: airspeed for which the gains are, m/s.
    pub airspeed: f64,
    /// τ of roll and pitch, s.
    pub attitude_time: f64,
    /// Deflection per error of the roll rate, its integral, and per wanted roll rate.
    pub roll: [f64; 3],
    /// The same of pitch.
    pub pitch: [f64; 3],
    /// k_r, s.
    pub yaw_damping: f64,
    /// Largest deflection of a surface.
    pub deflection: f64,
    /// Largest roll, rad.
    pub bank: f64,
    /// Lowest and highest pitch, rad.
    pub pitch_limits: [f64; 2],
    /// τ_ψ, s.
    pub heading_time: f64,
    /// k_h, its integral, and k_c: rad/m, rad/m/s, rad s/m.
    pub height: [f64; 3],
    /// k_v and its integral: s/m, 1/m.
    pub speed: [f64; 2],
    /// k_θ: throttle per pitch, 1/rad.
    pub climb_throttle: f64,
    /// θ₀ (rad), the elevator (rad) and t₀ of level flight at V₀.
    pub trim: [f64; 3],
}

/// For an Ultra Stick 25e (2 kg, 1.27 m span) at 17 m/s, as the components here.
impl Default for FlightTuning {
    fn default() -> Self {
        FlightTuning {
            airspeed: 17.0,
            attitude_time: 0.5,
            roll: [0.05, 0.15, 0.1],
            pitch: [0.1, 0.5, 0.15],
            yaw_damping: 0.06,
            deflection: 25.0_f64.to_radians(),
            bank: 45.0_f64.to_radians(),
            pitch_limits: [-0.3, 0.35],
            heading_time: 2.0,
            height: [0.03, 0.005, 0.02],
            speed: [0.1, 0.05],
            climb_throttle: 1.0,
            trim: [0.05, -0.05, 0.4],
        }
    }
}

/// Flies an aircraft; commands aileron, elevator, rudder, flap (rad) and throttle.
#[derive(Clone, Debug)]
pub struct FlightLoop {
    guidance: FlightGuidance,
    tuning: FlightTuning,
    set_points: Vec<Channel>,
}

impl FlightLoop {
    /// A loop that is told this.
    pub fn new(guidance: FlightGuidance, tuning: FlightTuning) -> Self {
        let channel = |name: &str, unit, range, rest, doc| Channel {
            name: name.into(),
            unit,
            range,
            rest,
            doc,
        };
        let [lowest, highest] = tuning.pitch_limits;
        let (bank, fast) = (tuning.bank, 3.0 * tuning.airspeed);
        let set_points = match guidance {
            FlightGuidance::Attitude => vec![
                channel("roll", "rad", (-bank, bank), 0.0, "wanted roll"),
                channel("pitch", "rad", (lowest, highest), tuning.trim[0], "wanted pitch"),
                channel("throttle", "1", (0.0, 1.0), tuning.trim[2], "throttle"),
            ],
            FlightGuidance::Height => vec![
                channel("height", "m", (f64::NEG_INFINITY, f64::INFINITY), 100.0, "wanted height"),
                channel("heading", "rad", (-PI, PI), 0.0, "wanted heading"),
                channel("airspeed", "m/s", (0.0, fast), tuning.airspeed, "wanted airspeed"),
            ],
        };
        FlightLoop { guidance, tuning, set_points }
    }

    /// The wanted roll and pitch, and the throttle, from height, heading and airspeed.
    fn outer(
        &self,
        motion: &RigidMotion,
        [heading, airspeed]: [f64; 2],
        told: [f64; 3],
        [height, speed]: [&mut Integral; 2],
        period: f64,
    ) -> [f64; 3] {
        let tuning = &self.tuning;
        let [level, _, cruise] = tuning.trim;
        let turning = wrapped(told[1] - heading) / tuning.heading_time;
        let bank = libm::atan(airspeed * turning / STANDARD_GRAVITY);
        let bank = bank.clamp(-tuning.bank, tuning.bank);
        let [gain, integral, damping] = tuning.height;
        let higher = told[0] + motion.position.z;
        let rest = level + gain * higher + damping * motion.velocity.z;
        let [lowest, highest] = tuning.pitch_limits;
        let pitch = height.command(rest, integral * higher * period, lowest, highest);
        let [gain, integral] = tuning.speed;
        let faster = told[2] - airspeed;
        let rest = cruise + gain * faster + tuning.climb_throttle * (pitch - level);
        let throttle = speed.command(rest, integral * faster * period, 0.0, 1.0);
        [bank, pitch, throttle]
    }
}

impl InnerLoop for FlightLoop {
    fn set_points(&self) -> &[Channel] {
        &self.set_points
    }

    fn states(&self) -> usize {
        4
    }

    fn step(
        &self,
        period: f64,
        motion: &RigidMotion,
        set_points: &[f64],
        own: &mut [f64],
        commands: &mut [f64],
    ) {
        let tuning = &self.tuning;
        let told = [0, 1, 2].map(|n| self.set_points[n].limit(set_points[n]));
        let [roll, pitch, heading] = Attitude::from(motion.attitude).to_euler();
        let airspeed = motion.velocity.norm();
        let mut outer = [Integral(own[2]), Integral(own[3])];
        let [height, speed] = &mut outer;
        let [bank, nose, throttle] = match self.guidance {
            FlightGuidance::Attitude => told,
            FlightGuidance::Height => {
                self.outer(motion, [heading, airspeed], told, [height, speed], period)
            }
        };
        let scaling = SpeedScaling { speed: tuning.airspeed, lowest: 0.5, highest: 2.0 };
        let scale = scaling.at(airspeed);
        let flying = airspeed.max(0.5 * tuning.airspeed);
        let gains = |[p, i, feed_forward]: [f64; 3]| RateGains {
            p,
            i,
            d: 0.0,
            feed_forward,
            derivative_filter: 0.0,
            integrator_limit: 0.6 * tuning.deflection,
            deflection_limit: tuning.deflection,
        };
        let mut rolling = RateLoop::resumed(own[0]);
        let rate = wrapped(bank - roll) / tuning.attitude_time;
        let rates = [rate, motion.rates.x];
        let aileron = rolling.deflection(&gains(tuning.roll), rates, [scale, 0.0], period);
        let mut pitching = RateLoop::resumed(own[1]);
        let climb = (nose - pitch) / tuning.attitude_time;
        let rates = [with_turn(climb, [roll, pitch], flying, 1.0), motion.rates.y];
        let bias = -tuning.trim[1];
        let raises = pitching.deflection(&gains(tuning.pitch), rates, [scale, bias], period);
        let excess = motion.rates.z - STANDARD_GRAVITY / flying * libm::sin(roll);
        let rudder = tuning.yaw_damping * scale * scale * excess;
        let limit = tuning.deflection;
        let all = [aileron, -raises, rudder.clamp(-limit, limit), 0.0, throttle];
        commands.copy_from_slice(&all);
        own.copy_from_slice(&[rolling.integral(), pitching.integral(), outer[0].0, outer[1].0]);
    }
}
