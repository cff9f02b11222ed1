//! What a program finds out about its computer: the same on every machine and at every time.
//!
//! Files that tell of this machine's load, memory or name are written anew for the program when it opens them.

use super::{clocks, engine, ready, state, sys};
use libc::{c_char, c_double, c_int, c_void};
use std::ffi::CStr;
use sys::{real, real_call};

const NAME: &CStr = c"ironbird";
const MEMORY_KB: u64 = 1 << 20;
const FREE_KB: u64 = MEMORY_KB / 2;
/// Blocks of a file system of 16 GiB, half of it free.
const BLOCKS: u64 = 1 << 22;
const BLOCK: u64 = 4096;
const FILES: u64 = 1 << 20;

/// Hundredths of a second, as the kernel counts.
const PS_PER_TICK: u64 = 10_000_000_000;
const PS_PER_S: u64 = 1_000_000_000_000;

fn up_time() -> u64 {
    state().setup.monotonic_start + state().now
}

fn identity() -> String {
    // Never all zeros, which stands for a machine without one.
    let seed = state().setup.seed;
    format!("{:016x}{:016x}", seed ^ 0x1b0b_1bd0_0000_0001, seed.rotate_left(32) ^ 0x5bd1_e995)
}

fn with_dashes(digits: &str) -> String {
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..32]];
    format!("{}\n", parts.join("-"))
}

/// The text of a file that the program sees in place of this machine's.
pub fn text(path: &[u8]) -> Option<String> {
    let hundredths = |ps: u64| format!("{}.{:02}", ps / PS_PER_S, ps / PS_PER_TICK % 100);
    Some(match path {
        b"/proc/meminfo" => format!(
            "MemTotal:       {MEMORY_KB:8} kB\nMemFree:        {FREE_KB:8} kB\nMemAvailable:   {FREE_KB:8} kB\n\
             Buffers:               0 kB\nCached:                0 kB\nSwapCached:            0 kB\n\
             SReclaimable:          0 kB\nSwapTotal:             0 kB\nSwapFree:              0 kB\n"
        ),
        b"/proc/uptime" => {
            let idle = up_time().saturating_sub(clocks::processor_time());
            format!("{} {}\n", hundredths(up_time()), hundredths(idle))
        }
        b"/proc/loadavg" => "0.00 0.00 0.00 1/1 1\n".into(),
        b"/proc/stat" => {
            let busy = clocks::processor_time() / PS_PER_TICK;
            let idle = (up_time() / PS_PER_TICK).saturating_sub(busy);
            let boot = (state().setup.realtime_epoch_ns / 1_000_000_000)
                .saturating_sub(state().setup.monotonic_start / PS_PER_S);
            format!(
                "cpu  {busy} 0 0 {idle} 0 0 0 0 0 0\ncpu0 {busy} 0 0 {idle} 0 0 0 0 0 0\nbtime {boot}\nprocesses 1\n"
            )
        }
        b"/etc/machine-id" | b"/var/lib/dbus/machine-id" => identity() + "\n",
        b"/proc/sys/kernel/random/boot_id" => with_dashes(&identity()),
        b"/proc/sys/kernel/random/uuid" => {
            let mut bytes = [0; 16];
            state().random.fill(&mut bytes);
            with_dashes(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        b"/etc/hostname" | b"/proc/sys/kernel/hostname" => {
            format!("{}\n", NAME.to_string_lossy())
        }
        _ => return None,
    })
}

/// A file in memory with a text, ready to be read.
pub unsafe fn open_text(text: &str, flags: c_int) -> c_int {
    let close = if flags & libc::O_CLOEXEC != 0 { libc::MFD_CLOEXEC } else { 0 };
    let fd = real_call!(libc::SYS_memfd_create, c"machine".as_ptr(), close) as c_int;
    if fd >= 0 {
        real_call!(libc::SYS_pwrite64, fd, text.as_ptr(), text.len(), 0);
    }
    fd
}

/// Buses, ports, pins and sensors of this machine are never the program's. It finds what the setup says, or nothing.
pub fn is_hardware(path: &[u8]) -> bool {
    const PARTS: [&[u8]; 17] = [
        b"/dev/spidev",
        b"/dev/i2c-",
        b"/dev/rtc",
        b"/dev/ptp",
        b"/dev/pps",
        b"/dev/gpio",
        b"/dev/mem",
        b"/dev/kmem",
        b"/dev/port",
        b"/dev/watchdog",
        b"/dev/iio",
        b"/dev/video",
        b"/dev/input",
        b"/dev/serial/",
        b"/dev/rfcomm",
        b"/sys/class/",
        b"/sys/bus/",
    ];
    // Serial ports have a letter where consoles have a number.
    let serial = path
        .strip_prefix(b"/dev/tty")
        .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_alphabetic));
    serial || PARTS.iter().any(|start| path.starts_with(start))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sysinfo(info: *mut libc::sysinfo) -> c_int {
    ready();
    engine::clock_read();
    *info = std::mem::zeroed();
    (*info).uptime = (up_time() / PS_PER_S) as i64;
    (*info).totalram = MEMORY_KB * 1024;
    (*info).freeram = FREE_KB * 1024;
    (*info).procs = 1;
    (*info).mem_unit = 1;
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getloadavg(loads: *mut c_double, count: c_int) -> c_int {
    let count = count.clamp(0, 3);
    for place in 0..count as usize {
        *loads.add(place) = 0.0;
    }
    count
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn gethostname(name: *mut c_char, length: usize) -> c_int {
    let bytes = NAME.to_bytes_with_nul();
    if length < bytes.len() {
        return sys::fail(libc::ENAMETOOLONG) as c_int;
    }
    name.copy_from_nonoverlapping(bytes.as_ptr().cast(), bytes.len());
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn uname(names: *mut libc::utsname) -> c_int {
    let result = real_call!(libc::SYS_uname, names) as c_int;
    if result == 0 {
        gethostname((&raw mut (*names).nodename).cast(), 65);
    }
    result
}

/// Clocks of the machine are not the program's to set.
macro_rules! no_right {
    ($($name:ident),*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_: *const c_void, _: *mut c_void) -> c_int {
            sys::fail(libc::EPERM) as c_int
        })*
    };
}

no_right!(adjtime, adjtimex, ntp_adjtime, clock_adjtime, stime);

/// How much room there is does not depend on this machine's disk.
macro_rules! room {
    ($($name:ident($place:ident: $of:ty) -> $kind:ty, $real:literal;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($place: $of, room: *mut $kind) -> c_int {
            let ask = real!($real as unsafe extern "C" fn($of, *mut $kind) -> c_int);
            let result = ask($place, room);
            if result == 0 {
                (*room).f_bsize = BLOCK as _;
                (*room).f_frsize = BLOCK as _;
                (*room).f_blocks = BLOCKS;
                (*room).f_bfree = BLOCKS / 2;
                (*room).f_bavail = BLOCKS / 2;
                (*room).f_files = FILES;
                (*room).f_ffree = FILES / 2;
            }
            result
        })*
    };
}

room! {
    statfs(path: *const c_char) -> libc::statfs64, c"statfs";
    statfs64(path: *const c_char) -> libc::statfs64, c"statfs64";
    fstatfs(fd: c_int) -> libc::statfs64, c"fstatfs";
    fstatfs64(fd: c_int) -> libc::statfs64, c"fstatfs64";
    statvfs(path: *const c_char) -> libc::statvfs64, c"statvfs";
    statvfs64(path: *const c_char) -> libc::statvfs64, c"statvfs64";
    fstatvfs(fd: c_int) -> libc::statvfs64, c"fstatvfs";
    fstatvfs64(fd: c_int) -> libc::statvfs64, c"fstatvfs64";
}

/// How often a lock that another holds is tried again, in virtual time.
const TRIED_AGAIN_NS: u64 = 1_000_000;

/// Waits for a lock of a file in virtual time: `try_lock` is the kernel's answer to a call that does not wait.
pub unsafe fn lock(wait: bool, try_lock: impl Fn() -> i64) -> c_int {
    loop {
        match try_lock() {
            result if wait && [-libc::EAGAIN, -libc::EACCES].contains(&(result as c_int)) => {
                let span = clocks::to_timespec(TRIED_AGAIN_NS);
                clocks::nanosleep(&span, std::ptr::null_mut());
            }
            result => {
                // A child may have waited for the lock that was given back.
                super::kernel::stirred();
                return sys::to_libc(result) as c_int;
            }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn flock(fd: c_int, operation: c_int) -> c_int {
    ready();
    engine::call();
    let without_wait = (operation | libc::LOCK_NB) as u64;
    lock(operation & libc::LOCK_NB == 0, || {
        sys::raw(libc::SYS_flock, [fd as u64, without_wait, 0, 0, 0, 0])
    })
}

// Memory that is locked is not written out: the virtual computer never does that. The real calls would hold on to the
// memory of a simulation in the process, too, and need rights that not everybody has.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlockall(_: c_int) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn munlockall() -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlock(_: *const c_void, _: usize) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn munlock(_: *const c_void, _: usize) -> c_int {
    0
}
