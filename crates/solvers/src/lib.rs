//! Solvers for differential equations with discrete events.
//!
//! A continuous block is described once, as a [`Block`], and solved by any [`Method`]: quantized
//! states (QSS1 to QSS3, LIQSS1 and LIQSS2), the methods of Runge-Kutta and of Adams-Bashforth with a fixed
//! step, or Dormand-Prince with an adaptive one.
//!
//! ```text
//!                  ┌──────────────── Solver ────────────────┐
//!   inputs u(t) ──►│  Block: x' = f(t, x, u)                 │──► states x(t), sampled at any time
//!   (trajectories) │         z(t, x, u) = 0  ──► on_crossing │──► events that others can see
//!                  │         known instants  ──► on_time_..  │
//!                  └─────────────────────────────────────────┘
//! ```
//!
//! # A bouncing ball
//!
//! The height h falls with h' = v, v' = -g. When h passes through zero the ball bounces and keeps
//! 80 % of its speed.
//!
//! ```
//! use ironbird_kernel::{Duration, Time};
//! use ironbird_solvers::{Block, Direction, Edit, Method, Number, Point, Settings, Solver, Watched};
//!
//! struct Ball { bounces: u32 }
//!
//! impl Block for Ball {
//!     fn states(&self) -> usize { 2 }
//!     fn initial(&self, state: usize) -> f64 { [10.0, 0.0][state] } // m, m/s
//!
//!     fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
//!         match state {
//!             0 => at.x(1),
//!             _ => N::constant(-9.81),
//!         }
//!     }
//!
//!     fn crossings(&self) -> usize { 1 }
//!     fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N { at.x(0) }
//!     fn watches(&self, _: usize) -> Watched { Watched::Falling }
//!     fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
//!         let speed = edit.x(1);
//!         edit.set(1, -0.8 * speed);
//!         self.bounces += 1;
//!     }
//! }
//!
//! let mut solver = Solver::new(Ball { bounces: 0 }, Settings::new(Method::Qss2))?;
//! let end = Time::ZERO + Duration::from_secs(3);
//! solver.run(end)?;
//! assert_eq!(solver.block().bounces, 1); // it fell for 1.428 s, and flies for 2.285 s
//! assert!(solver.sample(0, end)?.abs() < 10.0 * 0.8 * 0.8);
//! # Ok::<(), ironbird_solvers::Error>(())
//! ```
//!
//! The right-hand side is generic over [`Number`], so that the solvers can evaluate it along whole
//! trajectories ([`Series`]) or together with its own slope ([`Dual`]): nobody writes a derivative.
//! Which functions read which states is found by watching them.
//!
//! # A block in a system
//!
//! [`Continuous`] makes a block a model of the kernel. Its outputs are [`Trajectory`]s that hold until
//! they are superseded; its inputs are trajectories too, or plain numbers from a sampled controller:
//!
//! ```text
//! controller (10 Hz) ──power──► kettle
//!         ▲                       │
//!         └──────temperature──────┘
//! ```
//!
//! ```
//! use ironbird_kernel::{
//!     Duration, Graph, Link, Model, Options, Periodic, Ports, Rate, SignalIn, SignalOut,
//!     Simulation, Step, Time,
//! };
//! use ironbird_solvers::{Block, Continuous, Method, Number, Point, Settings, Trajectory};
//! use serde::{Deserialize, Serialize};
//!
//! /// 0.5 l of water: T' = (power - 2 W/K (T - 20)) / (2100 J/K).
//! #[derive(Serialize, Deserialize)]
//! struct Kettle;
//!
//! impl Block for Kettle {
//!     fn states(&self) -> usize { 1 }
//!     fn inputs(&self) -> usize { 1 }
//!     fn initial(&self, _: usize) -> f64 { 20.0 }
//!     fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
//!         (at.u(0) - (at.x(0) - 20.0) * 2.0) / 2100.0
//!     }
//! }
//!
//! /// Full power, and less within 20 degrees of 80.
//! #[derive(Default)]
//! struct Controller { temperature: SignalIn<Trajectory>, power: SignalOut<f64> }
//!
//! impl Model for Controller {
//!     fn ports(&mut self, ports: &mut Ports) {
//!         self.temperature = ports.signal_in("temperature");
//!         self.power = ports.signal_out("power", 0.0);
//!     }
//! }
//!
//! impl Periodic for Controller {
//!     fn step(&mut self, step: &mut Step<'_>) {
//!         // Whatever the solver does in between: the value at this instant.
//!         let temperature = step.signal(self.temperature).at(step.now());
//!         step.write(self.power, (100.0 * (80.0 - temperature)).clamp(0.0, 2_000.0));
//!     }
//! }
//!
//! let settings = Settings::new(Method::Qss2).tolerance(1e-2, 1e-4);
//! let kettle = Continuous::new(Kettle, settings)?.held_input("power", 0)?.output("temperature", 0)?;
//! let mut graph = Graph::new();
//! let kettle = graph.add_run_ahead(graph.root(), "kettle", kettle)?;
//! let controller =
//!     graph.add_periodic(graph.root(), "controller", Controller::default(), Rate::hz(10))?;
//! graph.link(controller.port("power"), kettle.port("power"), Link::direct())?;
//! graph.link(kettle.port("temperature"), controller.port("temperature"), Link::direct())?;
//!
//! let mut simulation = Simulation::new(graph, Options::default())?;
//! simulation.record("kettle", "temperature")?;
//! let end = Time::ZERO + Duration::from_secs(300);
//! simulation.run_until(end)?;
//! let shown = simulation.samples::<Trajectory>("kettle", "temperature")?;
//! let (_, last) = shown.last().expect("it was heated");
//! // 100 (80 - T) = 2 (T - 20)
//! assert!((last.at(end) - 78.82).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is promised
//!
//! * **Time is exact.** Events happen at whole picoseconds, rounded up from where the equations put
//!   them; events of one instant happen in the order states (by index), inputs, crossings, time
//!   event.
//! * **`until` does not show.** [`Solver::advance`] moves from event to event; where it pauses, and
//!   who samples what, changes no bit of the result.
//! * **The same bits everywhere**: mathematics goes through `libm`, no order is left to chance, and
//!   a solver that was saved goes on as if it had not been.
//! * **Errors name the place**: the state or crossing function, and the instant ([`Error`]).
//!
//! # Which method
//!
//! [`Method`] lists them. In short: LIQSS2 for many states of which few move at a time, for switches
//! and for stiffness on the diagonal; QSS3 for few smooth states with many events; Dormand-Prince
//! for smooth systems in which everything depends on everything; Runge-Kutta where the step has to
//! be the same every time.

mod block;
mod dual;
mod error;
mod events;
mod influence;
mod method;
mod model;
mod next_time;
mod number;
mod one_step;
mod qss;
mod roots;
mod series;
mod solver;
mod trajectory;

pub use block::{Block, Direction, Edit, Function, Point, Values, Watched};
pub use dual::Dual;
pub use error::Error;
pub use influence::Reads;
pub use method::{Method, Settings};
pub use model::Continuous;
pub use number::Number;
pub use series::Series;
pub use solver::{Advance, Solver, SolverState, Statistics};
pub use trajectory::Trajectory;
