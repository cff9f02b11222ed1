//! Paths that are opened: devices of the setup, and real files.

use super::apart::apart;
use super::objects::{self, Kind, Object};
use super::{engine, machine, ready, serial, state, sys};
use crate::protocol::{DeviceKind, Output};
use libc::{FILE, c_char, c_int, c_void, mode_t};
use std::ffi::CStr;
use sys::{real, real_call};

pub enum Found {
    File,
    /// A file about this machine, with what the program sees of it.
    Text(String),
    Device(DeviceKind, Option<usize>),
}

pub unsafe fn look_up(path: *const c_char) -> Found {
    if path.is_null() {
        return Found::File;
    }
    let path = CStr::from_ptr(path).to_bytes();
    if !path.starts_with(b"/") {
        return Found::File;
    }
    let devices = &state().setup.devices;
    if let Some(place) = devices.iter().position(|device| device.path.as_bytes() == path) {
        return Found::Device(devices[place].kind.clone(), Some(place));
    }
    match path {
        b"/dev/urandom" | b"/dev/random" | b"/dev/hwrng" => Found::Device(DeviceKind::Random, None),
        _ if machine::is_hardware(path) => Found::Device(DeviceKind::Refused, None),
        _ => machine::text(path).map_or(Found::File, Found::Text),
    }
}

unsafe fn open_device(kind: DeviceKind, place: Option<usize>, flags: c_int) -> c_int {
    engine::call();
    let kind = match kind {
        DeviceKind::Refused => return sys::fail(libc::ENOENT) as c_int,
        DeviceKind::Spi { bus, chip } => Kind::Spi { bus, chip, mode: 0, bits: 8, speed: 0 },
        DeviceKind::I2c { bus } => Kind::I2c { bus, address: 0 },
        DeviceKind::Serial { port, .. } => {
            state().ports.entry(port).or_default().users += 1;
            Kind::Serial { port }
        }
        DeviceKind::Random => Kind::Random,
    };
    let fd = objects::open(
        Object::new(kind, flags & libc::O_NONBLOCK != 0),
        flags & libc::O_CLOEXEC != 0,
    );
    if let Some(place) = place
        && !std::mem::replace(&mut state().opened[place], true)
    {
        engine::emit(Output::Opened { device: place as u32 });
    }
    fd
}

unsafe fn open_at(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    if !ready() {
        return real_call!(libc::SYS_openat, folder, path, flags, mode) as c_int;
    }
    match look_up(path) {
        Found::Device(kind, place) => open_device(kind, place, flags),
        Found::Text(text) => {
            engine::call();
            machine::open_text(&text, flags)
        }
        Found::File => {
            engine::call();
            let fd = real_call!(libc::SYS_openat, folder, path, flags, mode) as c_int;
            if fd >= 0 && flags & libc::O_ACCMODE != libc::O_RDONLY {
                tell_outside(path);
            }
            fd
        }
    }
}

/// A program's folder is new for each run; what it writes elsewhere is still there at the next one. The host hears of
/// each such file once. Temporary files and what the kernel shows as files do not count.
unsafe fn tell_outside(path: *const c_char) {
    let path = CStr::from_ptr(path).to_bytes();
    let state = state();
    let own = [state.home.as_bytes(), b"/tmp", b"/dev", b"/proc", b"/sys"];
    let is_in = |folder: &&[u8]| path.strip_prefix(*folder).is_some_and(|r| r.starts_with(b"/"));
    if !path.starts_with(b"/") || own.iter().any(is_in) {
        return;
    }
    let path = String::from_utf8_lossy(path).into_owned();
    if state.outside.insert(path.clone()) {
        engine::emit(Output::WroteOutside { path });
    }
}

// The mode is there only with some flags; a register that was not set is read otherwise, and the kernel ignores it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(libc::AT_FDCWD, path, flags, mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(libc::AT_FDCWD, path, flags, mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __open_2(path: *const c_char, flags: c_int) -> c_int {
    open_at(libc::AT_FDCWD, path, flags, 0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __open64_2(path: *const c_char, flags: c_int) -> c_int {
    open_at(libc::AT_FDCWD, path, flags, 0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn openat(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> c_int {
    open_at(folder, path, flags, mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn openat64(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> c_int {
    open_at(folder, path, flags, mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn creat(path: *const c_char, mode: mode_t) -> c_int {
    open_at(libc::AT_FDCWD, path, libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC, mode)
}

unsafe extern "C" fn cookie_read(cookie: *mut c_void, buffer: *mut c_char, length: usize) -> isize {
    super::files::read(cookie as c_int, buffer.cast(), length)
}

unsafe extern "C" fn cookie_write(
    cookie: *mut c_void,
    buffer: *const c_char,
    length: usize,
) -> isize {
    super::files::write(cookie as c_int, buffer.cast(), length)
}

unsafe extern "C" fn cookie_close(cookie: *mut c_void) -> c_int {
    state().streams.remove(cookie as c_int);
    super::files::close(cookie as c_int)
}

#[repr(C)]
struct Cookie {
    read: unsafe extern "C" fn(*mut c_void, *mut c_char, usize) -> isize,
    write: unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> isize,
    seek: *const c_void,
    close: unsafe extern "C" fn(*mut c_void) -> c_int,
}

unsafe extern "C" {
    fn fopencookie(cookie: *mut c_void, mode: *const c_char, functions: Cookie) -> *mut FILE;
}

/// A stream of stdio on a descriptor of ours: stdio's own calls would go to the kernel.
pub unsafe fn stream(fd: c_int, mode: *const c_char) -> *mut FILE {
    let seek = std::ptr::null();
    let file = fopencookie(
        fd as usize as *mut c_void,
        mode,
        Cookie { read: cookie_read, write: cookie_write, seek, close: cookie_close },
    );
    state().streams.add(file, fd);
    file
}

/// Lets libc make the buffer of a stream at once: it asks the kernel for a good length, and finds number and times of the
/// file with it, which are this machine's.
unsafe fn take_buffer(file: *mut FILE) {
    unsafe extern "C" {
        fn _IO_doallocbuf(file: *mut FILE);
    }
    _IO_doallocbuf(file);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> *mut FILE {
    let open = real!(c"fopen" as unsafe extern "C" fn(*const c_char, *const c_char) -> *mut FILE);
    if !ready() {
        return open(path, mode);
    }
    match look_up(path) {
        Found::File => {
            engine::call();
            let file = open(path, mode);
            if !file.is_null() {
                apart(|| take_buffer(file));
                if CStr::from_ptr(mode).to_bytes().iter().any(|c| b"wa+".contains(c)) {
                    apart(|| tell_outside(path));
                }
            }
            file
        }
        Found::Text(text) => {
            engine::call();
            let close = CStr::from_ptr(mode).to_bytes().contains(&b'e');
            match machine::open_text(&text, if close { libc::O_CLOEXEC } else { 0 }) {
                -1 => std::ptr::null_mut(),
                fd => fdopen(fd, c"r".as_ptr()),
            }
        }
        Found::Device(kind, place) => match open_device(kind, place, 0) {
            -1 => std::ptr::null_mut(),
            fd => stream(fd, mode),
        },
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE {
    fopen(path, mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fdopen(fd: c_int, mode: *const c_char) -> *mut FILE {
    if ready() && objects::of(fd).is_some() {
        return stream(fd, mode);
    }
    real!(c"fdopen" as unsafe extern "C" fn(c_int, *const c_char) -> *mut FILE)(fd, mode)
}

/// Streams of stdio on descriptors of the shim, whose numbers libc does not know.
#[derive(Default)]
pub struct Streams(Vec<(*mut FILE, c_int)>);

impl Streams {
    pub fn add(&mut self, file: *mut FILE, fd: c_int) {
        self.0.push((file, fd));
    }

    pub fn remove(&mut self, fd: c_int) {
        self.0.retain(|(_, own)| *own != fd);
    }

    fn of(&self, file: *mut FILE) -> Option<c_int> {
        self.0.iter().find(|(own, _)| *own == file).map(|(_, fd)| *fd)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fileno(file: *mut FILE) -> c_int {
    if ready()
        && let Some(fd) = state().streams.of(file)
    {
        return fd;
    }
    real!(c"fileno" as unsafe extern "C" fn(*mut FILE) -> c_int)(file)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fileno_unlocked(file: *mut FILE) -> c_int {
    fileno(file)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn isatty(fd: c_int) -> c_int {
    if ready()
        && let Some(object) = objects::of(fd)
    {
        return match state().objects.get(object).kind {
            Kind::Serial { .. } => 1,
            _ => {
                sys::fail(libc::ENOTTY);
                0
            }
        };
    }
    let mut terminal: [u8; 64] = [0; 64];
    c_int::from(real_call!(libc::SYS_ioctl, fd, libc::TCGETS, terminal.as_mut_ptr()) == 0)
}

/// `std::random_device` asks the processor, which cannot be virtual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _ZNSt13random_device9_M_getvalEv(_: *mut c_void) -> u32 {
    super::random::arc4random()
}

/// The serial port that stands at a descriptor.
pub fn serial_port(fd: c_int) -> Option<u32> {
    match state().objects.get(objects::of(fd)?).kind {
        Kind::Serial { port } => Some(port),
        _ => None,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcgetattr(fd: c_int, termios: *mut libc::termios) -> c_int {
    ready();
    match serial_port(fd) {
        Some(port) => serial::get(port, termios),
        None if objects::of(fd).is_some() => sys::fail(libc::ENOTTY) as c_int,
        None => real!(c"tcgetattr" as unsafe extern "C" fn(c_int, *mut libc::termios) -> c_int)(
            fd, termios,
        ),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcsetattr(fd: c_int, when: c_int, termios: *const libc::termios) -> c_int {
    ready();
    match serial_port(fd) {
        Some(port) => serial::set(port, when, termios),
        None if objects::of(fd).is_some() => sys::fail(libc::ENOTTY) as c_int,
        None => real!(
            c"tcsetattr" as unsafe extern "C" fn(c_int, c_int, *const libc::termios) -> c_int
        )(fd, when, termios),
    }
}
