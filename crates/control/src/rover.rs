//! The inner loop of a rover: heading and speed, or the way to a place.
//!
//! ```text
//! place      ψ_w = atan2(e_w - e, n_w - n),   v_w = min(v, distance / T)
//! heading    r_w = k_ψ (ψ_w - ψ) within limits,    v_w = v max(0, cos(ψ_w - ψ))
//! differential   ω = (v_w ± r_w b / 2) / R          b: track, R: radius of the wheels
//! Ackermann      δ = atan(L r_w / v),  v = v_w
//! ```
//!
//! On its way to a place it turns first and then goes. A skid-steered rover turns slower than by geometry, in
//! proportion, so that its heading settles too. A rover with a turned front cannot turn where it stands: it goes at
//! least at a part of its speed, and steers as for that. It has no numbers of its own.

use std::f64::consts::PI;

use ironbird_kinematics::{Attitude, Channel, RigidMotion};

use crate::autopilot::wrapped;
use crate::inner_loop::InnerLoop;

/// What a rover is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoverGuidance {
    /// Heading and speed.
    #[default]
    Heading,
    /// A place to go to, and how fast.
    Place,
}

/// How a rover turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoverSteering {
    /// By the speeds of its wheels (left, right, rad/s).
    Differential {
        /// b, m.
        track: f64,
        /// R, m.
        radius: f64,
    },
    /// By its front wheels (speed in m/s, steering in rad).
    Ackermann {
        /// L, m.
        base: f64,
        /// Largest angle, rad.
        limit: f64,
    },
}

/// Gains and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoverTuning {
    /// k_ψ, 1/s.
    pub heading: f64,
    /// Largest yaw rate, rad/s.
    pub yaw_rate: f64,
    /// Largest speed, m/s.
    pub speed: f64,
    /// T, s.
    pub approach: f64,
    /// A place is reached within this distance, m.
    pub reached: f64,
}

/// For rovers of a few kilograms.
impl Default for RoverTuning {
    fn default() -> Self {
        RoverTuning { heading: 1.5, yaw_rate: 1.0, speed: 2.0, approach: 1.0, reached: 0.1 }
    }
}

/// The part of its speed that a rover with a turned front keeps while it turns.
const SLOWEST: f64 = 0.3;

/// Steers a rover.
#[derive(Clone, Debug)]
pub struct RoverLoop {
    steering: RoverSteering,
    guidance: RoverGuidance,
    tuning: RoverTuning,
    set_points: Vec<Channel>,
}

impl RoverLoop {
    /// A loop for a rover that turns like this.
    pub fn new(steering: RoverSteering, guidance: RoverGuidance, tuning: RoverTuning) -> Self {
        let channel = |name: &str, unit, limit: f64, doc| Channel {
            name: name.into(),
            unit,
            range: (-limit, limit),
            rest: 0.0,
            doc,
        };
        let far = f64::INFINITY;
        let mut set_points = match guidance {
            RoverGuidance::Heading => vec![channel("heading", "rad", PI, "wanted heading")],
            RoverGuidance::Place => vec![
                channel("north", "m", far, "place to go to"),
                channel("east", "m", far, "place to go to"),
            ],
        };
        set_points.push(channel("speed", "m/s", tuning.speed, "how fast"));
        RoverLoop { steering, guidance, tuning, set_points }
    }

    /// The error of heading, and the speed.
    fn wanted(&self, motion: &RigidMotion, heading: f64, set_points: &[f64]) -> (f64, f64) {
        let told = |n: usize| self.set_points[n].limit(set_points[n]);
        if self.guidance == RoverGuidance::Heading {
            return (wrapped(told(0) - heading), told(1));
        }
        let (north, east) = (told(0) - motion.position.x, told(1) - motion.position.y);
        let distance = (north * north + east * east).sqrt();
        if distance < self.tuning.reached {
            return (0.0, 0.0);
        }
        let error = wrapped(libm::atan2(east, north) - heading);
        let speed = told(2).abs().min(distance / self.tuning.approach);
        let least = match self.steering {
            RoverSteering::Differential { .. } => 0.0,
            RoverSteering::Ackermann { .. } => SLOWEST,
        };
        (error, speed * libm::cos(error).max(least))
    }
}

impl InnerLoop for RoverLoop {
    fn set_points(&self) -> &[Channel] {
        &self.set_points
    }

    fn states(&self) -> usize {
        0
    }

    fn step(
        &self,
        _period: f64,
        motion: &RigidMotion,
        set_points: &[f64],
        _own: &mut [f64],
        commands: &mut [f64],
    ) {
        let tuning = &self.tuning;
        let [_, _, heading] = Attitude::from(motion.attitude).to_euler();
        let (error, speed) = self.wanted(motion, heading, set_points);
        let turning = (tuning.heading * error).clamp(-tuning.yaw_rate, tuning.yaw_rate);
        match self.steering {
            RoverSteering::Differential { track, radius } => {
                commands[0] = (speed + 0.5 * track * turning) / radius;
                commands[1] = (speed - 0.5 * track * turning) / radius;
            }
            RoverSteering::Ackermann { base, limit } => {
                let steers_for = speed.abs().max(SLOWEST * tuning.speed).copysign(speed);
                commands[0] = speed;
                commands[1] = libm::atan(base * turning / steers_for).clamp(-limit, limit);
            }
        }
    }
}
