//! Memory of the shim's own.
//!
//! The program's `malloc` may be the program's own and may call what the shim intercepts, so the shim takes pages from
//! the kernel and hands out blocks whose sizes are powers of two. A freed block goes back to the list of its size. One
//! thread runs at a time; there is nothing to lock.

use super::sys;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;

pub struct Blocks(UnsafeCell<Lists>);

struct Lists {
    free: [*mut u8; 64],
    chunk: *mut u8,
    left: usize,
}

const CHUNK: usize = 1 << 20;

// SAFETY: only the running thread of the program calls the shim.
unsafe impl Sync for Blocks {}

impl Blocks {
    pub const fn new() -> Self {
        Self(UnsafeCell::new(Lists {
            free: [std::ptr::null_mut(); 64],
            chunk: std::ptr::null_mut(),
            left: 0,
        }))
    }
}

fn class(layout: Layout) -> usize {
    layout.size().max(layout.align()).max(16).next_power_of_two().trailing_zeros() as usize
}

/// New pages from the kernel; null if there are none.
pub fn pages(length: usize) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new pages, nobody else's.
    let found = unsafe {
        sys::raw(libc::SYS_mmap, [0, length as u64, protection as u64, flags as u64, u64::MAX, 0])
    };
    if found < 0 { std::ptr::null_mut() } else { found as *mut u8 }
}

// SAFETY: a block has the size of its class, is aligned to it up to a page, and is in one place at a time: with its
// owner or on a list.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let lists = unsafe { &mut *self.0.get() };
        let class = class(layout);
        let size = 1usize << class;
        let first = lists.free[class];
        if !first.is_null() {
            lists.free[class] = unsafe { *first.cast::<*mut u8>() };
            return first;
        }
        if size >= CHUNK / 4 {
            return pages(size);
        }
        let skip = lists.chunk.align_offset(size.min(4096));
        if lists.chunk.is_null() || lists.left < size + skip {
            lists.chunk = pages(CHUNK);
            lists.left = CHUNK;
            if lists.chunk.is_null() {
                return lists.chunk;
            }
        } else {
            lists.chunk = unsafe { lists.chunk.add(skip) };
            lists.left -= skip;
        }
        let block = lists.chunk;
        lists.chunk = unsafe { block.add(size) };
        lists.left -= size;
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let lists = unsafe { &mut *self.0.get() };
        let class = class(layout);
        unsafe { *block.cast::<*mut u8>() = lists.free[class] };
        lists.free[class] = block;
    }
}
