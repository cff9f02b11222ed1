//! What the kernel advances: event-driven, periodic and run-ahead models.

use crate::action::{Parameter, ParameterError};
use crate::checkpoint::{LoadError, SaveError, StateReader, StateWriter};
use crate::context::{Context, Inputs, Outputs, Start, Step};
use crate::port::Ports;
use crate::time::{Duration, Time};

/// What every kind of model has.
pub trait Model: Send + 'static {
    /// Declares the ports and keeps their handles. Called once, before anything else.
    fn ports(&mut self, ports: &mut Ports);

    /// Called once before the first instant, sources before their readers: the values of linked
    /// signals may be read, own signals written, random numbers drawn.
    fn initialize(&mut self, start: &mut Start<'_>) {
        let _ = start;
    }

    /// Changes a parameter at an instant, after checking it.
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        let _ = value;
        Err(ParameterError::Unknown { name: name.into() })
    }

    /// Writes everything that decides the model's future to a checkpoint: its state and the
    /// parameters that can change. Ports, random streams and pending times are saved by the kernel.
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let _ = state;
        Err(SaveError::Unsupported)
    }

    /// Reads what [`Model::save`] wrote, in the same order.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let _ = state;
        Err(LoadError::Unsupported)
    }

    /// For whom outside of the simulation it has waited in its calls, and how long in all, in nanoseconds on
    /// the wall. For profiles only.
    fn waited(&self) -> Option<(String, u64)> {
        None
    }
}

/// An event-driven model: a Parallel DEVS atomic (Zeigler, Muzy, Kofman 2018).
///
/// In a cycle every imminent model gives its output; then every imminent model and every receiver
/// makes one transition.
pub trait Atomic: Model {
    /// How long the model stays in its present state if nothing arrives (ta).
    fn time_advance(&self) -> Duration;

    /// What the model sends when that time is over, just before [`Atomic::internal`] (lambda).
    fn output(&mut self, out: &mut Outputs<'_>);

    /// The transition when the time is over and nothing arrived (delta int).
    fn internal(&mut self, context: &mut Context<'_>);

    /// The transition when something arrived after `elapsed` in the present state (delta ext).
    fn external(&mut self, context: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>);

    /// The transition when both happen at once (delta con): by default the internal one, then the
    /// external one with nothing elapsed.
    fn confluent(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        self.internal(context);
        self.external(context, Duration::ZERO, inputs);
    }
}

/// A model that makes one step at every tick of its rate.
pub trait Periodic: Model {
    /// One step: reads inputs, writes outputs.
    fn step(&mut self, step: &mut Step<'_>);
}

/// How far a run-ahead model came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Everything that starts before `until` was executed, and nothing visible happened.
    Reached,
    /// At this instant, before `until`, the model has something to show: its
    /// [`RunAhead::output`] is called then. Nothing later was executed.
    Output(Time),
    /// Nothing visible will happen, ever, unless an input arrives.
    Idle,
}

/// A model whose next output is known only by executing it: a CPU, a solver, a peer.
///
/// Its state after an instant must depend on its inputs alone, never on the sequence of `until`s
/// by which it got there.
pub trait RunAhead: Model {
    /// Executes everything that starts before `until`, and stops at the first visible output. No
    /// input arrives before `until`.
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance;

    /// Before this instant the model shows nothing unless an input arrives. The later it is, the
    /// farther others may run ahead; a model that cannot tell keeps the default.
    fn next_output(&self) -> Time {
        Time::ZERO
    }

    /// What the model shows at the instant at which it stopped.
    fn output(&mut self, out: &mut Outputs<'_>);

    /// The model is stopped now: everything before now has been executed. Whether it has something to
    /// show for the time that it stands still; its [`RunAhead::output`] is called then.
    fn halt(&mut self, now: Time) -> bool {
        let _ = now;
        false
    }

    /// Something arrived now; everything before now, and nothing of now, has been executed.
    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>);
}

/// A model of one of the three kinds.
pub(crate) enum AnyModel {
    Atomic(Box<dyn ErasedAtomic>),
    Periodic(Box<dyn Periodic>),
    RunAhead(Box<dyn RunAhead>),
}

impl AnyModel {
    pub fn as_model(&self) -> &dyn Model {
        match self {
            AnyModel::Atomic(model) => model.as_model(),
            AnyModel::Periodic(model) => model.as_ref(),
            AnyModel::RunAhead(model) => model.as_ref(),
        }
    }

    pub fn as_model_mut(&mut self) -> &mut dyn Model {
        match self {
            AnyModel::Atomic(model) => model.as_model_mut(),
            AnyModel::Periodic(model) => model.as_mut(),
            AnyModel::RunAhead(model) => model.as_mut(),
        }
    }
}

/// An atomic seen by the engine: every transition also tells the time advance, so that one dynamic
/// call does for both.
pub(crate) trait ErasedAtomic: Send {
    fn as_model(&self) -> &dyn Model;
    fn as_model_mut(&mut self) -> &mut dyn Model;
    fn time_advance(&self) -> Duration;
    fn output(&mut self, out: &mut Outputs<'_>);
    fn internal(&mut self, context: &mut Context<'_>) -> Duration;
    fn external(
        &mut self,
        context: &mut Context<'_>,
        elapsed: Duration,
        inputs: &Inputs<'_>,
    ) -> Duration;
    fn confluent(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) -> Duration;
}

impl<M: Atomic> ErasedAtomic for M {
    fn as_model(&self) -> &dyn Model {
        self
    }
    fn as_model_mut(&mut self) -> &mut dyn Model {
        self
    }
    fn time_advance(&self) -> Duration {
        Atomic::time_advance(self)
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        Atomic::output(self, out);
    }
    fn internal(&mut self, context: &mut Context<'_>) -> Duration {
        Atomic::internal(self, context);
        Atomic::time_advance(self)
    }
    fn external(
        &mut self,
        context: &mut Context<'_>,
        elapsed: Duration,
        inputs: &Inputs<'_>,
    ) -> Duration {
        Atomic::external(self, context, elapsed, inputs);
        Atomic::time_advance(self)
    }
    fn confluent(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) -> Duration {
        Atomic::confluent(self, context, inputs);
        Atomic::time_advance(self)
    }
}
