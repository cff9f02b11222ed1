//! Frames between the run and the program around it.

use std::io;
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ironbird_native_shim::protocol::MAX_FRAME;
use ironbird_patience::Patience;

use super::descriptors;
use super::stage::{self, FIRST_DESCRIPTOR};
use super::watchdog::Watchdog;
use crate::launch::{Plan, Program};
use crate::transport::{Silence, Transport};

/// The program around this run.
pub struct Inside {
    watchdog: Watchdog,
    /// The folder in which the run began. The program's is another one meanwhile.
    began_in: OwnedFd,
}

impl Inside {
    /// The program around this run, of which [hold was taken](super::take_hold).
    ///
    /// # Errors
    /// With why it cannot be had.
    pub fn new(plan: &Plan, patience: Duration) -> Result<(Program, Self), String> {
        let no =
            |error: io::Error| format!("the program cannot be told apart from the run: {error}");
        let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC;
        let began_in = rustix::fs::open(".", flags, rustix::fs::Mode::empty())
            .and_then(|folder| rustix::io::fcntl_dupfd_cloexec(folder, FIRST_DESCRIPTOR))
            .map_err(|error| no(error.into()))?;
        let dup = |fd| {
            rustix::io::fcntl_dupfd_cloexec(fd, FIRST_DESCRIPTOR).map_err(|error| no(error.into()))
        };
        let (out, err) = (dup(rustix::stdio::stdout())?, dup(rustix::stdio::stderr())?);
        // They stay open as long as the process lives.
        stage::set_terminal(out.into_raw_fd(), err.into_raw_fd());
        for kept in [began_in.as_raw_fd(), stage::terminal(1), stage::terminal(2)] {
            descriptors::keep(kept);
        }
        let program = Program::of_this_process(plan)?;
        let watchdog = Watchdog::new(patience).map_err(no)?;
        Ok((program, Inside { watchdog, began_in }))
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        // The program goes on no more.
        let _ = rustix::process::fchdir(&self.began_in);
    }
}

impl Transport for Inside {
    fn send(&mut self, frame: &[u8]) -> Result<(), Silence> {
        if frame.len() > MAX_FRAME {
            let length = frame.len();
            return Err(Silence::Broken(format!("a frame of {length} bytes is too long for it")));
        }
        stage::leave(frame);
        Ok(())
    }

    fn receive(
        &mut self,
        answer: &mut Vec<u8>,
        _: &dyn Fn() -> Patience,
        _: &dyn Fn() -> Result<(), Silence>,
    ) -> Result<(), Silence> {
        self.watchdog.turn_changes();
        let was_here = stage::give_turn(answer);
        self.watchdog.turn_changes();
        match was_here {
            true => Ok(()),
            false => Err(Silence::Broken(
                "the simulation runs on another thread: add `--partitions 1`".into(),
            )),
        }
    }

    fn heed(&mut self, abandoned: &Arc<AtomicBool>) {
        self.watchdog.heed(abandoned);
    }

    fn is_elsewhere(&self) -> bool {
        false
    }
}
