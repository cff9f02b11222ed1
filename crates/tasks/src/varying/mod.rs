//! Execution times that vary.

mod advanced;
mod edges;
mod explore;
mod guide;
mod parts;
mod periodic;
mod ranges;
mod real;
mod simulation;
mod span;

pub use edges::{Reason, VaryingEdge};
pub use ranges::{Bound, JobRange, MOST_STATES, Ranges, RangesError};
pub use simulation::{VaryingDone, VaryingError, VaryingSimulation, VaryingVerdict};
pub use span::Span;
