//! Places on the WGS 84 ellipsoid, as latitude and longitude and as Earth-centred coordinates.

use std::f64::consts::FRAC_PI_2;

use ironbird_kernel::Value;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::ellipsoid::Ellipsoid;

/// Semi-major axis of WGS 84 in metres.
pub const SEMI_MAJOR: f64 = Ellipsoid::WGS84.semi_major;

/// Flattening of WGS 84.
pub const FLATTENING: f64 = Ellipsoid::WGS84.flattening;

/// First eccentricity squared of WGS 84.
pub const ECCENTRICITY_SQUARED: f64 = Ellipsoid::WGS84.eccentricity_squared();

/// Units of the parts of a [`Geodetic`], for its ports.
pub const GEODETIC_UNITS: &str = "latitude: rad, longitude: rad, height: m";

/// A place on or near the Earth, on WGS 84.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Value)]
pub struct Geodetic {
    /// Latitude in radians, north positive.
    pub latitude: f64,
    /// Longitude in radians, east positive.
    pub longitude: f64,
    /// Height above the ellipsoid in metres.
    pub height: f64,
}

impl Geodetic {
    /// From degrees and metres.
    pub fn from_degrees(latitude: f64, longitude: f64, height: f64) -> Self {
        Geodetic { latitude: latitude.to_radians(), longitude: longitude.to_radians(), height }
    }

    /// Whether it is a place: a latitude within a quarter turn, and everything a finite number.
    pub fn is_on_earth(self) -> bool {
        self.latitude.abs() <= FRAC_PI_2 && self.longitude.is_finite() && self.height.is_finite()
    }

    /// Earth-centred, Earth-fixed coordinates in metres: x through 0° N 0° E, z through the north pole.
    ///
    /// ```text
    /// N = a / sqrt(1 - e² sin²φ)
    /// x = (N + h) cos φ cos λ,  y = (N + h) cos φ sin λ,  z = (N (1 - e²) + h) sin φ
    /// ```
    pub fn to_ecef(self) -> Vector3<f64> {
        let (sin_phi, cos_phi) = libm::sincos(self.latitude);
        let (sin_lambda, cos_lambda) = libm::sincos(self.longitude);
        let normal = SEMI_MAJOR / (1.0 - ECCENTRICITY_SQUARED * sin_phi * sin_phi).sqrt();
        let across = (normal + self.height) * cos_phi;
        let z = (normal * (1.0 - ECCENTRICITY_SQUARED) + self.height) * sin_phi;
        Vector3::new(across * cos_lambda, across * sin_lambda, z)
    }

    /// From Earth-centred coordinates. On the axis of the Earth the longitude is 0, or half a turn.
    pub fn from_ecef(ecef: Vector3<f64>) -> Self {
        let vertical = Vertical::at(ecef);
        Geodetic {
            latitude: libm::atan2(vertical.sin_phi, vertical.cos_phi),
            longitude: libm::atan2(ecef.y, ecef.x),
            height: vertical.height,
        }
    }
}

/// The vertical at a place as the sine and the cosine of the latitude φ, which algebra finds without
/// the angle.
pub(crate) struct Vertical {
    cos_phi: f64,
    sin_phi: f64,
    /// Height above the ellipsoid in metres.
    pub height: f64,
}

impl Vertical {
    /// By Bowring's iteration on the reduced latitude β (B. R. Bowring, *Survey Review* 23 (1976) 323):
    ///
    /// ```text
    /// tan φ = (z + e'² b sin³β) / (p - e² a cos³β),  tan β = (1 - f) tan φ
    /// ```
    ///
    /// The vertical is looked for from the centre of curvature at β, which moves along the vertical
    /// when β changes: so the error is squared in each round, and two rounds are enough from 11 km
    /// deep to beyond all satellites. Within some 50 km of the Earth's centre, where several verticals
    /// meet, it is some finite one.
    pub fn at(ecef: Vector3<f64>) -> Self {
        const AXIS_RATIO: f64 = 1.0 - FLATTENING;
        // e'² b = e² a / (1 - f), as b = (1 - f) a and e'² = e² / (1 - f)².
        const OUT: f64 = ECCENTRICITY_SQUARED * SEMI_MAJOR;
        const UP: f64 = OUT / AXIS_RATIO;
        let z = ecef.z;
        let p = (ecef.x * ecef.x + ecef.y * ecef.y).sqrt();
        let mut phi = (1.0, 0.0);
        // At first as if the place were on the ellipsoid.
        let mut beta = unit(AXIS_RATIO * p, z);
        for _ in 0..10 {
            let out = p - OUT * beta.0 * beta.0 * beta.0;
            let up = z + UP * beta.1 * beta.1 * beta.1;
            let next = unit(out.max(0.0), up);
            let moved = (next.0 - phi.0).abs() + (next.1 - phi.1).abs();
            phi = next;
            if moved < 1e-8 {
                break;
            }
            beta = unit(phi.0, AXIS_RATIO * phi.1);
        }
        let (cos_phi, sin_phi) = phi;
        // h = p cos φ + z sin φ - a sqrt(1 - e² sin²φ), well conditioned at all latitudes.
        let root = (1.0 - ECCENTRICITY_SQUARED * sin_phi * sin_phi).sqrt();
        Vertical { cos_phi, sin_phi, height: p * cos_phi + z * sin_phi - SEMI_MAJOR * root }
    }
}

/// The direction of (x, y) with length one; (1, 0) for nowhere.
fn unit(x: f64, y: f64) -> (f64, f64) {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { (x / length, y / length) } else { (1.0, 0.0) }
}
