//! A look from outside at calls of the MPI library, which should come back at once. Some do not once a rank is gone: Open
//! MPI 4.1 tells mpirun of a broken TCP connection and waits for an answer, while mpirun is busy ending the job. The run
//! cannot go on then, but what it has recorded can be closed by another thread.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use ironbird_runner::Interrupt;

use crate::rank::Known;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(50);
/// No call takes so long.
const STUCK: Duration = Duration::from_millis(300);
/// Ranks that have nothing to close leave the first word to the first one.
const LATER: Duration = Duration::from_secs(3);

/// Counts when calls begin and when they come back: odd while one is under way.
#[derive(Default)]
pub struct Calls(AtomicU64);

impl Calls {
    /// Makes a call. All come from one thread.
    pub fn make<T>(&self, call: impl FnOnce() -> T) -> T {
        let count = self.0.load(Ordering::Relaxed);
        self.0.store(count + 1, Ordering::Relaxed);
        let made = call();
        self.0.store(count + 2, Ordering::Relaxed);
        made
    }

    /// The number of the call that is under way.
    fn current(&self) -> Option<u64> {
        let count = self.0.load(Ordering::Relaxed);
        (count % 2 == 1).then_some(count)
    }
}

/// Looks out for calls that do not come back as long as the program runs.
pub fn start(known: Arc<Known>, interrupt: Interrupt) {
    let lookout = Builder::new().name("lookout".into());
    // Without it, what is recorded is cut short, and can still be read.
    let _ = lookout.spawn(move || look_out(&known, &interrupt));
}

fn look_out(known: &Known, interrupt: &Interrupt) {
    let stuck = if known.number == 0 { STUCK } else { LATER };
    let mut last = (None, Instant::now());
    // Others end in consequence of the first one.
    let mut gone = None;
    loop {
        sleep(LOOK);
        gone = gone.or_else(|| known.peers.first_ended());
        let current = known.calls.current();
        if current != last.0 {
            last = (current, Instant::now());
        }
        if current.is_none() || last.1.elapsed() < stuck {
            continue;
        }
        let what = match gone {
            Some(rank) => format!("is gone: {}, has ended", known.peers.get(rank)),
            None if interrupt.is_requested() => {
                "the MPI library does not come back, and the job was asked to end: a rank on another machine is gone \
                 or out of reach, and what started the job says which"
                    .into()
            }
            // A machine that is very busy, or was suspended.
            None => continue,
        };
        if let Some(said) = interrupt.abandon(gone, what) {
            eprintln!("error: {said}");
        }
        exit(3);
    }
}
