//! The real kernel and the real libc, below everything that is intercepted.

use libc::{c_int, c_long, c_void};
use std::arch::asm;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// A system call as the kernel answers it: a negative number is an error. Its address lies inside the shim, which is
/// how the leak net knows it for ours.
#[inline(always)]
pub unsafe fn raw(number: c_long, a: [u64; 6]) -> i64 {
    let result: i64;
    // SAFETY: the kernel's calling convention; what the call does to memory is up to the caller.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a[0], in("rsi") a[1], in("rdx") a[2], in("r10") a[3], in("r8") a[4], in("r9") a[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
    }
    result
}

/// Turns a kernel's answer into libc's: -1 and `errno`.
pub fn to_libc(result: i64) -> i64 {
    if result < 0 { fail(-result as c_int) } else { result }
}

/// Sets `errno` and returns -1.
pub fn fail(errno: c_int) -> i64 {
    // SAFETY: libc always has an errno for the running thread.
    unsafe { *libc::__errno_location() = errno };
    -1
}

pub fn errno() -> c_int {
    // SAFETY: as in `fail`.
    unsafe { *libc::__errno_location() }
}

/// A real system call with libc's way of reporting errors.
macro_rules! real_call {
    ($number:expr $(, $argument:expr)* $(,)?) => {{
        let given = [$($argument as u64),*];
        let mut arguments = [0u64; 6];
        arguments[..given.len()].copy_from_slice(&given);
        $crate::preload::sys::to_libc($crate::preload::sys::raw($number, arguments))
    }};
}
pub(crate) use real_call;

pub fn futex_wait(word: &AtomicU32, value: u32) {
    // SAFETY: the word outlives the call.
    unsafe {
        raw(
            libc::SYS_futex,
            [word.as_ptr() as u64, libc::FUTEX_WAIT as u64, u64::from(value), 0, 0, 0],
        )
    };
}

pub fn futex_wake(word: &AtomicU32) {
    // SAFETY: the kernel only looks at the address.
    unsafe {
        raw(
            libc::SYS_futex,
            [word.as_ptr() as u64, libc::FUTEX_WAKE as u64, i32::MAX as u64, 0, 0, 0],
        )
    };
}

/// Descriptors of the shim lie above the numbers that programs use.
pub const HIGH: c_int = 600;

/// A copy of a descriptor, for the shim alone; negative and `errno` if there is none.
pub fn high_copy(fd: c_int) -> c_int {
    let copy = (libc::F_DUPFD_CLOEXEC as u64, HIGH as u64);
    // SAFETY: no memory is touched.
    to_libc(unsafe { raw(libc::SYS_fcntl, [fd as u64, copy.0, copy.1, 0, 0, 0]) }) as c_int
}

/// Closes a descriptor of the shim.
pub fn close(fd: c_int) {
    // SAFETY: no memory is touched.
    unsafe { raw(libc::SYS_close, [fd as u64, 0, 0, 0, 0, 0]) };
}

/// Writes a line to standard error, past everything.
pub fn complain(text: &str) {
    let line = format!("ironbird shim: {text}\n");
    // SAFETY: the buffer is valid for its length.
    unsafe { raw(libc::SYS_write, [2, line.as_ptr() as u64, line.len() as u64, 0, 0, 0]) };
}

/// Where the process is; empty if that has no name.
pub fn current_folder() -> String {
    let mut path = [0u8; 4096];
    // SAFETY: the buffer is valid for its length. The length of the answer includes its zero (getcwd(2)).
    let length =
        unsafe { raw(libc::SYS_getcwd, [path.as_mut_ptr() as u64, path.len() as u64, 0, 0, 0, 0]) };
    let path = path.get(..(length - 1).max(0) as usize).unwrap_or_default();
    String::from_utf8_lossy(path).into_owned()
}

/// Ends the process at once.
pub fn end(status: c_int) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { raw(libc::SYS_exit_group, [status as u64, 0, 0, 0, 0, 0]) };
    }
}

pub fn getpid() -> u32 {
    // SAFETY: no arguments.
    unsafe { raw(libc::SYS_getpid, [0; 6]) as u32 }
}

pub fn getppid() -> libc::pid_t {
    // SAFETY: no arguments.
    unsafe { raw(libc::SYS_getppid, [0; 6]) as libc::pid_t }
}

pub fn process_group() -> libc::pid_t {
    // SAFETY: no arguments but the number of this process.
    unsafe { raw(libc::SYS_getpgid, [0; 6]) as libc::pid_t }
}

pub fn gettid() -> i32 {
    // SAFETY: no arguments.
    unsafe { raw(libc::SYS_gettid, [0; 6]) as i32 }
}

/// The next definition of a libc function after the shim's own.
pub struct Real {
    name: &'static std::ffi::CStr,
    found: AtomicUsize,
}

impl Real {
    pub const fn new(name: &'static std::ffi::CStr) -> Self {
        Self { name, found: AtomicUsize::new(0) }
    }

    pub fn address(&self) -> *const c_void {
        let mut address = self.found.load(Ordering::Relaxed);
        if address == 0 {
            // SAFETY: the name ends with a zero.
            address = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) } as usize;
            if address == 0 {
                complain(&format!("libc has no `{}`", self.name.to_string_lossy()));
                end(70);
            }
            self.found.store(address, Ordering::Relaxed);
        }
        address as *const c_void
    }
}

/// The real function of a name, with its type.
macro_rules! real {
    ($name:literal as $kind:ty) => {{
        static REAL: $crate::preload::sys::Real = $crate::preload::sys::Real::new($name);
        std::mem::transmute::<*const libc::c_void, $kind>(REAL.address())
    }};
}
pub(crate) use real;
