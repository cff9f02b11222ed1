//! A block and the method that solves it.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use crate::block::{Block, Edit};
use crate::error::Error;
use crate::method::Settings;
use crate::one_step::OneStep;
use crate::qss::Qss;
use crate::trajectory::Trajectory;

/// Why [`Solver::advance`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Everything before `until` has happened.
    Reached,
    /// Something that others can see happened at this instant.
    Event(Time),
}

/// What a solver has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Requantizations of a state (QSS), or steps taken (Runge-Kutta).
    pub steps: u64,
    /// Steps that were too long and tried again.
    pub rejected: u64,
    /// Zero crossings that were handled.
    pub crossings: u64,
    /// Time events that were handled.
    pub time_events: u64,
}

/// A block in the course of time.
///
/// It only ever moves from event to event: what happens does not depend on where
/// [`advance`](Solver::advance) was told to pause, and asking for values changes nothing. With a block
/// that can be serialized the whole can, and goes on bit for bit where it was saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Unchecked<B>", bound(deserialize = "B: Block + Deserialize<'de>"))]
pub struct Solver<B> {
    block: B,
    state: SolverState,
    /// Why it cannot go on.
    #[serde(skip)]
    failure: Option<Error>,
}

/// Everything a [`Solver`] knows except its block; see [`Solver::restore`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolverState(Engine);

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Engine {
    Qss(Qss),
    OneStep(OneStep),
}

/// A solver from a file, before anyone has checked it.
#[derive(Deserialize)]
struct Unchecked<B> {
    block: B,
    state: SolverState,
}

impl<B: Block> TryFrom<Unchecked<B>> for Solver<B> {
    type Error = Error;
    fn try_from(unchecked: Unchecked<B>) -> Result<Self, Error> {
        Solver::restore(unchecked.block, unchecked.state)
    }
}

impl<B: Block> Solver<B> {
    /// A block at the start of a run.
    pub fn new(block: B, settings: Settings) -> Result<Self, Error> {
        Solver::starting_at(block, settings, Time::ZERO)
    }

    /// A block that starts at some instant.
    pub fn starting_at(block: B, settings: Settings, start: Time) -> Result<Self, Error> {
        settings.check()?;
        // Without states there is nothing to step through, only crossings to be found.
        let engine = if settings.method.is_quantized() || block.states() == 0 {
            Engine::Qss(Qss::new(&block, settings, start))
        } else {
            Engine::OneStep(OneStep::new(&block, settings, start))
        };
        Ok(Solver { block, state: SolverState(engine), failure: None })
    }

    /// Continues with a state that was saved from an equal block.
    pub fn restore(block: B, mut state: SolverState) -> Result<Self, Error> {
        match &mut state.0 {
            Engine::Qss(qss) => qss.restore(&block)?,
            Engine::OneStep(steps) => steps.restore(&block)?,
        }
        Ok(Solver { block, state, failure: None })
    }

    /// The block, with its discrete variables as they are now.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// The method, and its precision.
    pub fn settings(&self) -> &Settings {
        match &self.state.0 {
            Engine::Qss(qss) => qss.settings(),
            Engine::OneStep(steps) => steps.settings(),
        }
    }

    /// Everything but the block, to be saved.
    pub fn state(&self) -> &SolverState {
        &self.state
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        match &self.state.0 {
            Engine::Qss(qss) => qss.statistics,
            Engine::OneStep(steps) => steps.statistics,
        }
    }

    /// The instant of the last event that was handled.
    pub fn now(&self) -> Time {
        match &self.state.0 {
            Engine::Qss(qss) => qss.now(),
            Engine::OneStep(steps) => steps.now(),
        }
    }

    /// The instant of the next event, if no input changes before.
    pub fn next_event(&self) -> Time {
        match &self.state.0 {
            Engine::Qss(qss) => qss.next_event(),
            Engine::OneStep(steps) => steps.next_event(),
        }
    }

    /// Handles everything that happens strictly before `until`, but returns at the first event that
    /// others can see: one that the block [announced](Edit::announce), or a new
    /// [`output`](Solver::output) of a [watched](Solver::watch) state.
    pub fn advance(&mut self, until: Time) -> Result<Advance, Error> {
        self.check_alive()?;
        let result = match &mut self.state.0 {
            Engine::Qss(qss) => {
                qss.announced.clear();
                qss.advance(&mut self.block, until)
            }
            Engine::OneStep(steps) => {
                steps.announced.clear();
                steps.advance(&mut self.block, until)
            }
        };
        self.noted(result)
    }

    /// The numbers of the events that the block [announced](Edit::announce) during the last
    /// [`advance`](Solver::advance).
    pub fn announced(&self) -> &[u32] {
        match &self.state.0 {
            Engine::Qss(qss) => &qss.announced,
            Engine::OneStep(steps) => &steps.announced,
        }
    }

    /// [`advance`](Solver::advance), past every visible event.
    pub fn run(&mut self, until: Time) -> Result<(), Error> {
        while self.advance(until)? != Advance::Reached {}
        Ok(())
    }

    /// From `at` on an input follows `signal`. Everything before `at` must have been handled.
    pub fn set_input(&mut self, at: Time, input: usize, signal: Trajectory) -> Result<(), Error> {
        self.set_inputs(at, &[(input, signal)])
    }

    /// Several inputs change at once; see [`set_input`](Solver::set_input).
    pub fn set_inputs(&mut self, at: Time, signals: &[(usize, Trajectory)]) -> Result<(), Error> {
        let inputs = self.block.inputs();
        for &(input, signal) in signals {
            if input >= inputs {
                return Err(Error::UnknownInput { input, inputs });
            }
            if !signal.is_finite() {
                return Err(Error::InputNotFinite { input, at });
            }
        }
        self.check_alive()?;
        self.check_present(at)?;
        let result = match &mut self.state.0 {
            Engine::Qss(qss) => qss.set_inputs(&self.block, at, signals),
            Engine::OneStep(steps) => {
                steps.set_inputs(at, signals);
                Ok(())
            }
        };
        self.noted(result)
    }

    /// An event from outside: changes discrete variables, or states, at `at`. Everything before
    /// `at` must have been handled.
    pub fn disturb(
        &mut self,
        at: Time,
        handler: impl FnOnce(&mut B, &mut Edit<'_>),
    ) -> Result<(), Error> {
        self.check_alive()?;
        self.check_present(at)?;
        let result = match &mut self.state.0 {
            Engine::Qss(qss) => qss.disturb(&mut self.block, at, handler),
            Engine::OneStep(steps) => steps.disturb(&mut self.block, at, handler),
        };
        self.noted(result)
    }

    /// The block stood still from `left`, before which everything must have been handled, to `back`:
    /// it goes on with its states and inputs, as at a new start. A time event that it missed
    /// happens at `back`.
    pub fn resume(&mut self, left: Time, back: Time) -> Result<(), Error> {
        self.check_alive()?;
        self.check_present(left)?;
        self.state.0 = match &self.state.0 {
            Engine::Qss(qss) => Engine::Qss(qss.resumed(&self.block, left, back)),
            Engine::OneStep(steps) => Engine::OneStep(steps.resumed(&self.block, left, back)),
        };
        Ok(())
    }

    /// The value of a state at an instant from the last event to the next.
    pub fn sample(&self, state: usize, at: Time) -> Result<f64, Error> {
        self.check_state(state)?;
        self.check_present(at)?;
        Ok(match &self.state.0 {
            Engine::Qss(qss) => qss.sample(state, at),
            Engine::OneStep(steps) => steps.sample(state, at),
        })
    }

    /// How a state moves from the last event to the next. For Dormand-Prince this is the cubic part
    /// of what [`sample`](Solver::sample) evaluates.
    pub fn trajectory(&self, state: usize) -> Result<Trajectory, Error> {
        self.check_state(state)?;
        Ok(match &self.state.0 {
            Engine::Qss(qss) => qss.trajectory(state),
            Engine::OneStep(steps) => steps.trajectory(state),
        })
    }

    /// What other blocks get to see of a state: its quantized trajectory, which is within the
    /// quantum of the state and changes much less often; for Runge-Kutta methods the
    /// [`trajectory`](Solver::trajectory).
    pub fn output(&self, state: usize) -> Result<Trajectory, Error> {
        self.check_state(state)?;
        Ok(match &self.state.0 {
            Engine::Qss(qss) => qss.quantized_trajectory(state),
            Engine::OneStep(steps) => steps.trajectory(state),
        })
    }

    /// From now on [`advance`](Solver::advance) returns whenever the [`output`](Solver::output) of
    /// this state changes. An adaptive step is then no longer than lets that output, too, be within the
    /// tolerance.
    pub fn watch(&mut self, state: usize) -> Result<(), Error> {
        self.check_state(state)?;
        match &mut self.state.0 {
            Engine::Qss(qss) => qss.watch(state),
            Engine::OneStep(steps) => steps.watch(),
        }
        Ok(())
    }

    /// What failed once has failed for good: the event was handled in part.
    fn check_alive(&self) -> Result<(), Error> {
        self.failure.clone().map_or(Ok(()), Err)
    }

    fn noted<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &result {
            self.failure = Some(error.clone());
        }
        result
    }

    fn check_state(&self, state: usize) -> Result<(), Error> {
        let states = self.block.states();
        if state < states { Ok(()) } else { Err(Error::UnknownState { state, states }) }
    }

    /// An error unless `asked` lies between the last event and the next.
    fn check_present(&self, asked: Time) -> Result<(), Error> {
        let (now, next) = (self.now(), self.next_event());
        if asked < now {
            return Err(Error::Past { asked, now });
        }
        if asked > next {
            return Err(Error::Ahead { asked, next });
        }
        Ok(())
    }
}
