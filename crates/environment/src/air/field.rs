//! The wind at a place and a time: a steady wind over the height, regions with their own, discrete gusts.
//!
//! ```text
//! W = blend(W_r share(h) + rise; regions) + Σ gusts
//! ```
//!
//! Where regions overlap, the later covers the earlier. Turbulence is not in it: that is a process of each vehicle.

use nalgebra::Vector3;

use super::gust::GustShape;
use super::profile::WindProfile;
use super::region::WindRegion;

/// A gust that everything meets at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteGust {
    /// Its shape.
    pub shape: GustShape,
    /// Velocity of the air at its most, in m/s: north, east, down.
    pub amplitude: Vector3<f64>,
    /// When it begins, in s.
    pub start: f64,
    /// How long it lasts, in s, above zero.
    pub duration: f64,
}

impl DiscreteGust {
    /// Velocity of the air at a time in s.
    #[inline]
    pub fn at(&self, time: f64) -> Vector3<f64> {
        self.amplitude * self.shape.at((time - self.start) / self.duration)
    }
}

/// A wind that is a function of place and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindField {
    /// Velocity of the air at the reference height, in m/s: north, east, down. The part downwards is the same at
    /// all heights.
    pub steady: Vector3<f64>,
    /// How the level part depends on the height.
    pub profile: WindProfile,
    /// Regions, of which a later one covers an earlier one.
    pub regions: Vec<WindRegion>,
    /// Gusts.
    pub gusts: Vec<DiscreteGust>,
}

impl WindField {
    /// Velocity of the air in m/s at a place (north, east, down, m) that is `height` m above ground, at a time in s.
    #[inline]
    pub fn at(&self, position: &Vector3<f64>, height: f64, time: f64) -> Vector3<f64> {
        let share = self.profile.share(height);
        let mut wind = Vector3::new(self.steady.x * share, self.steady.y * share, self.steady.z);
        for region in &self.regions {
            wind += (region.wind - wind) * region.share(position);
        }
        self.gusts.iter().fold(wind, |wind, gust| wind + gust.at(time))
    }
}

#[cfg(test)]
mod tests {
    use super::super::region::RegionShape;
    use super::*;

    #[test]
    fn profile_regions_and_gusts_add_up() {
        let field = WindField {
            steady: Vector3::new(10.0, 0.0, -0.5),
            profile: WindProfile::power(10.0, 0.5),
            regions: vec![WindRegion {
                shape: RegionShape::Cylinder {
                    centre: Vector3::new(100.0, 0.0, -20.0),
                    radius: 10.0,
                    half_height: 20.0,
                },
                edge: 2.0,
                wind: Vector3::new(0.0, 5.0, -3.0),
            }],
            gusts: vec![DiscreteGust {
                shape: GustShape::Pulse,
                amplitude: Vector3::new(0.0, 4.0, 0.0),
                start: 10.0,
                duration: 2.0,
            }],
        };
        let away = Vector3::new(0.0, 0.0, -40.0);
        assert_eq!(field.at(&away, 40.0, 0.0), Vector3::new(20.0, 0.0, -0.5));
        assert!((field.at(&away, 40.0, 11.0) - Vector3::new(20.0, 4.0, -0.5)).norm() < 1e-12);
        let inside = Vector3::new(100.0, 0.0, -30.0);
        assert_eq!(field.at(&inside, 30.0, 0.0), Vector3::new(0.0, 5.0, -3.0));
        assert_eq!(field.at(&away, -1.0, 0.0), Vector3::new(0.0, 0.0, -0.5));
    }

    #[test]
    fn a_logarithmic_profile_is_one_at_its_reference_height_and_none_at_its_roughness() {
        let profile = WindProfile::logarithmic(10.0, 0.03);
        assert!((profile.share(10.0) - 1.0).abs() < 1e-15);
        assert_eq!(profile.share(0.03), 0.0);
        // ln(100 / 0.03) / ln(10 / 0.03)
        assert!((profile.share(100.0) - 1.396_373).abs() < 1e-6, "{}", profile.share(100.0));
    }
}
