//! The type of a value as data, and what can only be done where the Rust type is known.
//!
//! Bytes of a value are, here as in a recording, its fixed part ([`ironbird_kernel::Schema::size`]
//! bytes) followed by the contents of its payloads.

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_kernel::{
    Agenda, ComponentRef, DecodeError, Graph, GraphError, LeafError, PortKind, Rate, Scalar,
    Schema, Selection, Time, Value, Wire, WireReader,
};
use ironbird_solvers::Trajectory;

use crate::parts::{Constant, Entry, EntryGate, Exit, ExitGate, Player, Relay, Track, TypedTrack};

/// A type that implements [`Value`], whose name is known only at run time. Two are equal if they are
/// the same Rust type.
#[derive(Clone, Copy)]
pub struct ValueType(&'static dyn ErasedType);

/// Why a component that carries a given value could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PartError {
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error("the value is no {type_name}: {error}")]
    Decode { type_name: String, error: DecodeError },
    #[error("the value has {given} bytes, but a {type_name} has {expected}")]
    WrongLength { type_name: String, given: usize, expected: usize },
    #[error("number {leaf} of the {type_name}: {error}")]
    Leaf { type_name: String, leaf: usize, error: LeafError },
    #[error("there is no sample to play")]
    NoSamples,
    #[error("the samples must be in the order of time, but {later} comes before {earlier}")]
    Unordered { later: Time, earlier: Time },
}

impl ValueType {
    /// The type `T`.
    pub fn of<T: Value>() -> Self {
        ValueType(&TypeOf::<T>(PhantomData))
    }

    /// Its layout.
    pub fn schema(self) -> Schema {
        self.0.schema()
    }

    /// The Rust type.
    pub fn type_id(self) -> TypeId {
        self.0.id()
    }

    /// The name that a user would call it by.
    pub fn name(self) -> String {
        self.schema().to_string()
    }

    /// Whether it is a continuous signal: a [`Trajectory`], which stands for a number at each
    /// instant.
    pub fn is_continuous(self) -> bool {
        self.type_id() == TypeId::of::<Trajectory>()
    }

    /// Whether these bytes are a value of this type.
    pub fn check(self, bytes: &[u8]) -> Result<(), PartError> {
        self.0.check(bytes)
    }

    /// The bytes of the value whose numbers are all zero and whose payloads are empty.
    pub fn zero(self) -> Result<Vec<u8>, PartError> {
        let bytes = vec![0; self.schema().size()];
        self.check(&bytes)?;
        Ok(bytes)
    }

    /// The value with some of its leaves replaced, each by its number ([`ironbird_kernel::Leaf`]).
    pub fn set_leaves(
        self,
        bytes: &[u8],
        leaves: &[(usize, Scalar)],
    ) -> Result<Vec<u8>, PartError> {
        self.0.set_leaves(bytes, leaves)
    }

    /// A leaf of a value, by its number; `None` for a payload and past the last.
    pub fn leaf(self, bytes: &[u8], leaf: usize) -> Result<Option<Scalar>, PartError> {
        self.0.leaf(bytes, leaf)
    }

    /// A link that carries as many leaves as this type has, from number `first` on, as one value of it.
    pub fn selection(self, first: usize) -> Option<Selection> {
        self.0.selection(first)
    }

    /// What such a link makes of a value of the type `of`.
    pub fn selected(
        self,
        first: usize,
        (of, bytes): (ValueType, &[u8]),
    ) -> Result<Vec<u8>, PartError> {
        let mut leaves = Vec::new();
        for leaf in self.schema().leaves() {
            leaves.extend(of.leaf(bytes, first + leaf.index)?.map(|number| (leaf.index, number)));
        }
        self.set_leaves(&self.zero()?, &leaves)
    }

    /// Adds a component that passes the signal input `in` on to the signal output `out`, in the same
    /// instant. At the start it shows what its source shows.
    pub fn add_probe(
        self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
    ) -> Result<ComponentRef, PartError> {
        self.0.add_probe(graph, parent, name)
    }

    /// Adds a component whose signal output `out` always has this value.
    pub fn add_constant(
        self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        value: &[u8],
    ) -> Result<ComponentRef, PartError> {
        self.0.add_constant(graph, parent, name, value)
    }

    /// Adds a component that shows these values at its output `out` at exactly these times, which
    /// must be in order. Before its first sample a signal has the value of that sample.
    pub fn add_player(
        self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        kind: PortKind,
        samples: &[(Time, Vec<u8>)],
    ) -> Result<ComponentRef, PartError> {
        Ok(graph.add(parent, name, Player::new().track("out", self, kind, samples)?)?)
    }

    /// Adds a component that hands its signal input `in` over at the instants of an agenda.
    pub fn add_exit(
        self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        agenda: Arc<dyn Agenda>,
        gate: ExitGate,
    ) -> Result<ComponentRef, PartError> {
        self.0.add_exit(graph, parent, name, agenda, gate)
    }

    /// Adds a component whose signal output `out` becomes what is given at the instants of an agenda; at first
    /// it is `first`.
    pub fn add_entry(
        self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        first: &[u8],
        (agenda, gate): (Arc<dyn Agenda>, EntryGate),
    ) -> Result<ComponentRef, PartError> {
        self.0.add_entry(graph, parent, name, first, (agenda, gate))
    }

    /// An output of a player with these values.
    pub(crate) fn track(
        self,
        port: &str,
        kind: PortKind,
        samples: &[(Time, Vec<u8>)],
    ) -> Result<Box<dyn Track>, PartError> {
        self.0.track(port, kind, samples)
    }

    /// Gives a composite a port of this type.
    pub fn composite_port(
        self,
        graph: &mut Graph,
        composite: ComponentRef,
        name: &str,
        kind: PortKind,
        input: bool,
    ) -> Result<(), GraphError> {
        self.0.composite_port(graph, composite, name, kind, input)
    }
}

impl PartialEq for ValueType {
    fn eq(&self, other: &Self) -> bool {
        self.type_id() == other.type_id()
    }
}

impl Eq for ValueType {}

impl fmt::Debug for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueType({})", self.name())
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// The bytes of a value: fixed part, then payloads.
pub(crate) fn encode<T: Value>(value: &T) -> Vec<u8> {
    let mut wire = Wire::default();
    value.encode(&mut wire);
    let mut bytes = wire.fixed().to_vec();
    wire.payloads().iter().for_each(|payload| bytes.extend_from_slice(payload));
    bytes
}

/// Reads what [`encode`] wrote.
pub(crate) fn decode<T: Value>(bytes: &[u8]) -> Result<T, PartError> {
    let type_name = || T::schema().to_string();
    let size = T::schema().size();
    let mut flat = (size as u64).to_le_bytes().to_vec();
    flat.extend_from_slice(bytes);
    let read = WireReader::flat(&flat).and_then(|mut reader| T::decode(&mut reader));
    let value = read.map_err(|error| PartError::Decode { type_name: type_name(), error })?;
    let expected = encode(&value).len();
    if bytes.len() != expected {
        let given = bytes.len();
        return Err(PartError::WrongLength { type_name: type_name(), given, expected });
    }
    Ok(value)
}

/// The value of zeros, for a port that gets its first value before anybody reads it.
pub(crate) fn zero<T: Value>() -> Result<T, PartError> {
    decode(&vec![0; T::schema().size()])
}

/// [`ValueType`] where the type is known.
trait ErasedType: Sync {
    fn id(&self) -> TypeId;
    fn schema(&self) -> Schema;
    fn check(&self, bytes: &[u8]) -> Result<(), PartError>;
    fn set_leaves(&self, bytes: &[u8], leaves: &[(usize, Scalar)]) -> Result<Vec<u8>, PartError>;
    fn leaf(&self, bytes: &[u8], leaf: usize) -> Result<Option<Scalar>, PartError>;
    fn selection(&self, first: usize) -> Option<Selection>;
    fn add_probe(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
    ) -> Result<ComponentRef, PartError>;
    fn add_constant(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        value: &[u8],
    ) -> Result<ComponentRef, PartError>;
    fn add_exit(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        agenda: Arc<dyn Agenda>,
        gate: ExitGate,
    ) -> Result<ComponentRef, PartError>;
    fn add_entry(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        first: &[u8],
        how: (Arc<dyn Agenda>, EntryGate),
    ) -> Result<ComponentRef, PartError>;
    fn track(
        &self,
        port: &str,
        kind: PortKind,
        samples: &[(Time, Vec<u8>)],
    ) -> Result<Box<dyn Track>, PartError>;
    fn composite_port(
        &self,
        graph: &mut Graph,
        composite: ComponentRef,
        name: &str,
        kind: PortKind,
        input: bool,
    ) -> Result<(), GraphError>;
}

struct TypeOf<T>(PhantomData<fn() -> T>);

impl<T: Value> ErasedType for TypeOf<T> {
    fn id(&self) -> TypeId {
        TypeId::of::<T>()
    }
    fn schema(&self) -> Schema {
        T::schema()
    }
    fn check(&self, bytes: &[u8]) -> Result<(), PartError> {
        decode::<T>(bytes).map(drop)
    }
    fn set_leaves(&self, bytes: &[u8], leaves: &[(usize, Scalar)]) -> Result<Vec<u8>, PartError> {
        let mut value = decode::<T>(bytes)?;
        for &(leaf, scalar) in leaves {
            value.set_leaf(leaf, scalar).map_err(|error| PartError::Leaf {
                type_name: T::schema().to_string(),
                leaf,
                error,
            })?;
        }
        Ok(encode(&value))
    }
    fn leaf(&self, bytes: &[u8], leaf: usize) -> Result<Option<Scalar>, PartError> {
        Ok(decode::<T>(bytes)?.leaf(leaf))
    }
    fn selection(&self, first: usize) -> Option<Selection> {
        Selection::from_leaf::<T>(first)
    }
    fn add_probe(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
    ) -> Result<ComponentRef, PartError> {
        Ok(graph.add(parent, name, Relay::new(zero()?, T::clone))?)
    }
    fn add_constant(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        value: &[u8],
    ) -> Result<ComponentRef, PartError> {
        Ok(graph.add(parent, name, Constant::new(decode::<T>(value)?))?)
    }
    fn add_exit(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        agenda: Arc<dyn Agenda>,
        gate: ExitGate,
    ) -> Result<ComponentRef, PartError> {
        // The agenda decides; the rate is only what a periodic component must have.
        let added = graph.add_periodic(parent, name, Exit::<T>::new(gate), Rate::hz(1))?;
        graph.set_agenda(added, agenda)?;
        Ok(added)
    }
    fn add_entry(
        &self,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        first: &[u8],
        (agenda, gate): (Arc<dyn Agenda>, EntryGate),
    ) -> Result<ComponentRef, PartError> {
        Ok(graph.add(parent, name, Entry::new(decode::<T>(first)?, gate, agenda))?)
    }
    fn track(
        &self,
        port: &str,
        kind: PortKind,
        samples: &[(Time, Vec<u8>)],
    ) -> Result<Box<dyn Track>, PartError> {
        let decoded = samples.iter().map(|(time, bytes)| Ok((*time, decode::<T>(bytes)?)));
        let samples = decoded.collect::<Result<Vec<_>, PartError>>()?;
        Ok(Box::new(TypedTrack::new(port, kind, samples)?))
    }
    fn composite_port(
        &self,
        graph: &mut Graph,
        composite: ComponentRef,
        name: &str,
        kind: PortKind,
        input: bool,
    ) -> Result<(), GraphError> {
        if input {
            graph.input::<T>(composite, name, kind)
        } else {
            graph.output::<T>(composite, name, kind)
        }
    }
}
