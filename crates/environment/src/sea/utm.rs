//! Universal Transverse Mercator by Krüger's series to sixth order in n (L. Krüger 1912; C. Karney,
//! Transverse Mercator with an accuracy of a few nanometers, J. Geodesy 85, 2011, equations 7 to 11,
//! 23 to 26 and 35).
//!
//! With τ = tan φ, σ = sinh(e artanh(e τ / √(1 + τ²))), λ from the central meridian:
//!
//! ```text
//! τ' = τ √(1 + σ²) - σ √(1 + τ²),  ξ' = atan2(τ', cos λ),  η' = arsinh(sin λ / √(τ'² + cos² λ))
//! ξ + iη = ζ' + Σ α_j sin 2jζ',  ζ' = ξ' + iη',  E = E0 + k0 A η,  N = N0 + k0 A ξ
//! ```

use ironbird_kinematics::{ECCENTRICITY_SQUARED, FLATTENING, Geodetic, SEMI_MAJOR};

/// Third flattening n.
const N: f64 = FLATTENING / (2.0 - FLATTENING);

/// Scale at the central meridian.
const K0: f64 = 0.9996;

/// Radius of the rectifying sphere, A.
const RADIUS: f64 =
    SEMI_MAJOR / (1.0 + N) * (1.0 + N * N * (1.0 / 4.0 + N * N * (1.0 / 64.0 + N * N / 256.0)));

/// α_j (Karney, equation 35).
const ALPHA: [f64; 6] = [
    N * (1.0 / 2.0
        + N * (-2.0 / 3.0
            + N * (5.0 / 16.0
                + N * (41.0 / 180.0 + N * (-127.0 / 288.0 + N * (7891.0 / 37_800.0)))))),
    N * N
        * (13.0 / 48.0
            + N * (-3.0 / 5.0
                + N * (557.0 / 1440.0 + N * (281.0 / 630.0 - N * (1_983_433.0 / 1_935_360.0))))),
    N * N
        * N
        * (61.0 / 240.0
            + N * (-103.0 / 140.0 + N * (15_061.0 / 26_880.0 + N * (167_603.0 / 181_440.0)))),
    N * N * N * N * (49_561.0 / 161_280.0 + N * (-179.0 / 168.0 + N * (6_601_661.0 / 7_257_600.0))),
    N * N * N * N * N * (34_729.0 / 80_640.0 - N * (3_418_889.0 / 1_995_840.0)),
    N * N * N * N * N * N * (212_378_941.0 / 319_334_400.0),
];

/// A place on the map, and how the map lies there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MapPlace {
    pub easting: f64,
    pub northing: f64,
    /// Metres of northing and easting per metre northwards on the ellipsoid; eastwards they are
    /// (-easting, northing), for the map is conformal.
    pub northwards: [f64; 2],
}

/// Easting and northing of a place in a zone in metres; `None` beyond 60 degrees from its central
/// meridian, where nobody uses it.
#[cfg(test)]
pub(super) fn utm_forward(place: Geodetic, zone: u8, south: bool) -> Option<(f64, f64)> {
    utm_place(place, zone, south).map(|place| (place.easting, place.northing))
}

/// The same with the directions of the map.
pub(super) fn utm_place(place: Geodetic, zone: u8, south: bool) -> Option<MapPlace> {
    let meridian = f64::from(6 * i32::from(zone) - 183).to_radians();
    let (sin_phi, cos_phi) = libm::sincos(place.latitude);
    let (sin_lambda, cos_lambda) = libm::sincos(place.longitude - meridian);
    // Also refuses what is not a number.
    if !(cos_lambda > 0.5 && cos_phi > 0.0) {
        return None;
    }
    let e = ECCENTRICITY_SQUARED.sqrt();
    let sigma = libm::sinh(e * libm::atanh(e * sin_phi));
    // τ' = tan of the conformal latitude.
    let tau = (sin_phi * (1.0 + sigma * sigma).sqrt() - sigma) / cos_phi;
    let xi = libm::atan2(tau, cos_lambda);
    let from_pole = (tau * tau + cos_lambda * cos_lambda).sqrt();
    let eta = libm::asinh(sin_lambda / from_pole);
    let (sum, slope) = series(xi, eta);

    // Convergence γ (equations 23 and 24): the angle of sphere and series, as a complex number.
    let sphere = [(1.0 + tau * tau).sqrt() * cos_lambda, tau * sin_lambda];
    let turned =
        [sphere[0] * slope[0] - sphere[1] * slope[1], sphere[0] * slope[1] + sphere[1] * slope[0]];
    // Scale k (equations 25 and 26).
    let root = (1.0 - ECCENTRICITY_SQUARED * sin_phi * sin_phi).sqrt();
    let series_scale = libm::hypot(slope[0], slope[1]);
    let scale = K0 * RADIUS / SEMI_MAJOR * root / (cos_phi * from_pole) * series_scale;
    let size = libm::hypot(turned[0], turned[1]);
    let false_northing = if south { 1e7 } else { 0.0 };
    Some(MapPlace {
        easting: 5e5 + K0 * RADIUS * (eta + sum[1]),
        northing: false_northing + K0 * RADIUS * (xi + sum[0]),
        northwards: [scale * turned[0] / size, -scale * turned[1] / size],
    })
}

/// Σ α_j sin 2jζ' as (real, imaginary), and 1 + Σ 2j α_j cos 2jζ' as (real, minus imaginary), which is
/// (p', q') of equation 23. The sines of multiples follow from sin (j+1)z = 2 cos z sin jz - sin (j-1)z.
fn series(xi: f64, eta: f64) -> ([f64; 2], [f64; 2]) {
    let (sine, cosine) = libm::sincos(2.0 * xi);
    let (hyperbolic_sine, hyperbolic_cosine) = (libm::sinh(2.0 * eta), libm::cosh(2.0 * eta));
    let sin_z = [sine * hyperbolic_cosine, cosine * hyperbolic_sine];
    let cos_z = [cosine * hyperbolic_cosine, -sine * hyperbolic_sine];
    let times_2cos = |z: [f64; 2]| {
        [2.0 * (cos_z[0] * z[0] - cos_z[1] * z[1]), 2.0 * (cos_z[0] * z[1] + cos_z[1] * z[0])]
    };
    let (mut before, mut sin) = ([0.0, 0.0], sin_z);
    let (mut cos_before, mut cos) = ([1.0, 0.0], cos_z);
    let (mut sum, mut slope) = ([0.0, 0.0], [1.0, 0.0]);
    for (index, alpha) in ALPHA.iter().enumerate() {
        let twice = 2.0 * (index + 1) as f64 * alpha;
        sum = [sum[0] + alpha * sin[0], sum[1] + alpha * sin[1]];
        slope = [slope[0] + twice * cos[0], slope[1] - twice * cos[1]];
        let (next, next_cos) = (times_2cos(sin), times_2cos(cos));
        (before, sin) = (sin, [next[0] - before[0], next[1] - before[1]]);
        (cos_before, cos) = (cos, [next_cos[0] - cos_before[0], next_cos[1] - cos_before[1]]);
    }
    (sum, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_another_implementation() {
        // pyproj 3.7.2: latitude, longitude, zone, south, easting, northing.
        let cases = [
            (48.15, -122.67, 10, false, 524_545.057_372_9, 5_333_024.973_016_7),
            (-33.9, 18.4, 33, true, 814_420.330_951_3, 6_243_724.840_074_8),
            (0.5, 3.0, 31, false, 500_000.0, 55_265.037_142_6),
            (78.2, 15.6, 33, false, 513_696.945_417_0, 8_680_760.053_195_6),
        ];
        for (latitude, longitude, zone, south, easting, northing) in cases {
            let place = Geodetic::from_degrees(latitude, longitude, 0.0);
            let (e, n) = utm_forward(place, zone, south).unwrap();
            assert!((e - easting).abs() < 1e-7 && (n - northing).abs() < 1e-7, "{e} {n}");
        }
    }

    #[test]
    fn its_directions_are_its_differences() {
        let at = |latitude, longitude| {
            utm_place(Geodetic { latitude, longitude, height: 0.0 }, 33, false).unwrap()
        };
        for (latitude, longitude) in [(0.9, 0.31), (-0.4, 0.2), (1.4, 0.25)] {
            let here = at(latitude, longitude);
            let step = 1e-5;
            let (up, down) = (at(latitude + step, longitude), at(latitude - step, longitude));
            let (right, left) = (at(latitude, longitude + step), at(latitude, longitude - step));
            let sine = libm::sin(latitude);
            let root = (1.0 - ECCENTRICITY_SQUARED * sine * sine).sqrt();
            let along = SEMI_MAJOR * (1.0 - ECCENTRICITY_SQUARED) / (root * root * root);
            let across = SEMI_MAJOR / root * libm::cos(latitude);
            let [n, e] = here.northwards;
            let differences = [
                (up.northing - down.northing) / (2.0 * step * along) - n,
                (up.easting - down.easting) / (2.0 * step * along) - e,
                (right.northing - left.northing) / (2.0 * step * across) + e,
                (right.easting - left.easting) / (2.0 * step * across) - n,
            ];
            assert!(differences.iter().all(|d| d.abs() < 1e-9), "{differences:?}");
        }
    }

    #[test]
    fn far_from_the_meridian_there_is_no_place() {
        assert_eq!(utm_place(Geodetic::from_degrees(10.0, 100.0, 0.0), 10, false), None);
        assert_eq!(
            utm_place(Geodetic { latitude: f64::NAN, ..Default::default() }, 31, false),
            None
        );
    }
}
