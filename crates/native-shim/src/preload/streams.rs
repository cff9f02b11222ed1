//! Stream sockets: connections with the host, one at a time for each port.

use super::objects::{self, Kind, Object};
use super::sockets::{begin, free_number, put_address};
use super::{engine, kernel, report, state, sys};
use crate::protocol::{Networks, Output, SocketKind};
use libc::{c_int, sockaddr, socklen_t};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Fresh,
    Listening,
    Connecting,
    Open,
    Refused,
    Closed,
}

pub struct Stream {
    pub port: Option<u32>,
    pub phase: Phase,
    pub local: u16,
    pub remote: u16,
    pub timeout: u64,
    pub family: c_int,
}

pub fn readiness(stream: &Stream, bits: impl Fn(bool, bool) -> i16) -> i16 {
    let port = stream.port.and_then(|port| state().ports.get(&port));
    match stream.phase {
        Phase::Fresh => libc::POLLHUP | libc::POLLOUT,
        Phase::Listening => bits(port.is_some_and(|port| port.waiting), false),
        Phase::Connecting => 0,
        Phase::Open => {
            let ended = port.is_none_or(|port| port.ended);
            bits(ended || port.is_some_and(|port| !port.input.is_empty()), true)
        }
        Phase::Refused => libc::POLLERR | libc::POLLHUP | bits(true, true),
        Phase::Closed => libc::POLLHUP | bits(true, true),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn listen(fd: c_int, backlog: c_int) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return kernel::plain(libc::SYS_listen, [own as u64, backlog as u64, 0, 0, 0]);
    }
    let Kind::Stream(stream) = &mut state().objects.get(index).kind else {
        return sys::fail(libc::EOPNOTSUPP) as c_int;
    };
    stream.phase = Phase::Listening;
    let number = stream.local;
    stream.port = state().setup.sockets.iter().find_map(|socket| match socket.kind {
        SocketKind::Listen { local } if local == number => Some(socket.port),
        _ => None,
    });
    if let Some(port) = stream.port {
        engine::emit(Output::Listen { port });
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accept4(
    fd: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
    flags: c_int,
) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return kernel::accept(index, own, address, length, flags);
    }
    loop {
        let (port, local, family) = match &state().objects.get(index).kind {
            Kind::Stream(stream) if stream.phase == Phase::Listening => {
                (stream.port, stream.local, stream.family)
            }
            _ => return sys::fail(libc::EINVAL) as c_int,
        };
        if let Some(port) = port {
            let entry = state().ports.entry(port).or_default();
            if std::mem::take(&mut entry.waiting) {
                entry.users = 1;
                let remote = free_number();
                let stream = Stream {
                    port: Some(port),
                    phase: Phase::Open,
                    local,
                    remote,
                    timeout: 0,
                    family,
                };
                put_address(family, remote, address, length);
                let nonblocking = flags & libc::SOCK_NONBLOCK != 0;
                return objects::open(
                    Object::new(Kind::Stream(stream), nonblocking),
                    flags & libc::SOCK_CLOEXEC != 0,
                );
            }
        }
        if let Err(error) = objects::wait_for(index, libc::POLLIN, None) {
            return sys::fail(error) as c_int;
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accept(
    fd: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
) -> c_int {
    accept4(fd, address, length, 0)
}

fn stream(index: u32) -> &'static mut Stream {
    match &mut state().objects.get(index).kind {
        Kind::Stream(stream) => stream,
        _ => report::broken("a stream is none"),
    }
}

pub fn connect(index: u32, number: u16) -> Result<(), c_int> {
    match stream(index).phase {
        Phase::Open => return Err(libc::EISCONN),
        Phase::Connecting => return Err(libc::EALREADY),
        Phase::Listening => return Err(libc::EINVAL),
        Phase::Fresh | Phase::Refused | Phase::Closed => {}
    }
    let port = state().setup.sockets.iter().find_map(|socket| match socket.kind {
        SocketKind::Connect { remote } if remote == number => Some(socket.port),
        _ => None,
    });
    if port.is_none() && state().setup.networks == Networks::Refuse {
        return Err(libc::ECONNREFUSED);
    }
    let own = stream(index);
    (own.port, own.remote, own.phase) = (port, number, Phase::Connecting);
    if own.local == 0 {
        own.local = free_number();
    }
    if let Some(port) = port {
        engine::emit(Output::Connect { port });
    }
    while stream(index).phase == Phase::Connecting {
        objects::wait_for(index, libc::POLLOUT, None).map_err(|error| match error {
            libc::EAGAIN => libc::EINPROGRESS,
            error => error,
        })?;
    }
    match stream(index).phase {
        Phase::Refused => {
            stream(index).phase = Phase::Fresh;
            Err(libc::ECONNREFUSED)
        }
        _ => Ok(()),
    }
}

/// Gives the host bytes, all of them or as many as a frame holds.
pub fn write(port: u32, bytes: &[u8]) -> usize {
    const MOST: usize = crate::protocol::MAX_FRAME / 2;
    let bytes = &bytes[..bytes.len().min(MOST)];
    if !bytes.is_empty() {
        engine::emit(Output::BytesOut { port, bytes: bytes.to_vec() });
    }
    bytes.len()
}

/// A closed connection is the host's to know.
pub fn release(stream: &Stream) {
    if let (Some(port), Phase::Open | Phase::Connecting) = (stream.port, stream.phase) {
        hang_up(port);
    }
}

fn hang_up(port: u32) {
    let entry = state().ports.entry(port).or_default();
    entry.users = 0;
    entry.input.clear();
    engine::emit(Output::Closed { port });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn shutdown(fd: c_int, how: c_int) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        let result = kernel::plain(libc::SYS_shutdown, [own as u64, how as u64, 0, 0, 0]);
        kernel::stirred();
        return result;
    }
    if let Kind::Stream(stream) = &mut state().objects.get(index).kind {
        if stream.phase != Phase::Open {
            return sys::fail(libc::ENOTCONN) as c_int;
        }
        if how != libc::SHUT_RD {
            stream.phase = Phase::Closed;
            if let Some(port) = stream.port {
                hang_up(port);
            }
        }
    }
    objects::changed(index);
    0
}
