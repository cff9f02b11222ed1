//! One step of a quantized state system.

use ironbird_kernel::Time;

use super::quantizer::Quantizer;
use super::{Along, Cell, Qss, Quantized};
use crate::block::{Block, Function};
use crate::error::Error;
use crate::number::{Flow, Number};
use crate::series::Series;
use crate::trajectory::{instant_after, seconds, shift};

/// A state that is quantized more often at one instant makes no progress. States that push each other reach
/// some dozens.
const MOST_AT_ONCE: u32 = 10_000;

/// As many derivatives are evaluated in one go.
const TOGETHER: usize = 32;

/// A step this much longer than the last one is looked at twice.
const SUSPICIOUS: f64 = 64.0;

impl Qss {
    /// State `i` is due: it gets a new quantized trajectory, and the derivatives that read it are
    /// evaluated again.
    pub(super) fn requantize<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        i: usize,
    ) -> Result<(), Error> {
        self.statistics.steps += 1;
        self.cells[i].stride = seconds(self.quantized[i].start, self.now);
        self.standstill = if self.quantized[i].start == self.now { self.standstill + 1 } else { 0 };
        if self.standstill > MOST_AT_ONCE {
            return Err(Error::StepUnderflow { state: i, at: self.now() });
        }
        self.choose_quantized::<B, M>(block, i)?;
        if Self::shares::<B, M>(block) {
            let mut group = std::mem::take(&mut self.group);
            group.push(i);
            group.extend(self.influence.derivatives_of_state.list(i));
            self.evaluate_group::<B, M>(block, &mut group)?;
        } else {
            self.evaluate::<B, M>(block, i)?;
            self.schedule::<B, M>(block, i);
            for position in self.influence.derivatives_of_state.range(i) {
                let j = self.influence.derivatives_of_state.item(position);
                self.evaluate::<B, M>(block, j)?;
                self.schedule::<B, M>(block, j);
            }
        }
        if !self.crossings.is_empty() {
            self.crossings_of_changed_states(block, i)?;
        }
        Ok(())
    }

    /// Moves x_i to now and chooses q_i.
    #[inline]
    pub(super) fn choose_quantized<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        i: usize,
    ) -> Result<(), Error> {
        let now = self.now;
        let cell = &mut self.cells[i];
        cell.x = shift(cell.x, seconds(cell.start, now));
        cell.start = now;
        if !cell.x[0].is_finite() {
            let (value, at) = (cell.x[0], Time::from_ps(now));
            return Err(Error::StateNotFinite { state: i, value, at });
        }
        let absolute = self.settings.absolute * block.scale(i);
        cell.quantum = absolute.max(self.settings.relative * cell.x[0].abs());
        let before = self.quantized[i].from(now, M::ORDER);
        let q = M::quantize(&cell.x, &before, cell.slope, cell.quantum);
        self.quantized[i] = Quantized { start: now, q };
        Ok(())
    }

    /// Whether derivatives are evaluated together.
    #[inline]
    pub(super) fn shares<B: Block, M: Quantizer>(block: &B) -> bool {
        !M::IMPLICIT && block.shares_work()
    }

    /// Evaluates the derivatives of these states together, and says when the states are due. Keeps
    /// the emptied list for the next time.
    pub(super) fn evaluate_group<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        group: &mut Vec<usize>,
    ) -> Result<(), Error> {
        self.evaluate_together::<B, M>(block, group)?;
        for &state in &*group {
            self.schedule::<B, M>(block, state);
        }
        group.clear();
        self.group = std::mem::take(group);
        Ok(())
    }

    /// Evaluates the derivatives of all states.
    pub(super) fn evaluate_all<B: Block, M: Quantizer>(&mut self, block: &B) -> Result<(), Error> {
        if Self::shares::<B, M>(block) {
            let all: Vec<usize> = (0..self.cells.len()).collect();
            return self.evaluate_together::<B, M>(block, &all);
        }
        (0..self.cells.len()).try_for_each(|state| self.evaluate::<B, M>(block, state))
    }

    fn evaluate_together<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        group: &[usize],
    ) -> Result<(), Error> {
        for states in group.chunks(TOGETHER) {
            let mut derivatives = [M::Number::constant(0.0); TOGETHER];
            let derivatives = &mut derivatives[..states.len()];
            block.derivatives_of(states, &self.along::<M>(usize::MAX), derivatives);
            for (state, derivative) in states.iter().zip(derivatives) {
                self.follow::<M>(*state, *derivative)?;
            }
        }
        Ok(())
    }

    /// The quantized trajectories, now.
    #[inline]
    fn along<M: Quantizer>(&self, variable: usize) -> Along<'_> {
        Along {
            now: self.now,
            order: M::ORDER,
            variable,
            states: &self.quantized,
            inputs: &self.quantized_inputs,
        }
    }

    /// Evaluates the derivative of state `j` along the quantized trajectories.
    #[inline]
    pub(super) fn evaluate<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        j: usize,
    ) -> Result<(), Error> {
        let derivative: M::Number = block.derivative(j, &self.along::<M>(j));
        self.follow::<M>(j, derivative)
    }

    /// x_j continues from where it is with a new derivative.
    #[inline]
    fn follow<M: Quantizer>(&mut self, j: usize, derivative: M::Number) -> Result<(), Error> {
        let now = self.now;
        let f = derivative.polynomial();
        let slope = derivative.sensitivity();
        if !(f[0] + f[1] + f[2] + slope).is_finite() {
            let value = f.into_iter().chain([slope]).find(|v| !v.is_finite()).unwrap_or(f[0]);
            let function = Function::Derivative(j);
            return Err(Error::NotFinite { function, value, at: Time::from_ps(now) });
        }
        let Cell { start, x, .. } = self.cells[j];
        let s = seconds(start, now);
        let cell = &mut self.cells[j];
        cell.start = now;
        cell.slope = slope;
        cell.x = match M::ORDER {
            1 => [x[0] + s * x[1], f[0], 0.0, 0.0],
            2 => [x[0] + s * (x[1] + s * x[2]), f[0], f[1] * 0.5, 0.0],
            _ => [x[0] + s * (x[1] + s * (x[2] + s * x[3])), f[0], f[1] * 0.5, f[2] * (1.0 / 3.0)],
        };
        Ok(())
    }

    /// Works out when state `j`, whose x starts now, is due.
    #[inline]
    pub(super) fn schedule<B: Block, M: Quantizer>(&mut self, block: &B, j: usize) {
        let now = self.now;
        let cell = &self.cells[j];
        let q = self.quantized[j].from(now, M::ORDER);
        let horizon = M::horizon(&cell.x, &q, cell.quantum);
        if horizon <= 0.0 {
            self.next.set(j, now);
            return;
        }
        let timed = self.influence.reads_time(j);
        let horizon = if timed || horizon > SUSPICIOUS * cell.stride {
            self.doubted::<B, M>(block, j, horizon)
        } else {
            horizon
        };
        let due = instant_after(now, horizon).max(now + 1);
        self.next.set(j, due.min(now.saturating_add(self.settings.max_step.as_ps())));
    }

    /// A second look at a long step.
    ///
    /// If the highest derivative that the method keeps happens to be zero, the state would sleep
    /// for ever although its right-hand side changes (x2' = x1^2, x1 = t, at t = 0; or cos t).
    /// So two more terms of x are worked out, and the step ends where one of them amounts to the
    /// band. A right-hand side that reads time always gets this look, because no other state tells
    /// it when to look again.
    #[cold]
    #[inline(never)]
    fn doubted<B: Block, M: Quantizer>(&mut self, block: &B, j: usize, horizon: f64) -> f64 {
        let f = Flow::polynomial(block.derivative::<Series<4>>(j, &self.along::<M>(usize::MAX)));
        let cell = &self.cells[j];
        let band = M::BAND * cell.quantum;
        let mut horizon = horizon;
        for (k, term) in f.iter().enumerate().skip(M::ORDER) {
            // x has the term f_k / (k+1) s^(k+1).
            let c = (term / (k + 1) as f64).abs();
            let limit = match k {
                1 => (band / c).sqrt(),
                2 => libm::cbrt(band / c),
                _ => (band / c).sqrt().sqrt(),
            };
            if c > 0.0 {
                horizon = horizon.min(limit);
            }
        }
        if horizon.is_infinite() && self.influence.reads_time(j) {
            // Nothing is known about what time will bring: ask again, ever less often.
            horizon = (2.0 * cell.stride).max(1e-6);
        }
        horizon
    }
}
