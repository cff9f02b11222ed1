//! Calls: a component asks another to do something, and hears of it later.
//!
//! A call is a message and so is its reply; a caller never blocks. The request is handled in the
//! next cycle or after the link's latency, the reply likewise, and it reaches only who called.
//!
//! ```text
//! pilot ──land(height)──► autopilot
//!       ◄─────reply──────
//! ```

use crate::action::{Parameter, ParameterError};
use crate::checkpoint::{LoadError, SaveError, StateReader, StateWriter};
use crate::error::GraphError;
use crate::graph::{Graph, Link, PortRef};
use crate::interpose::{Interposer, Passage};
use crate::path::ComponentId;
use crate::port::{EventIn, EventOut, Ports};
use crate::random::RandomStream;
use crate::time::{Duration, Time};
use crate::value::{AnyValue, DecodeError, LeafError, Scalar, Schema, Value, Wire, WireReader};

/// What a caller sends.
#[derive(Clone, Debug, PartialEq)]
pub struct Request<A> {
    /// Who calls: filled in on the way.
    pub caller: u64,
    /// The caller's own number for this call; the reply carries it.
    pub number: u64,
    /// What is asked.
    pub content: A,
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<R> {
    /// Who called.
    pub caller: u64,
    /// The caller's number for the call.
    pub number: u64,
    /// The answer.
    pub content: R,
}

impl<A> Request<A> {
    /// A call with the caller's own number.
    pub fn new(number: u64, content: A) -> Self {
        Request { caller: 0, number, content }
    }

    /// The answer to this call.
    pub fn reply<R>(&self, content: R) -> Reply<R> {
        Reply { caller: self.caller, number: self.number, content }
    }
}

/// Both are two numbers and the content.
macro_rules! addressed {
    ($($type:ident),*) => {$(
        impl<T: Value> Value for $type<T> {
            const LEAVES: usize = 2 + T::LEAVES;
            fn schema() -> Schema {
                let fields = vec![
                    ("caller".into(), u64::schema()),
                    ("number".into(), u64::schema()),
                    ("content".into(), T::schema()),
                ];
                Schema::Struct { name: format!("{}<{}>", stringify!($type), T::schema()), fields }
            }
            fn encode(&self, wire: &mut Wire) {
                Value::encode(&self.caller, wire);
                Value::encode(&self.number, wire);
                Value::encode(&self.content, wire);
            }
            fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
                let (caller, number) = (u64::decode(wire)?, u64::decode(wire)?);
                Ok($type { caller, number, content: T::decode(wire)? })
            }
            fn leaf(&self, leaf: usize) -> Option<Scalar> {
                match leaf {
                    0 => Some(Scalar::Unsigned(self.caller)),
                    1 => Some(Scalar::Unsigned(self.number)),
                    other => Value::leaf(&self.content, other - 2),
                }
            }
            fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
                match leaf {
                    0 => Value::set_leaf(&mut self.caller, 0, value),
                    1 => Value::set_leaf(&mut self.number, 0, value),
                    other => Value::set_leaf(&mut self.content, other - 2, value),
                }
            }
        }
    )*};
}

addressed!(Request, Reply);

macro_rules! call_handles {
    ($($(#[$doc:meta])* $name:ident { $request:ident, $reply:ident };)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<A, R> {
            /// Where requests go.
            pub request: $request<Request<A>>,
            /// Where replies go.
            pub reply: $reply<Reply<R>>,
        }

        impl<A, R> Clone for $name<A, R> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<A, R> Copy for $name<A, R> {}

        impl<A, R> Default for $name<A, R> {
            fn default() -> Self {
                $name { request: $request::default(), reply: $reply::default() }
            }
        }
    )*};
}

call_handles! {
    /// The caller's end, declared with [`Ports::call`].
    CallOut { EventOut, EventIn };
    /// The end of who provides the service, declared with [`Ports::service`].
    CallIn { EventIn, EventOut };
}

fn reply_port(name: &str) -> String {
    format!("{name}-reply")
}

impl Ports {
    /// A service that this model calls: an output `name` and an input `name-reply`. Bound with
    /// [`Graph::bind_call`].
    pub fn call<A: Value, R: Value>(&mut self, name: &str) -> CallOut<A, R> {
        CallOut { request: self.event_out(name), reply: self.event_in(&reply_port(name)) }
    }

    /// A service that this model provides: an input `name` and an output `name-reply`.
    pub fn service<A: Value, R: Value>(&mut self, name: &str) -> CallIn<A, R> {
        CallIn { request: self.event_in(name), reply: self.event_out(&reply_port(name)) }
    }
}

impl Graph {
    /// Lets `service` answer the calls of `caller`; requests and replies take `latency` each.
    pub fn bind_call(
        &mut self,
        caller: PortRef<'_>,
        service: PortRef<'_>,
        latency: Duration,
    ) -> Result<(), GraphError> {
        self.wire_call(caller, service, latency, true)
    }

    /// Like [`Graph::bind_call`], but no request goes this way until an action sets the parameter
    /// [`OPEN`] of the link [`Graph::call_link`].
    pub fn offer_call(
        &mut self,
        caller: PortRef<'_>,
        service: PortRef<'_>,
        latency: Duration,
    ) -> Result<(), GraphError> {
        self.wire_call(caller, service, latency, false)
    }

    /// The name of the link on which requests go from `caller` to `service`.
    pub fn call_link(&self, caller: PortRef<'_>, service: PortRef<'_>) -> String {
        let (from, to) = (self.path(caller.component), self.path(service.component));
        format!("call {from}.{} -> {to}.{}", caller.port, service.port)
    }

    fn wire_call(
        &mut self,
        caller: PortRef<'_>,
        service: PortRef<'_>,
        latency: Duration,
        open: bool,
    ) -> Result<(), GraphError> {
        let id = self.id(caller.component);
        let name = self.call_link(caller, service);
        let link = || Link::direct().latency(latency);
        self.link(caller, service, link().via(&name, Sign { caller: id, open }))?;
        let (back, home) = (reply_port(service.port), reply_port(caller.port));
        let (back, home) = (service.component.port(&back), caller.component.port(&home));
        self.link(back, home, link().via(&format!("reply to {name}"), OnlyFor(id)))
    }

    /// Lets nobody answer the calls of `caller` any more, so that it can be bound anew.
    pub fn unbind_call(&mut self, caller: PortRef<'_>) -> Result<(), GraphError> {
        let home = reply_port(caller.port);
        let (request, _) = self.end(caller, true)?;
        let (reply, _) = self.end(caller.component.port(&home), false)?;
        self.retain_links(|link| link.from != request && link.to != reply);
        Ok(())
    }
}

/// The parameter of a call's link that says whether requests go this way.
pub const OPEN: &str = "open";

/// Writes the caller into a request, if requests go this way.
#[derive(Clone)]
struct Sign {
    caller: ComponentId,
    open: bool,
}

impl Interposer for Sign {
    fn pass(&mut self, _: Time, value: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        if !self.open {
            return Passage::Drop;
        }
        match value.set_leaf_at(0, Scalar::Unsigned(self.caller.0)) {
            Ok(()) => Passage::Deliver,
            Err(_) => Passage::Drop,
        }
    }

    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, &value) {
            (OPEN, Parameter::Bool(open)) => {
                self.open = *open;
                Ok(())
            }
            _ => Err(ParameterError::Unknown { name: name.into() }),
        }
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.open)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.open = state.get()?;
        Ok(())
    }
}

/// Lets only replies to one caller pass.
#[derive(Clone)]
struct OnlyFor(ComponentId);

impl Interposer for OnlyFor {
    fn pass(&mut self, _: Time, value: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        match value.leaf_at(0) {
            Some(Scalar::Unsigned(caller)) if caller == self.0.0 => Passage::Deliver,
            _ => Passage::Drop,
        }
    }

    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }

    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }

    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}
