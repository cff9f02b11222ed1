//! A place and a heading by velocity and yaw rate.
//!
//! ```text
//! v = k (x_w - x), no longer than v_max        r = k (ψ_w - ψ)
//! ```

use ironbird_kinematics::{Attitude, Channel, RigidMotion};
use nalgebra::Vector3;

use super::place_and_heading;
use crate::autopilot::wrapped;
use crate::inner_loop::InnerLoop;

/// Commands velocity (north, east, down) and yaw rate.
#[derive(Clone, Debug)]
pub struct KinematicLoop {
    gain: f64,
    speed: f64,
    set_points: [Channel; 4],
}

impl KinematicLoop {
    /// A loop with k (1/s) and v_max (m/s).
    pub fn new(gain: f64, speed: f64) -> Self {
        KinematicLoop { gain, speed, set_points: place_and_heading() }
    }
}

/// `vector`, no longer than `limit`.
pub(super) fn no_longer(vector: Vector3<f64>, limit: f64) -> Vector3<f64> {
    let length = vector.norm();
    if length > limit { vector * (limit / length) } else { vector }
}

impl InnerLoop for KinematicLoop {
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
        let told = |n: usize| self.set_points[n].limit(set_points[n]);
        let way = Vector3::new(told(0), told(1), told(2)) - motion.position;
        let velocity = no_longer(way * self.gain, self.speed);
        let [_, _, heading] = Attitude::from(motion.attitude).to_euler();
        commands[..3].copy_from_slice(velocity.as_slice());
        commands[3] = self.gain * wrapped(told(3) - heading);
    }
}
