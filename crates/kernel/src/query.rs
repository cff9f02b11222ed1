//! Queries: pure functions of parameters, arguments and time that a model may call inside a step.
//!
//! The sea bed, a wind field, a magnetic field: something that only answers. A provider is
//! replicated into every partition, so asking never waits. Its parameters change, like those of any
//! component, in phase 0 of an instant, in every replica at the same simulated time.

use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;

use crate::action::{Parameter, ParameterError};
use crate::checkpoint::{LoadError, SaveError, StateReader, StateWriter};
use crate::time::Time;

/// Answers questions of type `A` with `R`.
pub trait Provider<A, R>: Clone + Send + 'static {
    /// The answer at `now`: a function of the provider's parameters and the arguments, nothing else.
    fn answer(&self, now: Time, argument: &A) -> R;

    /// Changes a parameter; see [`crate::Model::set_parameter`].
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        let _ = value;
        Err(ParameterError::Unknown { name: name.into() })
    }

    /// Writes the parameters to a checkpoint; see [`crate::Model::save`].
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let _ = state;
        Err(SaveError::Unsupported)
    }

    /// Reads what `save` wrote.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let _ = state;
        Err(LoadError::Unsupported)
    }
}

/// A model's handle on a query, declared with [`crate::Ports::query`].
pub struct QueryIn<A, R> {
    pub(crate) index: u16,
    of: PhantomData<fn(A) -> R>,
}

impl<A, R> QueryIn<A, R> {
    pub(crate) fn new(index: u16) -> Self {
        QueryIn { index, of: PhantomData }
    }
}

impl<A, R> Clone for QueryIn<A, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, R> Copy for QueryIn<A, R> {}

/// A handle that was never declared; using it is a fault of the model.
impl<A, R> Default for QueryIn<A, R> {
    fn default() -> Self {
        QueryIn::new(u16::MAX)
    }
}

impl<A, R> fmt::Debug for QueryIn<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QueryIn({})", self.index)
    }
}

/// The declared name and types of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QuerySpec {
    pub name: String,
    pub signature: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Signature {
    id: TypeId,
    argument: &'static str,
    reply: &'static str,
}

impl Signature {
    pub fn of<A: 'static, R: 'static>() -> Self {
        Signature {
            id: TypeId::of::<fn(A) -> R>(),
            argument: type_name::<A>(),
            reply: type_name::<R>(),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.argument, self.reply)
    }
}

impl QuerySpec {
    pub fn new<A: 'static, R: 'static>(name: &str) -> Self {
        QuerySpec { name: name.into(), signature: Signature::of::<A, R>() }
    }
}

/// A provider whose concrete type is erased.
pub(crate) trait ErasedProvider: Any + Send {
    fn replicate(&self) -> Box<dyn ErasedProvider>;
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError>;
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError>;
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError>;
}

/// [`Provider`] without `Clone`, so that it can be a trait object.
trait Answer<A, R>: Send {
    fn answer(&self, now: Time, argument: &A) -> R;
    fn replicate(&self) -> Box<dyn Answer<A, R>>;
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError>;
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError>;
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError>;
}

impl<A: 'static, R: 'static, P: Provider<A, R>> Answer<A, R> for P {
    fn answer(&self, now: Time, argument: &A) -> R {
        Provider::answer(self, now, argument)
    }
    fn replicate(&self) -> Box<dyn Answer<A, R>> {
        Box::new(self.clone())
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        Provider::set_parameter(self, name, value)
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        Provider::save(self, state)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        Provider::load(self, state)
    }
}

struct Replica<A, R>(Box<dyn Answer<A, R>>);

impl<A: 'static, R: 'static> ErasedProvider for Replica<A, R> {
    fn replicate(&self) -> Box<dyn ErasedProvider> {
        Box::new(Replica(self.0.replicate()))
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.0.set_parameter(name, value)
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        self.0.save(state)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.0.load(state)
    }
}

pub(crate) fn erase<A: 'static, R: 'static>(
    provider: impl Provider<A, R>,
) -> Box<dyn ErasedProvider> {
    Box::new(Replica(Box::new(provider) as Box<dyn Answer<A, R>>))
}

/// Asks a replica; `None` if it answers other questions.
pub(crate) fn answer<A: 'static, R: 'static>(
    replica: &dyn ErasedProvider,
    now: Time,
    argument: &A,
) -> Option<R> {
    let Replica(answer): &Replica<A, R> = (replica as &dyn Any).downcast_ref()?;
    Some(answer.answer(now, argument))
}
