//! How a vehicle moves, as one value.

use ironbird_kernel::Value;

use crate::attitude::Attitude;

/// Units of the parts of a [`Motion`], for its ports.
pub const MOTION_UNITS: &str = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, \
                                angular_velocity: rad/s, distance: m";

/// Frames of the parts of a [`Motion`], for its ports.
pub const MOTION_FRAMES: &str = "ned, angular_velocity: body";

/// How a vehicle moves: its place and attitude, and how they change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Motion {
    /// Place in m: north, east, down.
    pub position: [f64; 3],
    /// Velocity over ground in m/s: north, east, down.
    pub velocity: [f64; 3],
    /// Acceleration in m/s²: north, east, down.
    pub acceleration: [f64; 3],
    /// Attitude.
    pub attitude: Attitude,
    /// Angular velocity against north, east, down, in rad/s, in the body.
    pub angular_velocity: [f64; 3],
    /// Way made good over ground since the start, in m.
    pub distance: f64,
}
