//! The inner loop of a torpedo-shaped underwater vehicle: the laws of `auv_law.rs` on how it moves.
//!
//! Depth counts from where `down` is zero. Numbers of its own: the integrals of depth, pitch and yaw rate.

use std::f64::consts::PI;

use ironbird_kinematics::{Attitude, Channel, RigidMotion};

use super::auv_law::AuvLaw;
use super::wrapped;
use crate::inner_loop::InnerLoop;
use crate::integral::Integral;

/// Holds depth, heading and speed; commands rudder (rad), stern planes (rad) and propeller (rpm).
#[derive(Clone, Debug)]
pub struct AuvLoop {
    law: AuvLaw,
    set_points: [Channel; 3],
}

/// That of the REMUS 100.
impl Default for AuvLoop {
    fn default() -> Self {
        AuvLoop::new(AuvLaw::default())
    }
}

impl AuvLoop {
    /// A loop with this law.
    pub fn new(law: AuvLaw) -> Self {
        let channel = |name: &str, unit, range, doc| Channel {
            name: name.into(),
            unit,
            range,
            rest: 0.0,
            doc,
        };
        let fastest = law.revolution_limits[1] / law.revolutions;
        let set_points = [
            channel("depth", "m", (0.0, f64::INFINITY), "wanted depth"),
            channel("heading", "rad", (-PI, PI), "wanted heading"),
            channel("speed", "m/s", (0.0, fastest), "wanted speed through the water"),
        ];
        AuvLoop { law, set_points }
    }
}

impl InnerLoop for AuvLoop {
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
        let told = |n: usize| self.set_points[n].limit(set_points[n]);
        let [_, pitch, heading] = Attitude::from(motion.attitude).to_euler();
        let mut integrals = [Integral(own[0]), Integral(own[1]), Integral(own[2])];
        let [depth, tilt, yaw] = &mut integrals;
        let deeper = told(0) - motion.position.z;
        let starboard = wrapped(told(1) - heading);
        commands[0] = self.law.rudders(yaw, starboard, motion.rates.z, period);
        commands[1] = self.law.stern_planes([depth, tilt], deeper, [pitch, motion.rates.y], period);
        commands[2] = self.law.propeller(told(2));
        for (own, integral) in own.iter_mut().zip(integrals) {
            *own = integral.0;
        }
    }
}
