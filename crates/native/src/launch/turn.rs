//! Runs whose programs start others take turns on a machine.
//!
//! Such programs find each other by names that are the same in every run: PX4's server and its commands meet at
//! `/tmp/px4-sock-0`. Of two runs at once, commands of one would reach the server of the other.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

/// Beside the names that it stands for, whatever TMPDIR is.
const FILE: &str = "/tmp/ironbird-helpers.lock";
/// How long another run is waited for.
const PATIENCE: Duration = Duration::from_secs(600);
const LOOKS_EVERY: Duration = Duration::from_millis(50);

/// As long as somebody has it, no other process of Ironbird has one.
pub struct Turn {
    /// The kernel lets go of its lock when it is closed, or the process ends.
    _file: File,
}

/// The turn of this process: all programs of a run share it.
static OWN: Mutex<Weak<Turn>> = Mutex::new(Weak::new());

impl Turn {
    /// Waits until no other run has programs with helpers.
    ///
    /// # Errors
    /// With why it is not to be had.
    pub fn take() -> Result<Arc<Self>, String> {
        let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = own.upgrade() {
            return Ok(turn);
        }
        let file = open().map_err(|error| format!("{FILE} cannot be opened: {error}"))?;
        let began = Instant::now();
        let mut has_said = false;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => {
                    return Err(format!("{FILE} cannot be locked: {error}"));
                }
                Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => {
                    return Err(format!(
                        "another run on this machine has had programs with helpers for {} s: such programs meet at names \
                         that are the same for all runs, so only one of these can be at a time (its lock is {FILE})",
                        PATIENCE.as_secs()
                    ));
                }
                Err(TryLockError::WouldBlock) => {
                    if !std::mem::replace(&mut has_said, true) {
                        eprintln!(
                            "ironbird: waits for another run on this machine, whose program has helpers, too"
                        );
                    }
                    sleep(LOOKS_EVERY);
                }
            }
        }
        let turn = Arc::new(Turn { _file: file });
        *own = Arc::downgrade(&turn);
        Ok(turn)
    }
}

/// A lock needs no right to write: the file may be another user's. Anybody may have put something else in its place, so the
/// open neither waits nor follows.
fn open() -> io::Result<File> {
    let safely = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(safely.bits() as i32);
    let made = options.clone().write(true).create(true).truncate(false).open(FILE);
    let file = made.or_else(|_| options.open(FILE))?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no file: remove it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_shares_a_turn_and_another_waits_for_it() {
        let first = Turn::take().expect("a turn");
        let second = Turn::take().expect("the same");
        assert!(Arc::ptr_eq(&first, &second));
        drop(first);
        // As another process would.
        let other = open().expect("a file");
        assert!(matches!(other.try_lock(), Err(TryLockError::WouldBlock)));
        drop(second);
        other.lock().expect("it is free now, or after tests in other processes");
        let waits = std::thread::spawn(|| Turn::take().map(drop));
        sleep(3 * LOOKS_EVERY);
        assert!(!waits.is_finished());
        drop(other);
        waits.join().expect("no panic").expect("a turn");
    }
}
