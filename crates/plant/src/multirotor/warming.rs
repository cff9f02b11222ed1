//! Motors that slow down as they grow warm.
//!
//! ```text
//! ω_wanted = (1 - l w) (a₀ + a₁ x + a₂ x²)
//! w' = (mean (ω / ω_h)⁴ - w) / T                    ω_h: hovering, Σ k_T ω_h² n = m g
//! ```
//!
//! Warm windings resist more and warm magnets are weaker, so that a motor with brushes turns more slowly at the same
//! voltage, by l after a long hover. What heats it goes with the square of its current (P = I² R), that with its torque,
//! and that with the square of its speed. All motors share one warmth, 0 where they are cold and 1 after a long hover.

use ironbird_kinematics::STANDARD_GRAVITY;

use super::drive::Drive;
use super::forces::MultirotorParts;

/// The name of the state.
pub(super) const WARMTH: &str = "warmth";

/// How motors slow down as they grow warm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warming {
    /// l: the part of its speed that a motor loses in a long hover.
    pub loss: f64,
    /// T: the time constant in s.
    pub time_constant: f64,
}

/// The same on a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Warmed {
    warming: Warming,
    /// 1 / ω_h².
    per_square: f64,
}

impl Warming {
    /// On a vehicle of these parts.
    pub(super) fn of(self, parts: &MultirotorParts) -> Result<Warmed, String> {
        if !(0.0..0.5).contains(&self.loss) {
            return Err("the loss of warm motors must be from 0 to 0.5".into());
        }
        if !(self.time_constant > 0.0 && self.time_constant.is_finite()) {
            return Err("the time constant of warming must be above zero".into());
        }
        if parts.drive == Drive::Speed {
            return Err("motors whose commands are speeds keep them, however warm they are".into());
        }
        let upwards: f64 = parts.rotors.iter().map(|rotor| -rotor.axis.z * rotor.thrust).sum();
        if upwards <= 0.0 {
            return Err("warming is told by hovering, and these rotors do not lift it".into());
        }
        Ok(Warmed { warming: self, per_square: upwards / (parts.inertia.mass * STANDARD_GRAVITY) })
    }
}

impl Warmed {
    /// The part of its speed that a motor still reaches.
    #[inline]
    pub fn left(&self, warmth: f64) -> f64 {
        1.0 - self.warming.loss * warmth
    }

    /// How fast the warmth changes.
    #[inline]
    pub fn rate(&self, warmth: f64, speeds: &[f64]) -> f64 {
        let heat: f64 = speeds
            .iter()
            .map(|speed| {
                let load = speed * speed * self.per_square;
                load * load
            })
            .sum();
        (heat / speeds.len() as f64 - warmth) / self.warming.time_constant
    }
}
