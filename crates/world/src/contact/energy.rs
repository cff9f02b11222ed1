//! Contact of one body with what does not move gives it no energy.
//!
//! In a part of a step the spin is right, but its energy L'ᵀ J⁻¹ L' / 2 only to the second order: as the body turns on
//! meanwhile, a load that is as large as in an impact, where a body jams, may give it some. With A, the work of all but
//! contact, its velocities are scaled, where that is off by more than a small part, so that
//!
//! ```text
//! E' = m |v'|² / 2 + L'ᵀ J⁻¹ L' / 2 ≤ E⁰ + A
//! ```

use ironbird_kinematics::RigidMotion;

use super::mover::Mover;

/// What a body may gain, against its energy, in a step without events: as much is left of the second order in smooth
/// motion, where it comes and goes.
pub(super) const SMOOTH: f64 = 1e-6;
/// In a part of any other step.
pub(super) const EXACT: f64 = 1e-12;

impl Mover {
    /// Takes back the energy that contacts gave it until `end`, but for this part.
    pub fn bound(&self, end: &mut RigidMotion, gain: f64) {
        let spins = self.spin(&self.now).zip(self.spin(&self.free));
        let (Some((tensor, _)), Some((begun, freed))) = (&self.inertia, spins) else { return };
        let mass = 1.0 / self.inverse_mass;
        let energy = |motion: &RigidMotion| {
            let turning = motion.rates.dot(&(tensor * motion.rates));
            0.5 * (mass * motion.velocity.norm_squared() + turning)
        };
        let mean = (self.now.velocity + end.velocity) * 0.5;
        let turning = (self.now.to_ned(&self.now.rates) + end.to_ned(&end.rates)) * 0.5;
        let work = mass * (self.free.velocity - self.now.velocity).dot(&mean)
            + (freed - begun).dot(&turning);
        let (most, has) = ((energy(&self.now) + work).max(0.0), energy(end));
        if has > most * (1.0 + gain) {
            let factor = (most / has).sqrt();
            end.velocity *= factor;
            end.rates *= factor;
        }
    }
}
