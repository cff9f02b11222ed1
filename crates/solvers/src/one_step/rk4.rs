//! The classical Runge-Kutta method.
//!
//! ```text
//! k1 = f(t, x)                    k2 = f(t + h/2, x + h/2 k1)
//! k3 = f(t + h/2, x + h/2 k2)     k4 = f(t + h, x + h k3)
//! x(t + h) = x + h/6 (k1 + 2 k2 + 2 k3 + k4)
//! ```
//!
//! Steps end on the ticks of a rate, counted from the start, so that they never drift; a step that
//! was cut short is followed by one to the next tick.

use super::{OneStep, finite};
use crate::block::{Block, Values};
use crate::error::Error;
use crate::trajectory::seconds;

impl OneStep {
    /// Works out the step that starts here; it ends at the next tick, or at `limit`.
    pub(super) fn step_rk4<B: Block>(&mut self, block: &B, limit: u64) -> Result<u64, Error> {
        let end = self.next_tick().min(limit);
        let h = seconds(self.start, end);
        let states = self.x.len();
        self.stages.resize(3, Vec::new());
        self.trial.resize(states, 0.0);
        for stage in 0..3 {
            let part = if stage == 2 { h } else { 0.5 * h };
            let (done, rest) = self.stages.split_at_mut(stage);
            let slope = done.last().unwrap_or(&self.f);
            for ((trial, x), k) in self.trial.iter_mut().zip(&self.x).zip(slope) {
                *trial = x + part * k;
            }
            let point =
                Values { x: &self.trial, inputs: &self.inputs, base: self.start, offset: part };
            rest[0].resize(states, 0.0);
            block.derivatives(&point, &mut rest[0]);
            finite(&rest[0], end)?;
        }
        let [k2, k3, k4] = [&self.stages[0], &self.stages[1], &self.stages[2]];
        for i in 0..states {
            let sum = self.f[i] + 2.0 * (k2[i] + k3[i]) + k4[i];
            self.x_end[i] = self.x[i] + h / 6.0 * sum;
        }
        let point = Values { x: &self.x_end, inputs: &self.inputs, base: self.start, offset: h };
        block.derivatives(&point, &mut self.f_end);
        finite(&self.f_end, end)?;
        Ok(end)
    }
}
