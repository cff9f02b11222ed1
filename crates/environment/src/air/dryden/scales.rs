//! Lengths and intensities of the turbulence over the height.
//!
//! Below 1000 ft, with h in ft and W_20 the wind at 20 ft (MIL-F-8785C, 3.7.3.2 and figures 10 and 11):
//!
//! ```text
//! L_w = h,         L_u = L_v = h / (0.177 + 0.000823 h)^1.2
//! σ_w = 0.1 W_20,  σ_u = σ_v = σ_w / (0.177 + 0.000823 h)^0.4
//! ```
//!
//! Above 2000 ft lengths are 1750 ft and intensities those of a figure over the probability; between,
//! everything goes straight from the one to the other. That range is for whoever gives σ and L himself.

use ironbird_component::Choice;

const FOOT: f64 = 0.3048;
const KNOT: f64 = 1852.0 / 3600.0;
/// The heights that the formulas are for, in ft.
const LOWEST: f64 = 10.0;
const HIGHEST: f64 = 1000.0;

/// How strong the turbulence near the ground is, by the wind at 20 ft (MIL-F-8785C, 3.7.3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Intensity {
    /// 15 kn
    #[default]
    Light,
    /// 30 kn
    Moderate,
    /// 45 kn
    Severe,
    /// That of the parameter `wind_20ft`.
    Given,
}

impl Intensity {
    /// The wind at 20 ft, in m/s.
    pub fn wind(self, given: f64) -> f64 {
        match self {
            Intensity::Light => 15.0 * KNOT,
            Intensity::Moderate => 30.0 * KNOT,
            Intensity::Severe => 45.0 * KNOT,
            Intensity::Given => given,
        }
    }
}

/// Lengths (m) and intensities (m/s) along x, y and z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scales {
    /// m.
    pub length: [f64; 3],
    /// m/s.
    pub sigma: [f64; 3],
}

impl Scales {
    /// Those near the ground, at a height in m; below 10 ft and above 1000 ft as there.
    pub fn low(height: f64, wind_at_20_feet: f64) -> Self {
        let feet = (height / FOOT).clamp(LOWEST, HIGHEST);
        let base = 0.177 + 0.000823 * feet;
        let along = FOOT * feet / libm::pow(base, 1.2);
        let down = 0.1 * wind_at_20_feet;
        let level = down / libm::pow(base, 0.4);
        Scales { length: [along, along, FOOT * feet], sigma: [level, level, down] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_1000_feet_turbulence_is_the_same_in_all_directions() {
        let scales = Scales::low(1000.0 * FOOT, 10.0);
        for axis in 0..3 {
            assert!((scales.length[axis] - 304.8).abs() < 1e-9, "{scales:?}");
            assert!((scales.sigma[axis] - 1.0).abs() < 1e-12, "{scales:?}");
        }
        assert_eq!(Scales::low(9e9, 10.0), scales);
    }

    #[test]
    fn near_the_ground_it_is_flat_and_small() {
        // By hand: 200 ft, 30 kn: base 0.3416.
        let scales = Scales::low(200.0 * FOOT, Intensity::Moderate.wind(0.0));
        assert!((scales.length[0] / FOOT - 725.786).abs() < 1e-3, "{scales:?}");
        assert!((scales.length[2] - 60.96).abs() < 1e-12, "{scales:?}");
        assert!((scales.sigma[2] - 1.543_333).abs() < 1e-6, "{scales:?}");
        assert!((scales.sigma[0] - 2.371_661).abs() < 1e-6, "{scales:?}");
        assert_eq!(Scales::low(-5.0, 1.0), Scales::low(10.0 * FOOT, 1.0));
    }
}
