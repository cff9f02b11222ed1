//! The air up to 11 km by the U.S. Standard Atmosphere 1976, over any kind of number.
//!
//! ```text
//! T   = 288.15 K - 0.0065 K/m H                        H = r0 h / (r0 + h), r0 = 6356.766 km
//! rho = 1.225 kg/m³ (T / 288.15 K)^(g0 M / (R 0.0065 K/m) - 1)
//! a   = sqrt(1.4 R T / M)                              R / M = 287.05287 J/(kg K)
//! ```

use ironbird_solvers::Number;

const SEA_LEVEL_TEMPERATURE: f64 = 288.15;
const SEA_LEVEL_DENSITY: f64 = 1.225;
const LAPSE: f64 = 0.0065;
const GAS: f64 = 287.052_87;
const RADIUS: f64 = 6_356_766.0;
/// g0 M / (R L) - 1
const EXPONENT: f64 = 9.806_65 / (GAS * LAPSE) - 1.0;

/// T / T0 at a geometric height in m.
fn temperature_ratio<N: Number>(height: N) -> N {
    let geopotential = height * RADIUS / (height + RADIUS);
    geopotential * (-LAPSE / SEA_LEVEL_TEMPERATURE) + 1.0
}

/// Density in kg/m³ at a geometric height in m.
#[inline]
pub fn density<N: Number>(height: N) -> N {
    temperature_ratio(height).powf(EXPONENT) * SEA_LEVEL_DENSITY
}

/// Speed of sound in m/s at a geometric height in m.
#[inline]
pub fn speed_of_sound<N: Number>(height: N) -> N {
    (temperature_ratio(height) * (1.4 * GAS * SEA_LEVEL_TEMPERATURE)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{density, speed_of_sound};

    /// U.S. Standard Atmosphere 1976, table I (geometric height).
    #[test]
    fn density_and_speed_of_sound_are_those_of_the_standard() {
        for (height, rho, sound) in [
            (0.0, 1.2250, 340.294),
            (1_000.0, 1.1117, 336.435),
            (5_000.0, 0.736_43, 320.545),
            (10_000.0, 0.413_51, 299.532),
        ] {
            assert!((density(height) / rho - 1.0).abs() < 1e-4, "{height}");
            assert!((speed_of_sound(height) / sound - 1.0).abs() < 1e-5, "{height}");
        }
    }
}
