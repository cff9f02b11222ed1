//! Waking a peer that sleeps, where both sides are ours.
//!
//! Each side has a word that says whether it sleeps. A sleeper writes its word, puts up a fence, looks
//! once more for what it waits for, and only then sleeps. The other side, after it changed something,
//! looks at the word in one of two ways:
//!
//! - [`ring`](Doorbell::ring), after every message: a plain load. It costs nothing while the peer is
//!   awake, because nobody writes the word then, but may miss a peer that lies down at this very moment,
//!   whose word is still on its way.
//! - [`ring_surely`](Doorbell::ring_surely), once before this side itself waits or ends: a fence, then
//!   the same. Whichever of the two fences comes second, its side sees what the other wrote before.
//!
//! So whenever both sleep, each has looked surely after its last message, and neither has missed the
//! other: no deadlock. A peer that is missed while this side computes on sleeps until this side's next
//! message or wait, or until its own sleep ends, which is never without a limit.

use std::time::Duration;

use crate::atomics::{AtomicU32, Ordering, fence};

/// The value of a side's word while it runs.
pub const AWAKE: u32 = 0;
/// The value of a side's word while it sleeps or is about to.
pub const ASLEEP: u32 = 1;

/// Two words that both sides see, and the means to sleep on one.
pub trait Words {
    /// This side's word.
    fn mine(&self) -> &AtomicU32;
    /// The other side's word.
    fn theirs(&self) -> &AtomicU32;
    /// Sleeps while this side's word is [`ASLEEP`], no longer than `limit`. May end early.
    fn sleep(&self, limit: Duration);
    /// Wakes the other side if it sleeps on its word.
    fn wake(&self);
}

/// This side's end of the doorbell.
#[derive(Debug)]
pub struct Doorbell<W> {
    words: W,
}

impl<W: Words> Doorbell<W> {
    /// A doorbell over `words`.
    pub fn new(words: W) -> Self {
        Self { words }
    }

    /// Wakes the other side if it is seen to sleep.
    #[inline]
    pub fn ring(&self) {
        if self.words.theirs().load(Ordering::Relaxed) != AWAKE {
            self.wake();
        }
    }

    /// Wakes the other side if it sleeps.
    pub fn ring_surely(&self) {
        fence(Ordering::SeqCst);
        self.ring();
    }

    /// Changes the word before it wakes, so that a sleeper on its way does not fall asleep any more.
    #[cold]
    fn wake(&self) {
        if self.words.theirs().swap(AWAKE, Ordering::AcqRel) != AWAKE {
            self.words.wake();
        }
    }

    /// Sleeps until rung, no longer than `limit`, unless `ready` says that there is no need to.
    pub fn sleep_unless(&self, ready: impl FnOnce() -> bool, limit: Duration) {
        Self::announce_sleep(std::iter::once(&self.words));
        if !ready() {
            self.words.sleep(limit);
        }
        Self::wake_up(std::iter::once(&self.words));
    }

    /// Says on several doorbells that this side is about to sleep. It must look for what it waits for afterwards.
    pub fn announce_sleep<'a>(words: impl Iterator<Item = &'a W>)
    where
        W: 'a,
    {
        // Both sides write the word, so all its writes are ordered one after the other.
        words.for_each(|words| {
            words.mine().swap(ASLEEP, Ordering::AcqRel);
        });
        fence(Ordering::SeqCst);
    }

    /// Says on several doorbells that this side is awake.
    pub fn wake_up<'a>(words: impl Iterator<Item = &'a W>)
    where
        W: 'a,
    {
        words.for_each(|words| {
            words.mine().swap(AWAKE, Ordering::AcqRel);
        });
    }

    /// The words.
    pub fn words(&self) -> &W {
        &self.words
    }
}
