//! The magnetic field of the Earth: the World Magnetic Model 2025, spherical harmonics to degree 12 that change
//! linearly over the years.
//!
//! With r, φ', λ the radius, geocentric latitude and longitude, a = 6371.2 km, and P the associated Legendre functions
//! after Schmidt (A. Chulliat et al., *The US/UK World Magnetic Model for 2020-2025: Technical Report*, NOAA 2020,
//! section 1.2):
//!
//! ```text
//! g(t) = g + (t - 2025) g',  h alike
//! X' = -Σ (a/r)^(n+2) Σ (g cos mλ + h sin mλ) dP(sin φ')/dφ'
//! Y' =  1/cos φ' Σ (a/r)^(n+2) Σ m (g sin mλ - h cos mλ) P(sin φ')
//! Z' = -Σ (n + 1) (a/r)^(n+2) Σ (g cos mλ + h sin mλ) P(sin φ')
//! ```
//!
//! to the north, east and down of the sphere, then turned by φ' - φ to those of the ellipsoid. The error of the model
//! is some 150 nT (0.3 %); what rocks and machines add is not in it. It is meant for 2025 to 2030 and from 1 km below to
//! 850 km above the ellipsoid; beyond, it goes on as its formulas do.
//!
//! One place takes some microseconds. [`LocalField`] takes the field and its gradient once, for a region of some
//! kilometres.

mod coefficients;
mod local;

use ironbird_kinematics::{Geodetic, TangentPlane};
use nalgebra::Vector3;

use coefficients::{COEFFICIENTS, DEGREE};
pub use coefficients::{EPOCH, LAST};
pub use local::LocalField;

/// The radius to which the coefficients refer, in m.
const RADIUS: f64 = 6_371_200.0;
/// Tesla in a nanotesla.
const NANO: f64 = 1e-9;
/// Nearer to the axis of the Earth than this (the cosine of the latitude), the field is that at this latitude.
const POLE: f64 = 1e-10;

/// The field in T at a place in a decimal year: north, east, down.
pub fn field(place: Geodetic, year: f64) -> Vector3<f64> {
    TangentPlane::at(place).direction_from_ecef(field_ecef(place.to_ecef(), year))
}

/// The field in T at a place, both in Earth-centred coordinates, in a decimal year.
pub fn field_ecef(ecef: Vector3<f64>, year: f64) -> Vector3<f64> {
    let radius = ecef.norm();
    let level = (ecef.x * ecef.x + ecef.y * ecef.y).sqrt();
    let (sin_phi, cos_phi) = (ecef.z / radius, (level / radius).max(POLE));
    // At a pole any longitude will do.
    let (cos_lambda, sin_lambda) =
        if level > 0.0 { (ecef.x / level, ecef.y / level) } else { (1.0, 0.0) };
    let [north, east, down] =
        harmonics(RADIUS / radius, [sin_phi, cos_phi], [sin_lambda, cos_lambda], year - EPOCH);
    // The sphere's directions as the Earth sees them.
    let outwards = cos_phi * -down - sin_phi * north;
    Vector3::new(
        outwards * cos_lambda - east * sin_lambda,
        outwards * sin_lambda + east * cos_lambda,
        cos_phi * north - sin_phi * down,
    ) * NANO
}

/// X', Y' and Z' in nT, for a/r, the sines and cosines of latitude and longitude, and the years since the epoch.
fn harmonics(
    ratio: f64,
    [sin_phi, cos_phi]: [f64; 2],
    [sin_lambda, cos_lambda]: [f64; 2],
    years: f64,
) -> [f64; 3] {
    // (cos mλ, sin mλ)
    let mut turns = [[1.0, 0.0]; DEGREE + 1];
    for m in 1..=DEGREE {
        let [c, s] = turns[m - 1];
        turns[m] = [c * cos_lambda - s * sin_lambda, s * cos_lambda + c * sin_lambda];
    }
    let mut sum = [0.0; 3];
    // P and dP/dφ' of the last two degrees, by order.
    let mut last = [[0.0; 2]; DEGREE + 1];
    let mut this = [[0.0; 2]; DEGREE + 1];
    this[0] = [1.0, 0.0];
    let mut power = ratio * ratio;
    let mut row = COEFFICIENTS.iter();
    for n in 1..=DEGREE {
        power *= ratio;
        let next = legendre(n, &this, &last, [sin_phi, cos_phi]);
        (last, this) = (this, next);
        let mut part = [0.0; 3];
        for (m, [g, h, g_rate, h_rate]) in row.by_ref().take(n + 1).enumerate() {
            let (g, h) = (g + years * g_rate, h + years * h_rate);
            let ([c, s], [p, slope]) = (turns[m], this[m]);
            let along = g * c + h * s;
            part[0] -= along * slope;
            part[1] += m as f64 * (g * s - h * c) * p;
            part[2] -= (n + 1) as f64 * along * p;
        }
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum += power * part;
        }
    }
    [sum[0], sum[1] / cos_phi, sum[2]]
}

/// P and dP/dφ' of degree n, by order, from those of degrees n - 1 and n - 2.
///
/// ```text
/// P_n,n = k cos φ' P_n-1,n-1,                                k = 1 for n = 1, else √(1 - 1/(2n))
/// P_n,m = ((2n - 1) sin φ' P_n-1,m - √((n-1)² - m²) P_n-2,m) / √(n² - m²)
/// ```
fn legendre(
    n: usize,
    this: &[[f64; 2]; DEGREE + 1],
    last: &[[f64; 2]; DEGREE + 1],
    [sine, cosine]: [f64; 2],
) -> [[f64; 2]; DEGREE + 1] {
    let degree = n as f64;
    let mut next = [[0.0; 2]; DEGREE + 1];
    for (m, value) in next.iter_mut().enumerate().take(n) {
        let order = m as f64;
        let before = ((degree - 1.0) * (degree - 1.0) - order * order).max(0.0).sqrt();
        let scale = 1.0 / (degree * degree - order * order).sqrt();
        let twice = 2.0 * degree - 1.0;
        let ([p, slope], [old, old_slope]) = (this[m], last[m]);
        *value = [
            (twice * sine * p - before * old) * scale,
            (twice * (cosine * p + sine * slope) - before * old_slope) * scale,
        ];
    }
    let k = if n == 1 { 1.0 } else { (1.0 - 0.5 / degree).sqrt() };
    let [p, slope] = this[n - 1];
    next[n] = [k * cosine * p, k * (cosine * slope - sine * p)];
    next
}
