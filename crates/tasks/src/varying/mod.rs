//! Execution times that vary.

mod advanced;
mod explore;
mod guide;
mod parts;
mod periodic;
mod ranges;
mod real;
mod simulation;
mod span;

pub use ranges::{Bound, JobRange, Ranges, RangesError};
pub use simulation::{VaryingDone, VaryingError, VaryingSimulation, VaryingVerdict};
pub use span::Span;
