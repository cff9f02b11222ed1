//! Ironbird under one name: what a program with component types of its own needs.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     // The command line with all types of Ironbird, and your own.
//!     ironbird::main_with(|registry| {
//!         let _ = registry; // registry.register::<MyComponent>()
//!         Ok(())
//!     })
//! }
//! ```
//!
//! Such a program has all that it needs in one file. The program `ironbird`, which comes with this crate, has it in a shared
//! library (feature `shared-library`): see its source.

use std::process::ExitCode;

pub use ironbird_all::{cli, component, kernel, registry, solvers};

use component::{Registry, RegistryError};

/// The command line with all component types that come with Ironbird, and those that `register` adds.
pub fn main_with(register: impl FnOnce(&mut Registry) -> Result<(), RegistryError>) -> ExitCode {
    ExitCode::from(ironbird_all::status_with(register, JOIN))
}

#[cfg(not(feature = "mpi"))]
const JOIN: Option<ironbird_all::JoinRanks> = None;
#[cfg(feature = "mpi")]
const JOIN: Option<ironbird_all::JoinRanks> =
    Some(|started| Box::new(move || Ok(Box::new(ironbird_mpi::Job::join(&started)?))));
