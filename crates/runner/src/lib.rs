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
mod branch;
mod build;
mod computer;
mod conditions;
mod events;
mod fault;
mod interrupt;
mod links;
pub mod live;
mod native_programs;
mod outcomes;
mod output_folder;
mod pace;
mod prepare;
mod processes;
mod profile;
mod programs;
mod pulse;
mod refusal;
mod relays;
mod report;
mod requirements;
mod run;
mod scene;
mod states;
mod taps;
mod timeline;
mod timer;
mod timing;
mod trace;
mod waiting;
mod wall_time;
mod watch;

pub use branch::{BranchError, Trunk};
pub use build::BuildError;
pub use computer::ComputerReport;
pub use events::COMMAND;
pub use interrupt::Interrupt;
pub use outcomes::{Ending, Outcomes};
pub use output_folder::{OutputFolder, OutputFolderError};
pub use processes::{
    Company, Launch, LaunchError, Met, Place, Ranks, SignsOfLife, Word, serve, serve_among,
};
pub use profile::{Analysis, ComponentShare, LinkRate, PartShares};
pub use programs::{FailedProgram, LinkPlaces, LostProgram, ProgramError, ProgramHost, guard};
pub use report::report;
pub use requirements::{number as leaf_number, six_digits};
pub use run::{How, Job, Progress, RunError, dry_run, run, run_among, values_at_start};
pub use scene::scene;
pub use timeline::{LeftOut, write_timeline};
pub use trace::Trace;
pub use waiting::{Part, partitions_used};
pub use watch::{Watched, watch};
