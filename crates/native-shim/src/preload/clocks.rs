//! Clocks and sleeps.

use super::{engine, ready, state, sys};
use crate::protocol::NEVER;
use crate::schedule::{Wait, Wake};
use libc::{c_int, c_long, c_uint, c_void, clock_t, clockid_t, time_t, timespec, timeval, tms};

const PS_PER_NS: u64 = 1000;
const NS_PER_S: u64 = 1_000_000_000;

/// How long the program has computed, in picoseconds: all that its calls were charged.
pub fn processor_time() -> u64 {
    let state = state();
    let (reads, calls) = (state.counters.clock_reads, state.counters.calls);
    reads
        .saturating_mul(state.setup.clock_read_charge)
        .saturating_add(calls.saturating_mul(state.setup.call_charge))
}

/// What a clock shows at a virtual time, in nanoseconds; none if there is no such clock.
///
/// The clocks of processor time run as the others do where they are waited for.
pub fn shown(clock: clockid_t, now: u64) -> Option<u64> {
    match clock {
        libc::CLOCK_REALTIME
        | libc::CLOCK_REALTIME_COARSE
        | libc::CLOCK_REALTIME_ALARM
        | libc::CLOCK_TAI => Some(state().setup.realtime_epoch_ns + now / PS_PER_NS),
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME
        | libc::CLOCK_BOOTTIME_ALARM => Some((state().setup.monotonic_start + now) / PS_PER_NS),
        libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => Some(now / PS_PER_NS),
        // Clocks of other threads and processes (pthread_getcpuclockid) have negative numbers.
        clock if clock < 0 => Some(now / PS_PER_NS),
        _ => None,
    }
}

/// The virtual time at which a clock shows a time.
pub fn when_shown(clock: clockid_t, shown_ns: u64) -> Option<u64> {
    let start = shown(clock, 0)?;
    // Picoseconds of the start that the clock does not show.
    let hidden =
        if start == state().setup.monotonic_start / PS_PER_NS && clock != libc::CLOCK_REALTIME {
            state().setup.monotonic_start % PS_PER_NS
        } else {
            0
        };
    Some(
        shown_ns
            .saturating_sub(start)
            .saturating_mul(PS_PER_NS)
            .saturating_sub(hidden)
            .min(NEVER - 1),
    )
}

/// Nanoseconds of a timespec; none if it is not a time.
pub fn nanoseconds(time: &timespec) -> Option<u64> {
    if !(0..NS_PER_S as c_long).contains(&time.tv_nsec) {
        return None;
    }
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Some(seconds.saturating_mul(NS_PER_S).saturating_add(time.tv_nsec as u64))
}

/// The virtual time of an absolute deadline; none for a null pointer, which means for ever.
pub unsafe fn deadline(clock: clockid_t, until: *const timespec) -> Result<Option<u64>, c_int> {
    if until.is_null() {
        return Ok(None);
    }
    let shown = nanoseconds(&*until).ok_or(libc::EINVAL)?;
    when_shown(clock, shown).map(Some).ok_or(libc::EINVAL)
}

/// The virtual time after a span from now.
pub unsafe fn after(span: *const timespec) -> Result<Option<u64>, c_int> {
    if span.is_null() {
        return Ok(None);
    }
    if (*span).tv_sec < 0 {
        return Err(libc::EINVAL);
    }
    let span = nanoseconds(&*span).ok_or(libc::EINVAL)?;
    Ok(Some(in_ns(span)))
}

pub fn in_ns(span: u64) -> u64 {
    state().now.saturating_add(span.saturating_mul(PS_PER_NS)).min(NEVER - 1)
}

pub fn to_timespec(ns: u64) -> timespec {
    timespec { tv_sec: (ns / NS_PER_S) as time_t, tv_nsec: (ns % NS_PER_S) as c_long }
}

pub fn to_timeval(ns: u64) -> timeval {
    timeval { tv_sec: (ns / NS_PER_S) as time_t, tv_usec: (ns % NS_PER_S / 1000) as c_long }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    if !ready() {
        *time = to_timespec(0);
        return 0;
    }
    let now = engine::clock_read();
    let is_processor_time = clock < 0
        || [libc::CLOCK_PROCESS_CPUTIME_ID, libc::CLOCK_THREAD_CPUTIME_ID].contains(&clock);
    if is_processor_time {
        *time = to_timespec(processor_time() / PS_PER_NS);
        return 0;
    }
    match shown(clock, now) {
        None => sys::fail(libc::EINVAL) as c_int,
        Some(ns) => {
            *time = to_timespec(ns);
            0
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_getres(clock: clockid_t, resolution: *mut timespec) -> c_int {
    ready();
    if shown(clock, 0).is_none() {
        return sys::fail(libc::EINVAL) as c_int;
    }
    if !resolution.is_null() {
        *resolution = to_timespec(1);
    }
    0
}

/// Setting the clock of the computer is refused, as to a user without the right.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_settime(_: clockid_t, _: *const timespec) -> c_int {
    sys::fail(libc::EPERM) as c_int
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn settimeofday(_: *const timeval, _: *const c_void) -> c_int {
    sys::fail(libc::EPERM) as c_int
}

fn realtime() -> u64 {
    ready();
    let now = engine::clock_read();
    state().setup.realtime_epoch_ns + now / PS_PER_NS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int {
    *time = to_timeval(realtime());
    if !zone.is_null() {
        *zone.cast::<[c_int; 2]>() = [0, 0];
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn time(time: *mut time_t) -> time_t {
    let seconds = (realtime() / NS_PER_S) as time_t;
    if !time.is_null() {
        *time = seconds;
    }
    seconds
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn timespec_get(time: *mut timespec, base: c_int) -> c_int {
    const TIME_UTC: c_int = 1;
    if base != TIME_UTC {
        return 0;
    }
    *time = to_timespec(realtime());
    base
}

/// Microseconds of processor time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock() -> clock_t {
    ready();
    engine::clock_read();
    (processor_time() / PS_PER_NS / 1000) as clock_t
}

/// Hundredths of a second.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn times(buffer: *mut tms) -> clock_t {
    ready();
    let ticks = |ps: u64| (ps / PS_PER_NS / 10_000_000) as clock_t;
    let now = engine::clock_read();
    if !buffer.is_null() {
        let tms_utime = ticks(processor_time());
        *buffer = tms { tms_utime, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 };
    }
    ticks(state().setup.monotonic_start + now)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrusage(who: c_int, usage: *mut libc::rusage) -> c_int {
    ready();
    engine::clock_read();
    if ![libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN, libc::RUSAGE_THREAD].contains(&who) {
        return sys::fail(libc::EINVAL) as c_int;
    }
    // Faults, switches and the largest size depend on this machine.
    *usage = std::mem::zeroed();
    if who != libc::RUSAGE_CHILDREN {
        (*usage).ru_utime = to_timeval(processor_time() / PS_PER_NS);
    }
    0
}

/// Sleeps; gives what is left in nanoseconds if a signal came.
///
/// Linux lets timers of ordinary threads be late, so that it wakes less often (prctl(2), PR_SET_TIMERSLACK); real-time threads
/// are woken on time.
fn sleep_until(deadline: Option<u64>) -> Result<(), u64> {
    let is_ordinary = state().scheduler.priority(state().current) == 0;
    let slack = if is_ordinary { state().setup.timer_slack } else { 0 };
    let deadline = deadline.map(|time| time.saturating_add(slack).min(NEVER - 1));
    if deadline.is_some_and(engine::sleep_alone) {
        return Ok(());
    }
    match engine::block(Wait::Sleep, deadline) {
        Wake::Interrupted => Err(deadline.unwrap_or(0).saturating_sub(state().now) / PS_PER_NS),
        _ => Ok(()),
    }
}

unsafe fn finish_sleep(slept: Result<(), u64>, left: *mut timespec) -> c_int {
    match slept {
        Ok(()) => 0,
        Err(ns) => {
            if !left.is_null() {
                *left = to_timespec(ns);
            }
            libc::EINTR
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nanosleep(span: *const timespec, left: *mut timespec) -> c_int {
    ready();
    engine::call();
    let failed = match after(span) {
        Ok(deadline) => finish_sleep(sleep_until(deadline), left),
        Err(error) => error,
    };
    if failed == 0 { 0 } else { sys::fail(failed) as c_int }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    left: *mut timespec,
) -> c_int {
    ready();
    engine::call();
    if shown(clock, 0).is_none() {
        return libc::EINVAL;
    }
    let absolute = flags & libc::TIMER_ABSTIME != 0;
    match if absolute { deadline(clock, time) } else { after(time) } {
        Ok(deadline) => {
            finish_sleep(sleep_until(deadline), if absolute { std::ptr::null_mut() } else { left })
        }
        Err(error) => error,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn usleep(microseconds: c_uint) -> c_int {
    ready();
    engine::call();
    match sleep_until(Some(in_ns(u64::from(microseconds) * 1000))) {
        Ok(()) => 0,
        Err(_) => sys::fail(libc::EINTR) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sleep(seconds: c_uint) -> c_uint {
    ready();
    engine::call();
    match sleep_until(Some(in_ns(u64::from(seconds) * NS_PER_S))) {
        Ok(()) => 0,
        Err(left) => left.div_ceil(NS_PER_S) as c_uint,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_sleep(span: *const timespec, left: *mut timespec) -> c_int {
    nanosleep(span, left)
}
