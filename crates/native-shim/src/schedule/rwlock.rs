//! `pthread_rwlock_t`, with the rules of glibc since 2.25 (nptl/pthread_rwlock_common.c has them in words).
//!
//! Phases of reading and of writing follow each other. A writer first claims the lock: one at a time does, the others
//! queue up behind. It has the lock when the phase is one of writing. Readers count from when they come: in a phase of
//! reading they have the lock, else they wait for the next one, which the writer gives them when it unlocks, all at once.
//! The last reader gives the phase to the writer that has claimed it. So a phase is handed on, but a claim is free to be
//! taken by whoever runs first.
//!
//! By default (PTHREAD_RWLOCK_PREFER_READER_NP) readers come in although a writer has claimed the lock. Where writers are
//! preferred, they hand on their claim among themselves; PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP also holds new
//! readers back while one waits for others to leave.

use super::locks::{Grant, Refusal};

/// Why a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RwQueue {
    /// For the other phase: readers for the one of reading, the writer with the claim for the one of writing.
    Phase,
    /// A reader that is held back.
    Readers,
    /// A writer, for the claim. One is woken at a time; of the other queues all.
    Writers,
}

/// How far a thread has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RwProgress {
    /// It has the lock.
    Acquired,
    /// It has to wait.
    Waits(RwQueue),
}

use RwProgress::{Acquired, Waits};

/// The lock as it lies in the program's memory.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RwLock {
    /// Those who read, or will in the next phase of reading.
    readers: u32,
    /// Writers that queue up; counted where they are preferred.
    writers: u32,
    writing: bool,
    claimed: bool,
    /// Readers are held back.
    held_back: bool,
    /// The claim is there for a writer that queues up.
    passed_on: bool,
    /// A writer has queued up since the claim was taken.
    queue_is_used: bool,
    unused: [u8; 11],
    writer: u32,
    more_unused: [u32; 5],
    kind: u32,
}

const PREFER_WRITER_NONRECURSIVE: u32 = 2;

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(RwLock, writer) == 24 && offset_of!(RwLock, kind) == 48);
};

impl RwLock {
    /// Those who unlock hand on the claim.
    fn prefers_writers(&self) -> bool {
        self.kind != 0
    }

    /// Who writes.
    pub fn writer(&self) -> u32 {
        self.writer
    }

    /// A reader comes. `wake` lets those of a queue look again.
    pub fn read(&mut self, me: u32, wake: impl FnMut(RwQueue)) -> Result<RwProgress, Refusal> {
        if self.writer == me {
            return Err(Refusal::AlreadyOwned);
        }
        self.come_to_read(wake)
    }

    fn come_to_read(&mut self, mut wake: impl FnMut(RwQueue)) -> Result<RwProgress, Refusal> {
        let waits_for_readers = !self.writing && self.claimed && self.readers > 0;
        if self.kind == PREFER_WRITER_NONRECURSIVE && waits_for_readers {
            self.held_back = true;
            return Ok(Waits(RwQueue::Readers));
        }
        self.readers = self.readers.checked_add(1).ok_or(Refusal::TooMany)?;
        if self.writing && self.claimed {
            return Ok(Waits(RwQueue::Phase));
        }
        if self.writing {
            self.writing = false;
            wake(RwQueue::Phase);
        }
        Ok(Acquired)
    }

    /// A reader was woken.
    pub fn go_on_reading(
        &mut self,
        queue: RwQueue,
        wake: impl FnMut(RwQueue),
    ) -> Result<RwProgress, Refusal> {
        match queue {
            RwQueue::Readers if self.held_back => Ok(Waits(queue)),
            RwQueue::Readers => self.come_to_read(wake),
            _ if self.writing => Ok(Waits(queue)),
            _ => Ok(Acquired),
        }
    }

    /// The time of a reader is over. True: it has the lock all the same.
    pub fn stop_reading(&mut self, queue: RwQueue) -> bool {
        match queue {
            RwQueue::Readers => false,
            _ if self.writing => {
                self.readers -= 1;
                false
            }
            _ => true,
        }
    }

    /// A writer comes.
    pub fn write(&mut self, me: u32) -> Result<RwProgress, Refusal> {
        if self.writer == me {
            return Err(Refusal::AlreadyOwned);
        }
        if self.claimed {
            self.writers += u32::from(self.prefers_writers());
            return Ok(self.queue_up(me, false));
        }
        self.claimed = true;
        Ok(self.begin_to_write(me, false))
    }

    fn queue_up(&mut self, me: u32, has_waited: bool) -> RwProgress {
        let may_take = !self.claimed || self.passed_on;
        if !may_take {
            self.queue_is_used = true;
            return Waits(RwQueue::Writers);
        }
        self.writers -= u32::from(self.prefers_writers());
        (self.claimed, self.passed_on) = (true, false);
        // Others may have queued up beside it.
        self.begin_to_write(me, has_waited)
    }

    fn begin_to_write(&mut self, me: u32, queue_is_used: bool) -> RwProgress {
        self.queue_is_used = queue_is_used;
        self.writing |= self.readers == 0;
        self.write_in_phase(me)
    }

    fn write_in_phase(&mut self, me: u32) -> RwProgress {
        if !self.writing {
            return Waits(RwQueue::Phase);
        }
        self.writer = me;
        Acquired
    }

    /// A writer was woken.
    pub fn go_on_writing(&mut self, me: u32, queue: RwQueue) -> RwProgress {
        match queue {
            RwQueue::Writers => self.queue_up(me, true),
            _ => self.write_in_phase(me),
        }
    }

    /// The time of a writer is over. None: it has no part in the lock any more.
    pub fn stop_writing(
        &mut self,
        me: u32,
        queue: RwQueue,
        mut wake: impl FnMut(RwQueue),
    ) -> Option<RwProgress> {
        if queue == RwQueue::Writers {
            // Nobody else would take what was handed on.
            if self.passed_on && self.writers == 1 {
                return Some(self.queue_up(me, true));
            }
            self.writers -= u32::from(self.prefers_writers());
            return None;
        }
        if self.prefers_writers() && self.writers > 0 {
            self.pass_on(wake);
            return None;
        }
        if self.writing {
            return Some(self.write_in_phase(me));
        }
        self.claimed = false;
        self.call_a_writer(&mut wake);
        if std::mem::take(&mut self.held_back) {
            wake(RwQueue::Readers);
        }
        None
    }

    fn call_a_writer(&mut self, mut wake: impl FnMut(RwQueue)) {
        if std::mem::take(&mut self.queue_is_used) {
            wake(RwQueue::Writers);
        }
    }

    fn pass_on(&mut self, wake: impl FnMut(RwQueue)) {
        self.passed_on = true;
        self.call_a_writer(wake);
    }

    /// Reads if that needs no wait.
    pub fn try_read(&mut self, wake: impl FnMut(RwQueue)) -> Result<Grant, Refusal> {
        let comes_first = self.kind == PREFER_WRITER_NONRECURSIVE;
        if self.claimed && (self.writing || comes_first) {
            return Ok(Grant::Busy);
        }
        self.come_to_read(wake).map(|_| Grant::Acquired)
    }

    /// Writes if that needs no wait.
    pub fn try_write(&mut self, me: u32) -> Grant {
        let may_overtake = self.prefers_writers() && self.writing;
        if self.claimed || (self.readers > 0 && !may_overtake) {
            return Grant::Busy;
        }
        (self.claimed, self.writing, self.queue_is_used) = (true, true, false);
        self.writer = me;
        Grant::Acquired
    }

    /// Gives one lock back.
    pub fn unlock(&mut self, me: u32, wake: impl FnMut(RwQueue)) {
        if self.writer == me { self.stop_to_write(wake) } else { self.stop_to_read(wake) }
    }

    fn stop_to_write(&mut self, mut wake: impl FnMut(RwQueue)) {
        self.writer = 0;
        if self.prefers_writers() && self.writers > 0 {
            return self.pass_on(wake);
        }
        self.claimed = false;
        if self.readers > 0 {
            self.writing = false;
            wake(RwQueue::Phase);
        }
        self.call_a_writer(wake);
    }

    fn stop_to_read(&mut self, mut wake: impl FnMut(RwQueue)) {
        self.readers = self.readers.saturating_sub(1);
        if self.readers > 0 {
            return;
        }
        if self.claimed && !self.writing {
            self.writing = true;
            wake(RwQueue::Phase);
        }
        if std::mem::take(&mut self.held_back) {
            wake(RwQueue::Readers);
        }
    }
}
