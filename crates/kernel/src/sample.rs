//! Measurements: a value, when it was taken, and whether it is one.

use crate::Value;
use crate::time::Time;

/// A measured vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct VectorSample {
    /// What was measured, in the unit of the port.
    pub value: [f64; 3],
    /// When. Two samples differ in it: by it a reader knows that there is a new one.
    pub taken: Time,
    /// Whether it is a measurement. Before the first one, or where a sensor sees nothing, it is not.
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
