//! Sockets that lead to the host.
//!
//! Addresses are not looked at, only ports. A datagram socket belongs to a port of the setup when it is bound to its
//! local number or sends to its remote one; a stream socket when it listens or connects. What belongs to none is a
//! socket on a network without anybody else, apart from the program's own datagram sockets.

use super::objects::{self, Kind, Object};
use super::streams::{Phase, Stream};
use super::{engine, kernel, ready, state, sys};
use crate::protocol::{Networks, Output, SocketKind};
use libc::{c_int, sockaddr, socklen_t};
use std::collections::VecDeque;

#[derive(Default)]
pub struct Datagram {
    /// The ports of the setup that it belongs to.
    pub ports: Vec<u32>,
    /// Its number; 0 until it has one.
    pub local: u16,
    /// Where it is connected to; 0 if it is not.
    pub remote: u16,
    /// What arrived: from where, and what.
    pub queue: VecDeque<(u16, Vec<u8>)>,
    /// How long a read waits, in picoseconds; 0 for ever.
    pub timeout: u64,
    pub family: c_int,
}

/// Datagrams beyond this many are lost, as in a kernel with a full buffer.
const QUEUE: usize = 1024;
const LARGEST: usize = 65507;

/// How many bytes a read would give.
pub fn available(index: u32) -> usize {
    let state = state();
    match &state.objects.get(index).kind {
        Kind::Datagram(socket) => socket.queue.front().map_or(0, |(_, bytes)| bytes.len()),
        Kind::Stream(stream) => {
            stream.port.and_then(|port| state.ports.get(&port)).map_or(0, |port| port.input.len())
        }
        _ => 0,
    }
}

/// A datagram arrives at a socket.
pub fn deliver(index: u32, from: u16, bytes: Vec<u8>) {
    if let Kind::Datagram(socket) = &mut state().objects.get(index).kind
        && socket.queue.len() < QUEUE
    {
        socket.queue.push_back((from, bytes));
    }
    objects::changed(index);
}

pub fn free_number() -> u16 {
    let objects = &mut state().objects;
    objects.next_network_port = objects.next_network_port.max(49151).wrapping_add(1).max(49152);
    objects.next_network_port
}

/// The port of the setup for a datagram from one number to another: both named, else the remote, else the local one.
fn route(local: u16, remote: u16) -> Option<u32> {
    let rank = |kind: &SocketKind| match *kind {
        SocketKind::Datagram { local: 0, remote: 0 } => None,
        SocketKind::Datagram { local: own, remote: other } => {
            let fits = (own == 0 || own == local) && (other == 0 || other == remote);
            fits.then_some((other != 0, own != 0))
        }
        _ => None,
    };
    let all = state().setup.sockets.iter();
    all.filter_map(|socket| Some((rank(&socket.kind)?, socket.port)))
        .max_by_key(|(rank, _)| *rank)
        .map(|(_, port)| port)
}

/// Port and family of an address.
pub unsafe fn number_of(address: *const sockaddr, length: socklen_t) -> Option<u16> {
    if address.is_null() || (length as usize) < 8 {
        return None;
    }
    match c_int::from((*address).sa_family) {
        // The port lies in the same place in both.
        libc::AF_INET | libc::AF_INET6 => {
            Some(u16::from_be(address.cast::<u16>().add(1).read_unaligned()))
        }
        _ => None,
    }
}

pub unsafe fn put_address(
    family: c_int,
    number: u16,
    address: *mut sockaddr,
    length: *mut socklen_t,
) {
    if address.is_null() || length.is_null() {
        return;
    }
    let mut bytes = [0u8; 28];
    bytes[..2].copy_from_slice(&(family as u16).to_ne_bytes());
    bytes[2..4].copy_from_slice(&number.to_be_bytes());
    let size = match family {
        libc::AF_INET6 => {
            bytes[23] = 1;
            28
        }
        libc::AF_INET => {
            bytes[4..8].copy_from_slice(&[127, 0, 0, 1]);
            16
        }
        _ => 2,
    };
    let fits = size.min(*length as usize);
    address.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), fits);
    *length = size as socklen_t;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn socket(family: c_int, kind: c_int, protocol: c_int) -> c_int {
    ready();
    engine::call();
    if family == libc::AF_UNIX && state().children.is_some() {
        return kernel::socket(family, kind, protocol);
    }
    if ![libc::AF_INET, libc::AF_INET6, libc::AF_UNIX].contains(&family) {
        return sys::fail(libc::EAFNOSUPPORT) as c_int;
    }
    let object = match kind & 0xf {
        libc::SOCK_DGRAM => Kind::Datagram(Datagram { family, ..Datagram::default() }),
        libc::SOCK_STREAM => Kind::Stream(Stream {
            port: None,
            phase: Phase::Fresh,
            local: 0,
            remote: 0,
            timeout: 0,
            family,
        }),
        _ => return sys::fail(libc::EPROTONOSUPPORT) as c_int,
    };
    objects::open(
        Object::new(object, kind & libc::SOCK_NONBLOCK != 0),
        kind & libc::SOCK_CLOEXEC != 0,
    )
}

/// The object of a socket; -1 and `errno` are left for the caller to return otherwise.
pub fn begin(fd: c_int) -> Option<u32> {
    ready();
    engine::call();
    let index = objects::of(fd);
    if index.is_none() {
        sys::fail(libc::ENOTSOCK);
    }
    index
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bind(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return kernel::plain(
            libc::SYS_bind,
            [own as u64, address as u64, u64::from(length), 0, 0],
        );
    }
    let mut number = number_of(address, length).unwrap_or(0);
    if number == 0 {
        number = free_number();
    }
    let taken = state().objects.iter().any(|(other, object)| {
        other != index && matches!(&object.kind, Kind::Datagram(socket) if socket.local == number && socket.local != 0)
    });
    match &mut state().objects.get(index).kind {
        Kind::Datagram(_) if taken => return sys::fail(libc::EADDRINUSE) as c_int,
        Kind::Datagram(socket) => {
            socket.local = number;
            let own = state().setup.sockets.iter().filter_map(|socket| match socket.kind {
                SocketKind::Datagram { local, .. } if local == number => Some(socket.port),
                _ => None,
            });
            socket.ports.extend(own);
        }
        Kind::Stream(stream) => stream.local = number,
        _ => return sys::fail(libc::ENOTSOCK) as c_int,
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn connect(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return kernel::connect(own, address, length);
    }
    let number = number_of(address, length).unwrap_or(0);
    match &mut state().objects.get(index).kind {
        Kind::Datagram(socket) => {
            if socket.local == 0 {
                socket.local = free_number();
            }
            socket.remote = number;
            let port = route(socket.local, number);
            socket.ports.extend(port);
            0
        }
        Kind::Stream(_) => match super::streams::connect(index, number) {
            Ok(()) => 0,
            Err(error) => sys::fail(error) as c_int,
        },
        _ => sys::fail(libc::ENOTSOCK) as c_int,
    }
}

/// Sends to a number, or to where the socket is connected.
pub fn send(index: u32, bytes: &[u8], to: Option<u16>) -> Result<usize, c_int> {
    match &mut state().objects.get(index).kind {
        Kind::Stream(stream) => match (stream.phase, stream.port) {
            (Phase::Open, Some(port)) => {
                if state().ports.get(&port).is_some_and(|port| port.ended) {
                    return Err(libc::EPIPE);
                }
                Ok(super::streams::write(port, bytes))
            }
            (Phase::Closed, _) => Err(libc::EPIPE),
            _ => Err(libc::ENOTCONN),
        },
        Kind::Datagram(socket) => {
            let remote =
                to.or((socket.remote != 0).then_some(socket.remote)).ok_or(libc::EDESTADDRREQ)?;
            if bytes.len() > LARGEST {
                return Err(libc::EMSGSIZE);
            }
            if socket.local == 0 {
                socket.local = free_number();
            }
            let local = socket.local;
            match route(local, remote) {
                Some(port) => {
                    if !socket.ports.contains(&port) {
                        socket.ports.push(port);
                    }
                    engine::emit(Output::DatagramOut {
                        port,
                        to_port: remote,
                        bytes: bytes.to_vec(),
                    });
                }
                None => send_within(local, remote, bytes)?,
            }
            Ok(bytes.len())
        }
        &mut Kind::Pipe { write, .. } => super::pipes::write(index, write, bytes),
        _ => Err(libc::ENOTSOCK),
    }
}

/// To a socket of the program's own, or to nobody.
fn send_within(local: u16, remote: u16, bytes: &[u8]) -> Result<(), c_int> {
    let is_meant =
        |object: &Object| matches!(&object.kind, Kind::Datagram(socket) if socket.local == remote);
    let found = state().objects.iter().find(|(_, object)| is_meant(object)).map(|(index, _)| index);
    match found {
        Some(index) => {
            deliver(index, local, bytes.to_vec());
            engine::preempt_if_due();
            Ok(())
        }
        None if state().setup.networks == Networks::Silent => Ok(()),
        None => Err(libc::ENETUNREACH),
    }
}

/// Receives; gives the length and the sender's number. `flags` may peek or not wait.
pub fn receive(index: u32, buffer: &mut [u8], flags: c_int) -> Result<(usize, u16), c_int> {
    let peek = flags & libc::MSG_PEEK != 0;
    let mut deadline = None;
    loop {
        let state = state();
        let timeout = match &mut state.objects.get(index).kind {
            Kind::Datagram(socket) => {
                if let Some((from, bytes)) = socket.queue.front() {
                    let count = buffer.len().min(bytes.len());
                    buffer[..count].copy_from_slice(&bytes[..count]);
                    let whole = if flags & libc::MSG_TRUNC != 0 { bytes.len() } else { count };
                    let result = (whole, *from);
                    if !peek {
                        socket.queue.pop_front();
                    }
                    return Ok(result);
                }
                socket.timeout
            }
            Kind::Stream(stream) => {
                let remote = stream.remote;
                match stream.phase {
                    Phase::Closed => return Ok((0, remote)),
                    Phase::Refused => return Err(libc::ECONNREFUSED),
                    Phase::Open => {}
                    _ => return Err(libc::ENOTCONN),
                }
                let Some(port) = stream.port.and_then(|port| state.ports.get_mut(&port)) else {
                    return Ok((0, remote));
                };
                if !port.input.is_empty() {
                    if peek {
                        let count = buffer.len().min(port.input.len());
                        buffer.iter_mut().zip(&port.input).for_each(|(place, byte)| *place = *byte);
                        return Ok((count, remote));
                    }
                    return Ok((super::files::drain(&mut port.input, buffer), remote));
                }
                if port.ended || buffer.is_empty() {
                    return Ok((0, remote));
                }
                stream.timeout
            }
            &mut Kind::Pipe { read, .. } => {
                return super::pipes::read(index, read, buffer).map(|count| (count, 0));
            }
            _ => return Err(libc::ENOTSOCK),
        };
        if flags & libc::MSG_DONTWAIT != 0 {
            return Err(libc::EAGAIN);
        }
        if timeout != 0 && deadline.is_none() {
            deadline = Some(state.now.saturating_add(timeout));
        }
        if !objects::wait_for(index, libc::POLLIN, deadline)? {
            return Err(libc::EAGAIN);
        }
    }
}
