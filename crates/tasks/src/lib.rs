//! When control software runs.
//!
//! [`System`] describes ECUs, their tasks and the buses between them; [`read`] takes it from a TOML file.
//! [`Timetable`] is the schedule of a hyper-period; [`Guider`] what a simulation of it must keep to;
//! [`Simulation`] whether a computer can do so in time, and in which order it runs the jobs.

mod bus;
mod decimal;
mod file;
mod fraction;
mod guider;
mod import;
mod job;
mod latency;
mod occupation;
pub mod picture;
mod policy;
pub mod report;
mod scheduler;
mod simulation;
pub mod study;
mod system;
mod times;
mod timetable;
mod utilisation;
mod varying;

pub use bus::{Bus, Carrier, FrameTime};
pub use file::{TaskFile, parse, read, rules_of, write};
pub use fraction::{Fraction, NotAFraction};
pub use guider::{Guider, NEVER, NoCommonScale, Node};
pub use import::{ImportError, Imported, import};
pub use job::{Job, Times};
pub use latency::{Latency, Spread, latencies, path_of};
pub use occupation::{Occupant, Stretch, stretches};
pub use policy::{Policy, Reading};
pub use scheduler::{Schedule, TooManyJobs};
pub use simulation::{Done, Simulation, Verdict};
pub use system::*;
pub use times::{Drawn, Extreme};
pub use timetable::{Cycle, MOST_JOBS, Timetable, TimetableError, hyper_period};
pub use utilisation::{Load, utilisation};
pub use varying::{
    Bound, JobRange, MOST_STATES, Ranges, RangesError, Reason, Span, VaryingDone, VaryingEdge,
    VaryingError, VaryingSimulation, VaryingVerdict,
};
