//! The types of a service as data, and a component that calls it.

use std::fmt;
use std::marker::PhantomData;

use ironbird_kernel::{ComponentRef, Graph, Value};

use crate::parts::Caller;
use crate::value_type::{PartError, ValueType, decode};

/// The types of a service's argument and reply, known only at run time. Two are equal if both types
/// are the same.
#[derive(Clone, Copy)]
pub struct ServiceType(&'static dyn ErasedService);

impl ServiceType {
    /// A service that is asked `A` and replies `R`.
    pub fn of<A: Value, R: Value>() -> Self {
        ServiceType(&ServiceOf::<A, R>(PhantomData))
    }

    /// What is asked.
    pub fn argument(self) -> ValueType {
        self.0.argument()
    }

    /// What is answered.
    pub fn reply(self) -> ValueType {
        self.0.reply()
    }

    /// Adds a component that calls this service through its port `call` with this argument, once for
    /// each time its parameter `fire` is set to true; in the same instant, if the link has no
    /// latency. It takes no notice of the reply.
    pub fn add_caller(
        self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        argument: &[u8],
    ) -> Result<ComponentRef, PartError> {
        self.0.add_caller(graph, parent, name, argument)
    }
}

impl PartialEq for ServiceType {
    fn eq(&self, other: &Self) -> bool {
        (self.argument(), self.reply()) == (other.argument(), other.reply())
    }
}

impl fmt::Display for ServiceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.argument(), self.reply())
    }
}

impl fmt::Debug for ServiceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceType({self})")
    }
}

trait ErasedService: Sync {
    fn argument(&self) -> ValueType;
    fn reply(&self) -> ValueType;
    fn add_caller(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        argument: &[u8],
    ) -> Result<ComponentRef, PartError>;
}

struct ServiceOf<A, R>(PhantomData<fn(A) -> R>);

impl<A: Value, R: Value> ErasedService for ServiceOf<A, R> {
    fn argument(&self) -> ValueType {
        ValueType::of::<A>()
    }
    fn reply(&self) -> ValueType {
        ValueType::of::<R>()
    }
    fn add_caller(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        argument: &[u8],
    ) -> Result<ComponentRef, PartError> {
        Ok(graph.add(parent, name, Caller::<A, R>::new(decode(argument)?))?)
    }
}
