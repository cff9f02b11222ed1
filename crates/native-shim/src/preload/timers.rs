//! Timers: `timerfd`, `timer_create`, `setitimer`, `alarm`.

use super::objects::{Kind, Object};
use super::{clocks, engine, objects, ready, signals, state, sys, threads, transmit};
use libc::{c_int, c_uint, c_void, clockid_t, itimerspec, itimerval, sigevent};

/// All timers of the program, by index. A freed place is used again.
#[derive(Default)]
pub struct Timers {
    timers: Vec<Timer>,
    /// The one of `setitimer(ITIMER_REAL)` and `alarm`.
    real: Option<u32>,
}

struct Timer {
    clock: clockid_t,
    interval: u64,
    /// When it falls due, and what the scheduler needs to take it back.
    due: Option<(u64, i64)>,
    /// How often it fell due since somebody asked.
    expirations: u64,
    action: Action,
}

#[derive(Clone, Copy)]
enum Action {
    Freed,
    Nothing,
    File(u32),
    Port(u32),
    Signal { number: c_int, value: u64 },
    Thread { start: threads::Start, value: u64 },
}

impl Timers {
    fn add(&mut self, clock: clockid_t, action: Action) -> u32 {
        let timer = Timer { clock, interval: 0, due: None, expirations: 0, action };
        match self.timers.iter().position(|timer| matches!(timer.action, Action::Freed)) {
            Some(index) => {
                self.timers[index] = timer;
                index as u32
            }
            None => {
                self.timers.push(timer);
                self.timers.len() as u32 - 1
            }
        }
    }

    fn get(&mut self, index: u32) -> &mut Timer {
        &mut self.timers[index as usize]
    }

    fn exists(&self, index: usize) -> bool {
        self.timers.get(index).is_some_and(|timer| !matches!(timer.action, Action::Freed))
    }
}

/// A timer falls due.
pub fn fire(index: u32, time: u64) {
    let timer = state().timers.get(index);
    timer.expirations += 1;
    timer.due = None;
    let (action, interval) = (timer.action, timer.interval);
    if interval != 0 {
        let due = state().scheduler.set_timer(index, time.saturating_add(interval));
        state().timers.get(index).due = Some(due);
    }
    match action {
        Action::Freed | Action::Nothing => {}
        Action::File(object) => objects::changed(object),
        Action::Port(port) => transmit::has_room(port),
        Action::Signal { number, value } => signals::send_from_timer(number, value),
        Action::Thread { start, value } => signals::run_in_thread(start, value),
    }
}

/// A timer that tells when a serial port has room again.
pub fn add_for_port(port: u32) -> u32 {
    state().timers.add(libc::CLOCK_MONOTONIC, Action::Port(port))
}

/// Sets or stops a timer; times in picoseconds of virtual time, 0 interval for once.
pub fn set(index: u32, due: Option<u64>, interval: u64) {
    stop(index);
    let set = due.map(|time| state().scheduler.set_timer(index, time));
    let timer = state().timers.get(index);
    (timer.due, timer.interval, timer.expirations) = (set, interval, 0);
    engine::set_horizon();
}

fn stop(index: u32) {
    if let Some(due) = state().timers.get(index).due.take() {
        state().scheduler.clear_timer(index, due);
    }
}

pub fn free(index: u32) {
    stop(index);
    state().timers.get(index).action = Action::Freed;
}

/// How often a timer of a file fell due.
pub fn expirations(index: u32) -> u64 {
    state().timers.get(index).expirations
}

pub fn take_expirations(index: u32) -> u64 {
    std::mem::take(&mut state().timers.get(index).expirations)
}

fn left(index: u32) -> itimerspec {
    let now = state().now;
    let timer = state().timers.get(index);
    // A timer that is about to fall due shows one nanosecond; zero would mean that it is stopped.
    let left = timer.due.map_or(0, |(time, _)| (time.saturating_sub(now) / 1000).max(1));
    itimerspec {
        it_interval: clocks::to_timespec(timer.interval / 1000),
        it_value: clocks::to_timespec(left),
    }
}

unsafe fn set_from(index: u32, absolute: bool, new: *const itimerspec) -> Result<(), c_int> {
    let value = clocks::nanoseconds(&(*new).it_value).ok_or(libc::EINVAL)?;
    let interval =
        clocks::nanoseconds(&(*new).it_interval).ok_or(libc::EINVAL)?.saturating_mul(1000);
    let clock = state().timers.get(index).clock;
    let due = match value {
        0 => None,
        value if absolute => clocks::when_shown(clock, value),
        value => Some(clocks::in_ns(value)),
    };
    set(index, due, interval);
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timerfd_create(clock: clockid_t, flags: c_int) -> c_int {
    ready();
    engine::call();
    if clocks::shown(clock, 0).is_none() {
        return sys::fail(libc::EINVAL) as c_int;
    }
    let timer = state().timers.add(clock, Action::Nothing);
    let fd = objects::open(
        Object::new(Kind::Timer { timer }, flags & libc::TFD_NONBLOCK != 0),
        flags & libc::TFD_CLOEXEC != 0,
    );
    match objects::of(fd) {
        Some(object) => state().timers.get(timer).action = Action::File(object),
        None => free(timer),
    }
    fd
}

fn timer_of(fd: c_int) -> Result<u32, c_int> {
    match objects::of(fd).map(|object| &state().objects.get(object).kind) {
        Some(Kind::Timer { timer }) => Ok(*timer),
        _ => Err(objects::wrong_kind(fd)),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timerfd_settime(
    fd: c_int,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    ready();
    engine::call();
    let timer = match timer_of(fd) {
        Ok(timer) => timer,
        Err(error) => return sys::fail(error) as c_int,
    };
    if !old.is_null() {
        *old = left(timer);
    }
    const ABSOLUTE: c_int = 1;
    match set_from(timer, flags & ABSOLUTE != 0, new) {
        Ok(()) => 0,
        Err(error) => sys::fail(error) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timerfd_gettime(fd: c_int, now: *mut itimerspec) -> c_int {
    ready();
    engine::call();
    match timer_of(fd) {
        Ok(timer) => {
            *now = left(timer);
            0
        }
        Err(error) => sys::fail(error) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_create(
    clock: clockid_t,
    event: *mut sigevent,
    timer: *mut *mut c_void,
) -> c_int {
    ready();
    engine::call();
    if clocks::shown(clock, 0).is_none() {
        return sys::fail(libc::EINVAL) as c_int;
    }
    // Without a description a timer sends SIGALRM with its own number.
    let index = state().timers.add(clock, Action::Signal { number: libc::SIGALRM, value: 0 });
    let action = if event.is_null() {
        Action::Signal { number: libc::SIGALRM, value: u64::from(index) }
    } else {
        let value = (*event).sigev_value.sival_ptr as u64;
        match (*event).sigev_notify {
            libc::SIGEV_NONE => Action::Nothing,
            // The function lies in the same place as the thread id of SIGEV_THREAD_ID.
            libc::SIGEV_THREAD => {
                let function =
                    (&raw const (*event).sigev_notify_thread_id).cast::<usize>().read_unaligned();
                Action::Thread {
                    start: std::mem::transmute::<usize, threads::Start>(function),
                    value,
                }
            }
            _ => Action::Signal { number: (*event).sigev_signo, value },
        }
    };
    state().timers.get(index).action = action;
    *timer = index as usize as *mut c_void;
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_settime(
    timer: *mut c_void,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    ready();
    engine::call();
    if !state().timers.exists(timer as usize) {
        return sys::fail(libc::EINVAL) as c_int;
    }
    let index = timer as usize as u32;
    if !old.is_null() {
        *old = left(index);
    }
    match set_from(index, flags & libc::TIMER_ABSTIME != 0, new) {
        Ok(()) => 0,
        Err(error) => sys::fail(error) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_gettime(timer: *mut c_void, now: *mut itimerspec) -> c_int {
    ready();
    engine::call();
    if !state().timers.exists(timer as usize) {
        return sys::fail(libc::EINVAL) as c_int;
    }
    *now = left(timer as usize as u32);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_getoverrun(_: *mut c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_delete(timer: *mut c_void) -> c_int {
    ready();
    engine::call();
    if !state().timers.exists(timer as usize) {
        return sys::fail(libc::EINVAL) as c_int;
    }
    free(timer as usize as u32);
    0
}

fn real_timer() -> u32 {
    if let Some(index) = state().timers.real {
        return index;
    }
    let index = state()
        .timers
        .add(libc::CLOCK_MONOTONIC, Action::Signal { number: libc::SIGALRM, value: 0 });
    state().timers.real = Some(index);
    index
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn setitimer(
    which: c_int,
    new: *const itimerval,
    old: *mut itimerval,
) -> c_int {
    ready();
    engine::call();
    const ITIMER_REAL: c_int = 0;
    if which != ITIMER_REAL {
        super::report::leak(
            "setitimer of processor time",
            None,
            "use ITIMER_REAL: the processor time of a virtual computer is its virtual time",
        );
    }
    let index = real_timer();
    if !old.is_null() {
        getitimer(which, old);
    }
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
    let value = ns((*new).it_value);
    set(index, (value != 0).then(|| clocks::in_ns(value)), ns((*new).it_interval) * 1000);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getitimer(_: c_int, now: *mut itimerval) -> c_int {
    ready();
    engine::call();
    let left = left(real_timer());
    let convert =
        |time: libc::timespec| libc::timeval { tv_sec: time.tv_sec, tv_usec: time.tv_nsec / 1000 };
    *now = itimerval { it_interval: convert(left.it_interval), it_value: convert(left.it_value) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn alarm(seconds: c_uint) -> c_uint {
    ready();
    engine::call();
    let index = real_timer();
    let before = left(index).it_value;
    set(index, (seconds != 0).then(|| clocks::in_ns(u64::from(seconds) * 1_000_000_000)), 0);
    (before.tv_sec + i64::from(before.tv_nsec != 0)) as c_uint
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ualarm(microseconds: c_uint, interval: c_uint) -> c_uint {
    ready();
    engine::call();
    let index = real_timer();
    let before = left(index).it_value;
    let due = (microseconds != 0).then(|| clocks::in_ns(u64::from(microseconds) * 1000));
    set(index, due, u64::from(interval) * 1_000_000);
    (before.tv_sec * 1_000_000 + before.tv_nsec / 1000) as c_uint
}
