//! Quantized state systems: every state has its own time.
//!
//! A state i has a trajectory x_i, a polynomial of degree n, and a quantized trajectory q_i, one
//! degree lower, which is what the right-hand sides of the others see. Both start at their own
//! instants. When |q_i - x_i| has grown to the quantum D = max(absolute, relative |x_i|), the state
//! is *requantized*: q_i is chosen anew, and the derivatives that read q_i are evaluated again, as
//! Taylor series along the q of all states they read:
//!
//! ```text
//! x_j' = f_j(q(t)) = f + f' s + f''/2 s^2 ..     x_j = x_j + f s + f'/2 s^2 + f''/6 s^3 ..
//! ```
//!
//! Nothing else is touched, so the work goes where the activity is.
//!
//! | file | holds |
//! |---|---|
//! | `quantizer.rs`, `liqss2.rs` | how q is chosen, method by method |
//! | `requantize.rs` | one step: quantize, evaluate, schedule |
//! | `discrete.rs` | zero crossings, time events, what their handlers change |

mod discrete;
mod liqss2;
mod quantizer;
mod requantize;

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use crate::block::{Block, Changes, Edit, Function, Point};
use crate::error::Error;
use crate::events::Crossing;
use crate::influence::Influence;
use crate::method::{Method, Settings};
use crate::next_time::NextTimes;
use crate::number::Flow;
use crate::solver::{Advance, Statistics};
use crate::trajectory::{Trajectory, evaluate, seconds};
use liqss2::Liqss2;
use quantizer::{Liqss1, Qss1, Qss2, Qss3, Quantizer};

/// The trajectory of a state. One cache line.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cell {
    /// Where the polynomial starts, in picoseconds.
    start: u64,
    /// The polynomial.
    x: [f64; 4],
    /// df_i/dx_i, where the method wants it.
    slope: f64,
    /// D, as of the last requantization.
    quantum: f64,
    /// Seconds between the last two requantizations.
    stride: f64,
}

/// What others see of a state or an input.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Quantized {
    /// Where the polynomial starts, in picoseconds.
    start: u64,
    /// The polynomial.
    q: [f64; 3],
}

impl Quantized {
    /// The polynomial counted from `now`, for a method of the given order.
    #[inline]
    fn from(&self, now: u64, order: usize) -> [f64; 4] {
        let q = &self.q;
        let s = seconds(self.start, now);
        match order {
            1 => [q[0], 0.0, 0.0, 0.0],
            2 => [q[0] + s * q[1], q[1], 0.0, 0.0],
            _ => [q[0] + s * (q[1] + s * q[2]), q[1] + 2.0 * s * q[2], q[2], 0.0],
        }
    }
}

/// A block between two events, as a quantized state system.
///
/// The event sources are numbered: states first, then inputs, crossings, and the time event last.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Qss {
    settings: Settings,
    now: u64,
    started: bool,
    cells: Vec<Cell>,
    quantized: Vec<Quantized>,
    inputs: Vec<Trajectory>,
    quantized_inputs: Vec<Quantized>,
    crossings: Vec<Crossing>,
    influence: Influence,
    #[serde(with = "saved_times")]
    next: NextTimes,
    watched: Vec<bool>,
    pub statistics: Statistics,
    /// Events that the block announced since they were last cleared.
    #[serde(skip)]
    pub announced: Vec<u32>,
    #[serde(skip)]
    changes: Changes,
    /// Crossings whose function changed in the current step.
    #[serde(skip)]
    touched: Vec<usize>,
    /// States whose derivatives are evaluated together.
    #[serde(skip)]
    group: Vec<usize>,
    /// How many quantizations in a row did not come later than the last one of their state.
    #[serde(skip)]
    standstill: u32,
}

/// The tree of next times is saved as its leaves.
mod saved_times {
    use super::NextTimes;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(next: &NextTimes, to: S) -> Result<S::Ok, S::Error> {
        next.times().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<NextTimes, D::Error> {
        Ok(NextTimes::from_times(&Vec::deserialize(from)?))
    }
}

/// The quantized trajectories at one instant, as numbers of type `N`.
struct Along<'a> {
    now: u64,
    order: usize,
    variable: usize,
    states: &'a [Quantized],
    inputs: &'a [Quantized],
}

impl<N: Flow> Point<N> for Along<'_> {
    #[inline]
    fn x(&self, state: usize) -> N {
        match self.states.get(state) {
            Some(q) => {
                let number = N::along(q.from(self.now, self.order));
                if state == self.variable { number.as_variable() } else { number }
            }
            None => N::constant(f64::NAN),
        }
    }

    #[inline]
    fn u(&self, input: usize) -> N {
        match self.inputs.get(input) {
            Some(q) => N::along(q.from(self.now, self.order)),
            None => N::constant(f64::NAN),
        }
    }

    #[inline]
    fn time(&self) -> N {
        N::along([Time::from_ps(self.now).as_secs_f64(), 1.0, 0.0, 0.0])
    }
}

impl Qss {
    pub fn new<B: Block>(block: &B, settings: Settings, start: Time) -> Self {
        let (states, inputs) = (block.states(), block.inputs());
        let crossings = block.crossings();
        let now = start.as_ps();
        let at_rest = |state| {
            let x = [block.initial(state), 0.0, 0.0, 0.0];
            Cell { start: now, x, ..Cell::default() }
        };
        let mut next = NextTimes::new(states + inputs + crossings + 1);
        // The first event of all is to begin; see `begin`.
        next.set(states + inputs + crossings, now);
        let cells: Vec<Cell> = (0..states).map(at_rest).collect();
        let constant = |cell: &Cell| Quantized { start: now, q: [cell.x[0], 0.0, 0.0] };
        Qss {
            settings,
            now,
            started: false,
            quantized: cells.iter().map(constant).collect(),
            cells,
            inputs: vec![Trajectory::default(); inputs],
            quantized_inputs: vec![Quantized::default(); inputs],
            crossings: vec![Crossing::new(&[1.0, 0.0, 0.0, 0.0]); crossings],
            influence: Influence::new(block),
            next,
            watched: vec![false; states],
            statistics: Statistics::default(),
            announced: Vec::new(),
            changes: Changes::default(),
            touched: Vec::new(),
            group: Vec::new(),
            standstill: 0,
        }
    }

    /// The same block, which stood still from `left` to `back`.
    pub fn resumed<B: Block>(&self, block: &B, left: Time, back: Time) -> Self {
        let mut fresh = Qss::new(block, self.settings, back);
        for state in 0..self.cells.len() {
            let value = self.sample(state, left);
            fresh.cells[state].x[0] = value;
            fresh.quantized[state].q[0] = value;
        }
        fresh.inputs.clone_from(&self.inputs);
        fresh.watched.clone_from(&self.watched);
        fresh.statistics = self.statistics;
        fresh
    }

    /// Checks a state that comes from a file.
    pub fn restore<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        let expect = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(Error::BadSave { what, found, expected }) }
        };
        let (states, inputs, crossings) = (block.states(), block.inputs(), block.crossings());
        expect("states", self.cells.len(), states)?;
        expect("quantized states", self.quantized.len(), states)?;
        expect("watched states", self.watched.len(), states)?;
        expect("inputs", self.inputs.len(), inputs)?;
        expect("quantized inputs", self.quantized_inputs.len(), inputs)?;
        expect("crossings", self.crossings.len(), crossings)?;
        expect("next times", self.next.times().len(), states + inputs + crossings + 1)?;
        self.settings.check()?;
        self.influence.restore(states, crossings, inputs)
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn now(&self) -> Time {
        Time::from_ps(self.now)
    }

    pub fn next_event(&self) -> Time {
        Time::from_ps(self.next.earliest())
    }

    pub fn watch(&mut self, state: usize) {
        self.watched[state] = true;
    }

    /// The value of a state at `t`, with the present trajectories.
    pub fn sample(&self, state: usize, t: Time) -> f64 {
        let cell = &self.cells[state];
        evaluate(&cell.x, seconds(cell.start, t.as_ps()))
    }

    pub fn trajectory(&self, state: usize) -> Trajectory {
        let cell = &self.cells[state];
        Trajectory { start: Time::from_ps(cell.start), coefficients: cell.x }
    }

    /// What the other states see of a state.
    pub fn quantized_trajectory(&self, state: usize) -> Trajectory {
        let Quantized { start, q } = self.quantized[state];
        Trajectory { start: Time::from_ps(start), coefficients: [q[0], q[1], q[2], 0.0] }
    }

    pub fn advance<B: Block>(&mut self, block: &mut B, until: Time) -> Result<Advance, Error> {
        match self.settings.method {
            Method::Qss1 => self.run::<B, Qss1>(block, until.as_ps()),
            Method::Qss3 => self.run::<B, Qss3>(block, until.as_ps()),
            Method::Liqss1 => self.run::<B, Liqss1>(block, until.as_ps()),
            Method::Liqss2 => self.run::<B, Liqss2>(block, until.as_ps()),
            _ => self.run::<B, Qss2>(block, until.as_ps()),
        }
    }

    pub fn set_inputs<B: Block>(
        &mut self,
        block: &B,
        t: Time,
        signals: &[(usize, Trajectory)],
    ) -> Result<(), Error> {
        for &(input, signal) in signals {
            self.inputs[input] = signal;
        }
        if !self.started {
            return Ok(());
        }
        match self.settings.method {
            Method::Qss1 => self.feel_inputs::<B, Qss1>(block, t.as_ps(), signals),
            Method::Qss3 => self.feel_inputs::<B, Qss3>(block, t.as_ps(), signals),
            Method::Liqss1 => self.feel_inputs::<B, Liqss1>(block, t.as_ps(), signals),
            Method::Liqss2 => self.feel_inputs::<B, Liqss2>(block, t.as_ps(), signals),
            _ => self.feel_inputs::<B, Qss2>(block, t.as_ps(), signals),
        }
    }

    pub fn disturb<B: Block>(
        &mut self,
        block: &mut B,
        t: Time,
        handler: impl FnOnce(&mut B, &mut Edit<'_>),
    ) -> Result<(), Error> {
        match self.settings.method {
            Method::Qss1 => self.outside_event::<B, Qss1>(block, t.as_ps(), handler),
            Method::Qss3 => self.outside_event::<B, Qss3>(block, t.as_ps(), handler),
            Method::Liqss1 => self.outside_event::<B, Liqss1>(block, t.as_ps(), handler),
            Method::Liqss2 => self.outside_event::<B, Liqss2>(block, t.as_ps(), handler),
            _ => self.outside_event::<B, Qss2>(block, t.as_ps(), handler),
        }
    }

    /// Handles the events before `until`, one after the other.
    fn run<B: Block, M: Quantizer>(&mut self, block: &mut B, until: u64) -> Result<Advance, Error> {
        let states = self.cells.len();
        let first_crossing = states + self.inputs.len();
        let time_event = first_crossing + self.crossings.len();
        loop {
            let t = self.next.earliest();
            if t >= until {
                return Ok(Advance::Reached);
            }
            let source = self.next.first(t);
            self.now = t;
            let visible = if source < states {
                self.requantize::<B, M>(block, source)?;
                self.watched[source]
            } else if source < first_crossing {
                self.quantize_input::<B, M>(block, source - states)?;
                false
            } else if source < time_event {
                self.check_crossing::<B, M>(block, source - first_crossing)?
            } else if self.started {
                self.time_event::<B, M>(block)?
            } else {
                self.begin::<B, M>(block)?;
                self.watched.contains(&true)
            };
            if visible {
                return Ok(Advance::Event(Time::from_ps(t)));
            }
        }
    }

    /// Finds out what depends on what, and quantizes every state for the first time.
    fn begin<B: Block, M: Quantizer>(&mut self, block: &B) -> Result<(), Error> {
        self.started = true;
        for input in 0..self.inputs.len() {
            self.expand_input::<M>(input);
        }
        for state in 0..self.cells.len() {
            let value = self.cells[state].x[0];
            if !value.is_finite() {
                return Err(Error::StateNotFinite { state, value, at: self.now() });
            }
            self.quantized[state] = Quantized { start: self.now, q: [value, 0.0, 0.0] };
        }
        self.trace_all(block)?;
        // Each pass makes one more derivative of q known.
        for _ in 0..M::ORDER {
            self.evaluate_all::<B, M>(block)?;
            for state in 0..self.cells.len() {
                self.choose_quantized::<B, M>(block, state)?;
            }
        }
        self.evaluate_all::<B, M>(block)?;
        for state in 0..self.cells.len() {
            self.schedule::<B, M>(block, state);
        }
        for crossing in 0..self.crossings.len() {
            let z = self.crossing_terms(block, crossing)?;
            self.crossings[crossing] = Crossing::new(&z);
            self.schedule_crossing(block, crossing, &z);
        }
        self.schedule_time_event(block);
        Ok(())
    }

    /// Notes what every function reads, at the present instant.
    fn trace_all<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        let functions = (0..self.cells.len())
            .map(Function::Derivative)
            .chain((0..self.crossings.len()).map(Function::Crossing));
        self.trace(block, functions)
    }

    fn trace<B: Block>(
        &mut self,
        block: &B,
        functions: impl Iterator<Item = Function>,
    ) -> Result<(), Error> {
        let now = Time::from_ps(self.now);
        let (cells, inputs) = (&self.cells, &self.inputs);
        let state = |k: usize| {
            cells.get(k).map_or(f64::NAN, |c| evaluate(&c.x, seconds(c.start, now.as_ps())))
        };
        let input = |k: usize| inputs.get(k).map_or(f64::NAN, |u| u.at(now));
        if self.influence.trace(block, functions, now.as_secs_f64(), &state, &input)? {
            self.influence.rebuild();
        }
        Ok(())
    }
}
