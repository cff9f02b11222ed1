//! Semaphores and spin locks.

use super::locks::begin;
use super::{clocks, engine, state, sys};
use crate::schedule::{Grant, Semaphore, SpinLock, Wait, Wake};
use libc::{c_int, timespec};

unsafe fn take_until(semaphore: *mut Semaphore, deadline: Option<u64>) -> c_int {
    while (*semaphore).take() == Grant::Busy {
        match engine::block(Wait::Semaphore(semaphore as u64), deadline) {
            // Somebody else may have taken it before.
            Wake::Given => {}
            Wake::TimedOut => return sys::fail(libc::ETIMEDOUT) as c_int,
            Wake::Interrupted if super::signals::call_goes_on() => {}
            Wake::Interrupted => return sys::fail(libc::EINTR) as c_int,
        }
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_wait(semaphore: *mut Semaphore) -> c_int {
    begin();
    take_until(semaphore, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_trywait(semaphore: *mut Semaphore) -> c_int {
    begin();
    if (*semaphore).take() == Grant::Acquired { 0 } else { sys::fail(libc::EAGAIN) as c_int }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_timedwait(semaphore: *mut Semaphore, until: *const timespec) -> c_int {
    sem_clockwait(semaphore, libc::CLOCK_REALTIME, until)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_clockwait(
    semaphore: *mut Semaphore,
    clock: c_int,
    until: *const timespec,
) -> c_int {
    begin();
    match clocks::deadline(clock, until) {
        Ok(deadline) => take_until(semaphore, deadline),
        Err(error) => sys::fail(error) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_post(semaphore: *mut Semaphore) -> c_int {
    begin();
    if (*semaphore).post().is_err() {
        return sys::fail(libc::EOVERFLOW) as c_int;
    }
    state().scheduler.wake_first(Wait::Semaphore(semaphore as u64));
    engine::preempt_if_due();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_getvalue(semaphore: *mut Semaphore, value: *mut c_int) -> c_int {
    begin();
    *value = (*semaphore).value() as c_int;
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_lock(lock: *mut SpinLock) -> c_int {
    begin();
    while (*lock).lock() == Grant::Busy {
        engine::block(Wait::Spin(lock as u64), None);
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_trylock(lock: *mut SpinLock) -> c_int {
    begin();
    if (*lock).lock() == Grant::Acquired { 0 } else { libc::EBUSY }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_unlock(lock: *mut SpinLock) -> c_int {
    begin();
    (*lock).unlock();
    // All of them look at the lock all the time.
    state().scheduler.wake_all(Wait::Spin(lock as u64));
    engine::preempt_if_due();
    0
}
