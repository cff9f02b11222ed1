//! What the Earth does to inertial sensors and to depth: its rotation, its gravity, its shape.

use ironbird_component::{Choice, Parameters};
use nalgebra::Vector3;

use crate::geodetic::{ECCENTRICITY_SQUARED, FLATTENING, Geodetic, SEMI_MAJOR};
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
    /// On the ellipsoid it is the normal gravity (Somigliana) with its decrease upwards to second
    /// order (TR8350.2, equation 4-3), along the normal of the ellipsoid there; below the surface the
    /// same formula is continued.
    pub fn gravity(&self, ned: Vector3<f64>) -> Vector3<f64> {
        match self {
            Earth::Flat => Vector3::new(0.0, 0.0, STANDARD_GRAVITY),
            Earth::Wgs84(plane) => {
                let place = plane.to_geodetic(ned);
                let (sin_phi, cos_phi) = libm::sincos(place.latitude);
                let (sin_lambda, cos_lambda) = libm::sincos(place.longitude);
                let down = Vector3::new(-cos_phi * cos_lambda, -cos_phi * sin_lambda, -sin_phi);
                plane.direction_from_ecef(down) * normal_gravity(sin_phi, place.height)
            }
        }
    }

    /// Depth below the surface of the sea, which is the ellipsoid, in metres.
    pub fn depth(&self, ned: Vector3<f64>) -> f64 {
        match self {
            Earth::Flat => ned.z,
            Earth::Wgs84(plane) => -plane.to_geodetic(ned).height,
        }
    }
}

/// Normal gravity on WGS 84 in m/s² (TR8350.2, equations 4-1 and 4-3).
fn normal_gravity(sin_phi: f64, height: f64) -> f64 {
    /// Normal gravity at the equator in m/s².
    const EQUATOR: f64 = 9.780_325_335_9;
    /// Somigliana's constant k = b γ_p / (a γ_e) - 1.
    const K: f64 = 0.001_931_852_652_41;
    /// m = ω² a² b / GM.
    const M: f64 = 0.003_449_786_506_84;
    let squared = sin_phi * sin_phi;
    let surface = EQUATOR * (1.0 + K * squared) / (1.0 - ECCENTRICITY_SQUARED * squared).sqrt();
    let h = height / SEMI_MAJOR;
    surface * (1.0 - 2.0 * (1.0 + FLATTENING + M - 2.0 * FLATTENING * squared) * h + 3.0 * h * h)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_is_that_of_the_tables() {
        // TR8350.2, table 3.4: at the equator and at the poles.
        assert!((normal_gravity(0.0, 0.0) - 9.780_325_335_9).abs() < 1e-12);
        assert!((normal_gravity(1.0, 0.0) - 9.832_184_937_8).abs() < 1e-9);
    }

    #[test]
    fn depth_on_the_ellipsoid_grows_with_the_distance_from_the_origin() {
        let earth = Earth::Wgs84(TangentPlane::at(Geodetic::from_degrees(48.0, -4.5, 0.0)));
        let far = earth.depth(Vector3::new(20_000.0, 0.0, 0.0));
        assert!((far + 31.4).abs() < 0.1, "{far}");
    }
}
