//! `epoll`.

use super::objects::{self, Kind, Object};
use super::{clocks, engine, poll, ready, state, sys};
use crate::schedule::Wake;
use libc::{c_int, epoll_event, sigset_t, timespec};

/// What an epoll set wants to know of one object.
pub struct Interest {
    pub fd: c_int,
    pub object: u32,
    events: u32,
    data: u64,
    /// Something happened since it was last reported (edge-triggered sets look only then).
    armed: bool,
    /// A one-shot interest that was reported.
    spent: bool,
}

const EDGE: u32 = libc::EPOLLET as u32;
const ONE_SHOT: u32 = libc::EPOLLONESHOT as u32;

/// The bits to report now. The low bits of epoll are those of poll.
fn found(interest: &Interest) -> u32 {
    if interest.spent || (interest.events & EDGE != 0 && !interest.armed) {
        return 0;
    }
    let bits = objects::readiness(interest.object) as u16 as u32;
    bits & (interest.events | (libc::EPOLLERR | libc::EPOLLHUP) as u32)
}

pub fn is_ready(interest: &Interest) -> bool {
    found(interest) != 0
}

/// Something happened to an object: edges show it.
pub fn arm(object: u32) {
    for (_, set) in state().objects.iter_mut() {
        if let Kind::Epoll { interests } = &mut set.kind {
            for interest in interests.iter_mut().filter(|interest| interest.object == object) {
                interest.armed = true;
            }
        }
    }
}

/// A closed object leaves all sets.
pub fn forget(object: u32) {
    for (_, set) in state().objects.iter_mut() {
        if let Kind::Epoll { interests } = &mut set.kind {
            interests.retain(|interest| interest.object != object);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_create1(flags: c_int) -> c_int {
    ready();
    engine::call();
    objects::open(
        Object::new(Kind::Epoll { interests: Vec::new() }, false),
        flags & libc::EPOLL_CLOEXEC != 0,
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_create(_: c_int) -> c_int {
    epoll_create1(0)
}

fn interests_of(object: u32) -> Option<&'static mut Vec<Interest>> {
    match &mut state().objects.get(object).kind {
        Kind::Epoll { interests } => Some(interests),
        _ => None,
    }
}

/// Real files cannot be waited for, and neither can these: their drivers in the kernel have no `poll` either.
fn can_be_polled(object: u32) -> bool {
    !matches!(state().objects.get(object).kind, Kind::Spi { .. } | Kind::I2c { .. })
}

/// How many sets stand in one another at most (epoll_ctl(2), ELOOP).
const MOST_NESTED: usize = 5;

/// The longest chain of sets from an object downwards, itself included; 0 if it is no set.
fn sets_below(object: u32) -> usize {
    let Some(interests) = interests_of(object) else { return 0 };
    1 + interests.iter().map(|interest| sets_below(interest.object)).max().unwrap_or(0)
}

/// The longest chain of sets from a set upwards, itself included.
fn sets_above(object: u32) -> usize {
    let above = state().objects.iter().filter_map(|(index, set)| match &set.kind {
        Kind::Epoll { interests } => {
            interests.iter().any(|interest| interest.object == object).then(|| sets_above(index))
        }
        _ => None,
    });
    1 + above.max().unwrap_or(0)
}

/// Whether `from` is an object, or a set that holds it at any depth.
fn leads_to(from: u32, object: u32) -> bool {
    from == object
        || interests_of(from).is_some_and(|interests| {
            interests.iter().any(|interest| leads_to(interest.object, object))
        })
}

/// The interests of one descriptor and the object of another, where epoll_ctl(2) lets them meet. The kernel looks for
/// errors in this order.
fn both(
    set: c_int,
    operation: c_int,
    fd: c_int,
) -> Result<(&'static mut Vec<Interest>, u32), c_int> {
    if !objects::is_open(set) || !objects::is_open(fd) {
        return Err(libc::EBADF);
    }
    let object = objects::of(fd).filter(|&object| can_be_polled(object)).ok_or(libc::EPERM)?;
    let is_another_set = |set: &u32| *set != object && interests_of(*set).is_some();
    let set = objects::of(set).filter(is_another_set).ok_or(libc::EINVAL)?;
    let nests = operation == libc::EPOLL_CTL_ADD && interests_of(object).is_some();
    if nests && (leads_to(object, set) || sets_above(set) + sets_below(object) > MOST_NESTED) {
        return Err(libc::ELOOP);
    }
    Ok((interests_of(set).ok_or(libc::EINVAL)?, object))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_ctl(
    set: c_int,
    operation: c_int,
    fd: c_int,
    event: *mut epoll_event,
) -> c_int {
    ready();
    engine::call();
    let (interests, object) = match both(set, operation, fd) {
        Ok(both) => both,
        Err(error) => return sys::fail(error) as c_int,
    };
    let place = interests.iter().position(|interest| interest.fd == fd);
    match (operation, place) {
        (libc::EPOLL_CTL_ADD, None) => {
            let (events, data) = ((*event).events, (*event).u64);
            interests.push(Interest { fd, object, events, data, armed: true, spent: false });
        }
        (libc::EPOLL_CTL_MOD, Some(place)) => {
            let interest = &mut interests[place];
            (interest.events, interest.data) = ((*event).events, (*event).u64);
            (interest.armed, interest.spent) = (true, false);
        }
        (libc::EPOLL_CTL_DEL, Some(place)) => {
            interests.remove(place);
        }
        (libc::EPOLL_CTL_ADD, Some(_)) => return sys::fail(libc::EEXIST) as c_int,
        (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None) => {
            return sys::fail(libc::ENOENT) as c_int;
        }
        _ => return sys::fail(libc::EINVAL) as c_int,
    }
    objects::look_again();
    engine::preempt_if_due();
    0
}

unsafe fn wait(set: c_int, events: *mut epoll_event, most: c_int, deadline: Option<u64>) -> c_int {
    if most <= 0 {
        return sys::fail(libc::EINVAL) as c_int;
    }
    loop {
        let Some(interests) = objects::of(set).and_then(interests_of) else {
            return sys::fail(objects::wrong_kind(set)) as c_int;
        };
        let mut count = 0;
        for interest in interests.iter_mut() {
            let bits = found(interest);
            if bits != 0 && count < most {
                *events.add(count as usize) = epoll_event { events: bits, u64: interest.data };
                count += 1;
                interest.armed = false;
                interest.spent = interest.events & ONE_SHOT != 0;
            }
        }
        if count > 0 || deadline.is_some_and(|deadline| deadline <= state().now) {
            return count;
        }
        let Some(object) = objects::of(set) else { return sys::fail(libc::EBADF) as c_int };
        match objects::wait(vec![(object, libc::POLLIN)], deadline) {
            Wake::Given => {}
            Wake::TimedOut => return 0,
            Wake::Interrupted => return sys::fail(libc::EINTR) as c_int,
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_wait(
    set: c_int,
    events: *mut epoll_event,
    most: c_int,
    milliseconds: c_int,
) -> c_int {
    ready();
    engine::call();
    wait(set, events, most, poll::after_ms(milliseconds))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_pwait(
    set: c_int,
    events: *mut epoll_event,
    most: c_int,
    milliseconds: c_int,
    mask: *const sigset_t,
) -> c_int {
    ready();
    engine::call();
    poll::with_mask(mask, || wait(set, events, most, poll::after_ms(milliseconds)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_pwait2(
    set: c_int,
    events: *mut epoll_event,
    most: c_int,
    span: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    ready();
    engine::call();
    match clocks::after(span) {
        Ok(deadline) => poll::with_mask(mask, || wait(set, events, most, deadline)),
        Err(error) => sys::fail(error) as c_int,
    }
}
