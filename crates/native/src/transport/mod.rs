//! How frames get to a program and back: by turns, like a coroutine.

mod memory;
mod socket;

use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ironbird_patience::Patience;

pub use memory::Memory;
pub use socket::Stream;

/// A way to a program in another process.
pub trait Line: Transport {
    /// What the program is told of it ([`TRANSPORT_VARIABLE`](ironbird_native_shim::protocol::TRANSPORT_VARIABLE)).
    fn name(&self) -> String;

    /// The descriptors that the program inherits.
    fn inherited(&self) -> Vec<BorrowedFd<'_>>;

    /// The program has been started: nothing is kept for it any more.
    fn started(&mut self) {}
}

/// A way to a program.
pub trait Transport: Send {
    /// Gives the program a frame and the turn.
    ///
    /// # Errors
    /// If it is longer than a frame can be, or nobody can hear it.
    fn send(&mut self, frame: &[u8]) -> Result<(), Silence>;

    /// Waits for the answer, as long as the `patience` lasts that begins with it. `look` is asked again and again whether
    /// there is a reason to wait no longer.
    ///
    /// # Errors
    /// If none comes.
    fn receive(
        &mut self,
        answer: &mut Vec<u8>,
        patience: &dyn Fn() -> Patience,
        look: &dyn Fn() -> Result<(), Silence>,
    ) -> Result<(), Silence>;

    /// Once this is true, nobody wants the run to go on. `look` says so, too, where it is asked.
    fn heed(&mut self, _abandoned: &Arc<AtomicBool>) {}

    /// The thread of the program that runs, if that is known here.
    fn running_thread(&self) -> Option<String> {
        None
    }

    /// Whether the program is in another process, so that waiting for it is no work of this one.
    fn is_elsewhere(&self) -> bool {
        true
    }
}

/// Where another process finds a descriptor of this one.
pub fn path_of(descriptor: BorrowedFd<'_>) -> String {
    format!("/proc/{}/fd/{}", std::process::id(), descriptor.as_raw_fd())
}

/// Why nothing comes from a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Silence {
    /// It has ended.
    #[error("it has ended")]
    Ended,
    /// It takes too long.
    #[error("it takes too long")]
    TooLong,
    /// Nobody wants the run to go on.
    #[error("the run was interrupted")]
    Abandoned,
    /// What comes is nonsense, or nothing can be said.
    #[error("{0}")]
    Broken(String),
}

/// How often whoever waits looks whether there is a reason not to.
const LOOK: Duration = Duration::from_millis(20);
