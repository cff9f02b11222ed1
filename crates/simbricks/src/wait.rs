//! Waiting for a peer in a way that also works with more processes than cores.
//!
//! A peer with a core of its own answers within a hundred nanoseconds, so it is first awaited awake. One that does
//! not answer may be waiting for this very core: after some microseconds this process offers it to others
//! (`sched_yield`, which comes back at once if nobody wants it), and soon after that sleeps. A peer of ours wakes it
//! through the [`doorbell`](crate::doorbell); for a foreign one it looks again after a short while.
//!
//! Spinning harms nobody as long as nobody else wants the core, and whether somebody does shows in how long
//! an offer takes to come back. So a core of one's own is kept for a while, a shared one is given up at once,
//! and the next wait on it spins less.
//!
//! While it sleeps it also looks whether the peer is still there, and how long it has made no progress; time in which
//! it was stopped does not count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ironbird_patience::Patience;

use crate::endpoint::Endpoint;
use crate::error::{LinkError, Problem};

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A message from the peer.
    Message,
    /// Room for a message to the peer.
    Room,
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Message => "no message came",
            Self::Room => "it took no message from the full queue",
        })
    }
}

/// Looks before the core is offered to others: some microseconds, or next to nothing where others were seen to
/// want it.
const LOOKS_ON_FREE_CORE: u32 = 256;
const LOOKS_ON_SHARED_CORE: u32 = 8;
/// Nobody wanted the core if it was back this soon after being offered.
pub(crate) const QUICK_YIELD: Duration = Duration::from_micros(3);
/// How long to go on like that before sleeping, while nobody wants the core: falling asleep and being woken
/// cost several microseconds on each side.
const AWAKE_ON_FREE_CORE: Duration = Duration::from_micros(100);
/// The same whoever wants the core, where the peer cannot wake us: sleeping then costs a timer's accuracy.
const AWAKE_FOR_FOREIGN_PEER: Duration = Duration::from_millis(1);
/// How long to sleep before looking whether the peer lives, if it wakes us.
const SLEEP: Duration = Duration::from_millis(10);
/// What a peer may take to answer where nobody wants to wait any more.
const MOMENT: Duration = Duration::from_millis(200);
/// How long to sleep before looking again, if it does not: first and last.
const FIRST_NAP: Duration = Duration::from_micros(50);
const LAST_NAP: Duration = Duration::from_millis(1);

/// What a thread's waiting came to so far. Read it before and after a wait to know what that one cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Looks in vain while spinning. One takes a processor's pause, 10 to 40 ns.
    pub looks: u64,
    /// Wall time of the waits that were longer than that.
    pub long_waits: Duration,
}

/// Waits for the links of one thread.
#[derive(Debug)]
pub struct Waiter {
    stall_limit: Option<Duration>,
    abandoned: Option<Arc<AtomicBool>>,
    looks: u32,
    spent: Spent,
}

impl Waiter {
    /// A waiter that gives a peer up when it makes no progress for `stall_limit` of wall time.
    pub fn new(stall_limit: Option<Duration>) -> Self {
        let looks = LOOKS_ON_FREE_CORE;
        Self { stall_limit, abandoned: None, looks, spent: Spent::default() }
    }

    /// Also gives a peer up that does not answer for a moment once this becomes true: nobody wants to wait any more.
    pub fn until_abandoned(self, abandoned: Arc<AtomicBool>) -> Self {
        Self { abandoned: Some(abandoned), ..self }
    }

    /// What waiting came to so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Waits until link `on` has what is needed, or has ended. `all` are the links of this thread: before
    /// it sleeps, it makes sure that no peer sleeps on what it was sent.
    ///
    /// With several synchronised links, wait for one that holds this thread back: it has to answer before
    /// anything can go on, whatever the others do.
    ///
    /// # Errors
    /// If the peer is gone, shrank the shared memory, or made no progress for too long.
    #[inline]
    pub fn wait<'a>(
        &mut self,
        on: &Endpoint,
        need: Need,
        all: impl IntoIterator<Item = &'a Endpoint>,
    ) -> Result<(), LinkError> {
        self.wait_up_to(on, need, all, None).map(|_| ())
    }

    /// As [`wait`](Self::wait), but no longer than `limit`; says whether there is what is needed.
    ///
    /// # Errors
    /// As for [`wait`](Self::wait).
    #[inline]
    pub fn wait_up_to<'a>(
        &mut self,
        on: &Endpoint,
        need: Need,
        all: impl IntoIterator<Item = &'a Endpoint>,
        limit: Option<Duration>,
    ) -> Result<bool, LinkError> {
        for look in 0..self.looks {
            if on.has(need) {
                self.spent.looks += u64::from(look);
                return Ok(true);
            }
            // A pause: looks without one keep taking the cache line away from the peer that is to write it.
            std::hint::spin_loop();
        }
        for link in all {
            link.ring_surely();
        }
        self.spent.looks += u64::from(self.looks);
        let start = Instant::now();
        let result = self.wait_long(on, need, limit, start);
        self.spent.long_waits += start.elapsed();
        result
    }

    #[cold]
    fn wait_long(
        &mut self,
        on: &Endpoint,
        need: Need,
        limit: Option<Duration>,
        start: Instant,
    ) -> Result<bool, LinkError> {
        let rings = on.peer_rings();
        let mut before = start;
        loop {
            rustix::thread::sched_yield();
            let now = Instant::now();
            let is_quick = now - before < QUICK_YIELD;
            before = now;
            self.looks = if is_quick { LOOKS_ON_FREE_CORE } else { LOOKS_ON_SHARED_CORE };
            if on.has(need) {
                return Ok(true);
            }
            let awake = match (rings, is_quick) {
                (true, true) => AWAKE_ON_FREE_CORE,
                (true, false) => Duration::ZERO,
                (false, _) => AWAKE_FOR_FOREIGN_PEER,
            };
            if now - start >= limit.map_or(awake, |limit| limit.min(awake)) {
                break;
            }
        }
        let mut nap = FIRST_NAP;
        let mut patience = self.stall_limit.map(|limit| Patience::with(on.peer().process, limit));
        loop {
            let left = limit.map(|limit| limit.saturating_sub(start.elapsed()));
            let shorten = |pause: Duration| left.map_or(pause, |left| left.min(pause));
            let peer = if on.sleep(need, shorten(SLEEP)) {
                if on.has(need) {
                    return Ok(true);
                }
                on.check_peer(Duration::ZERO)
            } else {
                let checked = on.check_peer(shorten(nap));
                nap = LAST_NAP.min(nap * 2);
                checked
            };
            // Looked at after the peer: what it left behind before it ended still counts.
            if on.has(need) {
                return Ok(true);
            }
            peer?;
            let waited = start.elapsed();
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(false);
            }
            let is_abandoned =
                self.abandoned.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
            if is_abandoned && waited >= MOMENT {
                return Err(on.error(Problem::GivenUp("the run was interrupted".into())));
            }
            if let Some(patience) = &mut patience
                && patience.is_over()
            {
                let (peer, waited) = (on.peer(), patience.limit());
                return Err(on.error(Problem::Stalled { peer, waited, need }));
            }
        }
    }
}
