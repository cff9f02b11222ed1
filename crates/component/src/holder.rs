//! Programs that can hold a run.
//!
//! A component may stand for a program of this machine. Where the simulation goes on inside the process of that program, the
//! two call each other instead of writing to each other. What begins a run decides whether it does so: `ironbird run`.

use std::ffi::OsString;
use std::fmt::Debug;
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

/// A program in whose process a run can go on.
pub trait Holder: Debug + Send + Sync {
    /// Starts it. Inside it this program begins anew, with these arguments from its own name on.
    ///
    /// # Errors
    /// With why it cannot be started.
    fn start(&self, arguments: Vec<OsString>) -> Result<Child, String>;

    /// How long it may take until the run inside it begins.
    fn patience(&self) -> Duration;
}

/// What a component with a program says of a run in the process of that program.
#[derive(Clone, Debug)]
pub struct Holding {
    /// Whether that is asked for, so that it is an error where it cannot be.
    pub is_demanded: bool,
    /// The program, or why it cannot hold a run.
    pub holder: Result<Arc<dyn Holder>, String>,
}

impl PartialEq for Holding {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.holder, &other.holder) {
            (Ok(one), Ok(another)) => Arc::ptr_eq(one, another),
            (Err(one), Err(another)) => one == another,
            _ => false,
        };
        same && self.is_demanded == other.is_demanded
    }
}
