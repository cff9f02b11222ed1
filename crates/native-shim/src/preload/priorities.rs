//! Priorities, and the one processor of the virtual computer.

use super::threads::{self, find};
use super::{engine, ready, state, sys};
use crate::schedule::ThreadId;
use libc::{c_int, c_long, c_void, pthread_t, sched_param};
use sys::real;

/// SCHED_FIFO and SCHED_RR count, all others are below them.
pub fn effective(policy: c_int, priority: c_int) -> u8 {
    match policy & !libc::SCHED_RESET_ON_FORK {
        libc::SCHED_FIFO | libc::SCHED_RR => priority.clamp(0, 99) as u8,
        _ => 0,
    }
}

fn set_priority(id: ThreadId, policy: c_int, priority: c_int) -> c_int {
    let allowed = match policy & !libc::SCHED_RESET_ON_FORK {
        libc::SCHED_FIFO | libc::SCHED_RR => 1..=99,
        _ => 0..=0,
    };
    if !allowed.contains(&priority) {
        return libc::EINVAL;
    }
    state().threads[id].policy = policy;
    state().scheduler.set_priority(id, effective(policy, priority));
    engine::preempt_if_due();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_setschedparam(
    pthread: pthread_t,
    policy: c_int,
    parameters: *const sched_param,
) -> c_int {
    ready();
    engine::call();
    find(pthread).map_or(libc::ESRCH, |id| set_priority(id, policy, (*parameters).sched_priority))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_setschedprio(pthread: pthread_t, priority: c_int) -> c_int {
    ready();
    engine::call();
    find(pthread).map_or(libc::ESRCH, |id| set_priority(id, state().threads[id].policy, priority))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_getschedparam(
    pthread: pthread_t,
    policy: *mut c_int,
    parameters: *mut sched_param,
) -> c_int {
    ready();
    engine::call();
    let Some(id) = find(pthread) else { return libc::ESRCH };
    *policy = state().threads[id].policy;
    (*parameters).sched_priority = c_int::from(state().scheduler.priority(id));
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_setscheduler(
    tid: c_int,
    policy: c_int,
    parameters: *const sched_param,
) -> c_int {
    ready();
    engine::call();
    let failed = threads::of_number(tid)
        .map_or(libc::ESRCH, |id| set_priority(id, policy, (*parameters).sched_priority));
    if failed == 0 { 0 } else { sys::fail(failed) as c_int }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_setparam(tid: c_int, parameters: *const sched_param) -> c_int {
    ready();
    match threads::of_number(tid) {
        Some(id) => sched_setscheduler(tid, state().threads[id].policy, parameters),
        None => sys::fail(libc::ESRCH) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_getscheduler(tid: c_int) -> c_int {
    ready();
    engine::call();
    threads::of_number(tid)
        .map_or_else(|| sys::fail(libc::ESRCH) as c_int, |id| state().threads[id].policy)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_getparam(tid: c_int, parameters: *mut sched_param) -> c_int {
    ready();
    engine::call();
    let Some(id) = threads::of_number(tid) else { return sys::fail(libc::ESRCH) as c_int };
    (*parameters).sched_priority = c_int::from(state().scheduler.priority(id));
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_yield() -> c_int {
    ready();
    engine::call();
    engine::yield_to_equals();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_yield() -> c_int {
    sched_yield()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_getcpu() -> c_int {
    0
}

/// There is one processor; which one a program asks for does not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_setaffinity(_: c_int, _: usize, _: *const c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_setaffinity_np(_: pthread_t, _: usize, _: *const c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn setpriority(_: c_int, _: u32, _: c_int) -> c_int {
    0
}

/// On its virtual computer the program has all rights, whoever runs it here: autopilots set the priorities of their
/// threads only then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn geteuid() -> libc::uid_t {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getuid() -> libc::uid_t {
    0
}

/// How many processors there are must not depend on the machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sysconf(name: c_int) -> c_long {
    match name {
        libc::_SC_NPROCESSORS_ONLN | libc::_SC_NPROCESSORS_CONF => 1,
        _ => real!(c"sysconf" as unsafe extern "C" fn(c_int) -> c_long)(name),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn get_nprocs() -> c_int {
    1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn get_nprocs_conf() -> c_int {
    1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_getaffinity(_: c_int, size: usize, set: *mut c_void) -> c_int {
    if size == 0 {
        return sys::fail(libc::EINVAL) as c_int;
    }
    set.cast::<u8>().write_bytes(0, size);
    *set.cast::<u8>() = 1;
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_getaffinity_np(
    _: pthread_t,
    size: usize,
    set: *mut c_void,
) -> c_int {
    if sched_getaffinity(0, size, set) == 0 { 0 } else { libc::EINVAL }
}
