//! What sensors say.

pub use ironbird_kernel::{ScalarSample, VectorSample};
use ironbird_kernel::{Time, Value};

use crate::attitude::Attitude;

/// What a satellite receiver says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Fix {
    /// Place in m, Earth-centred.
    pub position: [f64; 3],
    /// Velocity in m/s, Earth-centred.
    pub velocity: [f64; 3],
    /// When; see [`VectorSample::taken`].
    pub taken: Time,
    /// Whether there is a fix.
    pub valid: bool,
}

/// Where a vehicle believes to be when its navigation begins, as an alignment before the mission finds
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Alignment {
    /// Place in m: north, east, down.
    pub position: [f64; 3],
    /// Velocity in m/s: north, east, down.
    pub velocity: [f64; 3],
    /// Attitude.
    pub attitude: Attitude,
}
