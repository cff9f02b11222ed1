//! Runs a checked experiment: builds the system, supervises the run, judges it.
//!
//! ```text
//! Experiment ─► build ─► Simulation ──stream──► recording thread ─► file, verdicts, hash
//!               faults,  run in stretches:
//!               timers,  progress, pace, interruption
//!               callers
//! ```
//!
//! The command line, the Python package and the viewer are thin users of [`run()`].

mod actions;
mod beginning;
mod build;
mod computer;
mod conditions;
mod events;
mod fault;
mod interrupt;
mod pace;
mod private_folder;
mod processes;
mod programs;
mod refusal;
mod relays;
mod report;
mod requirements;
mod run;
mod states;
mod taps;
mod timer;
mod timing;
mod trace;
mod waiting;
mod watch;

pub use build::BuildError;
pub use computer::ComputerReport;
pub use interrupt::Interrupt;
pub use processes::{
    Company, Launch, LaunchError, Met, Place, Ranks, SignsOfLife, Word, serve, serve_among,
};
pub use programs::{LinkPlaces, LostProgram, ProgramError, ProgramHost, guard};
pub use report::report;
pub use run::{Ending, How, Job, Outcomes, Progress, RunError, dry_run, run, run_among};
pub use trace::Trace;
pub use waiting::Part;
pub use watch::{Watched, watch};
