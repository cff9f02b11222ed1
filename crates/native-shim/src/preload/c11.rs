//! The threads of C11, which are those of POSIX under other names: the same memory, other answers.

use super::conditions;
use super::locks;
use super::{priorities, threads};
use crate::schedule::{Condition, Mutex, Once};
use libc::{c_int, c_void, pthread_t, timespec};

const SUCCESS: c_int = 0;
const BUSY: c_int = 1;
const ERROR: c_int = 2;
const NO_MEMORY: c_int = 3;
const TIMED_OUT: c_int = 4;

fn answer(failed: c_int) -> c_int {
    match failed {
        0 => SUCCESS,
        libc::EBUSY => BUSY,
        libc::ENOMEM | libc::EAGAIN => NO_MEMORY,
        libc::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

// A thread's function returns a number here and a pointer there; both come back in one register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_create(
    handle: *mut pthread_t,
    start: threads::Start,
    argument: *mut c_void,
) -> c_int {
    answer(threads::pthread_create(handle, std::ptr::null(), start, argument))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_join(handle: pthread_t, result: *mut c_int) -> c_int {
    let mut value = std::ptr::null_mut();
    let failed = threads::pthread_join(handle, &mut value);
    if failed == 0 && !result.is_null() {
        *result = value as usize as c_int;
    }
    answer(failed)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_detach(handle: pthread_t) -> c_int {
    answer(threads::pthread_detach(handle))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_exit(result: c_int) -> ! {
    threads::pthread_exit(result as usize as *mut c_void)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_yield() {
    priorities::sched_yield();
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_lock(mutex: *mut Mutex) -> c_int {
    answer(locks::pthread_mutex_lock(mutex))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_trylock(mutex: *mut Mutex) -> c_int {
    answer(locks::pthread_mutex_trylock(mutex))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_timedlock(mutex: *mut Mutex, until: *const timespec) -> c_int {
    answer(locks::pthread_mutex_timedlock(mutex, until))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_unlock(mutex: *mut Mutex) -> c_int {
    answer(locks::pthread_mutex_unlock(mutex))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_wait(condition: *mut Condition, mutex: *mut Mutex) -> c_int {
    answer(conditions::pthread_cond_wait(condition, mutex))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_timedwait(
    condition: *mut Condition,
    mutex: *mut Mutex,
    until: *const timespec,
) -> c_int {
    answer(conditions::pthread_cond_timedwait(condition, mutex, until))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_signal(condition: *mut Condition) -> c_int {
    answer(conditions::pthread_cond_signal(condition))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_broadcast(condition: *mut Condition) -> c_int {
    answer(conditions::pthread_cond_broadcast(condition))
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn call_once(
    once: *mut Once,
    initialise: unsafe extern "C-unwind" fn(),
) {
    super::once::pthread_once(once, initialise);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tss_create(key: *mut u32, destructor: threads::KeyDestructor) -> c_int {
    answer(threads::pthread_key_create(key, destructor))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tss_delete(key: u32) {
    threads::pthread_key_delete(key);
}
