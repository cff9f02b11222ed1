//! `poll` and `select`.

use super::{clocks, engine, objects, ready, state, sys};
use crate::schedule::Wake;
use libc::{c_int, c_ulong, fd_set, nfds_t, pollfd, sigset_t, timespec, timeval};

/// The end of a span of milliseconds; none if it is negative.
pub fn after_ms(milliseconds: c_int) -> Option<u64> {
    u64::try_from(milliseconds).ok().map(|span| clocks::in_ns(span * 1_000_000))
}

/// Runs a wait with other signals blocked.
pub unsafe fn with_mask(mask: *const sigset_t, wait: impl FnOnce() -> c_int) -> c_int {
    if mask.is_null() {
        return wait();
    }
    let me = state().current;
    let before = std::mem::replace(&mut state().threads[me].signals.mask, *mask.cast::<u64>());
    let result = wait();
    state().threads[me].signals.mask = before;
    engine::set_horizon();
    result
}

/// Real files: what is on disk is always ready, of all else nothing is known in virtual time but that it takes output.
fn real_readiness(fd: c_int) -> i16 {
    // SAFETY: the buffer is as large as the kernel's.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        if sys::raw(libc::SYS_fstat, [fd as u64, &raw mut stat as u64, 0, 0, 0, 0]) < 0 {
            return libc::POLLNVAL;
        }
        let null_device =
            stat.st_mode & libc::S_IFMT == libc::S_IFCHR && stat.st_rdev == libc::makedev(1, 3);
        if stat.st_mode & libc::S_IFMT == libc::S_IFREG || null_device {
            libc::POLLIN | libc::POLLRDNORM | libc::POLLOUT | libc::POLLWRNORM
        } else {
            libc::POLLOUT | libc::POLLWRNORM
        }
    }
}

fn found(fd: c_int, events: i16) -> i16 {
    let bits = objects::of(fd).map_or_else(|| real_readiness(fd), objects::readiness);
    bits & (events | libc::POLLERR | libc::POLLHUP | libc::POLLNVAL)
}

unsafe fn wait(files: &mut [pollfd], deadline: Option<u64>) -> c_int {
    loop {
        let mut count = 0;
        for file in files.iter_mut() {
            file.revents = if file.fd < 0 { 0 } else { found(file.fd, file.events) };
            count += c_int::from(file.revents != 0);
        }
        if count > 0 || deadline.is_some_and(|deadline| deadline <= state().now) {
            return count;
        }
        let interest =
            files.iter().filter_map(|file| Some((objects::of(file.fd)?, file.events))).collect();
        match objects::wait(interest, deadline) {
            Wake::Given => {}
            Wake::TimedOut => return 0,
            Wake::Interrupted => return sys::fail(libc::EINTR) as c_int,
        }
    }
}

unsafe fn slice<'a>(files: *mut pollfd, count: nfds_t) -> &'a mut [pollfd] {
    if count == 0 { &mut [] } else { std::slice::from_raw_parts_mut(files, count as usize) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn poll(files: *mut pollfd, count: nfds_t, milliseconds: c_int) -> c_int {
    ready();
    engine::call();
    wait(slice(files, count), after_ms(milliseconds))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __poll_chk(
    files: *mut pollfd,
    count: nfds_t,
    milliseconds: c_int,
    _: usize,
) -> c_int {
    poll(files, count, milliseconds)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ppoll(
    files: *mut pollfd,
    count: nfds_t,
    span: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    ready();
    engine::call();
    match clocks::after(span) {
        Ok(deadline) => with_mask(mask, || wait(slice(files, count), deadline)),
        Err(error) => sys::fail(error) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __ppoll_chk(
    files: *mut pollfd,
    count: nfds_t,
    span: *const timespec,
    mask: *const sigset_t,
    _: usize,
) -> c_int {
    ppoll(files, count, span, mask)
}

const READ: i16 = libc::POLLIN | libc::POLLHUP | libc::POLLERR;
const WRITE: i16 = libc::POLLOUT | libc::POLLERR;

unsafe fn has(set: *const fd_set, fd: c_int) -> bool {
    !set.is_null() && libc::FD_ISSET(fd, set)
}

unsafe fn select_until(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    deadline: Option<u64>,
) -> c_int {
    let mut files = Vec::new();
    for fd in 0..count {
        let events = if has(read, fd) { libc::POLLIN } else { 0 }
            | if has(write, fd) { libc::POLLOUT } else { 0 };
        if events != 0 {
            files.push(pollfd { fd, events, revents: 0 });
        }
    }
    if wait(&mut files, deadline) < 0 {
        return -1;
    }
    if files.iter().any(|file| file.revents & libc::POLLNVAL != 0) {
        return sys::fail(libc::EBADF) as c_int;
    }
    // Whole words, as the kernel does: a program may give less than a full set.
    let words = (count as usize).div_ceil(64);
    for set in [read, write, except] {
        if !set.is_null() {
            set.cast::<c_ulong>().write_bytes(0, words);
        }
    }
    let mut bits = 0;
    for file in &files {
        if file.events & libc::POLLIN != 0 && file.revents & READ != 0 {
            libc::FD_SET(file.fd, read);
            bits += 1;
        }
        if file.events & libc::POLLOUT != 0 && file.revents & WRITE != 0 {
            libc::FD_SET(file.fd, write);
            bits += 1;
        }
    }
    bits
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn select(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    span: *mut timeval,
) -> c_int {
    ready();
    engine::call();
    if span.is_null() {
        return select_until(count, read, write, except, None);
    }
    if (*span).tv_sec < 0 || (*span).tv_usec < 0 {
        return sys::fail(libc::EINVAL) as c_int;
    }
    let ns = ((*span).tv_sec as u64)
        .saturating_mul(1_000_000_000)
        .saturating_add((*span).tv_usec as u64 * 1000);
    let deadline = clocks::in_ns(ns);
    let result = select_until(count, read, write, except, Some(deadline));
    // Linux leaves there what is left.
    *span = clocks::to_timeval(deadline.saturating_sub(state().now) / 1000);
    result
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pselect(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    span: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    ready();
    engine::call();
    match clocks::after(span) {
        Ok(deadline) => with_mask(mask, || select_until(count, read, write, except, deadline)),
        Err(error) => sys::fail(error) as c_int,
    }
}
