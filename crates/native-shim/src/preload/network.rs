//! What the host sends to ports, and names of hosts.

use super::objects::{self, Kind};
use super::streams::Phase;
use super::{engine, ready, state};
use crate::protocol::SocketKind;
use libc::{addrinfo, c_char, c_int};
use std::ffi::CStr;

/// A serial port that nobody has open hears nothing; an open one holds this much.
const SERIAL_BUFFER: usize = 65536;

fn serial_of(port: u32) -> Option<u32> {
    let found = state()
        .objects
        .iter()
        .find(|(_, object)| matches!(object.kind, Kind::Serial { port: own } if own == port));
    found.map(|(index, _)| index)
}

fn stream_of(port: u32, phase: Phase) -> Option<u32> {
    let is_meant = |kind: &Kind| matches!(kind, Kind::Stream(stream) if stream.port == Some(port) && stream.phase == phase);
    state().objects.iter().find(|(_, object)| is_meant(&object.kind)).map(|(index, _)| index)
}

pub fn bytes_in(port: u32, bytes: &[u8]) {
    if let Some(index) = serial_of(port) {
        let input = &mut state().ports.entry(port).or_default().input;
        let room = SERIAL_BUFFER.saturating_sub(input.len());
        input.extend(&bytes[..bytes.len().min(room)]);
        objects::changed(index);
        return;
    }
    let entry = state().ports.entry(port).or_default();
    if entry.waiting || entry.users > 0 {
        entry.input.extend(bytes);
        if let Some(index) = stream_of(port, Phase::Open) {
            objects::changed(index);
        }
    }
}

/// The socket that last used the port, or the one that is bound to its local number.
pub fn datagram_in(port: u32, from_port: u16, bytes: Vec<u8>) {
    let local = state().setup.sockets.iter().find_map(|socket| match socket.kind {
        SocketKind::Datagram { local, .. } if socket.port == port && local != 0 => Some(local),
        _ => None,
    });
    let mut found = None;
    for (index, object) in state().objects.iter() {
        if let Kind::Datagram(socket) = &object.kind
            && (socket.ports.contains(&port) || local == Some(socket.local))
        {
            found = Some(index);
        }
    }
    if let Some(index) = found {
        super::sockets::deliver(index, from_port, bytes);
    }
}

pub fn connected(port: u32) {
    if let Some(index) = stream_of(port, Phase::Connecting) {
        if let Kind::Stream(stream) = &mut state().objects.get(index).kind {
            stream.phase = Phase::Open;
        }
        let entry = state().ports.entry(port).or_default();
        (entry.users, entry.ended) = (1, false);
        entry.input.clear();
        objects::changed(index);
        return;
    }
    let entry = state().ports.entry(port).or_default();
    if entry.users == 0 {
        (entry.waiting, entry.ended) = (true, false);
        entry.input.clear();
        if let Some(index) = stream_of(port, Phase::Listening) {
            objects::changed(index);
        }
    }
}

pub fn disconnected(port: u32) {
    if let Some(index) = stream_of(port, Phase::Connecting) {
        if let Kind::Stream(stream) = &mut state().objects.get(index).kind {
            stream.phase = Phase::Refused;
        }
        objects::changed(index);
        return;
    }
    state().ports.entry(port).or_default().ended = true;
    if let Some(index) = stream_of(port, Phase::Open) {
        objects::changed(index);
    }
}

/// One block for an answer of `getaddrinfo`: the entry and its address.
#[repr(C)]
struct Named {
    entry: addrinfo,
    address: libc::sockaddr_in,
}

/// Names of hosts: numbers, and `localhost`. Other names would need a network.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getaddrinfo(
    host: *const c_char,
    service: *const c_char,
    hints: *const addrinfo,
    result: *mut *mut addrinfo,
) -> c_int {
    ready();
    engine::call();
    let passive = !hints.is_null() && (*hints).ai_flags & libc::AI_PASSIVE != 0;
    let address = if host.is_null() {
        if passive { [0, 0, 0, 0] } else { [127, 0, 0, 1] }
    } else {
        match CStr::from_ptr(host).to_str() {
            Ok("localhost") => [127, 0, 0, 1],
            Ok(text) => match text.parse::<std::net::Ipv4Addr>() {
                Ok(address) => address.octets(),
                Err(_) => return libc::EAI_NONAME,
            },
            Err(_) => return libc::EAI_NONAME,
        }
    };
    let port = if service.is_null() {
        0
    } else {
        match CStr::from_ptr(service).to_str().ok().and_then(|text| text.parse::<u16>().ok()) {
            Some(port) => port,
            None => return libc::EAI_SERVICE,
        }
    };
    if !hints.is_null() && (*hints).ai_family == libc::AF_INET6 {
        return libc::EAI_NONAME;
    }
    let mut named: Box<Named> = Box::new(std::mem::zeroed());
    named.address.sin_family = libc::AF_INET as u16;
    named.address.sin_port = port.to_be();
    named.address.sin_addr.s_addr = u32::from_ne_bytes(address);
    named.entry.ai_family = libc::AF_INET;
    named.entry.ai_socktype = if hints.is_null() || (*hints).ai_socktype == 0 {
        libc::SOCK_STREAM
    } else {
        (*hints).ai_socktype
    };
    named.entry.ai_protocol = if hints.is_null() { 0 } else { (*hints).ai_protocol };
    named.entry.ai_addrlen = std::mem::size_of::<libc::sockaddr_in>() as u32;
    let named = Box::into_raw(named);
    (*named).entry.ai_addr = (&raw mut (*named).address).cast();
    *result = named.cast();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn freeaddrinfo(result: *mut addrinfo) {
    if !result.is_null() {
        drop(Box::from_raw(result.cast::<Named>()));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getifaddrs(result: *mut *mut libc::ifaddrs) -> c_int {
    *result = std::ptr::null_mut();
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn freeifaddrs(_: *mut libc::ifaddrs) {}

/// Names by the older way; `localhost` and numbers are what libc answers without asking anybody.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gethostbyname(name: *const c_char) -> *mut libc::hostent {
    static mut ADDRESS: [u8; 4] = [0; 4];
    static mut ADDRESSES: [*mut c_char; 2] = [std::ptr::null_mut(); 2];
    static mut ALIASES: [*mut c_char; 1] = [std::ptr::null_mut()];
    static mut ENTRY: libc::hostent = libc::hostent {
        h_name: std::ptr::null_mut(),
        h_aliases: std::ptr::null_mut(),
        h_addrtype: libc::AF_INET,
        h_length: 4,
        h_addr_list: std::ptr::null_mut(),
    };
    ready();
    engine::call();
    ADDRESS = match CStr::from_ptr(name).to_str() {
        Ok("localhost") => [127, 0, 0, 1],
        Ok(text) => match text.parse::<std::net::Ipv4Addr>() {
            Ok(address) => address.octets(),
            Err(_) => return std::ptr::null_mut(),
        },
        Err(_) => return std::ptr::null_mut(),
    };
    ADDRESSES[0] = (&raw mut ADDRESS).cast();
    ENTRY.h_name = name.cast_mut();
    ENTRY.h_aliases = (&raw mut ALIASES).cast();
    ENTRY.h_addr_list = (&raw mut ADDRESSES).cast();
    &raw mut ENTRY
}
