//! What the Earth does to inertial sensors and to depth: its rotation, its gravity, its shape.

use ironbird_component::{Choice, Parameters};
use nalgebra::Vector3;

use crate::geodetic::Geodetic;
use crate::gravity::normal_gravity;
use crate::tangent_plane::TangentPlane;

/// Rotation of the Earth in rad/s (NIMA TR8350.2, table 3.1).
pub const ROTATION: f64 = 7.292_115e-5;

/// Standard gravity in m/s² (ISO 80000-3).
pub const STANDARD_GRAVITY: f64 = 9.806_65;

/// Which Earth there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum EarthModel {
    /// A plane that does not turn, with standard gravity straight down; depth is the third coordinate.
    #[default]
    Flat,
    /// The WGS 84 ellipsoid, which turns, with its normal gravity; depth is measured from the ellipsoid.
    #[choice(name = "wgs84")]
    Wgs84,
}

/// The Earth as a group of parameters: which one, and where the local level frame touches it.
#[derive(Clone, Debug, Default, PartialEq, Parameters)]
pub struct EarthParameters {
    /// The Earth: `flat` does not turn and has standard gravity straight down; `wgs84` is the ellipsoid
    /// that turns, with its normal gravity.
    #[parameter(default = EarthModel::Flat, fixed)]
    pub model: EarthModel,
    #[group]
    #[allow(missing_docs)]
    pub origin: Origin,
}

/// Where the local level frame (north, east, down) touches the ellipsoid.
#[derive(Clone, Debug, Default, PartialEq, Parameters)]
pub struct Origin {
    /// Latitude of the origin of north, east, down.
    #[parameter(unit = "deg", default = 0.0, min = -90, max = 90, fixed)]
    pub latitude: f64,
    /// Longitude of that origin.
    #[parameter(unit = "deg", default = 0.0, min = -180, max = 180, fixed)]
    pub longitude: f64,
    /// Height of that origin above the ellipsoid.
    #[parameter(unit = "m", default = 0.0, fixed)]
    pub height: f64,
}

impl Origin {
    /// The frame itself.
    pub fn plane(&self) -> TangentPlane {
        TangentPlane::at(Geodetic::from_degrees(self.latitude, self.longitude, self.height))
    }
}

/// The Earth as a vehicle feels it in the local level frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Earth {
    /// See [`EarthModel::Flat`].
    #[default]
    Flat,
    /// See [`EarthModel::Wgs84`].
    Wgs84(TangentPlane),
}

impl EarthParameters {
    /// The Earth that they describe.
    pub fn earth(&self) -> Earth {
        match self.model {
            EarthModel::Flat => Earth::Flat,
            EarthModel::Wgs84 => Earth::Wgs84(self.origin.plane()),
        }
    }
}

impl Earth {
    /// Angular velocity of the local level frame against the stars, in that frame, in rad/s.
    pub fn rotation(&self) -> Vector3<f64> {
        match self {
            Earth::Flat => Vector3::zeros(),
            Earth::Wgs84(plane) => plane.direction_from_ecef(Vector3::z() * ROTATION),
        }
    }

    /// Gravity at a place, in m/s², centrifugal acceleration included.
    ///
    /// On the ellipsoid it is the normal gravity, exact at all heights; below the surface the same
    /// field is continued.
    pub fn gravity(&self, ned: Vector3<f64>) -> Vector3<f64> {
        match self {
            Earth::Flat => Vector3::new(0.0, 0.0, STANDARD_GRAVITY),
            Earth::Wgs84(plane) => plane.direction_from_ecef(normal_gravity(plane.to_ecef(ned))),
        }
    }

    /// Depth below the surface of the sea, which is the ellipsoid, in metres.
    pub fn depth(&self, ned: Vector3<f64>) -> f64 {
        match self {
            Earth::Flat => ned.z,
            Earth::Wgs84(plane) => -plane.height(ned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_on_the_ellipsoid_grows_with_the_distance_from_the_origin() {
        let earth = Earth::Wgs84(TangentPlane::at(Geodetic::from_degrees(48.0, -4.5, 0.0)));
        let far = earth.depth(Vector3::new(20_000.0, 0.0, 0.0));
        assert!((far + 31.4).abs() < 0.1, "{far}");
    }
}
