//! What is done once: `pthread_once`, and the guards of static variables.

use super::locks::{begin, me};
use super::{engine, ready, state};
use crate::schedule::{Grant, Guard, Once, Wait};
use libc::c_int;

/// Ends an initialiser, also when an exception leaves it.
struct Running(*mut Once, bool);

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: the caller of `pthread_once` keeps it alive.
        unsafe { (*self.0).end(self.1) };
        state().scheduler.wake_all(Wait::Once(self.0 as u64));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pthread_once(
    once: *mut Once,
    initialise: unsafe extern "C-unwind" fn(),
) -> c_int {
    begin();
    loop {
        match (*once).begin() {
            None => return 0,
            Some(Grant::Busy) => {
                engine::block(Wait::Once(once as u64), None);
            }
            Some(Grant::Acquired) => {
                let mut running = Running(once, false);
                initialise();
                running.1 = true;
                drop(running);
                engine::preempt_if_due();
                return 0;
            }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cxa_guard_acquire(guard: *mut Guard) -> c_int {
    begin();
    loop {
        match (*guard).begin(me()) {
            None => return 0,
            Some(Grant::Acquired) => return 1,
            Some(Grant::Busy) => {
                engine::block(Wait::Guard(guard as u64), None);
            }
        }
    }
}

unsafe fn end_guard(guard: *mut Guard, done: bool) {
    ready();
    (*guard).end(done);
    state().scheduler.wake_all(Wait::Guard(guard as u64));
    engine::preempt_if_due();
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cxa_guard_release(guard: *mut Guard) {
    end_guard(guard, true);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cxa_guard_abort(guard: *mut Guard) {
    end_guard(guard, false);
}
