//! Normal gravity of WGS 84, at any height.
//!
//! The potential of the level ellipsoid outside of it, by zonal harmonics (Heiskanen and Moritz,
//! *Physical Geodesy*, section 2-9), and the centrifugal acceleration of a place that turns with the
//! Earth. With q = (a/r)², t = z/r and the unit vectors r̂ and ẑ, as the gradient of r⁻⁽ˡ⁺¹⁾ P_l(t) is
//! r⁻⁽ˡ⁺²⁾ (P_l'(t) ẑ - P_{l+1}'(t) r̂):
//!
//! ```text
//! g = GM/r² (-r̂ (1 - Σ J_l q^(l/2) P_{l+1}'(t)) - ẑ Σ J_l q^(l/2) P_l'(t)) + ω² (x, y, 0),  l = 2, 4, 6, 8
//! J_2n = (-1)^(n+1) 3 e²ⁿ / ((2n + 1)(2n + 3)) (1 - n + 5 n J_2 / e²)
//! ```
//!
//! What is left out, J₁₀, is some 2·10⁻¹¹ m/s². On the ellipsoid it is Somigliana's formula, and the
//! vector is normal to it; above it is not, which formulas along the vertical neglect. Below the
//! surface the same field is continued, without the attraction of the water above.

use nalgebra::Vector3;

use crate::earth::ROTATION;
use crate::geodetic::SEMI_MAJOR;

/// GM of the Earth with its atmosphere in m³/s² (TR8350.2, table 3.1).
const GM: f64 = 3.986_004_418e14;

/// Zonal harmonics of the level ellipsoid, of degrees 2, 4, 6 and 8: by the equation above, with J₂
/// from the defining constants of WGS 84.
const J: [f64; 4] = [
    1.082_629_821_313_306_3e-3,
    -2.370_911_200_533_961e-6,
    6.083_464_988_821_034e-9,
    -1.426_810_879_195_12e-11,
];

/// Gravity in m/s² at a place, both in Earth-centred coordinates.
pub(crate) fn normal_gravity(ecef: Vector3<f64>) -> Vector3<f64> {
    let squared = ecef.norm_squared();
    let inverse = 1.0 / squared;
    // t², and q: powers of a/r are even, so that the only root is that of 1/r³ = sqrt(1/r²)/r².
    let u = ecef.z * ecef.z * inverse;
    let q = SEMI_MAJOR * SEMI_MAJOR * inverse;
    let [c2, c4, c6, c8] = [J[0] * q, J[1] * q * q, J[2] * q * q * q, J[3] * (q * q) * (q * q)];
    // P_{l+1}'(t), and P_l'(t)/t.
    let radial = c2 * ((15.0 * u - 3.0) / 2.0)
        + c4 * (((315.0 * u - 210.0) * u + 15.0) / 8.0)
        + c6 * ((((3003.0 * u - 3465.0) * u + 945.0) * u - 35.0) / 16.0)
        + c8 * (((((109_395.0 * u - 180_180.0) * u + 90_090.0) * u - 13_860.0) * u + 315.0)
            / 128.0);
    let axial = c2 * 3.0
        + c4 * ((35.0 * u - 15.0) / 2.0)
        + c6 * (((693.0 * u - 630.0) * u + 105.0) / 8.0)
        + c8 * ((((6435.0 * u - 9009.0) * u + 3465.0) * u - 315.0) / 16.0);
    // GM/r³: r̂ and t ẑ become the vector and its z.
    let pull = GM * inverse * inverse.sqrt();
    let (inwards, spin) = (-pull * (1.0 - radial), ROTATION * ROTATION);
    Vector3::new(
        ecef.x * (inwards + spin),
        ecef.y * (inwards + spin),
        ecef.z * (inwards - pull * axial),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geodetic::{FLATTENING, Geodetic};

    #[test]
    fn gravity_is_that_of_the_tables() {
        // TR8350.2, table 3.4: at the equator and at the poles.
        let equator = normal_gravity(Vector3::new(SEMI_MAJOR, 0.0, 0.0));
        assert!((equator - Vector3::new(-9.780_325_335_9, 0.0, 0.0)).norm() < 1e-10, "{equator}");
        let pole = normal_gravity(Vector3::new(0.0, 0.0, -SEMI_MAJOR * (1.0 - FLATTENING)));
        assert!((pole - Vector3::new(0.0, 0.0, 9.832_184_937_8)).norm() < 1e-10, "{pole}");
    }

    #[test]
    fn on_the_ellipsoid_it_points_along_the_normal() {
        for degrees in [-80.0, -45.0, 10.0, 60.0] {
            let place = Geodetic::from_degrees(degrees, 0.0, 0.0);
            let (sin_phi, cos_phi) = libm::sincos(place.latitude);
            let north = Vector3::new(-sin_phi, 0.0, cos_phi);
            assert!(normal_gravity(place.to_ecef()).dot(&north).abs() < 1e-10);
        }
    }
}
