//! The magnetic field in a region.
//!
//! ```text
//! B(x) = B₀ + G x                x: north, east, down from the origin
//! ```
//!
//! G by central differences of the model over 2 km. 10 km from the origin what is left out is some 0.1 nT to 1 nT, far
//! below the error of the model itself.

use ironbird_kinematics::{Geodetic, TangentPlane};
use nalgebra::{Matrix3, Vector3};

use super::field_ecef;

/// How far from the origin the field is looked at for its gradient, in m.
const STEP: f64 = 1000.0;

/// The field around a place, in the local level frame of that place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalField {
    /// At the origin, in T: north, east, down.
    pub at_origin: Vector3<f64>,
    /// Its change in T/m: the column is the way, the row the part of the field.
    pub gradient: Matrix3<f64>,
}

impl LocalField {
    /// The field around `origin` in a decimal year.
    pub fn around(origin: Geodetic, year: f64) -> Self {
        let plane = TangentPlane::at(origin);
        let at =
            |ned: Vector3<f64>| plane.direction_from_ecef(field_ecef(plane.to_ecef(ned), year));
        let slope = |axis: Vector3<f64>| (at(axis * STEP) - at(axis * -STEP)) / (2.0 * STEP);
        let gradient =
            Matrix3::from_columns(&[slope(Vector3::x()), slope(Vector3::y()), slope(Vector3::z())]);
        LocalField { at_origin: at(Vector3::zeros()), gradient }
    }

    /// The same field everywhere.
    pub fn uniform(field: Vector3<f64>) -> Self {
        LocalField { at_origin: field, gradient: Matrix3::zeros() }
    }

    /// The field in T at a place, both north, east, down.
    #[inline]
    pub fn at(&self, position: &Vector3<f64>) -> Vector3<f64> {
        self.at_origin + self.gradient * position
    }
}
