//! What an autopilot is to hold.

use ironbird_kernel::Value;

/// What an autopilot is to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct SetPoints {
    /// Heading in rad from north to east.
    pub heading: f64,
    /// Depth in m.
    pub depth: f64,
    /// Height above the sea bed in m.
    pub height: f64,
    /// Whether the height counts, where one is measured, and not the depth.
    pub by_height: bool,
    /// Speed through the water in m/s.
    pub speed: f64,
    /// Whether there are set points. Before guidance begins there are none.
    pub valid: bool,
}
