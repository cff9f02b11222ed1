//! Which satellites a receiver sees: a constellation like that of GPS, and how well its geometry fixes a place.
//!
//! ```text
//! 6 orbits of 26 560 km, inclined by 55°, their nodes 60° apart; one turn in 11 h 58 min
//! H = rows (-unit vector to the satellite in east, north, up, 1)     Q = (HᵀH)⁻¹
//! HDOP = √(Q_ee + Q_nn)      VDOP = √Q_uu      PDOP = √(HDOP² + VDOP²)
//! ```

use std::f64::consts::TAU;

use ironbird_kinematics::Geodetic;
use nalgebra::{Matrix4, RowVector4, Vector3};

const RADIUS: f64 = 26_560e3;
const INCLINATION: f64 = 55.0;
const PERIOD: f64 = 43_082.0;
const SIDEREAL_DAY: f64 = 86_164.1;

/// Orbits, and how many satellites there may be.
const PLANES: u32 = 6;
const SATELLITES: u32 = 32;

/// No receiver gives a dilution above this.
const WORST: f64 = 99.99;

/// A satellite above the horizon.
#[derive(Clone, Copy, Debug)]
pub struct Satellite {
    /// 1 to 32.
    pub number: u32,
    /// In degrees.
    pub elevation: f64,
    /// In degrees from north over east.
    pub azimuth: f64,
}

impl Satellite {
    /// Carrier to noise in dBHz: the higher, the better.
    pub fn signal(&self) -> u32 {
        (32.0 + 16.0 * libm::sin(self.elevation.to_radians())) as u32
    }

    /// A row of H.
    fn row(&self) -> RowVector4<f64> {
        let (sin_e, cos_e) = libm::sincos(self.elevation.to_radians());
        let (sin_a, cos_a) = libm::sincos(self.azimuth.to_radians());
        RowVector4::new(-cos_e * sin_a, -cos_e * cos_a, -sin_e, 1.0)
    }
}

/// Where a satellite is, Earth-fixed, so many seconds after the start of the constellation.
fn position(number: u32, seconds: f64) -> Vector3<f64> {
    let (plane, slot) = (number % PLANES, number / PLANES);
    // Satellites of neighbouring orbits are shifted against each other.
    let along = TAU * (f64::from(slot) / 6.0 + f64::from(plane) / 14.0 + seconds / PERIOD);
    let node = TAU * (f64::from(plane) / f64::from(PLANES) - seconds / SIDEREAL_DAY);
    let (sin_u, cos_u) = libm::sincos(along);
    let (sin_i, cos_i) = libm::sincos(INCLINATION.to_radians());
    let (sin_n, cos_n) = libm::sincos(node);
    let (x, y) = (cos_u, sin_u * cos_i);
    RADIUS * Vector3::new(cos_n * x - sin_n * y, sin_n * x + cos_n * y, sin_u * sin_i)
}

/// The satellites above the horizon, the highest first.
pub fn in_view(place: Geodetic, seconds: f64) -> Vec<Satellite> {
    let here = place.to_ecef();
    let (sin_phi, cos_phi) = libm::sincos(place.latitude);
    let (sin_lambda, cos_lambda) = libm::sincos(place.longitude);
    let east = Vector3::new(-sin_lambda, cos_lambda, 0.0);
    let north = Vector3::new(-sin_phi * cos_lambda, -sin_phi * sin_lambda, cos_phi);
    let up = Vector3::new(cos_phi * cos_lambda, cos_phi * sin_lambda, sin_phi);
    let mut seen: Vec<Satellite> = (1..=SATELLITES)
        .filter_map(|number| {
            let line = (position(number, seconds) - here).normalize();
            let elevation = libm::asin(line.dot(&up).clamp(-1.0, 1.0)).to_degrees();
            let azimuth = libm::atan2(line.dot(&east), line.dot(&north)).to_degrees();
            let azimuth = if azimuth < 0.0 { azimuth + 360.0 } else { azimuth };
            (elevation > 0.0).then_some(Satellite { number, elevation, azimuth })
        })
        .collect();
    seen.sort_by(|a, b| b.elevation.total_cmp(&a.elevation).then(a.number.cmp(&b.number)));
    seen
}

/// Dilution of precision: how much larger the error of a place is than that of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dilution {
    pub horizontal: f64,
    pub vertical: f64,
}

impl Dilution {
    /// That of no fix.
    pub const NONE: Dilution = Dilution { horizontal: WORST, vertical: WORST };

    /// That of these satellites.
    pub fn of(used: &[Satellite]) -> Self {
        let mut sum = Matrix4::zeros();
        for satellite in used {
            let row = satellite.row();
            sum += row.transpose() * row;
        }
        let Some(q) = sum.try_inverse().filter(|_| used.len() >= 4) else { return Self::NONE };
        let root = |square: f64| square.max(0.0).sqrt().min(WORST);
        Dilution { horizontal: root(q[(0, 0)] + q[(1, 1)]), vertical: root(q[(2, 2)]) }
    }

    /// Of all three directions.
    pub fn position(self) -> f64 {
        let Dilution { horizontal, vertical } = self;
        (horizontal * horizontal + vertical * vertical).sqrt().min(WORST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everywhere_and_always_enough_satellites_are_seen_and_they_move() {
        for latitude in [-70.0, -35.0, 0.0, 47.0, 60.0] {
            let place = Geodetic::from_degrees(latitude, 11.0, 500.0);
            for hour in 0..24 {
                let seen = in_view(place, 3600.0 * f64::from(hour));
                let used: Vec<_> = seen.into_iter().filter(|s| s.elevation > 10.0).collect();
                let dilution = Dilution::of(&used);
                assert!((6..=16).contains(&used.len()), "{latitude} {hour}: {}", used.len());
                assert!(dilution.horizontal < 2.5, "{latitude} {hour}: {dilution:?}");
            }
            let (now, later) = (in_view(place, 0.0), in_view(place, 60.0));
            assert!(now[0].elevation != later[0].elevation);
        }
    }

    #[test]
    fn four_satellites_around_the_horizon_and_one_above_have_a_known_dilution() {
        let at = |azimuth: f64, elevation: f64| Satellite { number: 1, elevation, azimuth };
        let used = [at(0.0, 0.0), at(90.0, 0.0), at(180.0, 0.0), at(270.0, 0.0), at(0.0, 90.0)];
        let dilution = Dilution::of(&used);
        // East and north: 1/2 each. Up and time: [[1, -1], [-1, 5]]⁻¹ has 5/4 for up.
        assert!((dilution.horizontal - 1.0).abs() < 1e-12);
        assert!((dilution.vertical - libm::sqrt(1.25)).abs() < 1e-12);
    }
}
