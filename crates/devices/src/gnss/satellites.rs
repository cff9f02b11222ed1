//! Which satellites a receiver sees, of constellations like those of GPS and GLONASS, and how well their geometry fixes
//! a place.
//!
//! ```text
//! GPS:      6 orbits of 26 560 km, inclined by 55°,   one turn in 11 h 58 min
//! GLONASS:  3 orbits of 25 510 km, inclined by 64.8°, one turn in 11 h 16 min
//! H = rows (-unit vector to the satellite in east, north, up, 1)     Q = (HᵀH)⁻¹
//! HDOP = √(Q_ee + Q_nn)      VDOP = √Q_uu      PDOP = √(HDOP² + VDOP²)
//! ```

use std::f64::consts::TAU;

use ironbird_kinematics::Geodetic;
use nalgebra::{Matrix4, RowVector4, Vector3};

const SIDEREAL_DAY: f64 = 86_164.1;

/// A system of satellites on circular orbits that are spread evenly.
#[derive(Debug)]
pub struct System {
    /// Two letters.
    pub talker: &'static str,
    /// The numbers of its satellites in NMEA.
    first: u32,
    count: u32,
    /// In m, in degrees, in s.
    radius: f64,
    inclination: f64,
    period: f64,
    orbits: u32,
    /// Places on an orbit.
    slots: u32,
    /// By which share of a turn satellites of neighbouring orbits are shifted against each other.
    shift: f64,
}

/// Like GPS.
pub const GPS: System = System {
    talker: "GP",
    first: 1,
    count: 32,
    radius: 26_560e3,
    inclination: 55.0,
    period: 43_082.0,
    orbits: 6,
    slots: 6,
    shift: 1.0 / 12.0,
};

/// Like GLONASS.
pub const GLONASS: System = System {
    talker: "GL",
    first: 65,
    count: 24,
    radius: 25_510e3,
    inclination: 64.8,
    period: 40_544.0,
    orbits: 3,
    slots: 8,
    shift: 1.0 / 24.0,
};

/// No receiver gives a dilution above this.
const WORST: f64 = 99.99;

/// A satellite above the horizon.
#[derive(Clone, Copy, Debug)]
pub struct Satellite {
    /// That of NMEA.
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

impl System {
    /// Whether a satellite belongs to it.
    pub fn has(&self, satellite: &Satellite) -> bool {
        (self.first..self.first + self.count).contains(&satellite.number)
    }

    /// Where its satellites are, Earth-fixed, so many seconds after its start.
    fn positions(&self, seconds: f64) -> impl Iterator<Item = (u32, Vector3<f64>)> {
        let (sin_i, cos_i) = libm::sincos(self.inclination.to_radians());
        (0..self.count).map(move |index| {
            let (orbit, slot) = (f64::from(index % self.orbits), f64::from(index / self.orbits));
            let along = slot / f64::from(self.slots) + orbit * self.shift + seconds / self.period;
            let node = orbit / f64::from(self.orbits) - seconds / SIDEREAL_DAY;
            let (sin_u, cos_u) = libm::sincos(TAU * along);
            let (sin_n, cos_n) = libm::sincos(TAU * node);
            let (x, y) = (cos_u, sin_u * cos_i);
            let unit = Vector3::new(cos_n * x - sin_n * y, sin_n * x + cos_n * y, sin_u * sin_i);
            (self.first + index, self.radius * unit)
        })
    }
}

/// The satellites of these systems above the horizon, the highest first.
pub fn in_view(systems: &[System], place: Geodetic, seconds: f64) -> Vec<Satellite> {
    let here = place.to_ecef();
    let (sin_phi, cos_phi) = libm::sincos(place.latitude);
    let (sin_lambda, cos_lambda) = libm::sincos(place.longitude);
    let east = Vector3::new(-sin_lambda, cos_lambda, 0.0);
    let north = Vector3::new(-sin_phi * cos_lambda, -sin_phi * sin_lambda, cos_phi);
    let up = Vector3::new(cos_phi * cos_lambda, cos_phi * sin_lambda, sin_phi);
    let mut seen: Vec<Satellite> = systems
        .iter()
        .flat_map(|system| system.positions(seconds))
        .filter_map(|(number, position)| {
            let line = (position - here).normalize();
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

    /// The fewest satellites above 10°, and the worst HDOP, over latitudes and a day.
    fn worst(systems: &[System]) -> (usize, f64) {
        let (mut fewest, mut worst) = (usize::MAX, 0.0f64);
        for latitude in [-70.0, -35.0, 0.0, 47.0, 60.0] {
            let place = Geodetic::from_degrees(latitude, 11.0, 500.0);
            for minute in 0..144 {
                let mut used = in_view(systems, place, 600.0 * f64::from(minute));
                used.retain(|satellite| satellite.elevation > 10.0);
                fewest = fewest.min(used.len());
                worst = worst.max(Dilution::of(&used).horizontal);
            }
        }
        (fewest, worst)
    }

    #[test]
    fn everywhere_and_always_enough_satellites_are_seen() {
        let (fewest, hdop) = worst(&[GPS]);
        assert!(fewest >= 5 && hdop < 4.0, "{fewest} {hdop}");
        let (fewest, hdop) = worst(&[GPS, GLONASS]);
        assert!(fewest >= 10 && hdop < 1.2, "{fewest} {hdop}");
    }

    #[test]
    fn satellites_move() {
        let place = Geodetic::from_degrees(48.0, 11.0, 500.0);
        let (now, later) = (in_view(&[GPS], place, 0.0), in_view(&[GPS], place, 60.0));
        // Half a degree a minute along the orbit, seen from somewhat nearer.
        let moved = (now[0].elevation - later[0].elevation).abs();
        assert!(now[0].number == later[0].number && (0.01..1.0).contains(&moved), "{moved}");
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
