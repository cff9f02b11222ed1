//! Semaphores and spin locks.

use super::locks::begin;
use super::{clocks, engine, state, sys};
use crate::schedule::{Grant, Semaphore, SpinLock, Wait, Wake};
use libc::{c_int, timespec};

unsafe fn take_until(semaphore: *mut Semaphore, deadline: Option<u64>) -> c_int {
    if (*semaphore).take() == Grant::Acquired {
        return 0;
    }
    loop {
        match engine::block(Wait::Semaphore(semaphore as u64), deadline) {
            Wake::Given => return 0,
            Wake::TimedOut => return sys::fail(libc::ETIMEDOUT) as c_int,
            Wake::Interrupted if !super::signals::call_goes_on() => {
                return sys::fail(libc::EINTR) as c_int;
            }
            // Somebody may have posted while the handler ran.
            Wake::Interrupted if (*semaphore).take() == Grant::Acquired => return 0,
            Wake::Interrupted => {}
        }
    }
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
    if state().scheduler.wake_first(Wait::Semaphore(semaphore as u64)).is_none() {
        if (*semaphore).post().is_err() {
            return sys::fail(libc::EOVERFLOW) as c_int;
        }
        return 0;
    }
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
        if engine::block(Wait::Spin(lock as u64), None) == Wake::Given {
            break;
        }
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
    // A waiter takes the lock as it is: it stays taken.
    if state().scheduler.wake_first(Wait::Spin(lock as u64)).is_none() {
        (*lock).unlock();
    }
    engine::preempt_if_due();
    0
}
