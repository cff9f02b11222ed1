//! Live heap bytes of what a closure builds, by a counting global allocator.
//!
//! Only the thread inside [`bytes_of`] counts: everyone else pays one load of a thread-local flag
//! per allocation, so that peers which allocate per event are not slowed down by our curiosity.
//! Bytes are those asked for; the overhead of `malloc` comes on top, for both sides.
#![expect(unsafe_code, reason = "a global allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static LIVE: Cell<isize> = const { Cell::new(0) };
}

/// The bytes that are live after `build` and were not before, and what it built.
pub fn bytes_of<T>(build: impl FnOnce() -> T) -> (T, usize) {
    LIVE.set(0);
    COUNTING.set(true);
    let built = build();
    COUNTING.set(false);
    (built, usize::try_from(LIVE.get()).unwrap_or(0))
}

/// The system's allocator, counting on request.
pub struct CountingAllocator;

#[inline]
fn count(bytes: isize) {
    if COUNTING.get() {
        LIVE.set(LIVE.get() + bytes);
    }
}

// SAFETY: every call goes to `System` unchanged. Counting touches two thread-local cells that have
// constant initial values and no destructor, so it neither allocates nor fails.
unsafe impl GlobalAlloc for CountingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(block, layout, new_size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_counts_and_what_is_dropped_does_not() {
        let (kept, bytes) = bytes_of(|| {
            drop(vec![0_u8; 4096]);
            let mut grown = Vec::with_capacity(10);
            grown.extend_from_slice(&[0_u64; 10]);
            grown.reserve_exact(90);
            grown
        });
        assert_eq!(kept.capacity(), 100);
        assert_eq!(bytes, 800);
        drop(kept);
        let ((), nothing) = bytes_of(|| ());
        assert_eq!(nothing, 0);
    }
}
