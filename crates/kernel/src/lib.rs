//! Virtual time, models, ports, partitions and checkpoints: the engine under Ironbird.

extern crate self as ironbird_kernel;

mod action;
mod active_set;
mod checkpoint;
mod context;
mod engine;
mod error;
mod event_queue;
mod flatten;
mod graph;
mod influence;
mod interpose;
mod model;
mod monitor;
mod outcome;
mod partition;
pub mod path;
mod payload;
mod placement;
mod port;
mod query;
mod random;
mod restore;
mod schema;
mod simulation;
mod static_order;
mod store;
pub mod time;
pub mod value;
mod wire;

pub use action::{Action, Parameter, ParameterError};
pub use checkpoint::{Checkpoint, CheckpointError, LoadError, SaveError, StateReader, StateWriter};
pub use context::{Context, Events, Inputs, Outputs, Start, Step};
pub use error::GraphError;
pub use event_queue::QueueRegime;
pub use graph::{ComponentRef, Graph, Link, PortRef};
pub use interpose::{Interposer, Passage};
pub use ironbird_kernel_macros::Value;
pub use model::{Advance, Atomic, Model, Periodic, RunAhead};
pub use monitor::{Monitor, Readings, Response, Watched};
pub use outcome::{Fault, Outcome, Statistics, WaitCounter};
pub use partition::PauseHandle;
pub use path::ComponentId;
pub use payload::Payload;
pub use placement::{Placement, PlacementReport};
pub use port::{EventIn, EventOut, PortKind, Ports, RandomIn, SignalIn, SignalOut};
pub use query::{Provider, QueryIn};
pub use random::{RandomStream, Seed};
pub use simulation::{BuildError, Options, SampleError, Simulation};
pub use time::{Duration, Grid, Rate, Time};
pub use value::{
    AnyValue, DecodeError, Leaf, LeafError, LeafKind, Scalar, Schema, Value, Wire, WireReader,
};
