//! Signals that the program sends: to its threads, to itself, to its helpers and to its parent.

use super::signals::{self, Pending, SI_QUEUE, SI_USER, bit};
use super::{children, engine, ready, report, state, sys, threads};
use crate::schedule::ThreadId;
use libc::{c_int, pid_t, pthread_t, sigval};

fn is_fault(number: c_int) -> bool {
    [libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGKILL]
        .contains(&number)
}

/// Sends a signal within the process, to one of its threads or to all of it; 0, or why not.
fn send(target: Option<ThreadId>, signal: Pending) -> c_int {
    if signal.number == 0 {
        return 0;
    }
    if bit(signal.number) == 0 {
        return libc::EINVAL;
    }
    if is_fault(signal.number) && state().signals.is_default(signal.number) {
        report::crash(signal.number, 0);
    }
    signals::post(target, signal);
    signals::handle_pending();
    engine::preempt_if_due();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn raise(number: c_int) -> c_int {
    ready();
    engine::call();
    let me = state().current;
    answer(send(Some(me), Pending { number, value: 0, code: SI_USER }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_kill(pthread: pthread_t, number: c_int) -> c_int {
    ready();
    engine::call();
    match threads::find(pthread) {
        Some(id) if !state().scheduler.is_finished(id) => {
            send(Some(id), Pending { number, value: 0, code: SI_USER })
        }
        _ => libc::ESRCH,
    }
}

/// Whom a number means that a signal is sent to (kill(2)).
enum Whom {
    Itself,
    /// By the kernel's number.
    Helper(u32),
    /// There, and not to be moved.
    Outside,
    Nobody,
}

/// On its computer live the program, its helpers, its parent and process 1. What else runs on this machine is no input
/// of a run.
fn whom(process: pid_t) -> Whom {
    const FIRST: pid_t = 1;
    const ALL_OTHERS: pid_t = -1;
    if let Some(helper) = children::process_of(process) {
        return Whom::Helper(helper);
    }
    let itself = [0, sys::getpid() as pid_t, -sys::process_group()];
    match process {
        _ if itself.contains(&process) => Whom::Itself,
        FIRST | ALL_OTHERS => Whom::Outside,
        _ if process == state().parent => Whom::Outside,
        _ => Whom::Nobody,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn kill(process: pid_t, number: c_int) -> c_int {
    queue(process, Pending { number, value: 0, code: SI_USER })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigqueue(process: pid_t, number: c_int, value: sigval) -> c_int {
    queue(process, Pending { number, value: value.sival_ptr as u64, code: SI_QUEUE })
}

unsafe fn queue(process: pid_t, signal: Pending) -> c_int {
    ready();
    engine::call();
    match whom(process) {
        Whom::Helper(helper) => children::kill(helper, signal.number),
        Whom::Itself => answer(send(None, signal)),
        Whom::Outside if signal.number != 0 && bit(signal.number) == 0 => answer(libc::EINVAL),
        Whom::Outside => 0,
        Whom::Nobody => answer(libc::ESRCH),
    }
}

/// As libc answers: -1 and `errno`, or 0.
fn answer(failed: c_int) -> c_int {
    if failed == 0 { 0 } else { sys::fail(failed) as c_int }
}

/// The process that started the program. It stays the same: on the program's computer it does not end before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getppid() -> pid_t {
    ready();
    state().parent
}
