//! Whether the program has one thread only, as libc tells it: `__libc_single_threaded` (sys/single_threaded.h, glibc 2.32).
//!
//! The C++ library takes no locks and does nothing "once" while it is set, so its start makes other calls with it than
//! without. libc clears it for good when a thread is made, whoever makes it. A thread of the shim must not show.
//!
//! libc goes by it too: while it is set, a lock is given back without waking anybody. So what programs see is a variable
//! of our own (the loader gives all libraries the first that it finds), and libc's one is never set while the program
//! runs: a host inside the process has threads that take the loader's locks. It is so with every transport, for libc
//! leaves other bytes on the stack where it is set.

use libc::c_char;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering};

const NAME: &CStr = c"__libc_single_threaded";

/// What programs see.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name that libc gives it")]
pub static __libc_single_threaded: AtomicU8 = AtomicU8::new(1);

/// Where it lies. A program may have a copy of its own, which is the one that counts for its libraries, too (a copy
/// relocation); the loader finds that one first.
fn flag() -> Option<*mut c_char> {
    static FOUND: AtomicPtr<c_char> = AtomicPtr::new(std::ptr::null_mut());
    let mut found = FOUND.load(Ordering::Relaxed);
    if found.is_null() {
        // SAFETY: the name ends with a zero.
        found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, NAME.as_ptr()) }.cast();
        FOUND.store(found, Ordering::Relaxed);
    }
    (!found.is_null()).then_some(found)
}

/// The one that libc goes by. Older libraries have none.
fn of_libc() -> Option<&'static AtomicU8> {
    static FOUND: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());
    let mut found = FOUND.load(Ordering::Relaxed);
    if found.is_null() {
        // SAFETY: the name ends with a zero. What comes after this library is libc's.
        found = unsafe { libc::dlsym(libc::RTLD_NEXT, NAME.as_ptr()) }.cast();
        FOUND.store(found, Ordering::Relaxed);
    }
    // SAFETY: libc's variable, a byte.
    unsafe { found.as_ref() }
}

/// Whether libc has been told that there are several threads, without one.
static PRETENDS: AtomicBool = AtomicBool::new(false);

/// libc is to think that there are several threads.
pub fn pretend_not() {
    if let Some(own) = of_libc() {
        PRETENDS.store(own.swap(0, Ordering::Relaxed) != 0, Ordering::Relaxed);
    }
}

/// Does something that may make threads of which the program knows nothing.
pub fn stays<T>(work: impl FnOnce() -> T) -> T {
    let Some(flag) = flag() else { return work() };
    // SAFETY: libc's variable, and the program has not begun.
    unsafe {
        let before = flag.read_volatile();
        let done = work();
        flag.write_volatile(before);
        done
    }
}

/// The program makes a thread. libc does not say so itself where there was one before; where there was none, it has things
/// to prepare.
pub fn ends() {
    if let Some(own) = of_libc().filter(|_| PRETENDS.swap(false, Ordering::Relaxed)) {
        own.store(1, Ordering::Relaxed);
    }
    if let Some(flag) = flag() {
        // SAFETY: libc's variable, which it writes at this very moment.
        unsafe { flag.write_volatile(0) };
    }
}
