//! The way into the program's process.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use ironbird_native_shim::protocol::TRANSPORT_VARIABLE;
use ironbird_native_shim::steady::start_steady;

use super::Baggage;
use crate::launch::{Plan, Preload, command, pass};

/// Ironbird as a shared library, if this process runs it from there.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// Says where the shared library is that this process runs.
pub fn set_library(path: &Path) {
    // The first word counts.
    let _ = LIBRARY.set(path.to_owned());
}

const NO_LIBRARY: &str = "`transport = \"in-process\"` is for the program `ironbird`, whose shared library the native program \
                          loads; this program has all in one file: take the transport \"memory\", which gives the same bits";

/// Becomes the program of a plan, with the simulation inside it. Returns only if that fails, with the reason.
pub fn move_in(plan: &Plan, seed: u64) -> String {
    match prepare(plan, seed) {
        Err(why) => why,
        Ok((mut command, _open)) => format!("it cannot be started: {}", command.exec()),
    }
}

/// The command, and the files that it needs open.
fn prepare(plan: &Plan, seed: u64) -> Result<(std::process::Command, (Preload, File)), String> {
    let no_memory = |error| format!("there is no memory for what the program needs: {error}");
    let baggage = Baggage::of_this_process()
        .map_err(|error| format!("the path of this program is not known: {error}"))?;
    let library = LIBRARY.get().ok_or(NO_LIBRARY)?;
    let packed = baggage.pack().map_err(no_memory)?;
    let preload = Preload::new().map_err(no_memory)?;
    let library_at = (preload.inherited().as_raw_fd(), preload.number());
    for (own, programs) in [library_at, (packed.as_raw_fd(), packed.as_raw_fd())] {
        pass(own, programs).map_err(no_memory)?;
    }
    let transport = format!("library:{}@{}", library.display(), packed.as_raw_fd());
    let mut command = command(plan).map_err(|error| format!("it cannot be started: {error}"))?;
    command.env("LD_PRELOAD", preload.name()).env(TRANSPORT_VARIABLE, transport);
    command.stdin(Stdio::null());
    start_steady(&mut command, seed);
    Ok((command, (preload, packed)))
}
