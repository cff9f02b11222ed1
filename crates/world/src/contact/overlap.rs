//! Bodies that overlap are moved apart, without a change of their velocities.
//!
//! ```text
//! δ = M⁻¹ Jnᵀ π,    π ≥ 0,    Jn δ ≥ wanted,    π (Jn δ - wanted) = 0
//! ```

use super::solver::Solver;

/// Overlaps up to this stay, in m.
const SLOP: f64 = 1e-8;
/// Part of an overlap that is taken back in a step, and the fastest that this may be, in m/s.
const RECOVERY: f64 = 0.2;
const FASTEST_RECOVERY: f64 = 0.5;
/// Iterations at most, and the change of a displacement that ends them, in m.
const MOST_ITERATIONS: usize = 50;
const PRECISION: f64 = 1e-10;

/// Room for it.
#[derive(Default)]
pub(super) struct Overlaps {
    wanted: Vec<(usize, f64)>,
    pushes: Vec<f64>,
    /// δ, in the order of the velocities.
    shift: Vec<f64>,
}

impl Overlaps {
    /// By how much to move bodies whose contacts will have these gaps, if at all; `span` seconds pass meanwhile, of `h`.
    pub fn part(
        &mut self,
        solver: &Solver,
        gaps: impl Iterator<Item = f64>,
        span: f64,
        h: f64,
    ) -> Option<&[f64]> {
        let most = FASTEST_RECOVERY * span;
        let wanted = |gap: f64| {
            let over = -gap - SLOP;
            if over > 0.0 { (RECOVERY * over * span / h).min(most) } else { over }
        };
        self.wanted.clear();
        self.wanted.extend(gaps.map(wanted).enumerate());
        if self.wanted.iter().all(|(_, wanted)| *wanted <= 0.0) {
            return None;
        }
        self.wanted.retain(|(contact, _)| solver.yielding(*contact) > 0.0);
        self.pushes.clear();
        self.pushes.resize(self.wanted.len(), 0.0);
        self.shift.clear();
        self.shift.resize(solver.velocities.len(), 0.0);
        for _ in 0..MOST_ITERATIONS {
            let mut change = 0.0_f64;
            for (push, &(contact, wanted)) in self.pushes.iter_mut().zip(&self.wanted) {
                let missing = wanted - solver.speeds(contact, &self.shift)[0];
                let new = (*push + missing / solver.yielding(contact)).max(0.0);
                change = change.max((new - *push).abs() * solver.yielding(contact));
                solver.add(contact, 0, new - *push, &mut self.shift);
                *push = new;
            }
            if change <= PRECISION {
                break;
            }
        }
        Some(&self.shift)
    }
}
