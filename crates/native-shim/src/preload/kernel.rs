//! Descriptors that the kernel knows: pipes and sockets of the local domain, in programs that may have children.
//!
//! They are real, because children hold the other ends. No call on them ever waits in the kernel: the shim asks first
//! whether it would, and if so lets the thread wait in virtual time. Nothing of them changes but by a call of the
//! program, or while [children](super::children) have their turn; after both, whoever waits looks again.

use super::arrivals::{self, Arrivals};
use super::objects::{self, Kind, Object};
use super::{children, engine, epoll, state, sys};
use libc::{c_int, c_void, msghdr, pollfd, sockaddr, socklen_t};
use sys::real_call;

/// What stands at a descriptor.
pub struct Kernel {
    /// A copy of the program's descriptor, which the program may close while a thread waits.
    pub fd: c_int,
    /// How long a read waits, in picoseconds; 0 for ever.
    pub timeout: u64,
    /// What is written arrives as one message.
    messages: bool,
    /// Who has connected and waits to be accepted, if it is a socket that listens.
    pub arrivals: Arrivals,
}

impl Kernel {
    pub fn readiness(&self) -> i16 {
        let arrived = if self.arrivals.is_empty() { 0 } else { libc::POLLIN | libc::POLLRDNORM };
        readiness(self.fd) | arrived
    }
}

/// A descriptor of the kernel gets an object.
pub fn adopt(fd: c_int, nonblocking: bool) -> c_int {
    if fd < 0 {
        return fd;
    }
    let copy = sys::high_copy(fd);
    if copy < 0 {
        sys::close(fd);
        return -1;
    }
    stand_at(fd, copy, nonblocking);
    fd
}

fn stand_at(fd: c_int, copy: c_int, nonblocking: bool) {
    let messages = carries_messages(copy);
    let kernel = Kernel { fd: copy, timeout: 0, messages, arrivals: Arrivals::default() };
    objects::stand_at(fd, Object::new(Kind::Kernel(kernel), nonblocking));
}

fn carries_messages(fd: c_int) -> bool {
    let (mut kind, mut length) = (libc::SOCK_STREAM, 4 as socklen_t);
    let (at, size) = (&raw mut kind as u64, &raw mut length as u64);
    let (level, option) = (libc::SOL_SOCKET as u64, libc::SO_TYPE as u64);
    // SAFETY: both words outlive the call; a pipe leaves them as they are.
    unsafe { sys::raw(libc::SYS_getsockopt, [fd as u64, level, option, at, size, 0]) };
    kind != libc::SOCK_STREAM
}

/// Whether a descriptor is such a copy, or a connection that waits to be accepted.
pub fn owns(fd: c_int) -> bool {
    let is_of = |object: &Object| match &object.kind {
        Kind::Kernel(kernel) => kernel.fd == fd || kernel.arrivals.holds(fd),
        _ => false,
    };
    fd >= sys::HIGH && state().objects.iter().any(|(_, object)| is_of(object))
}

pub fn release(kernel: &Kernel) {
    kernel.arrivals.refuse();
    sys::close(kernel.fd);
}

/// The kernel's descriptor of an object, if it is one.
pub fn of(index: u32) -> Option<c_int> {
    match &state().objects.get(index).kind {
        Kind::Kernel(kernel) => Some(kernel.fd),
        _ => None,
    }
}

pub fn readiness(fd: c_int) -> i16 {
    let events = libc::POLLIN
        | libc::POLLPRI
        | libc::POLLOUT
        | libc::POLLRDNORM
        | libc::POLLWRNORM
        | libc::POLLRDHUP;
    let mut file = pollfd { fd, events, revents: 0 };
    // SAFETY: one entry, and no wait.
    unsafe { sys::raw(libc::SYS_poll, [&raw mut file as u64, 1, 0, 0, 0, 0]) };
    file.revents
}

/// The program did something that others may have waited for: children have their turn, then threads look again.
pub fn stirred() {
    if !super::ready() || state().children.is_none() {
        return;
    }
    children::settle();
    look_again();
    engine::preempt_if_due();
}

/// Threads that wait for descriptors of the kernel look again.
pub fn look_again() {
    let mut ready = Vec::new();
    for (index, object) in state().objects.iter() {
        if let Kind::Kernel(kernel) = &object.kind
            && kernel.readiness() != 0
        {
            ready.push(index);
        }
    }
    for index in ready {
        epoll::arm(index);
    }
    objects::look_again();
}

/// Waits in virtual time until one of `events` is there, or the other side is gone.
fn wait(index: u32, events: i16, flags: c_int) -> Result<(), c_int> {
    let timeout = match &state().objects.get(index).kind {
        Kind::Kernel(kernel) if events & libc::POLLIN != 0 => kernel.timeout,
        _ => 0,
    };
    let deadline = (timeout != 0).then(|| state().now.saturating_add(timeout));
    while objects::readiness(index) & (events | libc::POLLERR | libc::POLLHUP) == 0 {
        if flags & libc::MSG_DONTWAIT != 0 || !objects::wait_for(index, events, deadline)? {
            return Err(libc::EAGAIN);
        }
    }
    Ok(())
}

fn answer(result: i64) -> Result<usize, c_int> {
    if result < 0 { Err(-result as c_int) } else { Ok(result as usize) }
}

pub fn read(index: u32, fd: c_int, buffer: &mut [u8]) -> Result<usize, c_int> {
    wait(index, libc::POLLIN, 0)?;
    // SAFETY: the buffer is valid for its length.
    let result = unsafe {
        let (to, length) = (buffer.as_mut_ptr() as u64, buffer.len() as u64);
        sys::raw(libc::SYS_read, [fd as u64, to, length, 0, 0, 0])
    };
    stirred();
    answer(result)
}

/// A write of so much does not wait in the kernel, if it says that there is room.
const AT_ONCE: usize = 4096;

pub fn write(index: u32, fd: c_int, bytes: &[u8]) -> Result<usize, c_int> {
    let messages =
        matches!(&state().objects.get(index).kind, Kind::Kernel(kernel) if kernel.messages);
    let most = if messages { bytes.len() } else { AT_ONCE };
    let mut written = 0;
    loop {
        match wait(index, libc::POLLOUT, 0) {
            Ok(()) => {}
            Err(libc::EAGAIN) if written > 0 => return Ok(written),
            Err(error) => return Err(error),
        }
        let part = &bytes[written..bytes.len().min(written + most)];
        let (from, length) = (part.as_ptr() as u64, part.len() as u64);
        let flags = (libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL) as u64;
        // SAFETY: the bytes are valid for their length.
        let mut count =
            unsafe { sys::raw(libc::SYS_sendto, [fd as u64, from, length, flags, 0, 0]) };
        if count == -i64::from(libc::ENOTSOCK) {
            count = without_signal(|| {
                // SAFETY: as above.
                unsafe { sys::raw(libc::SYS_write, [fd as u64, from, length, 0, 0, 0]) }
            });
        }
        match answer(count) {
            Ok(count) => written += count,
            Err(error) if written == 0 => return Err(error),
            Err(_) => return Ok(written),
        }
        stirred();
        if written >= bytes.len() {
            return Ok(written);
        }
    }
}

/// The kernel's SIGPIPE is not the program's: its own is virtual.
fn without_signal(write: impl FnOnce() -> i64) -> i64 {
    let (mut before, pipe) = (0u64, super::signals::bit(libc::SIGPIPE));
    let mask = |how: c_int, new: *const u64, old: *mut u64| {
        // SAFETY: both masks are words.
        unsafe { sys::raw(libc::SYS_rt_sigprocmask, [how as u64, new as u64, old as u64, 8, 0, 0]) }
    };
    mask(libc::SIG_BLOCK, &pipe, &mut before);
    let result = write();
    if result == -i64::from(libc::EPIPE) {
        let none = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let (set, wait) = (&raw const pipe as u64, &raw const none as u64);
        // SAFETY: takes back the signal that is pending.
        unsafe { sys::raw(libc::SYS_rt_sigtimedwait, [set, 0, wait, 8, 0, 0]) };
    }
    mask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
    result
}

/// `recvfrom` with all that the kernel says of the sender.
pub unsafe fn receive_from(
    index: u32,
    fd: c_int,
    buffer: &mut [u8],
    flags: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
) -> Result<usize, c_int> {
    wait(index, libc::POLLIN, flags)?;
    let (to, room) = (buffer.as_mut_ptr() as u64, buffer.len() as u64);
    let flags = (flags | libc::MSG_DONTWAIT) as u64;
    let result =
        sys::raw(libc::SYS_recvfrom, [fd as u64, to, room, flags, address as u64, length as u64]);
    stirred();
    answer(result)
}

pub unsafe fn receive_message(
    index: u32,
    fd: c_int,
    message: *mut msghdr,
    flags: c_int,
) -> Result<usize, c_int> {
    wait(index, libc::POLLIN, flags)?;
    let flags = (flags | libc::MSG_DONTWAIT) as u64;
    let result = sys::raw(libc::SYS_recvmsg, [fd as u64, message as u64, flags, 0, 0, 0]);
    stirred();
    answer(result)
}

pub unsafe fn send_message(
    index: u32,
    fd: c_int,
    message: *const msghdr,
    flags: c_int,
) -> Result<usize, c_int> {
    wait(index, libc::POLLOUT, flags)?;
    let flags = (flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL) as u64;
    let result = sys::raw(libc::SYS_sendmsg, [fd as u64, message as u64, flags, 0, 0, 0]);
    stirred();
    answer(result)
}

/// `sendto` with an address; without one it is a write.
pub unsafe fn send_to(
    index: u32,
    fd: c_int,
    bytes: &[u8],
    flags: c_int,
    address: *const sockaddr,
    length: socklen_t,
) -> Result<usize, c_int> {
    if address.is_null() && flags & !libc::MSG_NOSIGNAL == 0 {
        return write(index, fd, bytes);
    }
    wait(index, libc::POLLOUT, flags)?;
    let flags = (flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL) as u64;
    let (from, count) = (bytes.as_ptr() as u64, bytes.len() as u64);
    let result = sys::raw(
        libc::SYS_sendto,
        [fd as u64, from, count, flags, address as u64, u64::from(length)],
    );
    stirred();
    answer(result)
}

pub unsafe fn accept(
    index: u32,
    fd: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
    flags: c_int,
) -> c_int {
    arrivals::serve(index);
    if let Err(error) = wait(index, libc::POLLIN, 0) {
        return sys::fail(error) as c_int;
    }
    let accepted = match arrivals::first(index) {
        Some(connection) => {
            let made = hand_over(connection, address, length, flags);
            if made != Err(libc::EMFILE) {
                arrivals::take_first(index);
            }
            made.unwrap_or_else(|error| sys::fail(error) as c_int)
        }
        // It does not listen, or somebody from outside came just now.
        None => {
            let close = (flags & libc::SOCK_CLOEXEC) as u64;
            let made = real_call!(libc::SYS_accept4, fd, address, length, close) as c_int;
            adopt(made, flags & libc::SOCK_NONBLOCK != 0)
        }
    };
    stirred();
    accepted
}

/// A connection gets a number among the program's own.
unsafe fn hand_over(
    connection: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
    flags: c_int,
) -> Result<c_int, c_int> {
    let close = flags & libc::SOCK_CLOEXEC != 0;
    let copy = if close { libc::F_DUPFD_CLOEXEC } else { libc::F_DUPFD };
    let fd =
        answer(sys::raw(libc::SYS_fcntl, [connection as u64, copy as u64, 0, 0, 0, 0]))? as c_int;
    if !address.is_null() {
        let (to, room) = (address as u64, length as u64);
        let told = sys::raw(libc::SYS_getpeername, [connection as u64, to, room, 0, 0, 0]);
        if let Err(error) = answer(told) {
            [fd, connection].into_iter().for_each(sys::close);
            return Err(error);
        }
    }
    stand_at(fd, connection, flags & libc::SOCK_NONBLOCK != 0);
    Ok(fd)
}

/// Connects to a socket of the program or of its children; others are not of its world.
pub unsafe fn connect(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    if real_call!(libc::SYS_connect, fd, address, length) < 0 {
        return -1;
    }
    let other = arrivals::peer_of(fd);
    // Sockets of datagrams do not say.
    if other != 0 && !children::is_family(other) {
        real_call!(libc::SYS_shutdown, fd, libc::SHUT_RDWR);
        return sys::fail(libc::ECONNREFUSED) as c_int;
    }
    stirred();
    0
}

/// Calls that ask or set something and wake nobody.
pub unsafe fn plain(number: libc::c_long, arguments: [u64; 5]) -> c_int {
    let [a, b, c, d, e] = arguments;
    real_call!(number, a, b, c, d, e) as c_int
}

/// A pipe, or a pair of sockets, of the kernel.
pub unsafe fn open_both(
    number: libc::c_long,
    arguments: [u64; 4],
    fds: *mut c_int,
    nonblocking: bool,
) -> c_int {
    let [a, b, c, d] = arguments;
    if real_call!(number, a, b, c, d) < 0 {
        return -1;
    }
    if adopt(*fds, nonblocking) < 0 || adopt(*fds.add(1), nonblocking) < 0 {
        return -1;
    }
    0
}

/// A socket of the kernel.
pub unsafe fn socket(family: c_int, kind: c_int, protocol: c_int) -> c_int {
    let plain = kind & !libc::SOCK_NONBLOCK;
    let fd = real_call!(libc::SYS_socket, family, plain, protocol) as c_int;
    adopt(fd, kind & libc::SOCK_NONBLOCK != 0)
}

pub unsafe fn ioctl(fd: c_int, request: libc::c_ulong, argument: *mut c_void) -> c_int {
    real_call!(libc::SYS_ioctl, fd, request, argument) as c_int
}
