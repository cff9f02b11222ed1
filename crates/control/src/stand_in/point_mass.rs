//! A place and a heading by thrust and tilt.
//!
//! ```text
//! v_w = k_x (x_w - x), no longer than v_max
//! a_w = k_v (v_w - v) + I,  I' = k_i (v_w - v)         no longer than a_max
//! f   = a_w - g,   thrust = -m f · ẑ_body,   pitch = atan2(f_x, f_z),  roll from f_y, both about the heading
//! ```
//!
//! Numbers of its own: the integral of the velocity, in m/s².

use ironbird_kinematics::{Attitude, Channel, RigidMotion, STANDARD_GRAVITY};
use nalgebra::Vector3;

use super::kinematic::no_longer;
use super::place_and_heading;
use crate::autopilot::wrapped;
use crate::inner_loop::InnerLoop;

/// Gains and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMassTuning {
    /// m, kg.
    pub mass: f64,
    /// k_x, 1/s.
    pub place: f64,
    /// k_v, 1/s.
    pub velocity: f64,
    /// k_i, 1/s².
    pub integral: f64,
    /// v_max, m/s.
    pub speed: f64,
    /// a_max, m/s².
    pub acceleration: f64,
    /// Yaw rate per error of heading, 1/s.
    pub heading: f64,
}

/// Commands thrust (N), roll, pitch (rad) and yaw rate (rad/s).
#[derive(Clone, Debug)]
pub struct PointMassLoop {
    tuning: PointMassTuning,
    set_points: [Channel; 4],
}

impl PointMassLoop {
    /// A loop with these gains.
    pub fn new(tuning: PointMassTuning) -> Self {
        PointMassLoop { tuning, set_points: place_and_heading() }
    }
}

impl InnerLoop for PointMassLoop {
    fn set_points(&self) -> &[Channel] {
        &self.set_points
    }

    fn states(&self) -> usize {
        3
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
        let told = |n: usize| self.set_points[n].limit(set_points[n]);
        let way = Vector3::new(told(0), told(1), told(2)) - motion.position;
        let velocity = no_longer(way * tuning.place, tuning.speed);
        let error = velocity - motion.velocity;
        let held = Vector3::new(own[0], own[1], own[2]);
        let grown = held + error * (tuning.integral * period);
        let wanted = error * tuning.velocity + grown;
        let acceleration = no_longer(wanted, tuning.acceleration);
        // The integral stands still while its command is at the limit.
        let kept = if acceleration == wanted { grown } else { held };
        own.copy_from_slice(kept.as_slice());
        let [_, _, heading] = Attitude::from(motion.attitude).to_euler();
        let (sine, cosine) = libm::sincos(heading);
        let force = acceleration - Vector3::new(0.0, 0.0, STANDARD_GRAVITY);
        let ahead = cosine * force.x + sine * force.y;
        let aside = cosine * force.y - sine * force.x;
        let upright = (ahead * ahead + force.z * force.z).sqrt();
        commands[0] = (-force.dot(&motion.to_ned(&Vector3::z()))).max(0.0) * tuning.mass;
        commands[1] = libm::atan2(aside, upright);
        commands[2] = libm::atan2(-ahead, -force.z);
        commands[3] = tuning.heading * wrapped(told(3) - heading);
    }
}
