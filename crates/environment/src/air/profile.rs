//! Wind over the height, as a share of that at a reference height.
//!
//! ```text
//! uniform  W(h) = W_r
//! power    W(h) = W_r (h / h_r)^a                        h > 0; 0 below
//! log      W(h) = W_r ln(h / z_0) / ln(h_r / z_0)        h > z_0; 0 below
//! ```
//!
//! The logarithmic profile is that of MIL-F-8785C, section 3.7.3.1 (W_20 at 20 ft, z_0 = 0.15 ft for
//! category C flight phases, else 2 ft); the power law with a = 1/7 is that of open, level ground.

use ironbird_component::Choice;

/// How a wind depends on the height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Profile {
    /// Not at all.
    #[default]
    Uniform,
    /// As a power of it.
    Power,
    /// As its logarithm.
    Log,
}

/// A profile with its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WindProfile {
    kind: Profile,
    /// h_r of a power, z_0 of a logarithm: m.
    height: f64,
    /// a of a power, 1 / ln(h_r / z_0) of a logarithm.
    factor: f64,
}

impl WindProfile {
    /// A power law with its reference height (m) and exponent.
    pub fn power(reference_height: f64, exponent: f64) -> Self {
        WindProfile { kind: Profile::Power, height: reference_height, factor: exponent }
    }

    /// A logarithmic law with its reference height and, below it, roughness (m).
    pub fn logarithmic(reference_height: f64, roughness: f64) -> Self {
        let factor = 1.0 / libm::log(reference_height / roughness);
        WindProfile { kind: Profile::Log, height: roughness, factor }
    }

    /// The wind at a height (m), as a share of that at the reference height.
    #[inline]
    pub fn share(&self, height: f64) -> f64 {
        match self.kind {
            Profile::Uniform => 1.0,
            Profile::Power if height > 0.0 => libm::pow(height / self.height, self.factor),
            Profile::Log if height > self.height => libm::log(height / self.height) * self.factor,
            Profile::Power | Profile::Log => 0.0,
        }
    }
}
