//! The command line with the component types that come with Ironbird.

use std::process::ExitCode;

#[cfg(unix)]
mod limits;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: limits::Allocator = limits::Allocator;

fn main() -> ExitCode {
    #[cfg(unix)]
    limits::meet();
    ironbird::main_with(|_| Ok(()))
}
