//! Ctrl-C and SIGTERM.

use std::process::exit;
use std::thread::{sleep, spawn};
use std::time::Duration;

use ironbird_runner::Interrupt;

use crate::failure::Failure;
use crate::output::complain;

/// The exit status of a command that was ended at once, as shells have it.
const INTERRUPTED: i32 = 130;
/// How long a run may take to hear of the signal, and then to close what it has recorded. It may wait for something outside
/// of the simulation.
const PATIENCE: Duration = Duration::from_secs(5);

/// Listens for signals from now on: the first one asks the run to end, a second one does not wait for it.
pub fn interrupt() -> Result<Interrupt, Failure> {
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    let handler = ctrlc::set_handler(move || {
        if asked.is_requested() {
            exit(INTERRUPTED);
        }
        asked.request();
        let asked = asked.clone();
        spawn(move || end_unless_heard(asked));
    });
    match handler {
        Ok(()) => Ok(interrupt),
        Err(error) => Err(Failure::Run(format!("cannot listen for Ctrl-C: {error}"))),
    }
}

/// Ends the process if the run does not: what has been recorded is closed from here.
fn end_unless_heard(interrupt: Interrupt) {
    sleep(PATIENCE);
    if interrupt.is_heard() {
        return;
    }
    spawn(move || {
        let seconds = PATIENCE.as_secs();
        let what = format!("interrupted, and the run did not come back within {seconds} s");
        let said = interrupt.abandon(None, what).unwrap_or_else(|| "interrupted".into());
        complain(format_args!("error: {said}\n"));
        exit(INTERRUPTED);
    });
    sleep(PATIENCE);
    exit(INTERRUPTED);
}
