//! Daylight on level ground.
//!
//! With a the elevation of the sun (Illuminating Engineering Society, *Recommended Practice for the Calculation of
//! Daylight Availability*, RP-21, 1984):
//!
//! ```text
//! E = E_x exp(-c / sin a) sin a + A + B sin^C a         E_x = 127.5 klx
//!
//!          c      A / klx   B / klx   C
//! clear    0.21   0.8       15.5      0.5
//! partly   0.80   0.3       45.0      1.0
//! cloudy   -      0.3       21.0      1.0               no direct sun
//! ```
//!
//! Cover 0 is clear, 0.5 partly and 1 cloudy; between them E is interpolated, which is ours. Below the horizon the
//! logarithm of E goes straight between its value at 0 degrees and those of a clear, moonless sky at the ends of civil,
//! nautical and astronomical twilight, 3.4 lx, 8 mlx and 0.6 mlx (P. Schlyter, *Radiometry and photometry in
//! astronomy*, 2017); it stays at the last.

/// E_x, lx.
const EXTRATERRESTRIAL: f64 = 127_500.0;

/// c, A, B and C of a sky.
struct Sky {
    extinction: f64,
    zero: f64,
    slope: f64,
    exponent: f64,
}

const CLEAR: Sky = Sky { extinction: 0.21, zero: 800.0, slope: 15_500.0, exponent: 0.5 };
const PARTLY: Sky = Sky { extinction: 0.80, zero: 300.0, slope: 45_000.0, exponent: 1.0 };
const CLOUDY: Sky = Sky { extinction: f64::INFINITY, zero: 300.0, slope: 21_000.0, exponent: 1.0 };

/// Elevations in degrees, and the illuminance there in lx.
const TWILIGHT: [(f64, f64); 3] = [(-6.0, 3.4), (-12.0, 8e-3), (-18.0, 6e-4)];

impl Sky {
    fn illuminance(&self, sine: f64) -> f64 {
        let direct = match sine > 0.0 {
            true => EXTRATERRESTRIAL * libm::exp(-self.extinction / sine) * sine,
            false => 0.0,
        };
        direct + self.zero + self.slope * libm::pow(sine, self.exponent)
    }
}

/// Illuminance of level ground in lx, for the elevation of the sun in rad and a cloud cover from 0 to 1.
pub fn daylight(elevation: f64, cover: f64) -> f64 {
    let sine = libm::sin(elevation).max(0.0);
    let cover = cover.clamp(0.0, 1.0);
    let (from, to, share) = match cover < 0.5 {
        true => (&CLEAR, &PARTLY, 2.0 * cover),
        false => (&PARTLY, &CLOUDY, 2.0 * cover - 1.0),
    };
    let start = from.illuminance(sine);
    let day = start + (to.illuminance(sine) - start) * share;
    if elevation >= 0.0 {
        return day;
    }
    let degrees = elevation.to_degrees();
    let mut above = (0.0, day);
    for below in TWILIGHT {
        if degrees >= below.0 {
            let share = (degrees - above.0) / (below.0 - above.0);
            return above.1 * libm::pow(below.1 / above.1, share);
        }
        above = below;
    }
    above.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_high_sun_in_a_clear_sky_gives_about_a_hundred_kilolux() {
        // By hand: 127.5 exp(-0.21) + 0.8 + 15.5 klx.
        let noon = daylight(90.0_f64.to_radians(), 0.0);
        assert!((noon - 119_647.0).abs() < 10.0, "{noon}");
        // Overcast: 0.3 + 21 sin 30 deg.
        assert!((daylight(30.0_f64.to_radians(), 1.0) - 10_800.0).abs() < 1e-6);
    }

    #[test]
    fn it_falls_with_the_sun_without_a_step() {
        for cover in [0.0, 0.3, 0.5, 0.9, 1.0] {
            let mut last = daylight(-0.35, cover);
            for n in -3499..15_000 {
                let now = daylight(f64::from(n) * 1e-4, cover);
                assert!(now >= last, "{n}: {last} {now}");
                last = now;
            }
            for degrees in [0.0, -6.0, -12.0, -18.0] {
                let at = |off: f64| daylight(f64::to_radians(degrees) + off, cover);
                assert!((at(1e-12) / at(-1e-12) - 1.0).abs() < 1e-4, "{degrees}");
            }
        }
        assert!((daylight(-6.0_f64.to_radians(), 0.2) - 3.4).abs() < 1e-9);
        assert_eq!(daylight(-1.0, 0.0), 6e-4);
    }
}
