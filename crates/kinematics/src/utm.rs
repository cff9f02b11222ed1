//! Universal Transverse Mercator: maps of six degrees of longitude each.
//!
//! The transverse Mercator projection by Krüger's series to sixth order in the third flattening n
//! (C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", *Journal of Geodesy*
//! 85 (2011) 475, equations 7 to 12, 23 to 26, 35 and 36). With λ counted from the central meridian and
//! τ = tan φ:
//!
//! ```text
//! σ = sinh(e atanh(e τ / sqrt(1 + τ²))),  τ' = τ sqrt(1 + σ²) - σ sqrt(1 + τ²)
//! ξ' = atan2(τ', cos λ),  η' = asinh(sin λ / sqrt(τ'² + cos²λ))
//! ξ + iη = ζ' + Σ α_j sin(2 j ζ'),  ζ' = ξ' + iη'
//! easting = 500 km + 0.9996 A η,  northing = 0.9996 A ξ (+ 10,000 km in the south)
//! A = a / (1 + n) (1 + n²/4 + n⁴/64 + n⁶/256 + …)
//! ```
//!
//! and back by ζ' = ζ - Σ β_j sin(2 j ζ) and Newton's method for τ of τ'. The convergence γ, by which
//! north of the map lies off north, and the scale k follow from the slope of the series:
//!
//! ```text
//! p' - iq' = 1 + Σ 2 j α_j cos(2 j ζ'),  γ = arg((sqrt(1 + τ'²) cos λ + i τ' sin λ) (p' + iq'))
//! k = 0.9996 A/a sqrt(1 - e² sin²φ) sqrt(1 + τ²) / sqrt(τ'² + cos²λ) |p' + iq'|
//! ```

use std::f64::consts::{FRAC_PI_2, PI};

use crate::ellipsoid::Ellipsoid;
use crate::geodetic::Geodetic;

/// Scale on the central meridian.
const SCALE: f64 = 0.9996;
/// Easting of the central meridian in metres.
const FALSE_EASTING: f64 = 500_000.0;
/// Northing of the equator on maps of the south, in metres.
const FALSE_NORTHING_SOUTH: f64 = 10_000_000.0;
/// How far from the central meridian a place may lie, in radians: 20°. The zone itself ends at 3°.
const REACH: f64 = PI / 9.0;
/// What coordinates of the poles may be off, in radians: some micrometres.
const ROUNDING: f64 = 1e-12;

/// One zone of the Universal Transverse Mercator system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utm {
    zone: u8,
    is_south: bool,
    ellipsoid: Ellipsoid,
    /// Of the ellipsoid: A, and the coefficients of the series.
    rectifying_radius: f64,
    alpha: [f64; 6],
    beta: [f64; 6],
}

/// A place on a map, and how the map lies there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPlace {
    /// Easting and northing in metres.
    pub coordinates: [f64; 2],
    /// Metres of easting and northing per metre northwards on the ellipsoid.
    pub northwards: [f64; 2],
}

impl MapPlace {
    /// Metres of easting and northing per metre eastwards on the ellipsoid: across `northwards` and as
    /// long, for the map is conformal.
    pub fn eastwards(&self) -> [f64; 2] {
        let [easting, northing] = self.northwards;
        [northing, -easting]
    }
}

/// Why a place has no coordinates in a zone, or coordinates are of no place.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum UtmError {
    #[error(
        "{latitude:.6}° N {longitude:.6}° E lies too far from the meridian {meridian}° E of UTM zone \
         {zone}: at most 20° are mapped"
    )]
    Outside { latitude: f64, longitude: f64, meridian: f64, zone: u8 },
    #[error("easting {easting} m, northing {northing} m lies too far outside of UTM zone {zone}")]
    NoPlace { easting: f64, northing: f64, zone: u8 },
}

impl Utm {
    /// Zone 1 to 60, north or south of the equator; `None` for another number.
    pub fn new(zone: u8, is_south: bool, ellipsoid: Ellipsoid) -> Option<Self> {
        if !(1..=60).contains(&zone) {
            return None;
        }
        let n = ellipsoid.third_flattening();
        let n2 = n * n;
        let radius = ellipsoid.semi_major / (1.0 + n);
        let rectifying_radius =
            radius * (1.0 + n2 * (1.0 / 4.0 + n2 * (1.0 / 64.0 + n2 * (1.0 / 256.0))));
        let (alpha, beta) = (series(&ALPHA, n), series(&BETA, n));
        Some(Utm { zone, is_south, ellipsoid, rectifying_radius, alpha, beta })
    }

    /// The zone of an EPSG code: WGS 84 (326zz north, 327zz south), NAD83 (269zz, zones 1 to 23) and
    /// ETRS89 (258zz, zones 28 to 38). `None` for other codes.
    pub fn from_epsg(code: u32) -> Option<Self> {
        let zone = (code % 100) as u8;
        match (code / 100, zone) {
            (326, _) => Utm::new(zone, false, Ellipsoid::WGS84),
            (327, _) => Utm::new(zone, true, Ellipsoid::WGS84),
            (269, 1..=23) | (258, 28..=38) => Utm::new(zone, false, Ellipsoid::GRS80),
            _ => None,
        }
    }

    /// Its number, from 1 to 60.
    pub fn zone(&self) -> u8 {
        self.zone
    }

    /// Whether northings count from 10,000 km at the equator.
    pub fn is_south(&self) -> bool {
        self.is_south
    }

    /// The longitude of its central meridian in radians.
    pub fn meridian(&self) -> f64 {
        self.meridian_degrees().to_radians()
    }

    fn meridian_degrees(&self) -> f64 {
        6.0 * f64::from(self.zone) - 183.0
    }

    /// Easting and northing in metres of a place up to 20° from the central meridian. The height does
    /// not matter.
    pub fn project(&self, place: Geodetic) -> Result<[f64; 2], UtmError> {
        self.map(place).map(|place| place.coordinates)
    }

    /// The same with the directions of the map there.
    pub fn map(&self, place: Geodetic) -> Result<MapPlace, UtmError> {
        let lambda = around(place.longitude - self.meridian());
        // What is not a number fails both comparisons.
        let is_near = lambda.abs() <= REACH && place.latitude.abs() <= FRAC_PI_2;
        if !is_near {
            return Err(UtmError::Outside {
                latitude: place.latitude.to_degrees(),
                longitude: place.longitude.to_degrees(),
                meridian: self.meridian_degrees(),
                zone: self.zone,
            });
        }
        let (sin_lambda, cos_lambda) = libm::sincos(lambda);
        let tangent = libm::tan(place.latitude);
        let tau = self.conformal(tangent);
        let across = (tau * tau + cos_lambda * cos_lambda).sqrt();
        let xi = libm::atan2(tau, cos_lambda);
        let eta = libm::asinh(sin_lambda / across);
        let ([xi, eta], [p, q]) = add_series([xi, eta], &self.alpha);
        let radius = SCALE * self.rectifying_radius;

        // (1 + τ²)(1 - e² sin²φ) = 1 + (1 - e²) τ².
        let complement = 1.0 - self.ellipsoid.eccentricity_squared();
        let flattened = (1.0 + complement * tangent * tangent).sqrt();
        let scale = radius / self.ellipsoid.semi_major * flattened / across * libm::hypot(p, q);
        let sphere = [(1.0 + tau * tau).sqrt() * cos_lambda, tau * sin_lambda];
        let turned = [sphere[0] * p - sphere[1] * q, sphere[0] * q + sphere[1] * p];
        let size = libm::hypot(turned[0], turned[1]);
        Ok(MapPlace {
            coordinates: [FALSE_EASTING + radius * eta, self.false_northing() + radius * xi],
            northwards: [-scale * turned[1] / size, scale * turned[0] / size],
        })
    }

    /// The place of an easting and a northing in metres, with height 0.
    pub fn place(&self, [easting, northing]: [f64; 2]) -> Result<Geodetic, UtmError> {
        let refused = UtmError::NoPlace { easting, northing, zone: self.zone };
        let scale = SCALE * self.rectifying_radius;
        let xi = (northing - self.false_northing()) / scale;
        let eta = (easting - FALSE_EASTING) / scale;
        // At 20° on the equator η is 0.36; beyond the poles ξ is more than a quarter turn, but for
        // rounding.
        if !(xi.abs() <= FRAC_PI_2 + ROUNDING && eta.abs() <= 0.4) {
            return Err(refused);
        }
        let ([xi, eta], _) = add_series([xi, eta], &self.beta.map(|c| -c));
        let xi = xi.clamp(-FRAC_PI_2, FRAC_PI_2);
        let (sinh_eta, (sin_xi, cos_xi)) = (libm::sinh(eta), libm::sincos(xi));
        let lambda = libm::atan2(sinh_eta, cos_xi);
        let from_pole = (sinh_eta * sinh_eta + cos_xi * cos_xi).sqrt();
        // At a pole every longitude is as good.
        if lambda.abs() > REACH && from_pole > ROUNDING {
            return Err(refused);
        }
        let tau = self.geographic(sin_xi / from_pole);
        let longitude = around(self.meridian() + lambda);
        Ok(Geodetic { latitude: libm::atan(tau), longitude, height: 0.0 })
    }

    fn false_northing(&self) -> f64 {
        if self.is_south { FALSE_NORTHING_SOUTH } else { 0.0 }
    }

    /// τ', the tangent of the conformal latitude, of τ, the tangent of the latitude.
    fn conformal(&self, tau: f64) -> f64 {
        let e = self.ellipsoid.eccentricity_squared().sqrt();
        let secant = (1.0 + tau * tau).sqrt();
        let sigma = libm::sinh(e * libm::atanh(e * tau / secant));
        tau * (1.0 + sigma * sigma).sqrt() - sigma * secant
    }

    /// τ of τ', by Newton's method (equations 19 to 21): three steps reach the last digit.
    fn geographic(&self, conformal: f64) -> f64 {
        let complement = 1.0 - self.ellipsoid.eccentricity_squared();
        let mut tau = conformal / complement;
        for _ in 0..3 {
            let reached = self.conformal(tau);
            let step = (conformal - reached) * (1.0 + complement * tau * tau)
                / (complement * ((1.0 + tau * tau) * (1.0 + reached * reached)).sqrt());
            // At the poles, where the tangent has no end, infinities cancel to nothing.
            if !step.is_finite() {
                break;
            }
            tau += step;
        }
        tau
    }
}

/// An angle as one within half a turn.
fn around(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}

/// ζ + Σ c_j sin(2 j ζ) of a complex ζ = ξ + iη, and p' and q' of its slope p' - iq'. The multiples
/// follow from sin (j+1)z = 2 cos z sin jz - sin (j-1)z, and so for the cosine.
fn add_series([xi, eta]: [f64; 2], coefficients: &[f64; 6]) -> ([f64; 2], [f64; 2]) {
    let (sine, cosine) = libm::sincos(2.0 * xi);
    let (sinh, cosh) = (libm::sinh(2.0 * eta), libm::cosh(2.0 * eta));
    let mut sin = [sine * cosh, cosine * sinh];
    let mut cos = [cosine * cosh, -sine * sinh];
    let twice = cos.map(|part| 2.0 * part);
    let next = |[re, im]: [f64; 2], before: [f64; 2]| {
        [twice[0] * re - twice[1] * im - before[0], twice[0] * im + twice[1] * re - before[1]]
    };
    let (mut sin_before, mut cos_before) = ([0.0, 0.0], [1.0, 0.0]);
    let (mut sum, mut slope) = ([xi, eta], [1.0, 0.0]);
    for (index, c) in coefficients.iter().enumerate() {
        let steep = 2.0 * (index + 1) as f64 * c;
        sum = [sum[0] + c * sin[0], sum[1] + c * sin[1]];
        slope = [slope[0] + steep * cos[0], slope[1] - steep * cos[1]];
        (sin_before, sin) = (sin, next(sin, sin_before));
        (cos_before, cos) = (cos, next(cos, cos_before));
    }
    (sum, slope)
}

/// Numerators and denominators of the powers n^j to n⁶ of one coefficient.
type Powers = &'static [(f64, f64)];

/// Equation 35: the powers of α_j, from n^j to n⁶.
const ALPHA: [Powers; 6] = [
    &[(1.0, 2.0), (-2.0, 3.0), (5.0, 16.0), (41.0, 180.0), (-127.0, 288.0), (7891.0, 37_800.0)],
    &[(13.0, 48.0), (-3.0, 5.0), (557.0, 1440.0), (281.0, 630.0), (-1_983_433.0, 1_935_360.0)],
    &[(61.0, 240.0), (-103.0, 140.0), (15_061.0, 26_880.0), (167_603.0, 181_440.0)],
    &[(49_561.0, 161_280.0), (-179.0, 168.0), (6_601_661.0, 7_257_600.0)],
    &[(34_729.0, 80_640.0), (-3_418_889.0, 1_995_840.0)],
    &[(212_378_941.0, 319_334_400.0)],
];

/// Equation 36: the powers of β_j, from n^j to n⁶.
const BETA: [Powers; 6] = [
    &[(1.0, 2.0), (-2.0, 3.0), (37.0, 96.0), (-1.0, 360.0), (-81.0, 512.0), (96_199.0, 604_800.0)],
    &[(1.0, 48.0), (1.0, 15.0), (-437.0, 1440.0), (46.0, 105.0), (-1_118_711.0, 3_870_720.0)],
    &[(17.0, 480.0), (-37.0, 840.0), (-209.0, 4480.0), (5569.0, 90_720.0)],
    &[(4397.0, 161_280.0), (-11.0, 504.0), (-830_251.0, 7_257_600.0)],
    &[(4583.0, 161_280.0), (-108_847.0, 3_991_680.0)],
    &[(20_648_693.0, 638_668_800.0)],
];

/// The coefficients of a series for one n.
fn series(table: &[Powers; 6], n: f64) -> [f64; 6] {
    let mut power = 1.0;
    table.map(|powers| {
        power *= n;
        let horner = powers.iter().rev().fold(0.0, |sum, (over, under)| sum * n + over / under);
        power * horner
    })
}
