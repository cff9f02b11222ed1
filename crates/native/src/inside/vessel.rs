//! A program whose process holds the run: how it is started, and how the run finds it there.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ironbird_component::Holder;
use ironbird_native_shim::protocol::TRANSPORT_VARIABLE;
use ironbird_native_shim::steady::start_steady;

use super::Baggage;
use crate::launch::{Plan, Preload, command, tie};

/// Ironbird as a shared library, if this process runs it from there.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
/// The [identity](Plan::identity) of the program whose process this is, if the run is inside one.
static HELD_BY: OnceLock<u64> = OnceLock::new();
/// The program can begin once only.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Says where the shared library is that this process runs.
pub fn set_library(path: &Path) {
    // The first word counts.
    let _ = LIBRARY.set(path.to_owned());
}

/// Says which program's process this is.
pub fn set_holder(identity: u64) {
    let _ = HELD_BY.set(identity);
}

/// Whether this run is inside the process of this program, and the program has not been taken hold of. From now on it has.
/// Of several that start in the same way it is the one that is demanded, or else any.
pub fn take_hold(plan: &Plan, is_demanded: bool) -> bool {
    HELD_BY.get() == Some(&identity(plan, is_demanded)) && !TAKEN.swap(true, Ordering::Relaxed)
}

fn identity(plan: &Plan, is_demanded: bool) -> u64 {
    plan.identity() ^ u64::from(is_demanded)
}

/// A program in whose process a run can go on.
#[derive(Debug)]
pub struct Vessel {
    plan: Plan,
    is_demanded: bool,
    patience: Duration,
    library: PathBuf,
}

/// How long the system may take to load the library, at least.
const TO_LOAD: Duration = Duration::from_secs(20);

impl Vessel {
    /// The program of a plan, which may compute for `watchdog` before the run begins in it.
    ///
    /// # Errors
    /// If this program is not one that can be loaded into it.
    pub fn new(plan: Plan, is_demanded: bool, watchdog: Duration) -> Result<Self, String> {
        let library = LIBRARY.get().ok_or("this program is one file, without a shared library")?;
        let (patience, library) = (watchdog.max(TO_LOAD), library.clone());
        Ok(Vessel { plan, is_demanded, patience, library })
    }

    fn spawn(&self, arguments: Vec<OsString>) -> io::Result<Child> {
        let holder = identity(&self.plan, self.is_demanded);
        let packed = Baggage { arguments, holder, ..Baggage::of_this_process()? }.pack()?;
        let preload = Preload::new()?;
        let transport = format!("library:{}@{}", self.library.display(), packed.as_raw_fd());
        let mut command = command(&self.plan)?;
        command.env("LD_PRELOAD", preload.name()).env(TRANSPORT_VARIABLE, transport);
        command.stdin(Stdio::null());
        let preloaded = (preload.inherited().as_raw_fd(), preload.number());
        start_steady(&mut command);
        tie(&mut command, vec![preloaded, (packed.as_raw_fd(), packed.as_raw_fd())]);
        command.spawn()
    }
}

impl Holder for Vessel {
    fn start(&self, arguments: Vec<OsString>) -> Result<Child, String> {
        self.spawn(arguments).map_err(|error| format!("it cannot be started: {error}"))
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}
