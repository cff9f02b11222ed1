//! The autopilot of a torpedo-shaped underwater vehicle, and what guides it along a mission.
//!
//! ```text
//! mission ─(query)─► guidance.line-of-sight ──set points──► autopilot.auv ──► rudder, stern, propeller
//!                          ▲ position                          ▲ position, attitude, angular velocity
//! ```

mod auv;
mod auv_law;
mod auv_loop;
mod line_of_sight;
mod set_points;

use std::f64::consts::TAU;

pub use auv::AuvAutopilot;
pub use auv_law::AuvLaw;
pub use auv_loop::AuvLoop;
pub use line_of_sight::LineOfSight;
pub use set_points::SetPoints;

/// The same angle between -π and π.
pub(crate) fn wrapped(angle: f64) -> f64 {
    libm::remainder(angle, TAU)
}
