//! The doorbell of a link between two of ours: 256 bytes behind the queues in the pool.
//!
//! | bytes | what |
//! |---|---|
//! | 0..16 | `ironbird bell 1`, zero: the listener is ours |
//! | 64..68 | whether the listener sleeps, u32 |
//! | 128..132 | whether the connecter sleeps, u32 |
//! | 192..196 | the connecter is ours, u32: 0 or 1 |
//!
//! A foreign connecter never looks there, and a foreign listener's file has nothing of the kind: the
//! introductions are the same to the bit. Words that a peer writes wrongly cost wake-ups, no more.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::thread::futex;

use crate::atomics::AtomicU32;
use crate::doorbell::{ASLEEP, Doorbell, Words};
use crate::pool::{Pool, Region};

/// Bytes of the doorbell.
pub(crate) const BELL: usize = 256;
const MAGIC: [u8; 16] = *b"ironbird bell 1\0";
const LISTENER_SLEEPS: usize = 64;
const CONNECTER_SLEEPS: usize = 128;
const CONNECTER_IS_OURS: usize = 192;

/// Where the doorbell begins, for queues that end at `queues_end`.
pub(crate) fn start(queues_end: usize) -> Option<usize> {
    queues_end.checked_next_multiple_of(64)
}

/// The words of the doorbell in a pool, seen from one side.
#[derive(Debug)]
pub struct PoolWords {
    region: Region,
    mine: usize,
    theirs: usize,
    /// Known from the start for a connecter; a listener may learn it later.
    listener_is_ours: bool,
}

impl PoolWords {
    /// Of the listener, which says that it is one of ours. `at` is [`start`] in a pool made with
    /// [`BELL`] more bytes; nothing in another one.
    pub(crate) fn listener(pool: Arc<Pool>, at: usize) -> Option<Self> {
        let region = Region::new(pool, at, at.checked_add(BELL)?)?;
        for (index, byte) in MAGIC.iter().enumerate() {
            region.byte(index).store(*byte, Ordering::Relaxed);
        }
        let (mine, theirs) = (LISTENER_SLEEPS, CONNECTER_SLEEPS);
        Some(Self { region, mine, theirs, listener_is_ours: false })
    }

    /// Of the connecter, if the listener is one of ours.
    pub(crate) fn connecter(pool: Arc<Pool>, at: usize) -> Option<Self> {
        let region = Region::new(pool, at, at.checked_add(BELL)?)?;
        let mut bytes = MAGIC.iter().enumerate();
        if !bytes.all(|(index, byte)| region.byte(index).load(Ordering::Relaxed) == *byte) {
            return None;
        }
        region.half(CONNECTER_IS_OURS).store(1, Ordering::Relaxed);
        let (mine, theirs) = (CONNECTER_SLEEPS, LISTENER_SLEEPS);
        Some(Self { region, mine, theirs, listener_is_ours: true })
    }

    /// Whether there is somebody on the other side who rings.
    pub(crate) fn peer_rings(&self) -> bool {
        self.listener_is_ours || self.region.half(CONNECTER_IS_OURS).load(Ordering::Relaxed) == 1
    }
}

impl Words for PoolWords {
    fn mine(&self) -> &AtomicU32 {
        self.region.half(self.mine)
    }

    #[inline]
    fn theirs(&self) -> &AtomicU32 {
        self.region.half(self.theirs)
    }

    fn sleep(&self, limit: Duration) {
        let limit = rustix::time::Timespec::try_from(limit).ok();
        // Woken, out of time, or not asleep any more: all the same to a caller who looks again.
        let _ = futex::wait(self.mine(), futex::Flags::empty(), ASLEEP, limit.as_ref());
    }

    fn wake(&self) {
        let _ = futex::wake(self.theirs(), futex::Flags::empty(), 1);
    }
}

/// Sleeps until one of several peers rings, no longer than `limit`, unless `ready` says that there is no need to.
pub(crate) fn sleep_on_any(
    bells: &[&Doorbell<PoolWords>],
    ready: impl Fn() -> bool,
    limit: Duration,
) {
    let words = bells.iter().map(|bell| bell.words());
    Doorbell::announce_sleep(words.clone());
    if !ready() {
        let waits = words.clone().map(|words| {
            let mut wait = futex::Wait::new();
            wait.val = ASLEEP.into();
            wait.uaddr = futex::WaitPtr::new(words.mine().as_ptr().cast());
            wait.flags = futex::WaitFlags::SIZE_U32;
            wait
        });
        let waits: Vec<_> = waits.collect();
        // Until an instant of the monotonic clock.
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let limit = rustix::time::Timespec::try_from(limit).ok();
        let end = limit.and_then(|limit| now.checked_add(limit));
        let flags = futex::WaitvFlags::empty();
        let waited = futex::waitv(&waits, flags, end.as_ref(), futex::ClockId::Monotonic);
        if waited == Err(rustix::io::Errno::NOSYS) {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
    Doorbell::wake_up(words);
}
