//! Pipes, pairs of sockets and `eventfd`: ways from one thread to another.

use super::objects::{self, Kind, Object, PIPE_CAPACITY, Pipe};
use super::{engine, kernel, ready, report, state};
use libc::{c_int, c_uint};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn eventfd(count: c_uint, flags: c_int) -> c_int {
    ready();
    engine::call();
    let kind = Kind::Event { count: u64::from(count), semaphore: flags & libc::EFD_SEMAPHORE != 0 };
    objects::open(
        Object::new(kind, flags & libc::EFD_NONBLOCK != 0),
        flags & libc::EFD_CLOEXEC != 0,
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn eventfd_read(fd: c_int, value: *mut u64) -> c_int {
    if super::files::read(fd, value.cast(), 8) == 8 { 0 } else { -1 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn eventfd_write(fd: c_int, value: u64) -> c_int {
    if super::files::write(fd, (&raw const value).cast(), 8) == 8 { 0 } else { -1 }
}

fn new_pipe() -> u32 {
    let objects = &mut state().objects;
    objects.next_pipe += 1;
    objects.pipes.insert(objects.next_pipe, Pipe { readers: 1, writers: 1, ..Pipe::default() });
    objects.next_pipe
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pipe2(fds: *mut c_int, flags: c_int) -> c_int {
    ready();
    engine::call();
    if state().children.is_some() {
        let kept = (flags & !libc::O_NONBLOCK) as u64;
        let nonblocking = flags & libc::O_NONBLOCK != 0;
        return kernel::open_both(libc::SYS_pipe2, [fds as u64, kept, 0, 0], fds, nonblocking);
    }
    let id = new_pipe();
    open_both(
        fds,
        (Some(id), None),
        (None, Some(id)),
        flags & libc::O_NONBLOCK != 0,
        flags & libc::O_CLOEXEC != 0,
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pipe(fds: *mut c_int) -> c_int {
    pipe2(fds, 0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn socketpair(
    family: c_int,
    kind: c_int,
    protocol: c_int,
    fds: *mut c_int,
) -> c_int {
    ready();
    engine::call();
    if state().children.is_some() {
        let kept = (kind & !libc::SOCK_NONBLOCK) as u64;
        let arguments = [family as u64, kept, protocol as u64, fds as u64];
        let nonblocking = kind & libc::SOCK_NONBLOCK != 0;
        return kernel::open_both(libc::SYS_socketpair, arguments, fds, nonblocking);
    }
    if kind & 0xf != libc::SOCK_STREAM {
        report::leak("socketpair of datagrams", None, "use SOCK_STREAM, a pipe or an eventfd");
    }
    let (there, back) = (new_pipe(), new_pipe());
    let (nonblocking, close) = (kind & libc::SOCK_NONBLOCK != 0, kind & libc::SOCK_CLOEXEC != 0);
    open_both(fds, (Some(back), Some(there)), (Some(there), Some(back)), nonblocking, close)
}

type Ends = (Option<u32>, Option<u32>);

unsafe fn open_both(
    fds: *mut c_int,
    first: Ends,
    second: Ends,
    nonblocking: bool,
    close_on_exec: bool,
) -> c_int {
    for (place, (read, write)) in [first, second].into_iter().enumerate() {
        let fd = objects::open(Object::new(Kind::Pipe { read, write }, nonblocking), close_on_exec);
        if fd < 0 {
            return -1;
        }
        *fds.add(place) = fd;
    }
    0
}

pub fn release(read: Option<u32>, write: Option<u32>) {
    let pipes = &mut state().objects.pipes;
    if let Some(pipe) = read.and_then(|id| pipes.get_mut(&id)) {
        pipe.readers -= 1;
    }
    if let Some(pipe) = write.and_then(|id| pipes.get_mut(&id)) {
        pipe.writers -= 1;
    }
    pipes.retain(|_, pipe| pipe.readers + pipe.writers > 0);
    objects::look_again();
}

/// Who holds the other end of a pipe hears of a change.
fn tell(id: u32) {
    let uses = |object: &Object| matches!(object.kind, Kind::Pipe { read, write } if read == Some(id) || write == Some(id));
    let ends: Vec<u32> =
        state().objects.iter().filter(|(_, object)| uses(object)).map(|(index, _)| index).collect();
    for end in ends {
        super::epoll::arm(end);
    }
    objects::look_again();
    engine::preempt_if_due();
}

pub fn read(index: u32, id: Option<u32>, buffer: &mut [u8]) -> Result<usize, c_int> {
    let id = id.ok_or(libc::EBADF)?;
    loop {
        let Some(pipe) = state().objects.pipes.get_mut(&id) else { return Ok(0) };
        if !pipe.bytes.is_empty() || buffer.is_empty() {
            let count = super::files::drain(&mut pipe.bytes, buffer);
            tell(id);
            return Ok(count);
        }
        if pipe.writers == 0 {
            return Ok(0);
        }
        objects::wait_for(index, libc::POLLIN, None)?;
    }
}

pub fn write(index: u32, id: Option<u32>, bytes: &[u8]) -> Result<usize, c_int> {
    let id = id.ok_or(libc::EBADF)?;
    let mut written = 0;
    while written < bytes.len() {
        let Some(pipe) = state().objects.pipes.get_mut(&id).filter(|pipe| pipe.readers > 0) else {
            return Err(libc::EPIPE);
        };
        let room = PIPE_CAPACITY - pipe.bytes.len();
        if room > 0 {
            let count = room.min(bytes.len() - written);
            pipe.bytes.extend(&bytes[written..written + count]);
            written += count;
            tell(id);
            continue;
        }
        match objects::wait_for(index, libc::POLLOUT, None) {
            Ok(_) => {}
            Err(libc::EAGAIN) if written > 0 => return Ok(written),
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

/// Reads the eight bytes of an `eventfd`.
pub fn read_event(index: u32, buffer: &mut [u8]) -> Result<usize, c_int> {
    let place = buffer.first_chunk_mut::<8>().ok_or(libc::EINVAL)?;
    loop {
        if let Kind::Event { count, semaphore } = &mut state().objects.get(index).kind
            && *count > 0
        {
            let taken = if *semaphore { 1 } else { *count };
            *count -= taken;
            *place = taken.to_ne_bytes();
            objects::changed(index);
            engine::preempt_if_due();
            return Ok(8);
        }
        objects::wait_for(index, libc::POLLIN, None)?;
    }
}

pub fn write_event(index: u32, bytes: &[u8]) -> Result<usize, c_int> {
    let value = u64::from_ne_bytes(*bytes.first_chunk::<8>().ok_or(libc::EINVAL)?);
    if value == u64::MAX {
        return Err(libc::EINVAL);
    }
    loop {
        if let Kind::Event { count, .. } = &mut state().objects.get(index).kind
            && let Some(sum) = count.checked_add(value).filter(|&sum| sum < u64::MAX)
        {
            *count = sum;
            objects::changed(index);
            engine::preempt_if_due();
            return Ok(8);
        }
        objects::wait_for(index, libc::POLLOUT, None)?;
    }
}
