//! Ports: how a model names what it reads and writes.
//!
//! A model declares its ports once ([`Ports`]) and keeps the handles it gets. A handle is typed, so
//! a model cannot read a port as something it is not; whether two ports fit is checked when they
//! are linked, and a bad link is an error that names both ends.

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;

use crate::query::{QueryIn, QuerySpec};
use crate::store::{ErasedStore, TypedStore};
use crate::value::{AnyValue, Schema, Value};

/// The index of a handle that was never declared.
const UNDECLARED: u16 = u16::MAX;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<T> {
            pub(crate) index: u16,
            of: PhantomData<fn() -> T>,
        }

        impl<T> $name<T> {
            pub(crate) fn new(index: u16) -> Self {
                $name { index, of: PhantomData }
            }
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        /// A handle that stands for no port yet; using it is a fault of the model.
        impl<T> Default for $name<T> {
            fn default() -> Self {
                $name::new(UNDECLARED)
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.index)
            }
        }
    )*};
}

handles! {
    /// An input that delivers a bag of messages and holds nothing.
    EventIn;
    /// An output that sends messages.
    EventOut;
    /// An input that always has a value: that of its one source.
    SignalIn;
    /// An output that always has a value.
    SignalOut;
}

/// A random stream of a model, declared with [`Ports::random`].
#[derive(Clone, Copy, Debug)]
pub struct RandomIn {
    pub(crate) index: u16,
}

/// A stream that was never declared; using it is a fault of the model.
impl Default for RandomIn {
    fn default() -> Self {
        RandomIn { index: UNDECLARED }
    }
}

/// Whether a port delivers bags or holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortKind {
    /// Delivers a bag of messages.
    Event,
    /// Holds a value.
    Signal,
}

impl fmt::Display for PortKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PortKind::Event => "event",
            PortKind::Signal => "signal",
        })
    }
}

/// The type of the values of a port, erased.
pub(crate) trait PortType: Sync {
    fn id(&self) -> TypeId;
    fn schema(&self) -> Schema;
    fn new_store(&self) -> Box<dyn ErasedStore>;
}

struct TypeOf<T>(PhantomData<fn() -> T>);

impl<T: Value> PortType for TypeOf<T> {
    fn id(&self) -> TypeId {
        TypeId::of::<T>()
    }
    fn schema(&self) -> Schema {
        T::schema()
    }
    fn new_store(&self) -> Box<dyn ErasedStore> {
        Box::new(TypedStore::<T>::default())
    }
}

pub(crate) fn port_type<T: Value>() -> &'static dyn PortType {
    &TypeOf::<T>(PhantomData)
}

/// One declared port.
#[derive(Clone)]
pub(crate) struct PortSpec {
    pub name: String,
    pub kind: PortKind,
    pub value: &'static dyn PortType,
    /// A signal input that wakes its model when it is written.
    pub wakes: bool,
    /// A signal input that may stay without a source.
    pub optional: bool,
}

impl PartialEq for PortSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.kind == other.kind
            && self.value.id() == other.value.id()
            && self.wakes == other.wakes
            && self.optional == other.optional
    }
}

/// All that a model declared; equal models share one.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Layout {
    pub inputs: Vec<PortSpec>,
    pub outputs: Vec<PortSpec>,
    pub streams: Vec<String>,
    pub queries: Vec<QuerySpec>,
}

/// The values that signal ports hold before anybody writes them.
#[derive(Default)]
pub(crate) struct Initials {
    pub inputs: Vec<(u16, Box<dyn AnyValue>)>,
    pub outputs: Vec<(u16, Box<dyn AnyValue>)>,
}

/// Where a model declares its ports; see [`crate::Model::ports`].
#[derive(Default)]
pub struct Ports {
    pub(crate) layout: Layout,
    pub(crate) initials: Initials,
    pub(crate) duplicate: Option<String>,
}

impl Ports {
    /// An input that delivers messages of type `T`. They wake an event-driven model; a periodic one
    /// finds them at its next step.
    pub fn event_in<T: Value>(&mut self, name: &str) -> EventIn<T> {
        EventIn::new(self.input::<T>(name, PortKind::Event, true, true))
    }

    /// An input that always has a value. It must be linked, and writing it wakes nobody.
    pub fn signal_in<T: Value>(&mut self, name: &str) -> SignalIn<T> {
        SignalIn::new(self.input::<T>(name, PortKind::Signal, false, false))
    }

    /// Like [`Ports::signal_in`], and reads `value` where it is not linked.
    pub fn signal_in_or<T: Value>(&mut self, name: &str, value: T) -> SignalIn<T> {
        let index = self.input::<T>(name, PortKind::Signal, false, true);
        self.initials.inputs.push((index, Box::new(value)));
        SignalIn::new(index)
    }

    /// Like [`Ports::signal_in`], and every write wakes this (event-driven or run-ahead) model.
    pub fn waking_signal_in<T: Value>(&mut self, name: &str) -> SignalIn<T> {
        SignalIn::new(self.input::<T>(name, PortKind::Signal, true, false))
    }

    /// Like [`Ports::waking_signal_in`], and reads `value` where it is not linked.
    pub fn waking_signal_in_or<T: Value>(&mut self, name: &str, value: T) -> SignalIn<T> {
        let index = self.input::<T>(name, PortKind::Signal, true, true);
        self.initials.inputs.push((index, Box::new(value)));
        SignalIn::new(index)
    }

    /// An output that sends messages of type `T`.
    pub fn event_out<T: Value>(&mut self, name: &str) -> EventOut<T> {
        EventOut::new(self.output::<T>(name, PortKind::Event))
    }

    /// An output that always has a value, at first `initial`.
    pub fn signal_out<T: Value>(&mut self, name: &str, initial: T) -> SignalOut<T> {
        let index = self.output::<T>(name, PortKind::Signal);
        self.initials.outputs.push((index, Box::new(initial)));
        SignalOut::new(index)
    }

    /// A stream of random numbers of this model's own.
    pub fn random(&mut self, name: &str) -> RandomIn {
        self.note_duplicate(name, |layout| layout.streams.iter().any(|s| s == name));
        self.layout.streams.push(name.into());
        RandomIn { index: self.layout.streams.len() as u16 - 1 }
    }

    /// A question this model asks inside its steps; linked with [`crate::Graph::bind_query`].
    pub fn query<A: 'static, R: 'static>(&mut self, name: &str) -> QueryIn<A, R> {
        self.note_duplicate(name, |layout| layout.queries.iter().any(|q| q.name == name));
        self.layout.queries.push(QuerySpec::new::<A, R>(name));
        QueryIn::new(self.layout.queries.len() as u16 - 1)
    }

    fn input<T: Value>(&mut self, name: &str, kind: PortKind, wakes: bool, optional: bool) -> u16 {
        self.note_duplicate(name, |layout| layout.inputs.iter().any(|p| p.name == name));
        let value = port_type::<T>();
        self.layout.inputs.push(PortSpec { name: name.into(), kind, value, wakes, optional });
        self.layout.inputs.len() as u16 - 1
    }

    fn output<T: Value>(&mut self, name: &str, kind: PortKind) -> u16 {
        self.note_duplicate(name, |layout| layout.outputs.iter().any(|p| p.name == name));
        let value = port_type::<T>();
        let spec = PortSpec { name: name.into(), kind, value, wakes: false, optional: true };
        self.layout.outputs.push(spec);
        self.layout.outputs.len() as u16 - 1
    }

    fn note_duplicate(&mut self, name: &str, exists: impl Fn(&Layout) -> bool) {
        if exists(&self.layout) {
            self.duplicate.get_or_insert_with(|| name.into());
        }
    }
}
