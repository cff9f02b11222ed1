//! Descriptors: reading, writing, copying, closing.

use super::objects::{self, Kind};
use super::{
    bus, children, engine, kernel, machine, pipes, processes, ready, serial, sockets, state, sys,
    timers, transmit,
};
use libc::{c_int, c_uint, c_ulong, c_void, iovec};
use std::collections::VecDeque;
use sys::real_call;

/// Moves bytes from a queue to a buffer.
pub fn drain(queue: &mut VecDeque<u8>, buffer: &mut [u8]) -> usize {
    let count = buffer.len().min(queue.len());
    for (place, byte) in buffer.iter_mut().zip(queue.drain(..count)) {
        *place = byte;
    }
    count
}

fn read_object(index: u32, buffer: &mut [u8]) -> Result<usize, c_int> {
    match &state().objects.get(index).kind {
        Kind::Event { .. } => pipes::read_event(index, buffer),
        Kind::Timer { timer } => {
            let timer = *timer;
            let place = buffer.first_chunk_mut::<8>().ok_or(libc::EINVAL)?;
            while timers::expirations(timer) == 0 {
                objects::wait_for(index, libc::POLLIN, None)?;
            }
            *place = timers::take_expirations(timer).to_ne_bytes();
            Ok(8)
        }
        Kind::Random => {
            state().random.fill(buffer);
            Ok(buffer.len())
        }
        &Kind::Serial { port } => serial::read(index, port, buffer),
        Kind::Datagram(_) | Kind::Stream(_) => {
            sockets::receive(index, buffer, 0).map(|(count, _)| count)
        }
        &Kind::Pipe { read, .. } => pipes::read(index, read, buffer),
        Kind::Spi { .. } | Kind::I2c { .. } => bus::read(index, buffer),
        Kind::Epoll { .. } => Err(libc::EINVAL),
        &Kind::Kernel(kernel::Kernel { fd, .. }) => kernel::read(index, fd, buffer),
    }
}

fn write_object(index: u32, bytes: &[u8]) -> Result<usize, c_int> {
    match &state().objects.get(index).kind {
        Kind::Event { .. } => pipes::write_event(index, bytes),
        Kind::Random => Ok(bytes.len()),
        &Kind::Serial { port } => transmit::write(index, port, bytes),
        Kind::Datagram(_) | Kind::Stream(_) => sockets::send(index, bytes, None),
        &Kind::Pipe { write, .. } => pipes::write(index, write, bytes),
        Kind::Spi { .. } | Kind::I2c { .. } => bus::write(index, bytes),
        Kind::Timer { .. } | Kind::Epoll { .. } => Err(libc::EINVAL),
        &Kind::Kernel(kernel::Kernel { fd, .. }) => kernel::write(index, fd, bytes),
    }
}

/// As [`answer`], for a write that signals when nobody reads.
pub fn answer_write(result: Result<usize, c_int>) -> isize {
    if result == Err(libc::EPIPE) {
        super::signals::broken_pipe();
    }
    answer(result)
}

pub fn answer(result: Result<usize, c_int>) -> isize {
    match result {
        Ok(count) => count as isize,
        Err(error) => sys::fail(error) as isize,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn read(fd: c_int, buffer: *mut c_void, length: usize) -> isize {
    let Some(object) = begin(fd) else {
        return real_call!(libc::SYS_read, fd, buffer, length) as isize;
    };
    answer(read_object(object, std::slice::from_raw_parts_mut(buffer.cast(), length)))
}

/// Counts and charges the call; the object, if the descriptor is one of ours.
fn begin(fd: c_int) -> Option<u32> {
    if !ready() {
        return None;
    }
    engine::call();
    objects::of(fd)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __read_chk(
    fd: c_int,
    buffer: *mut c_void,
    length: usize,
    _: usize,
) -> isize {
    read(fd, buffer, length)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn write(fd: c_int, bytes: *const c_void, length: usize) -> isize {
    let Some(object) = begin(fd) else {
        return real_call!(libc::SYS_write, fd, bytes, length) as isize;
    };
    answer_write(write_object(object, std::slice::from_raw_parts(bytes.cast(), length)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn readv(fd: c_int, parts: *const iovec, count: c_int) -> isize {
    let Some(object) = begin(fd) else {
        return real_call!(libc::SYS_readv, fd, parts, count) as isize;
    };
    let mut gathered = vec![0; total(parts, count)];
    let read = read_object(object, &mut gathered);
    if let Ok(length) = read {
        scatter(&gathered[..length], parts, count);
    }
    answer(read)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn writev(fd: c_int, parts: *const iovec, count: c_int) -> isize {
    let Some(object) = begin(fd) else {
        return real_call!(libc::SYS_writev, fd, parts, count) as isize;
    };
    answer_write(write_object(object, &gather(parts, count)))
}

unsafe fn parts_of<'a>(parts: *const iovec, count: c_int) -> &'a [iovec] {
    if count <= 0 { &[] } else { std::slice::from_raw_parts(parts, count as usize) }
}

pub unsafe fn total(parts: *const iovec, count: c_int) -> usize {
    parts_of(parts, count).iter().map(|part| part.iov_len).sum()
}

pub unsafe fn gather(parts: *const iovec, count: c_int) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(total(parts, count));
    for part in parts_of(parts, count).iter().filter(|part| part.iov_len > 0) {
        bytes.extend_from_slice(std::slice::from_raw_parts(part.iov_base.cast(), part.iov_len));
    }
    bytes
}

pub unsafe fn scatter(mut bytes: &[u8], parts: *const iovec, count: c_int) {
    for part in parts_of(parts, count) {
        let length = part.iov_len.min(bytes.len());
        part.iov_base.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), length);
        bytes = &bytes[length..];
    }
}

/// Descriptors that the shim needs; to the program they are not there.
pub fn is_ours(fd: c_int) -> bool {
    ready() && (state().transport.owns(fd) || children::owns(fd) || kernel::owns(fd))
}

/// Closes each descriptor of a range, or has it closed by `exec`, but for those of the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int {
    const BY_EXEC: c_int = 4;
    if first > last || flags & !(BY_EXEC | 2) != 0 {
        return sys::fail(libc::EINVAL) as c_int;
    }
    for fd in processes::numbers_in("/proc/self/fd") {
        if !(first..=last).contains(&fd) || is_ours(fd as c_int) {
            continue;
        }
        if flags & BY_EXEC != 0 {
            real_call!(libc::SYS_fcntl, fd, libc::F_SETFD, libc::FD_CLOEXEC);
        } else {
            close(fd as c_int);
        }
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn closefrom(first: c_int) {
    close_range(first.max(0) as c_uint, c_uint::MAX, 0);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn close(fd: c_int) -> c_int {
    let object = begin(fd);
    if is_ours(fd) {
        return sys::fail(libc::EBADF) as c_int;
    }
    let shared = object.is_some_and(|object| kernel::of(object).is_some());
    objects::detach(fd);
    let closed = real_call!(libc::SYS_close, fd) as c_int;
    // Another end may have waited for this, and a child for the locks of a file.
    if object.is_none_or(|_| shared) {
        kernel::stirred();
    }
    closed
}

unsafe fn copied(from: Option<u32>, fd: c_int) -> c_int {
    if let (Some(object), true) = (from, fd >= 0) {
        objects::attach(fd, object);
    }
    fd
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn dup(fd: c_int) -> c_int {
    let object = begin(fd);
    copied(object, real_call!(libc::SYS_dup, fd) as c_int)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn dup2(fd: c_int, to: c_int) -> c_int {
    if fd == to { real_call!(libc::SYS_dup2, fd, to) as c_int } else { dup3(fd, to, 0) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn dup3(fd: c_int, to: c_int, flags: c_int) -> c_int {
    let object = begin(fd);
    if is_ours(fd) || is_ours(to) {
        return sys::fail(libc::EBADF) as c_int;
    }
    let result = real_call!(libc::SYS_dup3, fd, to, flags) as c_int;
    if result >= 0 {
        objects::detach(to);
    }
    copied(object, result)
}

/// Locks a part of a file; `try_it` is the command that does not wait.
unsafe fn lock_part(fd: c_int, command: c_int, try_it: c_int, part: u64) -> c_int {
    machine::lock(command != try_it, || {
        sys::raw(libc::SYS_fcntl, [fd as u64, try_it as u64, part, 0, 0, 0])
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fcntl(fd: c_int, command: c_int, argument: u64) -> c_int {
    let Some(object) = begin(fd) else {
        return match command {
            libc::F_SETLK | libc::F_SETLKW => lock_part(fd, command, libc::F_SETLK, argument),
            libc::F_OFD_SETLK | libc::F_OFD_SETLKW => {
                lock_part(fd, command, libc::F_OFD_SETLK, argument)
            }
            _ => real_call!(libc::SYS_fcntl, fd, command, argument) as c_int,
        };
    };
    match command {
        libc::F_GETFL => {
            libc::O_RDWR
                | if state().objects.get(object).nonblocking { libc::O_NONBLOCK } else { 0 }
        }
        libc::F_SETFL => {
            state().objects.get(object).nonblocking = argument as c_int & libc::O_NONBLOCK != 0;
            0
        }
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
            copied(Some(object), real_call!(libc::SYS_fcntl, fd, command, argument) as c_int)
        }
        libc::F_GETFD | libc::F_SETFD => {
            real_call!(libc::SYS_fcntl, fd, command, argument) as c_int
        }
        _ => sys::fail(libc::EINVAL) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fcntl64(fd: c_int, command: c_int, argument: u64) -> c_int {
    fcntl(fd, command, argument)
}

/// Asks for all interfaces of the network (netdevice(7)).
const SIOCGIFCONF: c_ulong = 0x8912;
/// Ask for one, or set something of it.
const INTERFACES: std::ops::RangeInclusive<c_ulong> = 0x8910..=0x8951;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ioctl(fd: c_int, request: c_ulong, argument: u64) -> c_int {
    let Some(object) = begin(fd) else {
        return real_call!(libc::SYS_ioctl, fd, request, argument) as c_int;
    };
    if request == libc::FIONBIO {
        state().objects.get(object).nonblocking = *(argument as *const c_int) != 0;
        return 0;
    }
    match state().objects.get(object).kind {
        Kind::Kernel(kernel::Kernel { fd, .. }) => {
            kernel::ioctl(fd, request, argument as *mut c_void)
        }
        Kind::Spi { .. } => bus::spi_ioctl(object, request, argument),
        Kind::I2c { .. } => bus::i2c_ioctl(object, request, argument),
        Kind::Serial { port } => serial::ioctl(port, request, argument)
            .unwrap_or_else(|| sys::fail(libc::EINVAL) as c_int),
        Kind::Datagram(_) | Kind::Stream(_) if request == SIOCGIFCONF => {
            // The list of interfaces is empty, and so is its length.
            *(argument as *mut c_int) = 0;
            0
        }
        Kind::Datagram(_) | Kind::Stream(_) if INTERFACES.contains(&request) => {
            sys::fail(libc::ENODEV) as c_int
        }
        Kind::Datagram(_) | Kind::Stream(_) if request == libc::FIONREAD => {
            *(argument as *mut c_int) = sockets::available(object) as c_int;
            0
        }
        _ => sys::fail(libc::ENOTTY) as c_int,
    }
}

/// Calls that need a place in a file: what is no file has none.
macro_rules! placed {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty, $number:expr;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(fd: c_int, $($argument: $kind),*) -> $result {
            if ready() && objects::of(fd).is_some() {
                return sys::fail(libc::ESPIPE) as $result;
            }
            real_call!($number, fd, $($argument),*) as $result
        })*
    };
}

placed! {
    lseek(offset: i64, whence: c_int) -> i64, libc::SYS_lseek;
    lseek64(offset: i64, whence: c_int) -> i64, libc::SYS_lseek;
    pread(buffer: *mut c_void, length: usize, offset: i64) -> isize, libc::SYS_pread64;
    pread64(buffer: *mut c_void, length: usize, offset: i64) -> isize, libc::SYS_pread64;
    pwrite(bytes: *const c_void, length: usize, offset: i64) -> isize, libc::SYS_pwrite64;
    pwrite64(bytes: *const c_void, length: usize, offset: i64) -> isize, libc::SYS_pwrite64;
}
