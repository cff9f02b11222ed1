//! Waiting for any of several links between processes of ours.
//!
//! A process that does not know which of its peers speaks next sleeps on all doorbells at once (`futex_waitv`, Linux
//! 5.16; before that it naps). It goes to sleep as in [`wait`](crate::wait): first it looks, then it offers its core to
//! others, and soon it sleeps.

use std::time::{Duration, Instant};

use crate::bell::sleep_on_any;
use crate::endpoint::Endpoint;
use crate::wait::{Need, QUICK_YIELD};

/// Looks at all links before the core is offered to others.
const LOOKS: u32 = 200;
/// How long to offer the core before sleeping, while nobody wants it.
const AWAKE: Duration = Duration::from_micros(50);

/// Waits until one of `links` has a message, or one of `full` has room, or has ended; no longer than `limit`. May return
/// early. Links whose peers do not ring are looked at again after at most a millisecond.
pub fn wait_any<'a>(
    links: impl Iterator<Item = &'a Endpoint> + Clone,
    full: impl Iterator<Item = &'a Endpoint> + Clone,
    limit: Duration,
) {
    let ready = || {
        links.clone().any(|link| link.has(Need::Message))
            || full.clone().any(|link| link.has(Need::Room))
    };
    for _ in 0..LOOKS {
        if ready() {
            return;
        }
        std::hint::spin_loop();
    }
    links.clone().for_each(Endpoint::ring_surely);
    let start = Instant::now();
    let mut before = start;
    loop {
        rustix::thread::sched_yield();
        if ready() {
            return;
        }
        let now = Instant::now();
        // Whoever took the core needs it.
        if now - before > QUICK_YIELD || now - start > AWAKE.min(limit) {
            break;
        }
        before = now;
    }
    let bells = links.clone().map(Endpoint::bell).collect::<Option<Vec<_>>>();
    match bells {
        Some(bells) => sleep_on_any(&bells, ready, limit),
        None => std::thread::sleep(limit.min(Duration::from_millis(1))),
    }
}
