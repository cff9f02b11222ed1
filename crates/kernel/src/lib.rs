//! Virtual time, models, ports, partitions and checkpoints: the engine under Ironbird.
//!
//! A system is a [`Graph`] of components joined by links. A [`Simulation`] advances it on one virtual
//! clock, on as many threads as you like, and gives the same bits whichever way it is run.
//!
//! # Writing a model
//!
//! There are three kinds, and every model is one struct:
//!
//! | kind | trait | for |
//! |---|---|---|
//! | event-driven | [`Atomic`] | whatever changes at instants of its own or when something arrives (Parallel DEVS) |
//! | periodic | [`Periodic`] | whatever steps at a fixed rate |
//! | run-ahead | [`RunAhead`] | whatever must be executed to know its next output: a CPU, a solver, a peer |
//!
//! A model declares its ports in [`Model::ports`] and keeps the typed handles it gets. An *event* port
//! delivers a bag of messages and holds nothing; a *signal* port always has a value.
//!
//! ```text
//!            ┌─────────┐  ping (event)   ┌─────────┐  count (signal)   ┌──────────┐
//!            │ beacon  │ ──────1 ms────► │ counter │ ────────────────► │ lowpass  │ 100 Hz
//!            └─────────┘                 └─────────┘                   └──────────┘
//! ```
//!
//! ```
//! use ironbird_kernel::*;
//!
//! /// Sends a ping every 10 ms.
//! #[derive(Default)]
//! struct Beacon { ping: EventOut<()> }
//!
//! impl Model for Beacon {
//!     fn ports(&mut self, ports: &mut Ports) {
//!         self.ping = ports.event_out("ping");
//!     }
//! }
//!
//! impl Atomic for Beacon {
//!     fn time_advance(&self) -> Duration { Duration::from_ms(10) }
//!     fn output(&mut self, out: &mut Outputs<'_>) { out.send(self.ping, ()) }
//!     fn internal(&mut self, _: &mut Context<'_>) {}
//!     fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
//! }
//!
//! /// Counts what it hears; the count is a signal.
//! #[derive(Default)]
//! struct Counter { ping: EventIn<()>, count: SignalOut<f64>, heard: u32, has_news: bool }
//!
//! impl Model for Counter {
//!     fn ports(&mut self, ports: &mut Ports) {
//!         self.ping = ports.event_in("ping");
//!         self.count = ports.signal_out("count", 0.0);
//!     }
//! }
//!
//! impl Atomic for Counter {
//!     fn time_advance(&self) -> Duration {
//!         if self.has_news { Duration::ZERO } else { Duration::FOREVER }
//!     }
//!     fn output(&mut self, out: &mut Outputs<'_>) { out.write(self.count, f64::from(self.heard)) }
//!     fn internal(&mut self, _: &mut Context<'_>) { self.has_news = false }
//!     fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
//!         self.heard += inputs.events(self.ping).count() as u32;
//!         self.has_news = true;
//!     }
//! }
//!
//! /// y += 0.1 (u - y), a hundred times a second.
//! #[derive(Default)]
//! struct LowPass { u: SignalIn<f64>, y: SignalOut<f64>, state: f64 }
//!
//! impl Model for LowPass {
//!     fn ports(&mut self, ports: &mut Ports) {
//!         self.u = ports.signal_in("u");
//!         self.y = ports.signal_out("y", 0.0);
//!     }
//! }
//!
//! impl Periodic for LowPass {
//!     fn step(&mut self, step: &mut Step<'_>) {
//!         self.state += 0.1 * (step.signal(self.u) - self.state);
//!         step.write(self.y, self.state);
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut graph = Graph::new();
//! let root = graph.root();
//! let beacon = graph.add(root, "beacon", Beacon::default())?;
//! let counter = graph.add(root, "counter", Counter::default())?;
//! let lowpass = graph.add_periodic(root, "lowpass", LowPass::default(), Rate::hz(100))?;
//! graph.link(beacon.port("ping"), counter.port("ping"), Link::direct().latency(Duration::from_ms(1)))?;
//! graph.link(counter.port("count"), lowpass.port("u"), Link::direct())?;
//!
//! let options = Options { placement: Placement::AtMost(2), ..Options::default() };
//! let mut simulation = Simulation::new(graph, options)?;
//! simulation.record("counter", "count")?;
//! simulation.run_until(Time::ZERO + Duration::from_ms(35))?;
//!
//! let counts: Vec<(Time, f64)> = simulation.samples("counter", "count")?;
//! let ms = |ms| Time::ZERO + Duration::from_ms(ms);
//! assert_eq!(counts, [(ms(11), 1.0), (ms(21), 2.0), (ms(31), 3.0)]);
//! // The latency lets the beacon run on a thread of its own; the other two belong together.
//! assert_eq!(simulation.statistics().placement.partitions, 2);
//! # Ok(())
//! # }
//! ```
//!
//! # What is checked, and when
//!
//! Names, types and kinds of ports are checked when a link is made, and both ends are named in the
//! error. Missing sources, circles and placement are checked by [`Simulation::new`]. While it runs, a
//! model that panics or calls [`Context::fail`], and an instant that never ends, end the run with a
//! [`Fault`] that names the component; nothing hangs.
//!
//! # Changing a system while it runs
//!
//! Scenario [`Action`]s (parameters, stops, starts, resets, rates, faults on links) happen at exact
//! instants, before anything else there: [`Simulation::schedule`]. A [`Monitor`] responds to a
//! condition on signals. [`Simulation::edit_at`] adds and removes components.
//!
//! # Saving and branching
//!
//! [`Simulation::checkpoint`] saves a run between two instants; [`Simulation::restore`] goes on from it
//! bit for bit, in another process and under another placement, as often as you like: that is a fork.
//! [`Simulation::snapshot`] and [`Simulation::from_snapshot`] do the same in memory, also for models that bytes
//! cannot hold ([`StateWriter::keep`]).
//!
//! # Several processes
//!
//! [`Simulation::new_in_span`] lets several processes run one system, a partition each, over any
//! [`Carrier`] of bytes. Every process is the same program: it builds the same graph and makes the same
//! calls. The outcome is the same in all of them; digest, samples and statistics of the whole run are
//! at process 0.

extern crate self as ironbird_kernel;

mod action;
mod active_set;
mod agenda;
mod box_muller;
mod call;
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
mod plan;
mod port;
mod profile;
mod query;
mod random;
mod restore;
mod sample;
mod schema;
mod selection;
mod sharing;
mod simulation;
mod span;
mod spec;
mod static_order;
mod store;
mod stream;
pub mod time;
pub mod value;
mod wire;

pub use action::{Action, Parameter, ParameterError};
pub use agenda::Agenda;
pub use call::{CallIn, CallOut, OPEN, Reply, Request};
pub use checkpoint::{
    Checkpoint, CheckpointError, Kept, LoadError, SaveError, Snapshot, StateReader, StateWriter,
};
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
pub use profile::{ComponentCost, LinkLoad, Moment, PartProfile, Profiling, Wait};
pub use query::{Provider, QueryIn};
pub use random::{RandomStream, Seed};
pub use sample::{ScalarSample, VectorSample};
pub use selection::Selection;
pub use sharing::{Sharing, SharingReport};
pub use simulation::{BuildError, Look, Options, PortValues, SampleError, Simulation};
pub use span::{Carrier, CarrierError, Span, Trouble};
pub use stream::{Batch, Sampling, Sink, Taken, Tap};
pub use time::{Duration, Grid, Rate, Time};
pub use value::{
    AnyValue, DecodeError, Leaf, LeafError, LeafKind, Scalar, Schema, Value, Wire, WireReader,
};
