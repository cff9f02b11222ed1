//! The three-step method of Adams and Bashforth.
//!
//! ```text
//! x(t + h) = x + h/12 (23 f(t) - 16 f(t - h) + 5 f(t - 2h))
//! ```
//!
//! E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I" (1993), III.1. It evaluates
//! the right-hand side once a step, where classical Runge-Kutta does four times, and is of order 3. After an
//! input or an event has changed the right-hand side, what was before says nothing about what comes: two
//! steps of Runge-Kutta start it anew. Steps end on the ticks of a rate, as there.

use super::{OneStep, finite};
use crate::block::{Block, Values};
use crate::error::Error;
use crate::trajectory::seconds;
use ironbird_kernel::Time;

impl OneStep {
    /// Works out the step that starts here; it ends at the next tick, or at `limit`.
    pub(super) fn step_adams3<B: Block>(&mut self, block: &B, limit: u64) -> Result<u64, Error> {
        let states = self.x.len();
        let end = self.next_tick().min(limit);
        let period = 1e12 / self.settings.step.as_f64();
        let is_full = (end - self.start) as f64 > period - 1.5;
        if is_full && self.known == 2 {
            let h = seconds(self.start, end);
            let [before, earlier] = [&self.older[0][..states], &self.older[1][..states]];
            for i in 0..states {
                let sum = 23.0 * self.f[i] - 16.0 * before[i] + 5.0 * earlier[i];
                self.x_end[i] = self.x[i] + h / 12.0 * sum;
            }
            let point =
                Values { x: &self.x_end, inputs: &self.inputs, base: self.start, offset: h };
            block.derivatives(&point, &mut self.f_end);
            finite(&self.f_end, end)?;
        } else {
            self.step_rk4(block, limit)?;
        }
        // Only steps of full length count.
        if is_full {
            self.older.swap(0, 1);
            self.older[0].clone_from(&self.f);
            self.known = (self.known + 1).min(2);
        } else {
            self.known = 0;
        }
        Ok(end)
    }

    /// The tick after the start of this step, in picoseconds.
    pub(super) fn next_tick(&self) -> u64 {
        let tick = self.grid.first_tick_from(Time::from_ps(self.start + 1));
        self.grid.tick(tick).as_ps()
    }
}
