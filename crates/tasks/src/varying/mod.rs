//! Execution times that vary from job to job.
//!
//! After We, Kim, Lee, Lee, *Functionally and Temporally Correct Simulation of Cyber-Systems for Automotive
//! Systems* (RTSS 2017), which treats preemptive fixed priorities; here executors and chains as well.
//!
//! Assumptions: a job reads all its data when it starts and writes all when it ends; what is read is the most
//! recent result; the simulation keeps every result with the job it comes from, so that a job can read what its
//! real counterpart reads, whenever it runs; what it writes to the physical system is held back until the real
//! finish. Time on the simulation computer is mapped to time on the ECU by [`crate::Task::simulated`].
//!
//! ```text
//! offline   System ─► Ranges      release, start, finish of each job: from the earliest to the latest
//!                                 edges: who has a say in whom, certainly or possibly
//! online    Times ──► VaryingSimulation ─► real start, real finish, producers of each job; verdict
//!             ▲                 │
//!             └── job is done ──┘  its time becomes known: ranges shrink, edges become certain or vanish,
//!                                  deadlines grow
//! ```
//!
//! How the real schedule is bounded, and followed while it is simulated:
//!
//! | ECUs | offline | online |
//! |---|---|---|
//! | fixed priorities, clocks alone | two schedules: tight ([`Bound::TwoSchedules`]) | two schedules with all that is known |
//! | executors, chains | all orders of events, with spans for times ([`Bound::Explored`]); limited ([`Bound::NotBounded`]) | the schedule as far as known times decide it |
//!
//! A job of an executor may run on the simulation computer once its real start is decided. A job of a periodic
//! ECU may run before that, if it is clear what it reads and it does not read from the physical system.

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
