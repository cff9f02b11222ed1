//! Mutexes, conditions, barriers and read-write locks.
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

unsafe fn lock_until(mutex: *mut Mutex, deadline: Option<u64>) -> c_int {
    match (*mutex).lock(me()) {
        Ok(Grant::Acquired) => 0,
        Err(refusal) => errno_of(refusal),
        Ok(Grant::Busy) => match engine::block_through_signals(Wait::Mutex(mutex as u64), deadline)
        {
            Wake::TimedOut => libc::ETIMEDOUT,
            _ => 0,
        },
    }
}

/// A free mutex goes to the waiter that is served first.
unsafe fn hand_on(mutex: *mut Mutex) {
    if let Some(next) = state().scheduler.wake_first(Wait::Mutex(mutex as u64)) {
        let (waited_with, count) = state().threads[next].condition_mutex;
        let count = if waited_with == mutex as u64 { count } else { 1 };
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

/// `pthread_cond_t`, of which only the clock matters: bit 1 of the word at offset 36 is set by `pthread_cond_init` for
/// CLOCK_MONOTONIC.
#[repr(C)]
pub struct Condition {
    unused: [u32; 9],
    flags: u32,
}

unsafe fn wait_until(condition: *mut Condition, mutex: *mut Mutex, deadline: Option<u64>) -> c_int {
    let current = state().current;
    if (*mutex).owner() != 0 && (*mutex).owner() != me() && (*mutex).clone().unlock(me()).is_err() {
        return libc::EPERM;
    }
    let count = (*mutex).release();
    state().threads[current].condition_mutex = (mutex as u64, count);
    hand_on(mutex);
    // A signaller gives the mutex along with the wake-up, or leaves us waiting for it. Otherwise it is ours to take.
    let woken = engine::block(Wait::Condition(condition as u64), deadline);
    state().threads[current].condition_mutex = (0, 0);
    if woken != Wake::Given {
        lock_until(mutex, None);
        (*mutex).restore(count);
    }
    if woken == Wake::TimedOut { libc::ETIMEDOUT } else { 0 }
}

/// The waiter gets its mutex back at once if it is free, else it waits for that.
unsafe fn signal_one(condition: *mut Condition) -> bool {
    let on = Wait::Condition(condition as u64);
    let Some(waiter) = state().scheduler.first_waiter(|wait| wait == on) else { return false };
    let (mutex, count) = state().threads[waiter].condition_mutex;
    let lock = mutex as *mut Mutex;
    if (*lock).owner() == 0 {
        (*lock).give(waiter as u32 + 1, count);
        state().scheduler.wake(waiter, Wake::Given);
    } else {
        state().scheduler.requeue(waiter, Wait::Mutex(mutex));
    }
    true
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_wait(condition: *mut Condition, mutex: *mut Mutex) -> c_int {
    begin();
    wait_until(condition, mutex, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_timedwait(
    condition: *mut Condition,
    mutex: *mut Mutex,
    until: *const timespec,
) -> c_int {
    let clock =
        if (*condition).flags & 2 != 0 { libc::CLOCK_MONOTONIC } else { libc::CLOCK_REALTIME };
    pthread_cond_clockwait(condition, mutex, clock, until)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_clockwait(
    condition: *mut Condition,
    mutex: *mut Mutex,
    clock: c_int,
    until: *const timespec,
) -> c_int {
    begin();
    match clocks::deadline(clock, until) {
        Ok(deadline) => wait_until(condition, mutex, deadline),
        Err(error) => error,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_signal(condition: *mut Condition) -> c_int {
    begin();
    signal_one(condition);
    engine::preempt_if_due();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_broadcast(condition: *mut Condition) -> c_int {
    begin();
    while signal_one(condition) {}
    engine::preempt_if_due();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_destroy(_: *mut Condition) -> c_int {
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
    engine::block_through_signals(Wait::Barrier(barrier as u64), None);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_barrier_destroy(_: *mut Barrier) -> c_int {
    0
}

fn writer_waits(at: u64) -> bool {
    state().scheduler.first_waiter(|wait| wait == Wait::WriteLock(at)).is_some()
}

unsafe fn read_until(lock: *mut RwLock, deadline: Option<u64>) -> c_int {
    match (*lock).read(me(), writer_waits(lock as u64)) {
        Ok(Grant::Acquired) => 0,
        Err(refusal) => errno_of(refusal),
        Ok(Grant::Busy) => {
            timed(engine::block_through_signals(Wait::ReadLock(lock as u64), deadline))
        }
    }
}

unsafe fn write_until(lock: *mut RwLock, deadline: Option<u64>) -> c_int {
    match (*lock).write(me()) {
        Ok(Grant::Acquired) => 0,
        Err(refusal) => errno_of(refusal),
        Ok(Grant::Busy) => {
            timed(engine::block_through_signals(Wait::WriteLock(lock as u64), deadline))
        }
    }
}

fn timed(woken: Wake) -> c_int {
    if woken == Wake::TimedOut { libc::ETIMEDOUT } else { 0 }
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
