//! Condition variables: the rules are data (`crate::schedule::Condition`), the waits are here.

use super::locks::{begin, lock_again, unlock};
use super::{clocks, engine, state};
use crate::schedule::{Condition, Mutex, Wait, Wake};
use libc::{c_int, pthread_condattr_t, timespec};

const _: () = assert!(size_of::<Condition>() == size_of::<libc::pthread_cond_t>());

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
    condition.write(Condition::new(clock == libc::CLOCK_MONOTONIC));
    0
}

unsafe fn wait_until(condition: *mut Condition, mutex: *mut Mutex, deadline: Option<u64>) -> c_int {
    let group = (*condition).arrive();
    let mut failed = unlock(mutex);
    if failed != 0 {
        give_up(condition, group);
        leave(condition);
        return failed;
    }
    // Whoever waited for the mutex may signal at once.
    engine::preempt_if_due();
    // In glibc a handler of a signal does not end the wait; only the condition, or time, does.
    while !(*condition).goes_on(group) {
        if engine::block(Wait::Condition(condition as u64, group), deadline) == Wake::TimedOut {
            give_up(condition, group);
            failed = libc::ETIMEDOUT;
            break;
        }
    }
    leave(condition);
    match lock_again(mutex) {
        0 => failed,
        error => error,
    }
}

unsafe fn give_up(condition: *mut Condition, group: u32) {
    if (*condition).give_up(group) {
        wake_everybody(condition);
        engine::preempt_if_due();
    }
}

unsafe fn leave(condition: *mut Condition) {
    if (*condition).leave() {
        state().scheduler.wake_all(Wait::ConditionEnd(condition as u64));
        engine::preempt_if_due();
    }
}

unsafe fn wake_everybody(condition: *mut Condition) {
    while let Some(group) = (*condition).broadcast() {
        state().scheduler.wake_all(Wait::Condition(condition as u64, group));
    }
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
    let clock = match (*condition).is_monotonic() {
        false => libc::CLOCK_REALTIME,
        true => libc::CLOCK_MONOTONIC,
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
    if let Some(group) = (*condition).signal() {
        state().scheduler.wake_first(Wait::Condition(condition as u64, group));
        engine::preempt_if_due();
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_broadcast(condition: *mut Condition) -> c_int {
    begin();
    wake_everybody(condition);
    engine::preempt_if_due();
    0
}

/// Waits, as in glibc, until all who were woken have gone on: the memory may be another's afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_destroy(condition: *mut Condition) -> c_int {
    begin();
    while (*condition).is_used() {
        engine::block(Wait::ConditionEnd(condition as u64), None);
    }
    0
}
