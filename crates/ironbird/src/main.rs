//! The program `ironbird`. On Linux all that it does is in a shared library, so that a native program can hold the simulation in
//! its own process without a second copy of it on the disk. Elsewhere, where there are no native programs, and with MPI it is
//! one file.

use std::process::ExitCode;

#[cfg(all(target_os = "linux", feature = "shared-library", not(feature = "mpi")))]
mod loader;

#[cfg(all(target_os = "linux", feature = "shared-library", not(feature = "mpi")))]
fn main() -> ExitCode {
    ExitCode::from(loader::main())
}

#[cfg(all(unix, not(all(target_os = "linux", feature = "shared-library", not(feature = "mpi")))))]
#[global_allocator]
static ALLOCATOR: ironbird_all::limits::Allocator = ironbird_all::limits::Allocator;

#[cfg(not(all(target_os = "linux", feature = "shared-library", not(feature = "mpi"))))]
fn main() -> ExitCode {
    #[cfg(unix)]
    ironbird_all::limits::meet();
    ironbird::main_with(|_| Ok(()))
}
