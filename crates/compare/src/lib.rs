//! A model beside a recorded flight.
//!
//! ```text
//! flight.csv, .ulg, .bin ─► columns ─┬─ drive ────► inputs of the model ─┐
//!                                    ├─ initial ──► its start, per window ├─► runs ─► errors, verdicts
//!                                    └─ compare ──► what it should show ──┘
//! ```
//!
//! A comparison file names an experiment, which columns of the log drive which inputs, which give the state at
//! the start of each window, and which outputs are held against which columns. Over many short windows this
//! shows how well the model predicts (open loop); over one long window, with its own controllers, where it
//! goes (closed loop): then the two paths are held against each other, too.
//!
//! [`identify`] lets named parameters of the model move until its windows fit the logs best. [`Several`] sums up what
//! one model comes to beside many flights.
//!
//! The crate stands above `runner`: it makes many small runs in this process and looks only at a few numbers
//! of each. It is no part of `runner`, which knows nothing of logs.

mod columns;
mod comparison;
mod condition;
mod cutting;
mod driven_input;
mod error;
mod file;
mod fit;
mod flight_log;
mod least_squares;
mod options;
mod page;
mod parameters;
mod path;
mod ranges;
mod setup;
mod several;
mod statistics;
mod tables;
mod wanted;
mod windows;

pub use comparison::{Comparison, PathErrors, SignalErrors, compare};
pub use error::CompareError;
pub use fit::{Fitted, Identified, Progress, Score, identify};
pub use setup::Setup;
pub use several::{Overall, Several};
pub use statistics::Statistics;
