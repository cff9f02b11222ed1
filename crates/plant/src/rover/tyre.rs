//! Tyres: bristles that bend while the contact patch slips, and are replaced while the wheel rolls.
//!
//! The averaged lumped LuGre model (C. Canudas-de-Wit et al., *Dynamic Friction Models for Road/Tire Longitudinal
//! Interaction*, Vehicle System Dynamics 39 (2003) 189, section 4) in two directions. With v the slip velocity of
//! the patch over ground, z the bending (m), V = ω R the speed of rolling, and M = diag(μ_x, μ_y):
//!
//! ```text
//! z_i' = v_i - Λ_i z_i,    Λ_i = |M v| σ₀ / μ_i² + κ |V|
//! F_i  = -N (σ₀ z_i + σ₁ z_i'),   kept within the ellipse (F_x / μ_x)² + (F_y / μ_y)² <= N²
//! ```
//!
//! - Sliding, z settles so that F = -N M² v / |M v|: the force on the ellipse that takes the most power (combined slip).
//! - Rolling with a small slip s = v / V, F = -N (σ₀ / κ) s: σ₀ / κ is the slip stiffness per load.
//! - Standing, Λ = 0: the bristles are a spring, which holds without creeping up to the friction.
//!
//! The last is why bristles are a state: a force in the slip velocity alone would creep on any slope.
//! Λ is of a rate at which no step of a millisecond is stable once the slip is some m/s; beyond [`FASTEST`] z' is
//! scaled down, which leaves what z settles at as it is.

use crate::rain;

/// Bristles follow no faster than this, in 1/s.
const FASTEST: f64 = 1000.0;
/// Bristles of a wheel in the air straighten at this rate, in 1/s.
const STRAIGHTENS: f64 = 100.0;
/// Below this speed of rolling (m/s) the resistance against it fades.
const SLOW: f64 = 0.01;

/// A tyre and the ground under it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tyre {
    /// μ along and across the wheel, dry.
    pub friction: [f64; 2],
    /// What is left of it in heavy rain.
    pub wet: f64,
    /// σ₀: force per load and bending, 1/m.
    pub stiffness: f64,
    /// σ₁: force per load and rate of bending, s/m.
    pub damping: f64,
    /// σ₀ / κ: force per load and slip.
    pub slip_stiffness: f64,
    /// Resistance against rolling: force per load.
    pub rolling_resistance: f64,
}

/// What a tyre does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Force on the wheel per load: along it, across it.
    pub force: [f64; 2],
    /// z'
    pub rates: [f64; 2],
}

impl Tyre {
    /// The force per load for a slip velocity (m/s) and a bending (m), each along and across the wheel, at a speed
    /// of rolling (m/s), in a rain (mm/h).
    #[inline]
    pub fn grip(&self, slip: [f64; 2], bend: [f64; 2], rolling: f64, rain: f64) -> Grip {
        let left = rain::friction_left(rain, self.wet);
        let [along, across] = self.friction.map(|friction| friction * left);
        let sliding = (along * slip[0] * (along * slip[0]) + across * slip[1] * (across * slip[1]))
            .sqrt()
            * self.stiffness;
        let renewal = self.stiffness / self.slip_stiffness * rolling.abs();
        let renewals = [along, across].map(|friction| sliding / (friction * friction) + renewal);
        let slower = (FASTEST / renewals[0].max(renewals[1])).min(1.0);
        let rate = |n: usize| (slip[n] - renewals[n] * bend[n]) * slower;
        let rates = [rate(0), rate(1)];
        let force = |n: usize| -(self.stiffness * bend[n] + self.damping * rates[n]);
        let force = [force(0), force(1)];
        let (x, y) = (force[0] / along, force[1] / across);
        let share = (x * x + y * y).sqrt();
        let kept = if share > 1.0 { 1.0 / share } else { 1.0 };
        Grip { force: force.map(|part| part * kept), rates }
    }

    /// z' of a wheel that touches nothing.
    #[inline]
    pub fn straighten(bend: [f64; 2]) -> [f64; 2] {
        bend.map(|part| -STRAIGHTENS * part)
    }

    /// The force per load against rolling at a speed in m/s.
    #[inline]
    pub fn resistance(&self, rolling: f64) -> f64 {
        self.rolling_resistance * rolling / (rolling * rolling + SLOW * SLOW).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYRE: Tyre = Tyre {
        friction: [0.9, 0.6],
        wet: 0.5,
        stiffness: 200.0,
        damping: 1.0,
        slip_stiffness: 8.0,
        rolling_resistance: 0.01,
    };

    /// The force after the bristles have settled.
    fn settled(slip: [f64; 2], rolling: f64, rain: f64) -> [f64; 2] {
        let mut bend = [0.0; 2];
        for _ in 0..20_000 {
            let rates = TYRE.grip(slip, bend, rolling, rain).rates;
            bend = [bend[0] + 2e-4 * rates[0], bend[1] + 2e-4 * rates[1]];
        }
        TYRE.grip(slip, bend, rolling, rain).force
    }

    #[test]
    fn a_sliding_tyre_pulls_on_the_friction_ellipse_against_the_slip() {
        for slip in [[0.3, 0.0], [0.0, -2.0], [1.0, 1.0], [-20.0, 5.0]] {
            let [x, y] = settled(slip, 0.0, 0.0);
            let ellipse = (x / 0.9) * (x / 0.9) + (y / 0.6) * (y / 0.6);
            assert!((ellipse - 1.0).abs() < 1e-9, "{slip:?}: {x} {y}");
            // The force of the most power is that along M² v.
            assert!((x * slip[1] * 0.36 - y * slip[0] * 0.81).abs() < 1e-9, "{slip:?}: {x} {y}");
        }
    }

    #[test]
    fn in_heavy_rain_a_sliding_tyre_pulls_with_what_is_left() {
        assert!((settled([1.0, 0.0], 0.0, 20.0)[0] + 0.45).abs() < 1e-9);
    }

    #[test]
    fn a_rolling_tyre_pulls_in_proportion_to_a_small_slip() {
        let [_, across] = settled([0.0, 0.01], 5.0, 0.0);
        assert!((across / (-8.0 * 0.01 / 5.0) - 1.0).abs() < 0.03, "{across}");
    }

    #[test]
    fn a_standing_tyre_is_a_spring() {
        let grip = TYRE.grip([0.0; 2], [1e-3, -2e-3], 0.0, 0.0);
        assert_eq!(grip, Grip { force: [-0.2, 0.4], rates: [0.0; 2] });
    }
}
