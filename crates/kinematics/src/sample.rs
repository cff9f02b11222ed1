//! What a sensor says: a measurement, when it was taken, and whether it is one.

use ironbird_kernel::{Time, Value};

use crate::attitude::Attitude;

/// A measured vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct VectorSample {
    /// What was measured, in the unit of the port.
    pub value: [f64; 3],
    /// When. Two samples differ in it: by it a reader knows that there is a new one.
    pub taken: Time,
    /// Whether it is a measurement. Before the first one, or where the sensor sees nothing, it is not.
    pub valid: bool,
}

/// A measured number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct ScalarSample {
    /// What was measured, in the unit of the port.
    pub value: f64,
    /// When; see [`VectorSample::taken`].
    pub taken: Time,
    /// Whether it is a measurement; see [`VectorSample::valid`].
    pub valid: bool,
}

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
