//! Condition variables.

use super::locks::{begin, hand_on, lent_wait, lock_until, me};
use super::{clocks, engine, state};
use crate::schedule::{Mutex, Wait, Wake};
use libc::{c_int, pthread_condattr_t, timespec};

/// `pthread_cond_t`. Who waits is known to the scheduler; in the memory of the program is the clock only. A static
/// initialiser is all zeros.
#[repr(C)]
pub struct Condition {
    is_monotonic: u32,
    unused: [u32; 11],
}

const _: () = assert!(size_of::<Condition>() == size_of::<libc::pthread_cond_t>());

/// A thread's wait for a condition, from letting go of the mutex until it is to have it again.
#[derive(Clone, Copy)]
pub struct ConditionWait {
    condition: u64,
    pub mutex: u64,
    /// How often the thread had locked the mutex.
    pub count: u32,
    is_signalled: bool,
}

/// libc keeps the clock where the program cannot know it, and not in the same place in all versions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_init(
    condition: *mut Condition,
    attributes: *const pthread_condattr_t,
) -> c_int {
    let mut clock = libc::CLOCK_REALTIME;
    if !attributes.is_null() {
        libc::pthread_condattr_getclock(attributes, &mut clock);
    }
    let is_monotonic = u32::from(clock == libc::CLOCK_MONOTONIC);
    *condition = Condition { is_monotonic, unused: [0; 11] };
    0
}

unsafe fn wait_until(condition: *mut Condition, mutex: *mut Mutex, deadline: Option<u64>) -> c_int {
    let current = state().current;
    if (*mutex).owner() != 0 && (*mutex).owner() != me() && (*mutex).clone().unlock(me()).is_err() {
        return libc::EPERM;
    }
    let count = (*mutex).release();
    let (at, locked) = (condition as u64, mutex as u64);
    let wait = ConditionWait { condition: at, mutex: locked, count, is_signalled: false };
    let outer = state().threads[current].condition.replace(wait);
    hand_on(mutex);
    let woken = loop {
        // A signaller gives the mutex along with the wake-up, or leaves us waiting for it. Otherwise it is ours to take.
        let woken = engine::block(Wait::Condition(at), deadline);
        let is_signalled = state().threads[current].condition.is_some_and(|wait| wait.is_signalled);
        // In glibc a handler of a signal does not end the wait; only the condition, or time, does.
        if woken != Wake::Interrupted || is_signalled {
            break woken;
        }
    };
    state().threads[current].condition = outer;
    if woken != Wake::Given {
        lock_until(mutex, None);
        (*mutex).restore(count);
    }
    if woken == Wake::TimedOut { libc::ETIMEDOUT } else { 0 }
}

/// The waiter gets its mutex back at once if it is free, else it waits for that. Where the only waiters are those whose
/// handlers run, one of these goes on when its handler is over.
unsafe fn signal_one(condition: *mut Condition) -> bool {
    let at = condition as u64;
    let threads = &mut state().threads;
    let waiter = state().scheduler.first_waiter(|wait| wait == Wait::Condition(at));
    let is_meant = |wait: &ConditionWait| wait.condition == at && !wait.is_signalled;
    let waits = match waiter {
        Some(waiter) => threads[waiter].condition.as_mut(),
        None => {
            threads.iter_mut().filter_map(|thread| thread.condition.as_mut()).find(|w| is_meant(w))
        }
    };
    let Some(wait) = waits else { return false };
    wait.is_signalled = true;
    if let Some(waiter) = waiter {
        let lock = wait.mutex as *mut Mutex;
        if (*lock).owner() == 0 {
            (*lock).give(waiter as u32 + 1, wait.count);
            state().scheduler.wake(waiter, Wake::Given);
        } else {
            state().scheduler.requeue(waiter, lent_wait(lock));
        }
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
    let clock = match (*condition).is_monotonic {
        0 => libc::CLOCK_REALTIME,
        _ => libc::CLOCK_MONOTONIC,
    };
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
