//! Programs whose host is in their own process.

use super::{inner_host, shim};
use ironbird_native_shim::protocol::Backend;
use ironbird_native_shim::steady::start_steady;
use std::process::{Command, Stdio};

/// What came of a program with its host inside.
pub struct Inside {
    pub printed: String,
    /// The hash of all packets and the speed; on a second line the time at the end, and the counters.
    pub report: String,
}

/// Runs a program in a world that the host inside knows, for so long at most.
pub fn run_inside(mut command: Command, backend: Backend, world: &str, seconds: u64) -> Inside {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report");
    let backend = match backend {
        Backend::Coroutines => "coroutines",
        Backend::KernelThreads => "kernel-threads",
    };
    command
        .env("LD_PRELOAD", shim())
        .env("IRONBIRD_SHIM", format!("library:{}", inner_host().display()))
        .env("IRONBIRD_HOST_REPORT", &report)
        .env("IRONBIRD_HOST_BACKEND", backend)
        .env("IRONBIRD_HOST_WORLD", world)
        .env("IRONBIRD_HOST_SECONDS", seconds.to_string())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    start_steady(&mut command);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = std::fs::read_to_string(&report).expect("the report");
    Inside { printed, report }
}
