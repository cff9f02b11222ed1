//! Impacts: impulses in no time, by Poisson's law, bounded by energy.
//!
//! With W = J M⁻¹ Jᵀ and u⁰ the velocities before:
//!
//! ```text
//! compression   the impulses λc that bring all approaches to rest, with friction
//! restitution   impulses λr that give back e λc along each normal, with friction of its own
//! u = u⁰ + M⁻¹ Jᵀ (λc + s λr),    s the largest of 0 to 1 with
//! ΔE = λᵀ J (u⁰ + u) / 2 ≤ 0
//! ```
//!
//! Compression never gives energy: with λc · J u ≤ 0 at its end, ΔE = λc · J u - λcᵀ W λc / 2. Without friction
//! ΔE = -(1 - e²) λcᵀ W λc / 2, and s is one; a central impact gives back e times the speed of approach. With friction
//! whose slip turns round, s may have to be smaller. Between 0 and s every mixture keeps within the cones of friction and
//! apart from the surfaces. (S. D. Poisson, *Traité de mécanique*, 1833; F. Pfeiffer, C. Glocker, *Multibody dynamics with
//! unilateral contacts*, 1996; on energy W. J. Stronge, *Impact mechanics*, 2000.)

use super::solver::{Effort, Solver};

/// Slower approaches than this do not bounce, in m/s.
pub(super) const SLOWEST_BOUNCE: f64 = 0.02;

/// Room for an impact.
#[derive(Default)]
pub(super) struct Impact {
    impulses: Vec<[f64; 3]>,
    velocities: Vec<f64>,
}

impl Impact {
    /// Solves the impact of all contacts in `touching`, each with its coefficient of restitution. The solver has then
    /// the velocities after it, and all impulses. What one contact gives back may drive another together, for an impact
    /// of its own; in the `last` one none does.
    pub fn solve(&mut self, solver: &mut Solver, touching: &[(usize, f64)], last: bool) {
        for &(contact, _) in touching {
            solver.choose(contact, [0.0; 3], [0.0; 3], 0.0);
        }
        solver.solve(Effort::IMPACT);
        self.impulses.clear();
        self.impulses.extend(touching.iter().map(|&(contact, _)| solver.impulse(contact)));
        self.velocities.clone_from(&solver.velocities);
        solver.choose_none();
        let mut bounces = false;
        for (&(contact, restitution), [pressed, ..]) in touching.iter().zip(&self.impulses) {
            let [approach, ..] = solver.begun(contact);
            let fast = -approach.min(0.0) > SLOWEST_BOUNCE
                || pressed * solver.yielding(contact) > SLOWEST_BOUNCE;
            let least = if fast { restitution * pressed } else { 0.0 };
            bounces |= least > 0.0;
            let target = if last { 0.0 } else { f64::NEG_INFINITY };
            solver.choose(contact, [target, 0.0, 0.0], [least, 0.0, 0.0], least);
        }
        if !bounces {
            self.mix(solver, touching, 0.0);
            return;
        }
        solver.solve(Effort::IMPACT);
        let share = self.share(solver, touching);
        self.mix(solver, touching, share);
    }

    /// The largest part of the restitution that does not make energy.
    fn share(&self, solver: &Solver, touching: &[(usize, f64)]) -> f64 {
        // Work of compression, and of restitution: linear and quadratic in its part.
        let (mut lost, mut gained, mut squared) = (0.0, 0.0, 0.0);
        for (&(contact, _), first) in touching.iter().zip(&self.impulses) {
            let (begun, ended) = (solver.begun(contact), solver.ended(contact));
            let between = solver.speeds(contact, &self.velocities);
            let second = solver.impulse(contact);
            for row in 0..3 {
                lost -= 0.5 * first[row] * (begun[row] + between[row]);
                gained += second[row] * between[row];
                squared += second[row] * (ended[row] - between[row]);
            }
        }
        // gained s + squared s² / 2 <= lost
        if gained + 0.5 * squared <= lost * (1.0 + 1e-13) {
            return 1.0;
        }
        let root = (gained * gained + 2.0 * squared * lost.max(0.0)).sqrt();
        (2.0 * lost.max(0.0) / (gained + root)).clamp(0.0, 1.0)
    }

    /// Puts compression and a part of the restitution together.
    fn mix(&self, solver: &mut Solver, touching: &[(usize, f64)], share: f64) {
        for (&(contact, _), first) in touching.iter().zip(&self.impulses) {
            let second = solver.impulse(contact);
            solver.set_impulse(contact, [0, 1, 2].map(|row| first[row] + share * second[row]));
        }
        for (velocity, before) in solver.velocities.iter_mut().zip(&self.velocities) {
            *velocity = before + share * (*velocity - before);
        }
    }
}
