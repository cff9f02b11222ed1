//! What is to be seen of a lane from a vehicle, as one value.

use ironbird_kernel::Value;

/// Points of the middle of a lane as a vehicle sees them, from the nearest to the farthest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct LaneMarks {
    /// How far each is ahead of the vehicle, in m.
    pub ahead: [f64; LaneMarks::POINTS],
    /// How far each is to starboard of the vehicle's axis, in m.
    pub across: [f64; LaneMarks::POINTS],
    /// Whether there is a lane at all.
    pub valid: bool,
}

impl LaneMarks {
    /// How many points there are.
    pub const POINTS: usize = 8;
}
