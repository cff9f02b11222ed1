//! Ctrl-C and SIGTERM.

use std::io::Read;
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
    listen(move || ask(&asked))?;
    Ok(interrupt)
}

/// As [`interrupt`], in a process that another one has started: that one hears the signals and writes a byte for each.
pub fn interrupt_by(mut wishes: impl Read + Send + 'static) -> Result<Interrupt, Failure> {
    // On a terminal both processes are signalled.
    listen(|| {})?;
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    spawn(move || {
        while wishes.read_exact(&mut [0]).is_ok() {
            ask(&asked);
        }
    });
    Ok(interrupt)
}

fn listen(handler: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Run(format!("cannot listen for Ctrl-C: {error}")))
}

fn ask(interrupt: &Interrupt) {
    if interrupt.is_requested() {
        exit(INTERRUPTED);
    }
    interrupt.request();
    let asked = interrupt.clone();
    spawn(move || end_unless_heard(asked));
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
