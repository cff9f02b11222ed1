//! What rain does to surfaces: less friction, and a film of water. What drops do is in `multirotor/rain.rs`.
//!
//! With P the rain in mm/h. The laws are chosen, each with the figure that it is fixed to:
//!
//! ```text
//! friction   μ = μ_dry (1 - (1 - w) min(P / 10, 1))
//! film       m = ρ_w A f min(P / 10, 1)
//! ```
//!
//! *Friction*: w = 0.5 / 0.8 by default, wet against dry asphalt: the lower ends of what textbooks give (J. Y. Wong,
//! *Theory of Ground Vehicles*, section 1.3: 0.8 to 0.9 dry, 0.5 to 0.7 wet). Full effect from
//! 10 mm/h, the lower end of heavy rain of the American Meteorological Society's glossary (7.6 mm/h), is ours.
//!
//! *Film*: water that stays on an area A seen from above, f = 0.2 mm thick in heavy rain. That is of the order of
//! what a smooth wall holds before drops run off.

/// Rain in mm/h from which the effects on surfaces do not grow any more.
pub const HEAVY_RAIN: f64 = 10.0;
/// Friction in heavy rain over that on a dry surface: asphalt.
pub const WET_ASPHALT: f64 = 0.5 / 0.8;
/// Thickness of the film of water in heavy rain, in m.
pub const FILM: f64 = 0.2e-3;

/// Density of fresh water in kg/m³.
const WATER: f64 = 1000.0;

/// How wet surfaces are in a rain (mm/h): from 0 to 1.
#[inline]
pub fn wetness(rain: f64) -> f64 {
    (rain * (1.0 / HEAVY_RAIN)).clamp(0.0, 1.0)
}

/// What is left of the friction in a rain (mm/h), of which `wet` is left in heavy rain.
#[inline]
pub fn friction_left(rain: f64, wet: f64) -> f64 {
    1.0 - (1.0 - wet) * wetness(rain)
}

/// The mass in kg of the water on an area (m², seen from above) in a rain (mm/h).
pub fn film_mass(rain: f64, area: f64) -> f64 {
    WATER * area * FILM * wetness(rain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asphalt_has_8_tenths_dry_and_5_tenths_in_heavy_rain() {
        let friction = |rain: f64| 0.8 * friction_left(rain, WET_ASPHALT);
        assert_eq!([0.0, 10.0, 80.0].map(friction), [0.8, 0.5, 0.5]);
        assert!((friction(5.0) - 0.65).abs() < 1e-15);
    }

    #[test]
    fn a_square_metre_holds_200_g_in_heavy_rain() {
        assert_eq!([0.0, 5.0, 36.0].map(|rain| film_mass(rain, 1.0)), [0.0, 0.1, 0.2]);
    }
}
