//! Whether the program has one thread only, as libc tells it: `__libc_single_threaded` (sys/single_threaded.h, glibc 2.32).
//!
//! The C++ library takes no locks and does nothing "once" while it is set, so its start makes other calls with it than
//! without. libc clears it for good when a thread is made, whoever makes it. A thread of the shim must not show.

use libc::c_char;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Where it lies. A program may have a copy of its own, which is the one that counts for its libraries, too (a copy
/// relocation); the loader finds that one first. Older libraries have none.
fn flag() -> Option<*mut c_char> {
    static FOUND: AtomicPtr<c_char> = AtomicPtr::new(std::ptr::null_mut());
    let mut found = FOUND.load(Ordering::Relaxed);
    if found.is_null() {
        let name = c"__libc_single_threaded".as_ptr();
        // SAFETY: the name ends with a zero.
        found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name) }.cast();
        FOUND.store(found, Ordering::Relaxed);
    }
    (!found.is_null()).then_some(found)
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

/// The program makes a thread. libc does not say so itself where there was one before.
pub fn ends() {
    if let Some(flag) = flag() {
        // SAFETY: libc's variable, which it writes at this very moment.
        unsafe { flag.write_volatile(0) };
    }
}
