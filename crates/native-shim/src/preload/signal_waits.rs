//! Waits for signals.

use super::signals::{Pending, any_for, bit, handle_pending, word};
use super::{clocks, engine, ready, state, sys};
use crate::schedule::{Wait, Wake};
use libc::{c_int, sigset_t, timespec};

/// Takes a pending signal of a set, or waits for one.
unsafe fn wait_for(
    set: *const sigset_t,
    info: *mut libc::siginfo_t,
    deadline: Option<u64>,
) -> Result<c_int, c_int> {
    let wanted = word(set);
    let me = state().current;
    let is_wanted = |signal: &Pending| bit(signal.number) & wanted != 0;
    let own = &mut state().threads[me].signals.pending;
    let shared = &mut state().signals.pending;
    let taken = match own.iter().position(is_wanted) {
        Some(place) => Some(own.remove(place)),
        None => shared.iter().position(is_wanted).map(|place| shared.remove(place)),
    };
    let caught = match taken {
        Some(signal) => signal,
        None => {
            state().threads[me].signals.awaited = wanted;
            let woken = engine::block(Wait::Signal, deadline);
            state().threads[me].signals.awaited = 0;
            match (woken, state().threads[me].signals.caught.take()) {
                (Wake::Given, Some(signal)) => signal,
                (Wake::TimedOut, _) => return Err(libc::EAGAIN),
                _ => return Err(libc::EINTR),
            }
        }
    };
    if !info.is_null() {
        *info = std::mem::zeroed();
        ((*info).si_signo, (*info).si_code) = (caught.number, caught.code);
        info.cast::<u64>().add(3).write(caught.value);
    }
    Ok(caught.number)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigwait(set: *const sigset_t, number: *mut c_int) -> c_int {
    ready();
    engine::call();
    loop {
        match wait_for(set, std::ptr::null_mut(), None) {
            Ok(caught) => {
                *number = caught;
                return 0;
            }
            Err(libc::EINTR) => {}
            Err(error) => return error,
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigwaitinfo(set: *const sigset_t, info: *mut libc::siginfo_t) -> c_int {
    sigtimedwait(set, info, std::ptr::null())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigtimedwait(
    set: *const sigset_t,
    info: *mut libc::siginfo_t,
    span: *const timespec,
) -> c_int {
    ready();
    engine::call();
    match clocks::after(span).and_then(|deadline| wait_for(set, info, deadline)) {
        Ok(number) => number,
        Err(error) => sys::fail(error) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pause() -> c_int {
    ready();
    engine::call();
    engine::block(Wait::Signal, None);
    sys::fail(libc::EINTR) as c_int
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigsuspend(mask: *const sigset_t) -> c_int {
    ready();
    engine::call();
    let me = state().current;
    let before = std::mem::replace(&mut state().threads[me].signals.mask, word(mask));
    if any_for(me) {
        handle_pending();
    } else {
        engine::block(Wait::Signal, None);
    }
    state().threads[me].signals.mask = before;
    engine::set_horizon();
    sys::fail(libc::EINTR) as c_int
}
