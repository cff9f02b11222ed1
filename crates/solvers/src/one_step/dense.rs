//! The solution within a step.
//!
//! With r = x1 - x0 and theta = (t - t0) / h,
//!
//! ```text
//! x(t) = x0 + theta (r + (1 - theta) (h f0 - r + theta (2 r - h (f0 + f1) + (1 - theta) b)))
//! ```
//!
//! the cubic that has the values and slopes of both ends, and for Dormand-Prince a bulge b that
//! raises it to order 4.

use ironbird_kernel::Time;

use super::{OneStep, Step};
use crate::block::{Block, Function, Point};
use crate::error::Error;
use crate::events::Side;
use crate::number::{Flow, Number};
use crate::series::Series;
use crate::trajectory::{Trajectory, seconds};

/// A step is searched for crossings in this many pieces.
const PIECES: u64 = 4;

/// The continuous solution at one instant.
struct Within<'a> {
    solver: &'a OneStep,
    t: u64,
    end: u64,
}

impl Point<f64> for Within<'_> {
    fn x(&self, state: usize) -> f64 {
        if state < self.solver.x.len() {
            self.solver.dense(state, self.t, self.end)
        } else {
            f64::NAN
        }
    }
    fn u(&self, input: usize) -> f64 {
        self.solver.inputs.get(input).map_or(f64::NAN, |u| u.at(Time::from_ps(self.t)))
    }
    fn time(&self) -> f64 {
        Time::from_ps(self.t).as_secs_f64()
    }
}

/// States and their derivatives at the start of a step.
struct Beginning<'a>(&'a OneStep);

impl Point<Series<2>> for Beginning<'_> {
    fn x(&self, state: usize) -> Series<2> {
        match (self.0.x.get(state), self.0.f.get(state)) {
            (Some(x), Some(f)) => Series::new([*x, *f]),
            _ => Number::constant(f64::NAN),
        }
    }
    fn u(&self, input: usize) -> Series<2> {
        match self.0.inputs.get(input) {
            Some(signal) => Flow::along(signal.from(Time::from_ps(self.0.start)).coefficients),
            None => Number::constant(f64::NAN),
        }
    }
    fn time(&self) -> Series<2> {
        Series::new([Time::from_ps(self.0.start).as_secs_f64(), 1.0])
    }
}

impl OneStep {
    /// A state at `t`, within a step that ends at `end`.
    fn dense(&self, i: usize, t: u64, end: u64) -> f64 {
        if t <= self.start {
            return self.x[i];
        }
        if t >= end {
            return self.x_end[i];
        }
        let h = seconds(self.start, end);
        let theta = (t - self.start) as f64 / (end - self.start) as f64;
        let rest = 1.0 - theta;
        let r = self.x_end[i] - self.x[i];
        let bend = h * self.f[i] - r;
        let twist = r - h * self.f_end[i] - bend;
        let bulge = self.bulge.get(i).copied().unwrap_or(0.0);
        self.x[i] + theta * (r + rest * (bend + theta * (twist + rest * bulge)))
    }

    /// A state at `t`, with the present step.
    pub fn sample(&self, state: usize, t: Time) -> f64 {
        match self.step {
            Some(step) => self.dense(state, t.as_ps(), step.end),
            None => self.x[state],
        }
    }

    /// The cubic part of the present step.
    pub fn trajectory(&self, i: usize) -> Trajectory {
        let start = Time::from_ps(self.start);
        let Some(step) = self.step else {
            return Trajectory { start, coefficients: [self.x[i], 0.0, 0.0, 0.0] };
        };
        let h = seconds(self.start, step.end);
        let (f0, f1) = (self.f[i], self.f_end[i]);
        let mean = (self.x_end[i] - self.x[i]) / h;
        let c2 = (3.0 * mean - 2.0 * f0 - f1) / h;
        let c3 = (f0 + f1 - 2.0 * mean) / (h * h);
        Trajectory { start, coefficients: [self.x[i], f0, c2, c3] }
    }

    /// Ends the present step at `t`, which lies within it.
    pub(super) fn cut(&mut self, t: u64) {
        if let Some(Step { end, .. }) = self.step.take()
            && t > self.start
        {
            for i in 0..self.x.len() {
                self.trial.resize(self.x.len(), 0.0);
                self.trial[i] = self.dense(i, t, end);
            }
            std::mem::swap(&mut self.x, &mut self.trial);
            self.statistics.steps += 1;
        }
        self.start = t;
        self.derived = false;
    }

    /// Value and slope of a crossing function at the start of a step.
    pub(super) fn crossing_terms<B: Block>(
        &self,
        block: &B,
        crossing: usize,
    ) -> Result<[f64; 4], Error> {
        let z = Flow::polynomial(block.crossing(crossing, &Beginning(self)));
        finite_crossing(crossing, z[0] + z[1], self.start)?;
        Ok(z)
    }

    /// The first instant within a step at which a crossing function has left its side.
    pub(super) fn locate<B: Block>(&self, block: &B, end: u64) -> Result<Option<u64>, Error> {
        let mut first = None;
        for (crossing, state) in self.crossings.iter().enumerate() {
            let search = first.map_or(end, |t: u64| t - 1);
            if let Some(t) = self.departure(block, crossing, state.side, end, search)? {
                first = Some(t);
            }
        }
        Ok(first)
    }

    /// The first instant up to `search` at which a crossing function is no longer on `side`.
    fn departure<B: Block>(
        &self,
        block: &B,
        crossing: usize,
        side: Side,
        end: u64,
        search: u64,
    ) -> Result<Option<u64>, Error> {
        let inside = |t: u64| {
            let z: f64 = block.crossing(crossing, &Within { solver: self, t, end });
            finite_crossing(crossing, z, t).map(|()| z * side.sign())
        };
        let mut before = (self.start, inside(self.start)?.max(0.0));
        let span = search.saturating_sub(self.start);
        for piece in 1..=PIECES {
            let t = self.start + (u128::from(span) * u128::from(piece) / u128::from(PIECES)) as u64;
            if t <= before.0 {
                continue;
            }
            let value = inside(t)?;
            if value <= 0.0 {
                return first_outside(before, (t, value), inside).map(Some);
            }
            before = (t, value);
        }
        Ok(None)
    }
}

/// The first picosecond in (low, high] at which a function is not positive: secants, and a
/// bisection after each to be sure of the pace.
fn first_outside(
    mut low: (u64, f64),
    mut high: (u64, f64),
    inside: impl Fn(u64) -> Result<f64, Error>,
) -> Result<u64, Error> {
    let mut secant = true;
    while high.0 - low.0 > 1 {
        let span = high.0 - low.0;
        let guess =
            if secant { (span as f64 * (low.1 / (low.1 - high.1))) as u64 } else { span / 2 };
        secant = !secant;
        let t = low.0 + guess.clamp(1, span - 1);
        let value = inside(t)?;
        if value <= 0.0 {
            high = (t, value);
        } else {
            low = (t, value);
        }
    }
    Ok(high.0)
}

fn finite_crossing(crossing: usize, value: f64, at: u64) -> Result<(), Error> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Error::NotFinite { function: Function::Crossing(crossing), value, at: Time::from_ps(at) })
}
