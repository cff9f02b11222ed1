//! Runge-Kutta and Adams methods: all states advance together, step by step.
//!
//! A step from t0 to t1 is worked out when time reaches t0, whatever `until` is, and stays open until
//! time reaches t1: meanwhile a continuous solution over it answers questions. Only an input that
//! changes inside it, or a zero crossing found in it, ends it early.
//!
//! | file | holds |
//! |---|---|
//! | `rk4.rs`, `adams3.rs`, `dopri5.rs` | one step, method by method |
//! | `dense.rs` | the solution within a step, and zero crossings on it |
//! | `discrete.rs` | what happens between steps: handlers of the block, inputs |

mod adams3;
mod dense;
mod discrete;
mod dopri5;
mod rk4;

use ironbird_kernel::{Grid, Time};
use serde::{Deserialize, Serialize};

use crate::block::{Block, Changes, Function, Values};
use crate::error::Error;
use crate::events::Crossing;
use crate::method::{Method, Settings};
use crate::solver::{Advance, Statistics};
use crate::trajectory::Trajectory;
use dopri5::Controller;

/// A step that is under way.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Step {
    /// t1, in picoseconds.
    end: u64,
    /// The first zero crossing in it.
    crossing: Option<u64>,
}

/// A block at the start of a step, or within one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OneStep {
    settings: Settings,
    grid: Grid,
    now: u64,
    /// t0, in picoseconds.
    start: u64,
    /// x(t0) and its derivative.
    x: Vec<f64>,
    f: Vec<f64>,
    /// x(t1) and its derivative, while a step is under way.
    x_end: Vec<f64>,
    f_end: Vec<f64>,
    /// The fifth term of the continuous solution; empty for a cubic one.
    bulge: Vec<f64>,
    step: Option<Step>,
    /// Derivatives at the start of the last step and of the one before it, and how many of them belong to
    /// what happens now; for the Adams method.
    older: [Vec<f64>; 2],
    known: u8,
    /// Whether `f` belongs to `x`.
    derived: bool,
    /// Whether the crossing functions may have jumped since they were last looked at.
    unsettled: bool,
    started: bool,
    controller: Controller,
    inputs: Vec<Trajectory>,
    crossings: Vec<Crossing>,
    watched: bool,
    pub statistics: Statistics,
    /// Events that the block announced since they were last cleared.
    #[serde(skip)]
    pub announced: Vec<u32>,
    #[serde(skip)]
    changes: Changes,
    /// Derivatives at the stages of a step, and the point at which one is evaluated.
    #[serde(skip)]
    stages: Vec<Vec<f64>>,
    #[serde(skip)]
    trial: Vec<f64>,
}

impl OneStep {
    pub fn new<B: Block>(block: &B, settings: Settings, start: Time) -> Self {
        let states = block.states();
        let adaptive = settings.method == Method::Dopri5;
        OneStep {
            settings,
            grid: Grid::new(start, settings.step),
            now: start.as_ps(),
            start: start.as_ps(),
            x: (0..states).map(|state| block.initial(state)).collect(),
            f: vec![0.0; states],
            x_end: vec![0.0; states],
            f_end: vec![0.0; states],
            bulge: vec![0.0; if adaptive { states } else { 0 }],
            step: None,
            older: Default::default(),
            known: 0,
            derived: false,
            unsettled: true,
            started: false,
            controller: Controller::default(),
            inputs: vec![Trajectory::default(); block.inputs()],
            crossings: vec![Crossing::new(&[1.0, 0.0, 0.0, 0.0]); block.crossings()],
            watched: false,
            statistics: Statistics::default(),
            announced: Vec::new(),
            changes: Changes::default(),
            stages: Vec::new(),
            trial: Vec::new(),
        }
    }

    /// The same block, which stood still from `left` to `back`.
    pub fn resumed<B: Block>(&self, block: &B, left: Time, back: Time) -> Self {
        let mut fresh = OneStep::new(block, self.settings, back);
        for (state, x) in fresh.x.iter_mut().enumerate() {
            *x = self.sample(state, left);
        }
        if self.started {
            // It goes on where its steps would have ended anyway.
            fresh.grid = self.grid;
        }
        fresh.inputs.clone_from(&self.inputs);
        fresh.watched = self.watched;
        fresh.statistics = self.statistics;
        fresh
    }

    /// Checks a state that comes from a file.
    pub fn restore<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        let expect = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(Error::BadSave { what, found, expected }) }
        };
        for vector in [&self.x, &self.f, &self.x_end, &self.f_end] {
            expect("states", vector.len(), block.states())?;
        }
        if self.settings.method == Method::Dopri5 {
            expect("the continuous solution", self.bulge.len(), block.states())?;
        } else {
            expect("the continuous solution", self.bulge.len(), 0)?;
        }
        for vector in &self.older {
            let expected = if self.known > 0 { block.states() } else { vector.len() };
            expect("older derivatives", vector.len(), expected)?;
        }
        expect("inputs", self.inputs.len(), block.inputs())?;
        expect("crossings", self.crossings.len(), block.crossings())?;
        self.settings.check()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn now(&self) -> Time {
        Time::from_ps(self.now)
    }

    pub fn next_event(&self) -> Time {
        let next = match &self.step {
            None => self.start,
            Some(step) => step.crossing.unwrap_or(step.end),
        };
        Time::from_ps(next)
    }

    pub fn watch(&mut self) {
        self.watched = true;
    }

    /// Handles what happens before `until`, one step after the other.
    pub fn advance<B: Block>(&mut self, block: &mut B, until: Time) -> Result<Advance, Error> {
        loop {
            let next = self.next_event();
            if next >= until {
                return Ok(Advance::Reached);
            }
            self.now = next.as_ps();
            match self.step {
                None => {
                    if self.settle(block)? || self.watched {
                        // Whoever watches sees the trajectories of the new step.
                        if self.step.is_none() {
                            self.begin_step(block)?;
                        }
                        return Ok(Advance::Event(next));
                    }
                    self.begin_step(block)?;
                }
                Some(Step { crossing: Some(at), .. }) => {
                    self.cut(at);
                    self.unsettled = true;
                }
                Some(step) => {
                    self.start = step.end;
                    std::mem::swap(&mut self.x, &mut self.x_end);
                    std::mem::swap(&mut self.f, &mut self.f_end);
                    self.step = None;
                    self.statistics.steps += 1;
                }
            }
        }
    }

    /// Works out the step that starts here.
    fn begin_step<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        self.derive(block)?;
        let limit = block.next_time_event().as_ps().max(self.start + 1);
        let end = match self.settings.method {
            Method::Rk4 => self.step_rk4(block, limit)?,
            Method::Adams3 => self.step_adams3(block, limit)?,
            _ => self.step_dopri5(block, limit)?,
        };
        let crossing = self.locate(block, end)?;
        self.step = Some(Step { end, crossing });
        Ok(())
    }

    /// Makes sure that `f` is the derivative of `x`.
    fn derive<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        if self.derived {
            return Ok(());
        }
        let point = Values { x: &self.x, inputs: &self.inputs, base: self.start, offset: 0.0 };
        block.derivatives(&point, &mut self.f);
        self.derived = true;
        // Something has changed what happens: older derivatives belong to what was.
        self.known = 0;
        finite(&self.f, self.start)
    }
}

/// An error if a derivative is not finite.
fn finite(derivatives: &[f64], at: u64) -> Result<(), Error> {
    match derivatives.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(state) => Err(Error::NotFinite {
            function: Function::Derivative(state),
            value: derivatives[state],
            at: Time::from_ps(at),
        }),
    }
}
