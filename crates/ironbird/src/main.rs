//! The command line with the component types that come with Ironbird.

use std::process::ExitCode;

fn main() -> ExitCode {
    ironbird::main_with(|_| Ok(()))
}
