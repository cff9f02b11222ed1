//! Signals of virtual time: from timers, from the host, from the program to itself.
//!
//! They are delivered inside intercepted calls: a thread that waits is woken for its handler, one that runs meets it
//! in its next call. Faults are real and are no matter of this file.

use super::{engine, ready, report, state, sys, threads};
use crate::schedule::{ThreadId, Wait, Wake};
use libc::{c_int, c_void, sigset_t};

/// What belongs to a thread.
#[derive(Default)]
pub struct OfThread {
    /// Blocked signals, bit n-1 for signal n.
    pub mask: u64,
    pub pending: Vec<Pending>,
    /// What it waits for in `sigwait`.
    pub awaited: u64,
    pub caught: Option<Pending>,
}

#[derive(Clone, Copy)]
pub struct Pending {
    pub number: c_int,
    pub value: u64,
    pub code: c_int,
}

#[derive(Clone, Copy, Default)]
struct Handler {
    function: usize,
    mask: u64,
    flags: c_int,
}

/// What belongs to the process.
pub struct Signals {
    handlers: [Handler; 65],
    pub pending: Vec<Pending>,
    /// Whether the handlers that ran last want interrupted calls to go on.
    restart: bool,
}

impl Default for Signals {
    fn default() -> Self {
        Self { handlers: [Handler::default(); 65], pending: Vec::new(), restart: false }
    }
}

impl Signals {
    /// Whether the program has nothing of its own to do when a signal comes.
    pub fn is_default(&self, number: c_int) -> bool {
        self.handlers[number as usize].function == libc::SIG_DFL
    }
}

pub fn bit(number: c_int) -> u64 {
    if (1..=64).contains(&number) { 1 << (number - 1) } else { 0 }
}

pub const SI_USER: c_int = 0;
const SI_TIMER: c_int = -2;
pub const SI_QUEUE: c_int = -1;

pub fn send_to_process(number: c_int) {
    post(None, Pending { number, value: 0, code: SI_USER });
}

pub fn send_from_timer(number: c_int, value: u64) {
    post(None, Pending { number, value, code: SI_TIMER });
}

/// A timer that wants a thread gets one, above all priorities: libc promises none.
pub fn run_in_thread(start: threads::Start, value: u64) {
    threads::spawn(start, value as *mut c_void, 99);
}

fn is_ignored(number: c_int) -> bool {
    let ignored_by_default = [libc::SIGCHLD, libc::SIGURG, libc::SIGWINCH, libc::SIGCONT];
    match state().signals.handlers[number as usize].function {
        libc::SIG_IGN => true,
        libc::SIG_DFL => ignored_by_default.contains(&number),
        _ => false,
    }
}

/// Gives a signal to a thread, or to whichever of the process takes it.
pub fn post(target: Option<ThreadId>, signal: Pending) {
    let wanted = bit(signal.number);
    if wanted == 0 {
        return;
    }
    let state = state();
    let awaits = |id: ThreadId| {
        target.is_none_or(|target| target == id)
            && state.scheduler.waits_for(id) == Some(Wait::Signal)
            && state.threads[id].signals.awaited & wanted != 0
    };
    if let Some(id) = (0..state.scheduler.thread_count()).find(|&id| awaits(id)) {
        state.threads[id].signals.caught = Some(signal);
        state.scheduler.wake(id, Wake::Given);
        return;
    }
    if is_ignored(signal.number) {
        return;
    }
    let open = |id: &ThreadId| {
        !state.scheduler.is_finished(*id) && state.threads[*id].signals.mask & wanted == 0
    };
    let chosen = target.or_else(|| (0..state.scheduler.thread_count()).find(open));
    match chosen {
        None => add(&mut state.signals.pending, signal),
        Some(id) => {
            add(&mut state.threads[id].signals.pending, signal);
            if state.threads[id].signals.mask & wanted == 0 {
                state.scheduler.wake(id, Wake::Interrupted);
            }
        }
    }
}

/// Only real-time signals queue; of the others one that waits already stands for all (signal(7)).
fn add(pending: &mut Vec<Pending>, signal: Pending) {
    const FIRST_OF_REAL_TIME: c_int = 32;
    let waits = pending.iter().any(|other| other.number == signal.number);
    if signal.number >= FIRST_OF_REAL_TIME || !waits {
        pending.push(signal);
    }
}

/// Whether a handler waits for a thread.
#[inline]
pub fn any_for(id: ThreadId) -> bool {
    let own = &state().threads[id].signals;
    let open = |signal: &Pending| bit(signal.number) & !own.mask != 0;
    own.pending.iter().any(open) || state().signals.pending.iter().any(open)
}

fn take_open() -> Option<Pending> {
    let me = state().current;
    let mask = state().threads[me].signals.mask;
    let open = |signal: &Pending| bit(signal.number) & !mask != 0;
    let own = &mut state().threads[me].signals.pending;
    if let Some(place) = own.iter().position(open) {
        return Some(own.remove(place));
    }
    let shared = &mut state().signals.pending;
    shared.iter().position(open).map(|place| shared.remove(place))
}

/// Runs the handlers that wait for the running thread.
pub fn handle_pending() {
    state().signals.restart = true;
    while let Some(signal) = take_open() {
        handle(signal);
    }
}

/// Whether a call that a signal interrupted goes on: so all handlers said that ran (SA_RESTART).
pub fn call_goes_on() -> bool {
    state().signals.restart
}

/// The running thread wrote where nobody reads.
pub fn broken_pipe() {
    let me = state().current;
    post(Some(me), Pending { number: libc::SIGPIPE, value: 0, code: SI_USER });
    handle_pending();
    engine::set_horizon();
}

fn handle(signal: Pending) {
    let me = state().current;
    let handler = state().signals.handlers[signal.number as usize];
    if is_ignored(signal.number) {
        return;
    }
    if handler.function == libc::SIG_DFL {
        report::exited(128 + signal.number);
        sys::end(128 + signal.number);
    }
    let mask = state().threads[me].signals.mask;
    let own = if handler.flags & libc::SA_NODEFER != 0 { 0 } else { bit(signal.number) };
    state().threads[me].signals.mask |= handler.mask | own;
    if handler.flags & libc::SA_RESETHAND != 0 {
        state().signals.handlers[signal.number as usize].function = libc::SIG_DFL;
    }
    let errno = sys::errno();
    // SAFETY: the program named this function for the signal.
    unsafe {
        if handler.flags & libc::SA_SIGINFO != 0 {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            (info.si_signo, info.si_code) = (signal.number, signal.code);
            // si_pid, si_uid (or timer id, overrun) at 16 and 20, si_value at 24.
            (&raw mut info).cast::<u64>().add(3).write(signal.value);
            let mut context: libc::ucontext_t = std::mem::zeroed();
            let function: unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                std::mem::transmute(handler.function);
            function(signal.number, &mut info, (&raw mut context).cast());
        } else {
            let function: unsafe extern "C" fn(c_int) = std::mem::transmute(handler.function);
            function(signal.number);
        }
    }
    sys::fail(errno);
    // Handlers may have been interrupted by others, with their own wishes.
    state().signals.restart &= handler.flags & libc::SA_RESTART != 0;
    let me = state().current;
    state().threads[me].signals.mask = mask;
}

pub unsafe fn word(set: *const sigset_t) -> u64 {
    *set.cast::<u64>()
}

unsafe fn fill(set: *mut sigset_t, word: u64) {
    *set = std::mem::zeroed();
    *set.cast::<u64>() = word;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigaction(
    number: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    ready();
    engine::call();
    if bit(number) == 0 || number == libc::SIGKILL || number == libc::SIGSTOP {
        return sys::fail(libc::EINVAL) as c_int;
    }
    let handler = &mut state().signals.handlers[number as usize];
    if !old.is_null() {
        *old = std::mem::zeroed();
        (*old).sa_sigaction = handler.function;
        (*old).sa_flags = handler.flags;
        fill(&raw mut (*old).sa_mask, handler.mask);
    }
    if !new.is_null() {
        *handler = Handler {
            function: (*new).sa_sigaction,
            mask: word(&(*new).sa_mask),
            flags: (*new).sa_flags,
        };
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn signal(number: c_int, function: usize) -> usize {
    ready();
    engine::call();
    if bit(number) == 0 {
        sys::fail(libc::EINVAL);
        return libc::SIG_ERR;
    }
    let handler = &mut state().signals.handlers[number as usize];
    let before = handler.function;
    *handler = Handler { function, mask: 0, flags: libc::SA_RESTART };
    before
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_sigmask(
    how: c_int,
    new: *const sigset_t,
    old: *mut sigset_t,
) -> c_int {
    if !ready() {
        return 0;
    }
    engine::call();
    let me = state().current;
    let mask = &mut state().threads[me].signals.mask;
    if !old.is_null() {
        fill(old, *mask);
    }
    if !new.is_null() {
        match how {
            libc::SIG_BLOCK => *mask |= word(new),
            libc::SIG_UNBLOCK => *mask &= !word(new),
            libc::SIG_SETMASK => *mask = word(new),
            _ => return libc::EINVAL,
        }
        handle_pending();
        engine::set_horizon();
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigprocmask(
    how: c_int,
    new: *const sigset_t,
    old: *mut sigset_t,
) -> c_int {
    let failed = pthread_sigmask(how, new, old);
    if failed == 0 { 0 } else { sys::fail(failed) as c_int }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigpending(set: *mut sigset_t) -> c_int {
    ready();
    engine::call();
    let me = state().current;
    let all = state().threads[me].signals.pending.iter().chain(&state().signals.pending);
    fill(set, all.fold(0, |word, signal| word | bit(signal.number)));
    0
}
