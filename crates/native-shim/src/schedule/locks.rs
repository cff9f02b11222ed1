//! Locks as they lie in the program's memory.
//!
//! The layouts are glibc's on x86-64, so that static initialisers and its own `init` functions prepare them. Only one
//! thread runs at a time, hence plain words: no atomics, and nothing that another processor could see half-done.
//! `me` and owners are thread indices plus one; 0 is nobody. Waiters are known to the scheduler, not to the lock.
//!
//! A lock that becomes free belongs to nobody, as on Linux: whoever was woken for it takes it if it is still free when it
//! runs. Only mutexes with priority inheritance are handed to the waiter, as by the kernel's rt-mutex.

const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(offset_of!(Mutex, owner) == 8 && offset_of!(Mutex, kind) == 16);
    assert!(offset_of!(Barrier, count) == 8);
    assert!(size_of::<Guard>() == 8);
};

/// Whether a lock was free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// It is the caller's now.
    Acquired,
    /// Somebody else has it.
    Busy,
}

/// What came of unlocking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freed {
    /// It is still locked, by the same thread.
    No,
    /// It is free, and nobody is to be woken.
    Yes,
    /// It is free, and whoever is served first is to be woken.
    Wanted,
}

/// The call is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The caller has the lock already (EDEADLK).
    AlreadyOwned,
    /// The caller does not have the lock (EPERM).
    NotOwner,
    /// The count would not fit (EAGAIN, EOVERFLOW).
    TooMany,
}

/// `pthread_mutex_t`.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutex {
    /// [`FREE`], [`LOCKED`], or [`WANTED`] as well: then unlocking wakes somebody. As in glibc's `lowlevellock`, whose
    /// unlocking wakes nobody where a lock was taken before the one who was woken has run: that one still comes.
    lock: i32,
    count: u32,
    owner: u32,
    users: u32,
    kind: i32,
}

const FREE: i32 = 0;
const LOCKED: i32 = 1;
const WANTED: i32 = 2;
const RECURSIVE: i32 = 1;
const ERROR_CHECK: i32 = 2;
const KIND: i32 = 3;
/// PTHREAD_MUTEX_PRIO_INHERIT_NP of glibc.
const INHERITS: i32 = 0x20;

impl Mutex {
    /// A mutex of a kind: 0 normal, 1 recursive, 2 error-checking, 3 adaptive, as in `PTHREAD_MUTEX_*`.
    pub fn of_kind(kind: i32) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Takes the mutex if it is free, or the caller's and recursive.
    pub fn lock(&mut self, me: u32) -> Result<Grant, Refusal> {
        if self.lock == FREE {
            (self.lock, self.owner, self.count) = (LOCKED, me, 1);
            return Ok(Grant::Acquired);
        }
        match self.kind & KIND {
            RECURSIVE if self.owner == me => {
                self.count = self.count.checked_add(1).ok_or(Refusal::TooMany)?;
                Ok(Grant::Acquired)
            }
            ERROR_CHECK if self.owner == me => Err(Refusal::AlreadyOwned),
            _ => Ok(Grant::Busy),
        }
    }

    /// As [`lock`](Self::lock), but a mutex that the caller has already is merely busy.
    pub fn try_lock(&mut self, me: u32) -> Result<Grant, Refusal> {
        match self.lock(me) {
            Err(Refusal::AlreadyOwned) => Ok(Grant::Busy),
            other => other,
        }
    }

    /// Takes the mutex if it is free. Whether or not, unlocking it wakes somebody.
    pub fn lock_or_want(&mut self, me: u32) -> Grant {
        if std::mem::replace(&mut self.lock, WANTED) != FREE {
            return Grant::Busy;
        }
        (self.owner, self.count) = (me, 1);
        Grant::Acquired
    }

    /// As [`lock`](Self::lock), by a thread that comes from a condition: others may come with it, so unlocking wakes one.
    pub fn lock_again(&mut self, me: u32) -> Result<Grant, Refusal> {
        let grant = self.lock(me)?;
        if grant == Grant::Acquired && self.count == 1 {
            self.lock = WANTED;
        }
        Ok(grant)
    }

    /// Undoes one lock. Who owns a normal mutex is not looked at: programs use them as signals, locked by one thread and
    /// unlocked by another.
    pub fn unlock(&mut self, me: u32) -> Result<Freed, Refusal> {
        match self.kind & KIND {
            RECURSIVE | ERROR_CHECK if self.owner != me => return Err(Refusal::NotOwner),
            RECURSIVE if self.count > 1 => {
                self.count -= 1;
                return Ok(Freed::No);
            }
            _ => {}
        }
        (self.owner, self.count) = (0, 0);
        match std::mem::replace(&mut self.lock, FREE) {
            WANTED => Ok(Freed::Wanted),
            _ => Ok(Freed::Yes),
        }
    }

    /// Hands the free mutex over.
    pub fn give(&mut self, to: u32) {
        (self.lock, self.owner, self.count) = (WANTED, to, 1);
    }

    /// Who has it.
    pub fn owner(&self) -> u32 {
        self.owner
    }

    /// Whether who waits for it lends its priority (PTHREAD_PRIO_INHERIT).
    pub fn inherits(&self) -> bool {
        self.kind & INHERITS != 0
    }
}

/// `sem_t`.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Semaphore {
    value: u32,
}

impl Semaphore {
    /// A semaphore with a value.
    pub fn new(value: u32) -> Self {
        Self { value }
    }

    /// Takes one if there is one.
    pub fn take(&mut self) -> Grant {
        if self.value == 0 {
            return Grant::Busy;
        }
        self.value -= 1;
        Grant::Acquired
    }

    /// Adds one.
    pub fn post(&mut self) -> Result<(), Refusal> {
        if self.value >= i32::MAX as u32 {
            return Err(Refusal::TooMany);
        }
        self.value += 1;
        Ok(())
    }

    /// How many there are.
    pub fn value(&self) -> u32 {
        self.value
    }
}

/// `pthread_barrier_t`.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barrier {
    arrived: u32,
    round: u32,
    count: u32,
}

impl Barrier {
    /// A barrier for `count` threads.
    pub fn new(count: u32) -> Self {
        Self { arrived: 0, round: 0, count }
    }

    /// One more is there. True: it is the last, and all go on.
    pub fn arrive(&mut self) -> bool {
        self.arrived += 1;
        if self.arrived < self.count {
            return false;
        }
        self.arrived = 0;
        self.round = self.round.wrapping_add(1);
        true
    }

    /// How often all were there.
    pub fn round(&self) -> u32 {
        self.round
    }
}

/// `pthread_spinlock_t`: 1 is free, as glibc has it on x86.
#[repr(C)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpinLock {
    word: i32,
}

impl Default for SpinLock {
    fn default() -> Self {
        Self { word: 1 }
    }
}

impl SpinLock {
    /// Takes the lock if it is free.
    pub fn lock(&mut self) -> Grant {
        if self.word != 1 {
            return Grant::Busy;
        }
        self.word = 0;
        Grant::Acquired
    }

    /// Frees it.
    pub fn unlock(&mut self) {
        self.word = 1;
    }
}

/// `pthread_once_t`.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Once {
    word: i32,
}

const ONCE_RUNNING: i32 = 1;
const ONCE_DONE: i32 = 2;

impl Once {
    /// None: it is done. Otherwise whether the caller is to run it, or to wait.
    pub fn begin(&mut self) -> Option<Grant> {
        match self.word {
            ONCE_DONE => None,
            ONCE_RUNNING => Some(Grant::Busy),
            _ => {
                self.word = ONCE_RUNNING;
                Some(Grant::Acquired)
            }
        }
    }

    /// The initialiser came back, or was left by an exception.
    pub fn end(&mut self, done: bool) {
        self.word = if done { ONCE_DONE } else { 0 };
    }
}

/// The guard of a function's static variable: its first byte is looked at by compiled code.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    done: u8,
    running: u8,
    unused: u16,
    owner: u32,
}

impl Guard {
    /// None: it is done. Otherwise whether the caller is to initialise, or to wait.
    pub fn begin(&mut self, me: u32) -> Option<Grant> {
        if self.done != 0 {
            return None;
        }
        if self.running != 0 {
            return Some(Grant::Busy);
        }
        (self.running, self.owner) = (1, me);
        Some(Grant::Acquired)
    }

    /// The initialiser came back, or was left by an exception.
    pub fn end(&mut self, done: bool) {
        (self.done, self.running, self.owner) = (u8::from(done), 0, 0);
    }

    /// Who initialises.
    pub fn owner(&self) -> u32 {
        self.owner
    }
}
