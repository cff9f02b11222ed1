//! Read-write locks: the rules are data (`crate::schedule::RwLock`), the waits are here.

use super::locks::{begin, errno_of, me};
use super::{clocks, engine, state};
use crate::schedule::{Grant, Refusal, RwLock, RwProgress, RwQueue, Wait, Wake};
use libc::{c_int, timespec};

/// Lets those of a queue look again.
fn waker(lock: *mut RwLock) -> impl FnMut(RwQueue) {
    move |queue| {
        let on = Wait::RwLock(lock as u64, queue);
        match queue {
            RwQueue::Writers => {
                state().scheduler.wake_first(on);
            }
            RwQueue::Phase | RwQueue::Readers => state().scheduler.wake_all(on),
        }
    }
}

unsafe fn read_until(lock: *mut RwLock, deadline: Option<u64>) -> c_int {
    let mut progress = (*lock).read(me(), waker(lock));
    loop {
        engine::preempt_if_due();
        let queue = match progress {
            Ok(RwProgress::Acquired) => return 0,
            Ok(RwProgress::Waits(queue)) => queue,
            Err(refusal) => return errno_of(refusal),
        };
        let woken = engine::block(Wait::RwLock(lock as u64, queue), deadline);
        if woken == Wake::TimedOut {
            return if (*lock).stop_reading(queue) { 0 } else { libc::ETIMEDOUT };
        }
        progress = (*lock).go_on_reading(queue, waker(lock));
    }
}

unsafe fn write_until(lock: *mut RwLock, deadline: Option<u64>) -> c_int {
    let mut progress = match (*lock).write(me()) {
        Ok(progress) => progress,
        Err(refusal) => return errno_of(refusal),
    };
    while let RwProgress::Waits(queue) = progress {
        let woken = engine::block(Wait::RwLock(lock as u64, queue), deadline);
        if woken != Wake::TimedOut {
            progress = (*lock).go_on_writing(me(), queue);
            continue;
        }
        let goes_on = (*lock).stop_writing(me(), queue, waker(lock));
        engine::preempt_if_due();
        match goes_on {
            Some(further) => progress = further,
            None => return libc::ETIMEDOUT,
        }
    }
    0
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
    engine::preempt_if_due();
    match grant {
        Ok(Grant::Acquired) => 0,
        Ok(Grant::Busy) => libc::EBUSY,
        Err(refusal) => errno_of(refusal),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_tryrdlock(lock: *mut RwLock) -> c_int {
    begin();
    tried((*lock).try_read(waker(lock)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_trywrlock(lock: *mut RwLock) -> c_int {
    begin();
    tried(Ok((*lock).try_write(me())))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_unlock(lock: *mut RwLock) -> c_int {
    begin();
    (*lock).unlock(me(), waker(lock));
    engine::preempt_if_due();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_destroy(_: *mut RwLock) -> c_int {
    0
}
