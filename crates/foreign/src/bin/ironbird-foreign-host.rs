//! A host of C libraries and nothing else, for programs that cannot start themselves again.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ironbird_foreign::host_if_asked().unwrap_or_else(|| {
        eprintln!("ironbird-foreign-host: only Ironbird starts this program");
        2
    }))
}
