//! What the programs of a lane-keeping system tell each other, each as one value.

use ironbird_kernel::Value;

/// The lane at the vehicle, as it was detected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct LaneSeen {
    /// How far the vehicle is to starboard of the middle of the lane, in m.
    pub offset: f64,
    /// How much further to starboard the vehicle points than the lane leads, in rad.
    pub heading: f64,
    /// Curvature of the lane, positive to starboard, in 1/m.
    pub curvature: f64,
    /// How much the curvature grows per metre, in 1/m².
    pub curvature_growth: f64,
    /// Whether a lane was detected.
    pub valid: bool,
}

/// What the controller is to bring to zero, and what it is to expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct LanePlan {
    /// How far the vehicle is to starboard of where it should be, in m.
    pub offset: f64,
    /// How much further to starboard the vehicle points than the lane leads, in rad.
    pub heading: f64,
    /// Curvature of the lane where the vehicle will be when its wheels have turned, in 1/m.
    pub curvature: f64,
    /// Whether there is a plan.
    pub valid: bool,
}
