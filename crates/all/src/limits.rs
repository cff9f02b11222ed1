//! Ends a run with a message and the status of a failed run where the process meets one of its limits (`ulimit`), instead of
//! by a signal that says nothing.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::FAILED;

/// The system's allocator, save that the process ends where there is no memory left. Nothing is undone: what was recorded
/// is in its file, all but the last part.
pub struct Allocator;

// SAFETY: every call is handed on to the system's allocator, with its own arguments and its own answer.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        there(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        there(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        there(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn there(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        out_of_memory(size);
    }
    memory
}

/// Says it, with memory of its own, and ends the process. One thread does so; others that find the same wait for it.
#[cold]
#[inline(never)]
fn out_of_memory(size: usize) -> ! {
    static SAID: AtomicBool = AtomicBool::new(false);
    while SAID.swap(true, Ordering::Relaxed) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    let mut text = [0; 300];
    let mut line = &mut text[..];
    let _ = write!(
        line,
        "error: out of memory: {size} more bytes are not there\n  allow more (`ulimit -v`, the container), or record less: \
         fewer signals, a longer `every`\n"
    );
    let left = line.len();
    let said = &text[..text.len() - left];
    // SAFETY: the bytes are there, and `_exit` runs nothing that could need memory.
    unsafe {
        libc::write(libc::STDERR_FILENO, said.as_ptr().cast(), said.len());
        libc::_exit(FAILED.into())
    }
}

/// Lets this process end with a message where it meets a limit.
pub fn meet() {
    let_large_writes_fail();
    end_without_threads();
}

/// Lets a write beyond the largest size of files fail, as on a full disk. A handler, since what is ignored would be so in
/// programs that are started from here, too (execve(2)).
fn let_large_writes_fail() {
    extern "C" fn nothing(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = nothing;
    // SAFETY: the handler does nothing.
    unsafe {
        libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t);
    }
}

/// Ends the process where no thread can be started, which the standard library makes a panic: others would wait for what
/// that thread was to do.
fn end_without_threads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>();
        if !text.is_some_and(|text| text.starts_with("failed to spawn thread")) {
            return usual(panic);
        }
        eprintln!(
            "error: the system starts no more threads\n  allow more memory (`ulimit -v`) or processes (`ulimit -u`, the container)"
        );
        // SAFETY: nothing is undone, as where memory is missing.
        unsafe { libc::_exit(FAILED.into()) }
    }));
}
