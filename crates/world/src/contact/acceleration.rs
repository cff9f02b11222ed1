//! Anderson's acceleration of an iteration x ← g(x) that converges slowly.
//!
//! With the residuals f = g(x) - x of the last steps, the next x is that mixture of the last g for which the same mixture
//! of residuals is least. Where g is linear this is as good as the method of least residuals (GMRES); the iteration of
//! contacts is linear as long as the same ones push, stick and slide (D. G. Anderson, *Iterative procedures for nonlinear
//! integral equations*, 1965; H. F. Walker, P. Ni, *Anderson acceleration for fixed-point iterations*, 2011).

/// So many steps are remembered.
const DEPTH: usize = 8;
/// A step whose residual is this much larger than the one before begins anew.
const WORSE: f64 = 2.0;
/// One that leads this far astray is taken back.
const ASTRAY: f64 = 10.0;

/// What is remembered.
#[derive(Default)]
pub(super) struct Acceleration {
    /// The last g and f.
    value: Vec<f64>,
    residual: Vec<f64>,
    /// Changes of g and f from step to step, one after the other, the oldest first.
    values: Vec<f64>,
    residuals: Vec<f64>,
    begun: bool,
}

impl Acceleration {
    /// Forgets all steps.
    pub fn reset(&mut self) {
        self.begun = false;
        self.values.clear();
        self.residuals.clear();
    }

    /// Replaces `x` by the next x, where `g` is g(x): after the last step that is g. `weights` say how much each number
    /// counts.
    pub fn advance(&mut self, x: &mut [f64], g: &[f64], weights: &[f64], last: bool) {
        let count = x.len();
        let residual = |n: usize| (g[n] - x[n]) * weights[n];
        let size: f64 = (0..count).map(|n| residual(n) * residual(n)).sum();
        let before: f64 = self.residual.iter().map(|f| f * f).sum();
        if self.begun && size > ASTRAY * ASTRAY * before {
            x.copy_from_slice(&self.value);
            self.reset();
            return;
        }
        if self.begun && size > WORSE * WORSE * before {
            self.reset();
        }
        if last {
            x.copy_from_slice(g);
            return;
        }
        if self.begun {
            if self.values.len() == DEPTH * count {
                self.values.drain(..count);
                self.residuals.drain(..count);
            }
            self.values.extend((0..count).map(|n| g[n] - self.value[n]));
            let change = (0..count).map(|n| residual(n) - self.residual[n]);
            self.residuals.extend(change);
        }
        self.residual.clear();
        self.residual.extend((0..count).map(residual));
        self.value.clear();
        self.value.extend_from_slice(g);
        self.begun = true;
        x.copy_from_slice(g);
        self.mix(x);
    }

    /// Takes the mixture of changes from `x` that would have made the residual least: by Gram-Schmidt from the newest
    /// change to the oldest, whose share in what is left of the residual is taken out.
    fn mix(&self, x: &mut [f64]) {
        let count = self.value.len();
        let depth = self.residuals.len() / count.max(1);
        let mut bases: Vec<Vec<f64>> = Vec::with_capacity(depth);
        let mut steps: Vec<Vec<f64>> = Vec::with_capacity(depth);
        let mut left = self.residual.clone();
        for column in (0..depth).rev() {
            let range = column * count..(column + 1) * count;
            let mut base = self.residuals[range.clone()].to_vec();
            let mut step = self.values[range].to_vec();
            let whole = dot(&base, &base);
            for (other, other_step) in bases.iter().zip(&steps) {
                let share = dot(&base, other);
                add(&mut base, -share, other);
                add(&mut step, -share, other_step);
            }
            let norm = dot(&base, &base);
            // What is left of a change that the others explain is rounding.
            if norm <= 1e-12 * whole || norm == 0.0 {
                continue;
            }
            let scale = 1.0 / norm.sqrt();
            base.iter_mut().chain(&mut step).for_each(|number| *number *= scale);
            let share = dot(&left, &base);
            add(&mut left, -share, &base);
            add(x, -share, &step);
            bases.push(base);
            steps.push(step);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}
