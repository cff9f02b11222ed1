//! Places on the WGS 84 ellipsoid, as latitude and longitude and as Earth-centred coordinates.

use nalgebra::Vector3;

/// Semi-major axis of WGS 84 in metres (NIMA TR8350.2, table 3.1).
pub const SEMI_MAJOR: f64 = 6_378_137.0;

/// Flattening of WGS 84.
pub const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// First eccentricity squared, e² = f (2 - f).
pub const ECCENTRICITY_SQUARED: f64 = FLATTENING * (2.0 - FLATTENING);

/// A place on or near the Earth, on WGS 84.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

    /// From Earth-centred coordinates, by Bowring's iteration on the reduced latitude β:
    ///
    /// ```text
    /// tan φ = (z + e'² b sin³β) / (p - e² a cos³β),  tan β = (1 - f) tan φ
    /// ```
    ///
    /// It converges by a factor of some 10⁻⁵ per step near the surface; the loop ends when it stands
    /// still. At the Earth's centre, where all directions are up, it is some finite place.
    pub fn from_ecef(ecef: Vector3<f64>) -> Self {
        let (x, y, z) = (ecef.x, ecef.y, ecef.z);
        let p = libm::hypot(x, y);
        let semi_minor = SEMI_MAJOR * (1.0 - FLATTENING);
        let second = ECCENTRICITY_SQUARED / (1.0 - ECCENTRICITY_SQUARED);
        // The reduced latitude as a direction (cosine, sine).
        let mut beta = unit(p, z / (1.0 - FLATTENING));
        let mut phi = (1.0, 0.0);
        for _ in 0..6 {
            let up = z + second * semi_minor * beta.1 * beta.1 * beta.1;
            let out = p - ECCENTRICITY_SQUARED * SEMI_MAJOR * beta.0 * beta.0 * beta.0;
            let next = unit(out, up);
            let still = next == phi;
            phi = next;
            beta = unit(phi.0, (1.0 - FLATTENING) * phi.1);
            if still {
                break;
            }
        }
        // h = p cos φ + z sin φ - a sqrt(1 - e² sin²φ), well conditioned at all latitudes.
        let root = (1.0 - ECCENTRICITY_SQUARED * phi.1 * phi.1).sqrt();
        Geodetic {
            latitude: libm::atan2(phi.1, phi.0),
            longitude: libm::atan2(y, x),
            height: p * phi.0 + z * phi.1 - SEMI_MAJOR * root,
        }
    }
}

/// The direction of (x, y) with length one; (1, 0) for nowhere.
fn unit(x: f64, y: f64) -> (f64, f64) {
    let length = libm::hypot(x, y);
    if length > 0.0 { (x / length, y / length) } else { (1.0, 0.0) }
}
