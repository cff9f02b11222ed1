//! The local level frame: north, east, down from an origin, a Cartesian frame that touches the
//! ellipsoid there and is fixed to the Earth.

use nalgebra::{Matrix3, Vector3};

use crate::geodetic::{Geodetic, Vertical};

/// North, east, down from an origin.
///
/// It is a plane: 20 km from the origin the ellipsoid lies 31 m below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentPlane {
    origin: Geodetic,
    origin_ecef: Vector3<f64>,
    /// Its columns are north, east and down at the origin in Earth-centred coordinates.
    to_ecef: Matrix3<f64>,
}

impl Default for TangentPlane {
    fn default() -> Self {
        TangentPlane::at(Geodetic::default())
    }
}

impl TangentPlane {
    /// The plane that touches the ellipsoid at `origin`, moved up to its height.
    pub fn at(origin: Geodetic) -> Self {
        let (sin_phi, cos_phi) = libm::sincos(origin.latitude);
        let (sin_lambda, cos_lambda) = libm::sincos(origin.longitude);
        let to_ecef = Matrix3::from_columns(&[
            Vector3::new(-sin_phi * cos_lambda, -sin_phi * sin_lambda, cos_phi),
            Vector3::new(-sin_lambda, cos_lambda, 0.0),
            Vector3::new(-cos_phi * cos_lambda, -cos_phi * sin_lambda, -sin_phi),
        ]);
        TangentPlane { origin, origin_ecef: origin.to_ecef(), to_ecef }
    }

    /// Where it touches.
    pub fn origin(&self) -> Geodetic {
        self.origin
    }

    /// A place in Earth-centred coordinates.
    pub fn to_ecef(&self, ned: Vector3<f64>) -> Vector3<f64> {
        self.origin_ecef + self.to_ecef * ned
    }

    /// A place given in Earth-centred coordinates.
    pub fn from_ecef(&self, ecef: Vector3<f64>) -> Vector3<f64> {
        self.to_ecef.tr_mul(&(ecef - self.origin_ecef))
    }

    /// A direction or a velocity in Earth-centred coordinates.
    pub fn direction_to_ecef(&self, ned: Vector3<f64>) -> Vector3<f64> {
        self.to_ecef * ned
    }

    /// A direction or a velocity given in Earth-centred coordinates.
    pub fn direction_from_ecef(&self, ecef: Vector3<f64>) -> Vector3<f64> {
        self.to_ecef.tr_mul(&ecef)
    }

    /// A place as latitude, longitude and height.
    pub fn to_geodetic(&self, ned: Vector3<f64>) -> Geodetic {
        Geodetic::from_ecef(self.to_ecef(ned))
    }

    /// The height of a place above the ellipsoid, in metres: a fraction of the work of
    /// [`to_geodetic`](Self::to_geodetic), as it needs no angles.
    pub fn height(&self, ned: Vector3<f64>) -> f64 {
        Vertical::at(self.to_ecef(ned)).height
    }

    /// A place given as latitude, longitude and height.
    pub fn from_geodetic(&self, place: Geodetic) -> Vector3<f64> {
        self.from_ecef(place.to_ecef())
    }
}
