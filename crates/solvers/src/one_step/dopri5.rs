//! The method of Dormand and Prince, order 5 with an error estimate of order 4.
//!
//! Coefficients, step control and continuous solution as in Hairer, Norsett and Wanner, *Solving
//! Ordinary Differential Equations I*, II.4 to II.6. A step is accepted if
//!
//! ```text
//! err = sqrt(mean_i((e_i / (absolute scale_i + relative max(|x_i|, |x_i(t1)|)))^2)) <= 1
//! ```
//!
//! and the next one is h 0.9 err^-0.17 err_before^0.04, between a fifth and ten times as long.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use super::OneStep;
use crate::block::{Block, Function, Values};
use crate::error::Error;
use crate::trajectory::seconds;

const NODES: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

const WEIGHTS: [[f64; 6]; 6] = [
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// The difference between the solutions of order 5 and 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// The fifth term of the continuous solution.
const BULGE: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;
/// How much the error of the step before counts.
const MEMORY: f64 = 0.04;

/// What the step control remembers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Controller {
    /// The next step to try, in seconds; to be guessed if `None`.
    pub step: Option<f64>,
    /// The error of the last accepted step.
    error: f64,
}

impl Default for Controller {
    fn default() -> Self {
        Controller { step: None, error: 1e-4 }
    }
}

impl OneStep {
    /// Works out the step that starts here, as long as the tolerance allows; it ends at `limit` at
    /// the latest.
    pub(super) fn step_dopri5<B: Block>(&mut self, block: &B, limit: u64) -> Result<u64, Error> {
        let longest = limit.min(self.start.saturating_add(self.settings.max_step.as_ps()));
        let room = seconds(self.start, longest);
        let mut wish = match self.controller.step {
            Some(step) => step,
            None => self.first_step(block),
        };
        let mut rejected = false;
        loop {
            // Without going for a last step that would be a sliver.
            let end = if wish >= room { longest } else { self.instant(wish, longest) };
            let h = seconds(self.start, end);
            let worst = self.try_dopri5(block, h);
            if let Some((error, _)) = worst
                && error <= 1.0
            {
                let memory = libm::pow(self.controller.error, MEMORY);
                let exact = libm::pow(error, 0.2 - 0.75 * MEMORY);
                let factor = (SAFETY * memory / exact).clamp(SHRINK, GROW);
                let next = h * if rejected { factor.min(1.0) } else { factor };
                // A step that was cut short by an event says little about the next one.
                let next = if end == longest { next.max(wish.min(GROW * h)) } else { next };
                self.controller = Controller { step: Some(next), error: error.max(1e-4) };
                return Ok(end);
            }
            self.statistics.rejected += 1;
            rejected = true;
            if end <= self.start + 1 {
                return Err(match worst {
                    Some((_, state)) => {
                        Error::StepUnderflow { state, at: Time::from_ps(self.start) }
                    }
                    None => self.not_finite(),
                });
            }
            let factor = match worst {
                Some((error, _)) => SAFETY / libm::pow(error, 0.2 - 0.75 * MEMORY),
                None => SHRINK,
            };
            wish = h * factor.clamp(SHRINK, 0.9);
        }
    }

    /// The instant `step` seconds from the start, to the nearest picosecond but at least one.
    fn instant(&self, step: f64, longest: u64) -> u64 {
        let span = (step * 1e12) as u64;
        self.start.saturating_add(span.max(1)).min(longest)
    }

    /// Works out a step of `h` seconds: x_end, f_end and the bulge. Returns the error relative to
    /// the tolerance and the state with the largest one; `None` if something is not finite.
    fn try_dopri5<B: Block>(&mut self, block: &B, h: f64) -> Option<(f64, usize)> {
        let states = self.x.len();
        self.stages.resize(5, Vec::new());
        self.trial.resize(states, 0.0);
        for (stage, weights) in WEIGHTS.iter().enumerate() {
            let last = stage == 5;
            let (done, rest) = self.stages.split_at_mut(stage.min(5));
            let trial = if last { &mut self.x_end } else { &mut self.trial };
            let (x, f) = (&self.x[..states], &self.f[..states]);
            let trial = &mut trial[..states];
            let k: [&[f64]; 5] =
                std::array::from_fn(|m| done.get(m).map_or(f, |stage| &stage[..states]));
            let w = weights.map(|weight| h * weight);
            // One loop for each number of terms, so that none is multiplied by zero.
            match stage {
                0 => (0..states).for_each(|i| trial[i] = x[i] + w[0] * f[i]),
                1 => (0..states).for_each(|i| trial[i] = x[i] + (w[0] * f[i] + w[1] * k[0][i])),
                2 => (0..states).for_each(|i| {
                    trial[i] = x[i] + (w[0] * f[i] + w[1] * k[0][i] + w[2] * k[1][i]);
                }),
                3 => (0..states).for_each(|i| {
                    let sum = w[0] * f[i] + w[1] * k[0][i] + w[2] * k[1][i] + w[3] * k[2][i];
                    trial[i] = x[i] + sum;
                }),
                4 => (0..states).for_each(|i| {
                    let sum = w[0] * f[i] + w[1] * k[0][i] + w[2] * k[1][i] + w[3] * k[2][i];
                    trial[i] = x[i] + (sum + w[4] * k[3][i]);
                }),
                _ => (0..states).for_each(|i| {
                    let sum = w[0] * f[i] + w[2] * k[1][i] + w[3] * k[2][i] + w[4] * k[3][i];
                    trial[i] = x[i] + (sum + w[5] * k[4][i]);
                }),
            }
            let out = if last { &mut self.f_end } else { &mut rest[0] };
            out.resize(states, 0.0);
            let offset = NODES[stage] * h;
            let point = Values { x: trial, inputs: &self.inputs, base: self.start, offset };
            block.derivatives(&point, out);
        }
        self.estimate(block, h)
    }

    /// The error of the step just worked out, and its continuous solution.
    fn estimate<B: Block>(&mut self, block: &B, h: f64) -> Option<(f64, usize)> {
        let states = self.x.len();
        let [k2, k3, k4, k5, k6] = std::array::from_fn(|stage| &self.stages[stage][..states]);
        let _ = k2;
        let (mut sum, mut worst, mut largest) = (0.0, 0, 0.0);
        for i in 0..states {
            let (k1, k7) = (self.f[i], self.f_end[i]);
            let combine = |c: &[f64; 7]| {
                h * (c[0] * k1
                    + c[2] * k3[i]
                    + c[3] * k4[i]
                    + c[4] * k5[i]
                    + c[5] * k6[i]
                    + c[6] * k7)
            };
            self.bulge[i] = combine(&BULGE);
            let size = self.x[i].abs().max(self.x_end[i].abs());
            // Whoever watches sees the cubic part only, which misses up to a sixteenth of the bulge.
            let unseen = if self.watched { self.bulge[i].abs() / 16.0 } else { 0.0 };
            let error = combine(&ERROR).abs().max(unseen);
            let ratio = error / self.tolerance(block, i, size);
            sum += ratio * ratio;
            if ratio > largest {
                (largest, worst) = (ratio, i);
            }
        }
        let error = (sum / states.max(1) as f64).sqrt();
        error.is_finite().then_some((error, worst))
    }

    fn tolerance<B: Block>(&self, block: &B, state: usize, size: f64) -> f64 {
        self.settings.absolute * block.scale(state) + self.settings.relative * size
    }

    /// A first step from the size of the state, of its derivative and of the change of that
    /// (Hairer, II.4): one explicit Euler step would err by about the tolerance.
    fn first_step<B: Block>(&mut self, block: &B) -> f64 {
        let states = self.x.len();
        let norm = |vector: &dyn Fn(usize) -> f64| {
            let square = |i: usize| {
                let ratio = vector(i) / self.tolerance(block, i, self.x[i].abs());
                ratio * ratio
            };
            ((0..states).map(square).sum::<f64>() / states.max(1) as f64).sqrt()
        };
        let (d0, d1) = (norm(&|i| self.x[i]), norm(&|i| self.f[i]));
        let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
        let trial: Vec<f64> = (0..states).map(|i| self.x[i] + h0 * self.f[i]).collect();
        let mut slope = vec![0.0; states];
        let point = Values { x: &trial, inputs: &self.inputs, base: self.start, offset: h0 };
        block.derivatives(&point, &mut slope);
        let d2 = norm(&|i| slope[i] - self.f[i]) / h0;
        let steepest = d1.max(d2);
        let h1 =
            if steepest <= 1e-15 { (h0 * 1e-3).max(1e-6) } else { libm::pow(0.01 / steepest, 0.2) };
        let step = (100.0 * h0).min(h1);
        if step.is_finite() && step > 0.0 { step } else { 1e-9 }
    }

    /// Which derivative of the step just tried is not finite.
    fn not_finite(&self) -> Error {
        let at = Time::from_ps(self.start);
        for stage in self.stages.iter().chain([&self.f_end]) {
            if let Some(state) = stage.iter().position(|value| !value.is_finite()) {
                let function = Function::Derivative(state);
                return Error::NotFinite { function, value: stage[state], at };
            }
        }
        let state = self.x_end.iter().position(|value| !value.is_finite()).unwrap_or(0);
        let value = self.x_end.get(state).copied().unwrap_or(f64::NAN);
        Error::StateNotFinite { state, value, at }
    }
}
