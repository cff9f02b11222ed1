//! The calls that send, receive and ask on sockets.

use super::files::{answer, answer_write, gather, scatter, total};
use super::objects::Kind;
use super::sockets::{begin, number_of, put_address, receive, send};
use super::streams::Phase;
use super::{clocks, kernel, state, sys};
use libc::{c_int, c_void, msghdr, sockaddr, socklen_t};

fn sent(result: Result<usize, c_int>, flags: c_int) -> isize {
    if flags & libc::MSG_NOSIGNAL != 0 { answer(result) } else { answer_write(result) }
}

fn family_of(index: u32) -> c_int {
    match &state().objects.get(index).kind {
        Kind::Datagram(socket) => socket.family,
        Kind::Stream(stream) => stream.family,
        _ => libc::AF_UNIX,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sendto(
    fd: c_int,
    bytes: *const c_void,
    length: usize,
    flags: c_int,
    address: *const sockaddr,
    address_length: socklen_t,
) -> isize {
    let Some(index) = begin(fd) else { return -1 };
    let bytes = std::slice::from_raw_parts(bytes.cast(), length);
    if let Some(own) = kernel::of(index) {
        return sent(kernel::send_to(index, own, bytes, flags, address, address_length), flags);
    }
    sent(send(index, bytes, number_of(address, address_length)), flags)
}

/// Receives; of a stream as much as is asked for, if the flags say so.
fn receive_all(index: u32, buffer: &mut [u8], flags: c_int) -> Result<(usize, u16), c_int> {
    let (mut count, from) = receive(index, buffer, flags)?;
    let is_stream = matches!(state().objects.get(index).kind, Kind::Stream(_));
    let wants_all =
        flags & (libc::MSG_WAITALL | libc::MSG_PEEK | libc::MSG_DONTWAIT) == libc::MSG_WAITALL;
    while is_stream && wants_all && count < buffer.len() {
        match receive(index, &mut buffer[count..], flags) {
            Ok((0, _)) | Err(_) => break,
            Ok((more, _)) => count += more,
        }
    }
    Ok((count, from))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn recvfrom(
    fd: c_int,
    buffer: *mut c_void,
    length: usize,
    flags: c_int,
    address: *mut sockaddr,
    address_length: *mut socklen_t,
) -> isize {
    let Some(index) = begin(fd) else { return -1 };
    let buffer = std::slice::from_raw_parts_mut(buffer.cast(), length);
    if let Some(own) = kernel::of(index) {
        return answer(kernel::receive_from(index, own, buffer, flags, address, address_length));
    }
    let received = receive_all(index, buffer, flags);
    if let Ok((_, from)) = received {
        put_address(family_of(index), from, address, address_length);
    }
    answer(received.map(|(count, _)| count))
}

#[unsafe(export_name = "send")]
pub unsafe extern "C" fn send_bytes(
    fd: c_int,
    bytes: *const c_void,
    length: usize,
    flags: c_int,
) -> isize {
    sendto(fd, bytes, length, flags, std::ptr::null(), 0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn recv(
    fd: c_int,
    buffer: *mut c_void,
    length: usize,
    flags: c_int,
) -> isize {
    recvfrom(fd, buffer, length, flags, std::ptr::null_mut(), std::ptr::null_mut())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __recv_chk(
    fd: c_int,
    buffer: *mut c_void,
    length: usize,
    _: usize,
    flags: c_int,
) -> isize {
    recv(fd, buffer, length, flags)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __recvfrom_chk(
    fd: c_int,
    buffer: *mut c_void,
    length: usize,
    _: usize,
    flags: c_int,
    address: *mut sockaddr,
    address_length: *mut socklen_t,
) -> isize {
    recvfrom(fd, buffer, length, flags, address, address_length)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sendmsg(fd: c_int, message: *const msghdr, flags: c_int) -> isize {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return sent(kernel::send_message(index, own, message, flags), flags);
    }
    let bytes = gather((*message).msg_iov, (*message).msg_iovlen as c_int);
    sent(send(index, &bytes, number_of((*message).msg_name.cast(), (*message).msg_namelen)), flags)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn recvmsg(fd: c_int, message: *mut msghdr, flags: c_int) -> isize {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return answer(kernel::receive_message(index, own, message, flags));
    }
    let (parts, count) = ((*message).msg_iov, (*message).msg_iovlen as c_int);
    let mut buffer = vec![0; total(parts, count)];
    let received = receive(index, &mut buffer, flags);
    if let Ok((length, from)) = received {
        scatter(&buffer[..length.min(buffer.len())], parts, count);
        put_address(
            family_of(index),
            from,
            (*message).msg_name.cast(),
            &raw mut (*message).msg_namelen,
        );
        (*message).msg_controllen = 0;
        (*message).msg_flags = 0;
    }
    answer(received.map(|(count, _)| count))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getsockname(
    fd: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return kernel::plain(
            libc::SYS_getsockname,
            [own as u64, address as u64, length as u64, 0, 0],
        );
    }
    let number = match &state().objects.get(index).kind {
        Kind::Datagram(socket) => socket.local,
        Kind::Stream(stream) => stream.local,
        Kind::Pipe { read: Some(_), write: Some(_) } => 0,
        _ => return sys::fail(libc::ENOTSOCK) as c_int,
    };
    put_address(family_of(index), number, address, length);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getpeername(
    fd: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if let Some(own) = kernel::of(index) {
        return kernel::plain(
            libc::SYS_getpeername,
            [own as u64, address as u64, length as u64, 0, 0],
        );
    }
    let number = match &state().objects.get(index).kind {
        Kind::Datagram(socket) if socket.remote != 0 => socket.remote,
        Kind::Stream(stream) if stream.phase == Phase::Open => stream.remote,
        Kind::Pipe { read: Some(_), write: Some(_) } => 0,
        _ => return sys::fail(libc::ENOTCONN) as c_int,
    };
    put_address(family_of(index), number, address, length);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn setsockopt(
    fd: c_int,
    level: c_int,
    option: c_int,
    value: *const c_void,
    length: socklen_t,
) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if level == libc::SOL_SOCKET && option == libc::SO_RCVTIMEO {
        if (length as usize) < std::mem::size_of::<libc::timeval>() {
            return sys::fail(libc::EINVAL) as c_int;
        }
        let span = &*value.cast::<libc::timeval>();
        let picoseconds =
            (span.tv_sec as u64 * 1_000_000 + span.tv_usec as u64).saturating_mul(1_000_000);
        match &mut state().objects.get(index).kind {
            Kind::Datagram(socket) => socket.timeout = picoseconds,
            Kind::Stream(stream) => stream.timeout = picoseconds,
            Kind::Kernel(kernel) => kernel.timeout = picoseconds,
            _ => return sys::fail(libc::ENOTSOCK) as c_int,
        }
        return 0;
    }
    if let Some(own) = kernel::of(index) {
        let (level, option) = (level as u64, option as u64);
        let arguments = [own as u64, level, option, value as u64, u64::from(length)];
        return kernel::plain(libc::SYS_setsockopt, arguments);
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getsockopt(
    fd: c_int,
    level: c_int,
    option: c_int,
    value: *mut c_void,
    length: *mut socklen_t,
) -> c_int {
    let Some(index) = begin(fd) else { return -1 };
    if level == libc::SOL_SOCKET && option == libc::SO_RCVTIMEO {
        let timeout = match &state().objects.get(index).kind {
            Kind::Datagram(socket) => socket.timeout,
            Kind::Stream(stream) => stream.timeout,
            Kind::Kernel(kernel) => kernel.timeout,
            _ => 0,
        };
        *value.cast() = clocks::to_timeval(timeout / 1000);
        return 0;
    }
    if let Some(own) = kernel::of(index) {
        let (level, option) = (level as u64, option as u64);
        let arguments = [own as u64, level, option, value as u64, length as u64];
        return kernel::plain(libc::SYS_getsockopt, arguments);
    }
    let number = match (option, &mut state().objects.get(index).kind) {
        (libc::SO_ERROR, Kind::Stream(stream)) if stream.phase == Phase::Refused => {
            stream.phase = Phase::Fresh;
            libc::ECONNREFUSED
        }
        (libc::SO_TYPE, Kind::Datagram(_)) => libc::SOCK_DGRAM,
        (libc::SO_TYPE, _) => libc::SOCK_STREAM,
        (libc::SO_SNDBUF | libc::SO_RCVBUF, _) => 212_992,
        _ => 0,
    };
    if *length as usize >= 4 {
        *value.cast::<c_int>() = number;
        *length = 4;
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sendmmsg(
    fd: c_int,
    messages: *mut libc::mmsghdr,
    count: u32,
    flags: c_int,
) -> c_int {
    for place in 0..count {
        let message = messages.add(place as usize);
        match sendmsg(fd, &(*message).msg_hdr, flags) {
            ..0 if place == 0 => return -1,
            ..0 => return place as c_int,
            sent => (*message).msg_len = sent as u32,
        }
    }
    count as c_int
}

/// Waits for the first message, and for the others unless the flags say not to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn recvmmsg(
    fd: c_int,
    messages: *mut libc::mmsghdr,
    count: u32,
    flags: c_int,
    _: *mut libc::timespec,
) -> c_int {
    let (mut place, mut plain) = (0, flags & !libc::MSG_WAITFORONE);
    while place < count {
        let message = messages.add(place as usize);
        match recvmsg(fd, &mut (*message).msg_hdr, plain) {
            ..0 if place == 0 => return -1,
            ..0 => break,
            received => (*message).msg_len = received as u32,
        }
        place += 1;
        if flags & libc::MSG_WAITFORONE != 0 {
            plain |= libc::MSG_DONTWAIT;
        }
    }
    place as c_int
}
