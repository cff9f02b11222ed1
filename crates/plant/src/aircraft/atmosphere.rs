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

/// How many terms of the binomial series are taken: 1e-15 of the density at 11 km.
const TERMS: usize = 18;
/// Of (1 - x)^EXPONENT, the factors of 1, x, x², ...
const SERIES: [f64; TERMS] = {
    let mut factors = [1.0; TERMS];
    let mut k = 1;
    while k < TERMS {
        factors[k] = factors[k - 1] * ((k - 1) as f64 - EXPONENT) / k as f64;
        k += 1;
    }
    factors
};
/// The largest x for which they are enough: 11 km up.
const LARGEST: f64 = 0.25;

/// T / T0 at a geometric height in m.
fn temperature_ratio<N: Number>(height: N) -> N {
    let geopotential = height * RADIUS / (height + RADIUS);
    geopotential * (-LAPSE / SEA_LEVEL_TEMPERATURE) + 1.0
}

/// Density in kg/m³ at a geometric height in m. The binomial series takes a third of the time of a power.
#[inline]
pub fn density<N: Number>(height: N) -> N {
    let ratio = temperature_ratio(height);
    let x = -ratio + 1.0;
    if x.value().abs() > LARGEST {
        return ratio.powf(EXPONENT) * SEA_LEVEL_DENSITY;
    }
    // Even and odd powers apart: two short chains of operations in place of a long one.
    let square = x * x;
    let sum = |first: usize| {
        let last = N::constant(SERIES[TERMS - 2 + first]);
        (first..TERMS - 2).step_by(2).rev().fold(last, |sum, k| sum * square + SERIES[k])
    };
    (sum(0) + sum(1) * x) * SEA_LEVEL_DENSITY
}

/// Speed of sound in m/s at a geometric height in m.
#[inline]
pub fn speed_of_sound<N: Number>(height: N) -> N {
    (temperature_ratio(height) * (1.4 * GAS * SEA_LEVEL_TEMPERATURE)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{EXPONENT, SEA_LEVEL_DENSITY, density, speed_of_sound, temperature_ratio};

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

    #[test]
    fn the_series_is_the_power() {
        for height in (-3_000..15_000).step_by(37).map(f64::from) {
            let exact = SEA_LEVEL_DENSITY * libm::pow(temperature_ratio(height), EXPONENT);
            let off = (density(height) / exact - 1.0).abs();
            assert!(off < 1e-13, "{height} m: {off}");
        }
    }
}
