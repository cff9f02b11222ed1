//! Mutexes, barriers and read-write locks.
//!
//! The locks themselves lie in the program's memory, prepared by libc's own `init` functions or static initialisers
//! (`crate::schedule`). A lock that becomes free is handed to the waiter that is served first.

use super::{clocks, engine, ready, state};
use crate::schedule::{Barrier, Grant, Mutex, Refusal, RwLock, ThreadId, Wait, Wake};
use libc::{c_int, timespec};

pub fn me() -> u32 {
    state().current as u32 + 1
}

pub fn begin() {
    ready();
    engine::call();
}

fn errno_of(refusal: Refusal) -> c_int {
    match refusal {
        Refusal::AlreadyOwned => libc::EDEADLK,
        Refusal::NotOwner => libc::EPERM,
        Refusal::TooMany => libc::EAGAIN,
    }
}

/// Takes a lock, or waits until it is given. A handler of a signal does not end the wait, but the lock may have become
/// free while it ran: then it was given to nobody.
fn acquire(
    mut lock: impl FnMut() -> Result<Grant, Refusal>,
    wait: impl Fn() -> Wait,
    deadline: Option<u64>,
) -> c_int {
    loop {
        match lock() {
            Ok(Grant::Acquired) => return 0,
            Err(refusal) => return errno_of(refusal),
            Ok(Grant::Busy) => {}
        }
        match engine::block(wait(), deadline) {
            Wake::Given => return 0,
            Wake::TimedOut => return libc::ETIMEDOUT,
            Wake::Interrupted => {}
        }
    }
}

pub unsafe fn lock_until(mutex: *mut Mutex, deadline: Option<u64>) -> c_int {
    acquire(|| (*mutex).lock(me()), || lent_wait(mutex), deadline)
}

/// The wait for a mutex that somebody has, who inherits the waiter's priority if the mutex is of that protocol.
pub unsafe fn lent_wait(mutex: *const Mutex) -> Wait {
    if (*mutex).inherits() {
        state().scheduler.lend(mutex as u64, (*mutex).owner() as ThreadId - 1);
    }
    Wait::Mutex(mutex as u64)
}

/// A free mutex goes to the waiter that is served first.
pub unsafe fn hand_on(mutex: *mut Mutex) {
    if let Some(next) = state().scheduler.pass_on(mutex as u64) {
        let waits = state().threads[next].condition.filter(|wait| wait.mutex == mutex as u64);
        let count = waits.map_or(1, |wait| wait.count);
        (*mutex).give(next as u32 + 1, count);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_lock(mutex: *mut Mutex) -> c_int {
    if !ready() {
        return 0;
    }
    engine::call();
    lock_until(mutex, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_trylock(mutex: *mut Mutex) -> c_int {
    begin();
    match (*mutex).try_lock(me()) {
        Ok(Grant::Acquired) => 0,
        Ok(Grant::Busy) => libc::EBUSY,
        Err(refusal) => errno_of(refusal),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_timedlock(
    mutex: *mut Mutex,
    until: *const timespec,
) -> c_int {
    pthread_mutex_clocklock(mutex, libc::CLOCK_REALTIME, until)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_clocklock(
    mutex: *mut Mutex,
    clock: c_int,
    until: *const timespec,
) -> c_int {
    begin();
    match clocks::deadline(clock, until) {
        Ok(deadline) => lock_until(mutex, deadline),
        Err(error) => error,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_unlock(mutex: *mut Mutex) -> c_int {
    if !ready() {
        return 0;
    }
    engine::call();
    match (*mutex).unlock(me()) {
        Err(refusal) => errno_of(refusal),
        Ok(false) => 0,
        Ok(true) => {
            hand_on(mutex);
            engine::preempt_if_due();
            0
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_destroy(mutex: *mut Mutex) -> c_int {
    if (*mutex).owner() != 0 { libc::EBUSY } else { 0 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_consistent(_: *mut Mutex) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_barrier_wait(barrier: *mut Barrier) -> c_int {
    begin();
    if (*barrier).arrive() {
        state().scheduler.wake_all(Wait::Barrier(barrier as u64));
        engine::preempt_if_due();
        return libc::PTHREAD_BARRIER_SERIAL_THREAD;
    }
    let round = (*barrier).round();
    loop {
        // Who is woken by the last one does not look: the barrier may be gone by then.
        let woken = engine::block(Wait::Barrier(barrier as u64), None);
        if woken != Wake::Interrupted || (*barrier).round() != round {
            return 0;
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_barrier_destroy(_: *mut Barrier) -> c_int {
    0
}

fn writer_waits(at: u64) -> bool {
    state().scheduler.first_waiter(|wait| wait == Wait::WriteLock(at)).is_some()
}

unsafe fn read_until(lock: *mut RwLock, deadline: Option<u64>) -> c_int {
    let at = lock as u64;
    acquire(|| (*lock).read(me(), writer_waits(at)), || Wait::ReadLock(at), deadline)
}

unsafe fn write_until(lock: *mut RwLock, deadline: Option<u64>) -> c_int {
    acquire(|| (*lock).write(me()), || Wait::WriteLock(lock as u64), deadline)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_rdlock(lock: *mut RwLock) -> c_int {
    begin();
    read_until(lock, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_wrlock(lock: *mut RwLock) -> c_int {
    begin();
    write_until(lock, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_clockrdlock(
    lock: *mut RwLock,
    clock: c_int,
    until: *const timespec,
) -> c_int {
    begin();
    clocks::deadline(clock, until).map_or_else(|error| error, |deadline| read_until(lock, deadline))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_clockwrlock(
    lock: *mut RwLock,
    clock: c_int,
    until: *const timespec,
) -> c_int {
    begin();
    clocks::deadline(clock, until)
        .map_or_else(|error| error, |deadline| write_until(lock, deadline))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_timedrdlock(
    lock: *mut RwLock,
    until: *const timespec,
) -> c_int {
    pthread_rwlock_clockrdlock(lock, libc::CLOCK_REALTIME, until)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_timedwrlock(
    lock: *mut RwLock,
    until: *const timespec,
) -> c_int {
    pthread_rwlock_clockwrlock(lock, libc::CLOCK_REALTIME, until)
}

fn tried(grant: Result<Grant, Refusal>) -> c_int {
    match grant {
        Ok(Grant::Acquired) => 0,
        Ok(Grant::Busy) | Err(Refusal::AlreadyOwned) => libc::EBUSY,
        Err(refusal) => errno_of(refusal),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_tryrdlock(lock: *mut RwLock) -> c_int {
    begin();
    tried((*lock).read(me(), writer_waits(lock as u64)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_trywrlock(lock: *mut RwLock) -> c_int {
    begin();
    tried((*lock).write(me()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_unlock(lock: *mut RwLock) -> c_int {
    begin();
    if (*lock).unlock() {
        admit(lock);
        engine::preempt_if_due();
    }
    0
}

/// A free lock goes to the waiter that is served first; if that one reads, to all who wait to read.
unsafe fn admit(lock: *mut RwLock) {
    let at = lock as u64;
    let first: Option<ThreadId> = state()
        .scheduler
        .first_waiter(|wait| wait == Wait::ReadLock(at) || wait == Wait::WriteLock(at));
    let Some(first) = first else { return };
    if state().scheduler.waits_for(first) == Some(Wait::WriteLock(at)) {
        let _ = (*lock).write(first as u32 + 1);
        state().scheduler.wake(first, Wake::Given);
        return;
    }
    while let Some(reader) = state().scheduler.wake_first(Wait::ReadLock(at)) {
        let _ = (*lock).read(reader as u32 + 1, false);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_destroy(_: *mut RwLock) -> c_int {
    0
}
