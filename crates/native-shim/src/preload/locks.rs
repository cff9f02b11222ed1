//! Mutexes and barriers.
//!
//! The locks themselves lie in the program's memory, prepared by libc's own `init` functions or static initialisers
//! (`crate::schedule`). Who is woken for a mutex looks whether it is still free; one with priority inheritance is handed
//! to the waiter that is served first.

use super::{clocks, engine, ready, state};
use crate::schedule::{Barrier, Freed, Grant, Mutex, Refusal, ThreadId, Wait, Wake};
use libc::{c_int, timespec};

pub fn me() -> u32 {
    state().current as u32 + 1
}

pub fn begin() {
    ready();
    engine::call();
}

pub fn errno_of(refusal: Refusal) -> c_int {
    match refusal {
        Refusal::AlreadyOwned => libc::EDEADLK,
        Refusal::NotOwner => libc::EPERM,
        Refusal::TooMany => libc::EAGAIN,
    }
}

/// What a deadline is, or the error with which a wait for it would begin.
type Deadline = Result<Option<u64>, c_int>;

unsafe fn lock_until(mutex: *mut Mutex, deadline: Deadline) -> c_int {
    match (*mutex).lock(me()) {
        Ok(Grant::Acquired) => 0,
        Ok(Grant::Busy) => wait_for(mutex, deadline),
        Err(refusal) => errno_of(refusal),
    }
}

/// Locks a mutex after a wait for a condition.
pub unsafe fn lock_again(mutex: *mut Mutex) -> c_int {
    match (*mutex).lock_again(me()) {
        Ok(Grant::Acquired) => 0,
        Ok(Grant::Busy) => wait_for(mutex, Ok(None)),
        Err(refusal) => errno_of(refusal),
    }
}

/// Waits for a mutex that somebody has.
unsafe fn wait_for(mutex: *mut Mutex, deadline: Deadline) -> c_int {
    if (*mutex).inherits() {
        return wait_and_lend(mutex, deadline);
    }
    while (*mutex).lock_or_want(me()) == Grant::Busy {
        let deadline = match deadline {
            Ok(deadline) => deadline,
            Err(error) => return error,
        };
        if engine::block(Wait::Mutex(mutex as u64), deadline) == Wake::TimedOut {
            return libc::ETIMEDOUT;
        }
    }
    0
}

/// As [`wait_for`]; the owner inherits the priority, and gives the mutex when it unlocks. A handler of a signal does not
/// end the wait, but the mutex may have become free while it ran: then it was given to nobody.
unsafe fn wait_and_lend(mutex: *mut Mutex, deadline: Deadline) -> c_int {
    let deadline = match deadline {
        Ok(deadline) => deadline,
        Err(error) => return error,
    };
    loop {
        state().scheduler.lend(mutex as u64, (*mutex).owner() as ThreadId - 1);
        match engine::block(Wait::Mutex(mutex as u64), deadline) {
            Wake::Given => return 0,
            Wake::TimedOut => return libc::ETIMEDOUT,
            Wake::Interrupted => {}
        }
        if (*mutex).lock(me()) == Ok(Grant::Acquired) {
            return 0;
        }
    }
}

/// Unlocks; who is woken by it runs later.
pub unsafe fn unlock(mutex: *mut Mutex) -> c_int {
    let inherits = (*mutex).inherits();
    let freed = match (*mutex).unlock(me()) {
        Ok(freed) => freed,
        Err(refusal) => return errno_of(refusal),
    };
    let at = mutex as u64;
    match freed {
        Freed::No => {}
        _ if inherits => {
            if let Some(next) = state().scheduler.pass_on(at) {
                (*mutex).give(next as u32 + 1);
            }
        }
        Freed::Yes => {}
        // The mutex may be gone as soon as it is free: only its address counts.
        Freed::Wanted => {
            state().scheduler.wake_first(Wait::Mutex(at));
        }
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_lock(mutex: *mut Mutex) -> c_int {
    if !ready() {
        return 0;
    }
    engine::call();
    lock_until(mutex, Ok(None))
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
    lock_until(mutex, clocks::deadline(clock, until))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_unlock(mutex: *mut Mutex) -> c_int {
    if !ready() {
        return 0;
    }
    engine::call();
    let failed = unlock(mutex);
    engine::preempt_if_due();
    failed
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
