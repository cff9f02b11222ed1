//! Component types: what a system can be made of, described well enough to be checked, explained and
//! completed by an editor.
//!
//! One struct is one component type. Its fields are its parameters, ports, services and state; its doc
//! comments are what a user reads.
//!
//! ```text
//!                        heater ◄──power── thermostat (2 Hz)
//!                          │                   ▲
//!                          └────temperature────┘
//! ```
//!
//! ```
//! use std::path::Path;
//!
//! use ironbird_component::*;
//! use ironbird_kernel::*;
//! use ironbird_solvers::{Block, Number, Point, Trajectory};
//! use serde::{Deserialize, Serialize};
//!
//! /// A room with a heater: C T' = P - G (T - T0).
//! #[derive(Component, Serialize, Deserialize)]
//! #[component(type = "example.room", continuous)]
//! struct Room {
//!     /// Heat capacity.
//!     #[parameter(unit = "kJ/K", default = 100.0, above = 0)]
//!     capacity: f64,
//!     /// Loss through the walls.
//!     #[parameter(unit = "W/K", default = 50.0, min = 0)]
//!     conductance: f64,
//!     /// Temperature outside.
//!     #[parameter(unit = "degC", default = 10.0)]
//!     outside: f64,
//!     #[input(index = 0, unit = "W")]
//!     power: Held,
//!     #[output(state = 0, unit = "degC")]
//!     temperature: Shown,
//! }
//!
//! impl Block for Room {
//!     fn states(&self) -> usize { 1 }
//!     fn inputs(&self) -> usize { 1 }
//!     fn initial(&self, _: usize) -> f64 { self.outside }
//!     fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
//!         (at.u(0) - (at.x(0) - self.outside) * self.conductance) / (1e3 * self.capacity)
//!     }
//! }
//!
//! /// Turns a heater on and off.
//! #[derive(Component)]
//! #[component(type = "example.thermostat", periodic, rate = "2 Hz")]
//! struct Thermostat {
//!     /// What is to be reached.
//!     #[parameter(unit = "degC", default = 20.0, min = 5, max = 30)]
//!     target: f64,
//!     /// True temperature.
//!     #[input(unit = "degC")]
//!     temperature: SignalIn<Trajectory>,
//!     /// What the heater gives.
//!     #[output(unit = "W")]
//!     power: SignalOut<f64>,
//!     switched: u32, // state: saved in checkpoints
//! }
//!
//! impl Periodic for Thermostat {
//!     fn step(&mut self, step: &mut Step<'_>) {
//!         let cold = step.signal(self.temperature).at(step.now()) < self.target;
//!         self.switched += 1;
//!         step.write(self.power, if cold { 2_000.0 } else { 0.0 });
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut registry = Registry::with_builtin();
//! registry.register::<Room>()?;
//! registry.register::<Thermostat>()?;
//!
//! // What an experiment does for each component of its file.
//! let mut graph = Graph::new();
//! let root = graph.root();
//! let place = Place { folder: Path::new(".") };
//! let settings = Settings::from([("target".into(), Parameter::Real(21.0))]);
//! let thermostat = registry.get("example.thermostat")?.instantiate(&settings, &place)?;
//! let room = registry.get("example.room")?.instantiate(&Settings::new(), &place)?;
//! let shown = room.interface().output("temperature").expect("it was declared");
//! compatible(shown, thermostat.interface().input("temperature").expect("it was declared"))?;
//!
//! let thermostat = thermostat.add_to(&mut graph, root, "thermostat", None)?;
//! let room = room.add_to(&mut graph, root, "room", None)?;
//! graph.link(room.port("temperature"), thermostat.port("temperature"), Link::direct())?;
//! graph.link(thermostat.port("power"), room.port("power"), Link::direct())?;
//! let mut simulation = Simulation::new(graph, Options::default())?;
//! simulation.record("room", "temperature")?;
//! let end = Time::ZERO + Duration::from_secs(3_600);
//! simulation.run_until(end)?;
//! let seen = simulation.samples::<Trajectory>("room", "temperature")?;
//! assert!((seen.last().expect("it was heated").1.at(end) - 21.0).abs() < 0.1);
//!
//! // A wrong parameter is refused in words.
//! let settings = Settings::from([("target".into(), Parameter::Real(60.0))]);
//! let error = registry.get("example.thermostat")?.instantiate(&settings, &place).err();
//! assert_eq!(
//!     error.expect("it is too hot").to_string(),
//!     "parameter \"target\": 60 degC is not allowed: it must be from 5 degC to 30 degC"
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # `#[component(…)]`
//!
//! | | |
//! |---|---|
//! | `type = "sensor.dvl"` | the name under which users find it |
//! | `periodic`, `event_driven`, `run_ahead` | the struct implements the kernel's `Periodic`, `Atomic` or `RunAhead` |
//! | `continuous` | it implements `Block` of the solvers, and derives `Serialize` and `Deserialize` |
//! | `provider, provides = fn(A) -> R` | it implements [`Answers<A, R>`](Answers) and `Clone`, and has parameters only |
//! | `rate = "10 Hz"` | the rate of a periodic type where none is given |
//! | `start = Self::begin` | `fn(&mut self, &mut Start<'_>)`, called before the first instant |
//! | `check = Self::fits` | `fn(&self) -> Result<(), String>`: whether the parameters fit each other |
//! | `changed = Self::prepare` | `fn(&mut self)`, called whenever parameters are there or new: at first, after a change, after a checkpoint was loaded |
//! | `scenery = Self::scenery` | `fn(&self) -> Option<Scenery>`: what it looks like, for those who [draw](scenery) the system |
//! | `adapter` | it is named where two ports do not fit and it would help |
//! | `switch = "source"` | this parameter, a choice, names the input whose source it reads; that one must be linked and run |
//! | `foreign` | its bits may differ between machines |
//! | `cannot_save` | it cannot be saved or reset |
//!
//! `#[configures(name = "set-speed", sets = "speed, direction", doc = "…")]`, as often as needed: a service
//! by which a scenario sets several parameters at once.
//!
//! # Fields
//!
//! | | type | |
//! |---|---|---|
//! | `#[parameter(…)]` | numbers, `bool`, `String`, `PathBuf` (a file that exists; with `default = PathBuf::new()` it may be left out), an enum that derives [`Choice`](macro@Choice), arrays | `unit`, `default` (without it, it must be given), `min`, `max`, `above`, `below`, `fixed` (not to be changed while running; files never are) |
//! | `#[group]` | a struct that derives [`Parameters`](macro@Parameters) | its parameters are called `field.parameter` |
//! | `#[input(…)]` | `SignalIn<T>`, `EventIn<T>`; [`Held`], [`Followed`] | `unit`, `frame`, `default` (it need not be linked), `waking`; `index` of the block's input |
//! | `#[output(…)]` | `SignalOut<T>`, `EventOut<T>`; [`Shown`], [`Announced`] | `unit`, `frame`, `initial`; `state` of the block |
//! | `#[service(units = "…", positive = "…")]` | `CallIn<A, R>` | a service that it provides; the parts of its argument that must be above 0 |
//! | `#[requires(optional, units = "…")]` | `CallOut<A, R>` | a service that it calls |
//! | `#[query]` | `QueryIn<A, R>` | a question that it asks inside its steps |
//! | `#[random]` | `RandomIn` | a stream of random numbers |
//! | `#[skip]` | anything with a default | not saved; after loading it is its default, then `changed` is called |
//! | nothing | anything with a default that serde can save | state |
//!
//! All but `#[skip]` take `name = "…"` where the name of the field will not do (`in`). A unit of a
//! value with several parts is one for all, or `"position: m, velocity: m/s"`; a frame is that of all
//! vectors in it, or `"ned, angular_velocity: body"`. Units and rates are read while compiling.

extern crate self as ironbird_component;

pub mod block;
mod builtin;
mod command_line;
mod compatible;
mod component;
mod component_type;
#[doc(hidden)]
pub mod derive;
mod description;
mod handles;
mod help;
mod holder;
mod interface;
mod json_schema;
mod parameter;
mod parameter_value;
mod part;
mod parts;
mod registry;
pub mod scenery;
mod service_type;
pub mod skeleton;
mod unit;
mod value_type;

pub use block::{Announced, Followed, Held, Shown};
pub use command_line::{join_words, split_words};
pub use compatible::{Mismatch, bindable, compatible};
pub use component::{Answers, Component, Made};
pub use component_type::{AddError, ComponentType, Instance, InstantiateError, Place};
pub use description::{Configuration, Description, Kind};
pub use help::help_text;
pub use holder::{Holder, Holding};
pub use interface::{
    ArgumentDescription, Direction, Interface, PortDescription, QueryDescription, QuerySignature,
    ServiceDescription,
};
pub use ironbird_component_macros::{Choice, Component, Parameters};
pub use ironbird_units::Unit;
pub use json_schema::json_schema;
pub use parameter::{
    Bound, ParameterDescription, ParameterKind, Range, Refused, Settings, find_leaf,
};
pub use parameter_value::{Choice, Files, Given, ParameterValue, Parameters, file_names};
pub use part::Part;
pub use parts::{EntryGate, ExitGate, Player};
pub use registry::{COMPONENT_KEYS, Registry, RegistryError};
pub use service_type::ServiceType;
pub use unit::{LeafUnits, LeafUnitsError};
pub use value_type::{PartError, ValueType};
