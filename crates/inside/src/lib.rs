//! Ironbird as a shared library. It is used in two ways:
//!
//! - The program `ironbird` loads it and calls [`ironbird_main`].
//! - The preload library of a native program (`transport = "in-process"`) loads it into a name space of its own and calls
//!   [`ironbird_exchange`]; the crate `ironbird-native` says how the run and the program then take turns.
//!
//! The functions of libc that are defined here take the place of libc's in the second case, for this library alone: the
//! process has one standard output, one set of descriptors and one trap for the processor's counter, and they are the
//! program's. In the first case they do what libc's do.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::OnceLock;

use ironbird_all::{FAILED, limits};
use ironbird_native::inside::{
    Baggage, Exchanged, FIRST_DESCRIPTOR, descriptors, exchange, is_inside, set_holder,
    set_library, terminal,
};

#[global_allocator]
static ALLOCATOR: limits::Allocator = limits::Allocator;

/// That of any program in Rust that panicked. Rust has said what it was.
const PANICKED: u8 = 101;

/// The whole of the program `ironbird`, which was started with the arguments of this process: its exit status. `library` is
/// the path of this library.
///
/// # Safety
/// `library` is a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ironbird_main(library: *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    let library = unsafe { CStr::from_ptr(library) };
    set_library(Path::new(OsStr::from_bytes(library.to_bytes())));
    limits::meet();
    catch_unwind(|| ironbird_all::status_with(|_| Ok(()), None)).unwrap_or(PANICKED).into()
}

/// Takes a frame of the program (the first time: the number of the descriptor of a [`Baggage`]), and answers with the next
/// one for it.
///
/// # Safety
/// `frame` is valid for `length` bytes, `answer` is a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ironbird_exchange(
    frame: *const u8,
    length: usize,
    answer: *mut *const u8,
) -> usize {
    // SAFETY: as the caller promises.
    let frame =
        if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(frame, length) } };
    let begun_with = frame.to_vec();
    let exchanged = catch_unwind(|| exchange(frame, move || run(&begun_with)));
    match exchanged {
        Ok(Exchanged::Frame(place, length)) => {
            // SAFETY: as the caller promises.
            unsafe { *answer = place };
            length
        }
        Ok(Exchanged::Ended(status)) => end(status.into()),
        Err(_) => end(PANICKED.into()),
    }
}

/// Whether a descriptor is the run's, and so not there for the program.
#[unsafe(no_mangle)]
pub extern "C" fn ironbird_owns(fd: c_int) -> bool {
    descriptors::is_kept(fd)
}

/// The whole of `ironbird run`.
fn run(descriptor: &[u8]) -> u8 {
    let number = OsStr::from_bytes(descriptor).to_str().and_then(|text| text.parse().ok());
    let baggage = number.ok_or(std::io::ErrorKind::InvalidInput.into()).and_then(Baggage::unpack);
    let Baggage { ironbird, arguments, environment, holder } = match baggage {
        Ok(baggage) => baggage,
        Err(error) => {
            eprintln!("ironbird: the run inside the program does not know what to do: {error}");
            return FAILED;
        }
    };
    for (name, _) in std::env::vars_os() {
        // SAFETY: this copy of libc has one thread so far, and its environment is not the program's.
        unsafe { std::env::remove_var(name) };
    }
    for (name, value) in environment {
        // SAFETY: as above.
        unsafe { std::env::set_var(name, value) };
    }
    set_holder(holder);
    ironbird_all::main_inside(ironbird, arguments)
}

/// Ends the process and not only the run. The program's own last acts are not for it to do: its time is over.
fn end(status: c_int) -> ! {
    // SAFETY: nothing is left to be done; what the run prints is flushed line by line.
    unsafe { libc::_exit(status) }
}

/// What a call of the kernel gives, in libc's way.
macro_rules! system_call {
    ($number:ident $(, $argument:expr)*) => {
        // SAFETY: the arguments are those that libc would hand on.
        unsafe { libc::syscall(libc::$number $(, $argument)*) }
    };
}

/// write(2).
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn write(fd: c_int, bytes: *const c_void, count: usize) -> isize {
    system_call!(SYS_write, terminal(fd), bytes, count) as isize
}

/// writev(2).
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn writev(fd: c_int, pieces: *const libc::iovec, count: c_int) -> isize {
    system_call!(SYS_writev, terminal(fd), pieces, count) as isize
}

/// isatty(3): whether the terminal driver knows the descriptor.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isatty(fd: c_int) -> c_int {
    let mut settings = [0u8; 64];
    let answered = system_call!(SYS_ioctl, terminal(fd), libc::TCGETS, settings.as_mut_ptr());
    c_int::from(answered == 0)
}

/// clock_gettime(2). Inside a program by the kernel: the fast way would read the processor's counter, which is trapped.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut libc::timespec) -> c_int {
    type Real = unsafe extern "C" fn(c_int, *mut libc::timespec) -> c_int;
    static REAL: OnceLock<Option<Real>> = OnceLock::new();
    let find = || {
        // SAFETY: the name ends with a zero; what libc has under it is of this type.
        unsafe {
            let found = libc::dlsym(libc::RTLD_NEXT, c"clock_gettime".as_ptr());
            (!found.is_null()).then(|| std::mem::transmute::<*mut c_void, Real>(found))
        }
    };
    if !is_inside()
        && let Some(real) = REAL.get_or_init(find)
    {
        // SAFETY: as the caller promises.
        return unsafe { real(clock, time) };
    }
    system_call!(SYS_clock_gettime, clock, time) as c_int
}

/// The same file under a number that is out of the program's way, and that the program cannot close.
fn above(fd: c_int, closes_on_exec: bool) -> c_int {
    if !is_inside() {
        return fd;
    }
    let command = if closes_on_exec { libc::F_DUPFD_CLOEXEC } else { libc::F_DUPFD };
    let moved = system_call!(SYS_fcntl, fd, command, FIRST_DESCRIPTOR) as c_int;
    if moved < 0 {
        descriptors::keep(fd);
        return fd;
    }
    descriptors::keep(moved);
    system_call!(SYS_close, fd);
    moved
}

/// close(2). Its number is not the run's any more before another file can have it.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn close(fd: c_int) -> c_int {
    descriptors::give_up(fd);
    system_call!(SYS_close, fd) as c_int
}

/// The descriptor of a call that makes one, kept from the program.
fn kept(made: libc::c_long) -> c_int {
    let made = made as c_int;
    if made < 0 { made } else { above(made, true) }
}

/// socket(2), with a number out of the program's way.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int {
    kept(system_call!(SYS_socket, domain, kind, protocol))
}

/// accept4(2), with a number out of the program's way.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accept4(
    fd: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
    flags: c_int,
) -> c_int {
    kept(system_call!(SYS_accept4, fd, address, length, flags))
}

/// epoll_create1(2), with a number out of the program's way.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_create1(flags: c_int) -> c_int {
    kept(system_call!(SYS_epoll_create1, flags))
}

/// eventfd(2), with a number out of the program's way.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eventfd(count: libc::c_uint, flags: c_int) -> c_int {
    kept(system_call!(SYS_eventfd2, count, flags))
}

/// open(2), with a number out of the program's way.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: libc::mode_t) -> c_int {
    let fd =
        system_call!(SYS_openat, libc::AT_FDCWD, path, flags | libc::O_LARGEFILE, mode) as c_int;
    if fd < 0 { fd } else { above(fd, flags & libc::O_CLOEXEC != 0) }
}

/// pipe2(2), with numbers out of the program's way.
///
/// # Safety
/// As of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pipe2(ends: *mut c_int, flags: c_int) -> c_int {
    let made = system_call!(SYS_pipe2, ends, flags) as c_int;
    if made == 0 {
        // SAFETY: there is room for both, as the caller promises.
        let ends = unsafe { std::slice::from_raw_parts_mut(ends, 2) };
        for end in ends {
            *end = above(*end, flags & libc::O_CLOEXEC != 0);
        }
    }
    made
}
