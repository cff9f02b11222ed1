//! What rain does to a vehicle: less friction, a film of water, the push of drops.
//!
//! With P the rain in mm/h. The laws are chosen, each with the figure that it is fixed to:
//!
//! ```text
//! friction   μ = μ_dry (1 - (1 - w) min(P / 10, 1))
//! film       m = ρ_w A f min(P / 10, 1)
//! drops      F = m' (v_drop - v),   m' = ρ_w A P |v_drop - v| / v_t        v_drop = v_wind + v_t down
//! ```
//!
//! *Friction*: w = 0.5 / 0.8 by default, wet against dry asphalt: the lower ends of what textbooks give (J. Y. Wong,
//! *Theory of Ground Vehicles*, section 1.3: 0.8 to 0.9 dry, 0.5 to 0.7 wet). Full effect from
//! 10 mm/h, the lower end of heavy rain of the American Meteorological Society's glossary (7.6 mm/h), is ours.
//!
//! *Film*: water that stays on an area A seen from above, f = 0.2 mm thick in heavy rain. That is of the order of
//! what a smooth wall holds before drops run off.
//!
//! *Drops* fall at v_t = 6 m/s relative to the air, that of drops of 1.7 mm (R. Gunn, G. D. Kinzer, *J. Meteorol.*
//! 6 (1949) 243), go with the wind, and stay on the surface they hit. In the air there is P / v_t of water per
//! volume, of which a vehicle meets what it sweeps.

use nalgebra::Vector3;

/// Rain in mm/h from which the effects on surfaces do not grow any more.
pub const HEAVY_RAIN: f64 = 10.0;
/// Friction in heavy rain over that on a dry surface: asphalt.
pub const WET_ASPHALT: f64 = 0.5 / 0.8;
/// Thickness of the film of water in heavy rain, in m.
pub const FILM: f64 = 0.2e-3;
/// How fast drops fall through air, in m/s.
pub const DROP_SPEED: f64 = 6.0;

/// Density of fresh water in kg/m³.
const WATER: f64 = 1000.0;
/// mm/h in m/s.
const MILLIMETRE_PER_HOUR: f64 = 1e-3 / 3600.0;

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

/// The force in N of the drops on an area (m²) of all sides alike: north, east, down.
///
/// `velocity` and `wind` in m/s: north, east, down; the rain in mm/h.
pub fn drop_force(
    rain: f64,
    area: f64,
    velocity: &Vector3<f64>,
    wind: &Vector3<f64>,
) -> Vector3<f64> {
    let relative = wind + Vector3::new(0.0, 0.0, DROP_SPEED) - velocity;
    let in_the_air = WATER * rain.max(0.0) * MILLIMETRE_PER_HOUR / DROP_SPEED;
    relative * (in_the_air * area * relative.norm())
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
    fn rain_on_a_square_metre_that_rests_pushes_with_its_mass_flow() {
        // 36 mm/h is 10 g/s on 1 m², which loses 6 m/s.
        let force = drop_force(36.0, 1.0, &Vector3::zeros(), &Vector3::zeros());
        assert!((force - Vector3::new(0.0, 0.0, 0.06)).norm() < 1e-12, "{force}");
        assert!((film_mass(36.0, 1.0) - 0.2).abs() < 1e-15);
    }

    #[test]
    fn what_falls_with_the_drops_feels_none() {
        let wind = Vector3::new(3.0, -2.0, 0.0);
        let falling = wind + Vector3::new(0.0, 0.0, DROP_SPEED);
        assert_eq!(drop_force(50.0, 1.0, &falling, &wind), Vector3::zeros());
    }
}
