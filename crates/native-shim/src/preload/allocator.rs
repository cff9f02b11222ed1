//! Memory of the shim's own.
//!
//! The program's `malloc` may be the program's own and may call what the shim intercepts, so the shim takes pages from
//! the kernel and hands out blocks whose sizes are powers of two. A freed block goes back to the list of its size. One
//! thread runs at a time; there is nothing to lock.

use super::places::{Place, is_in, pages};
use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Blocks in a place.
pub struct Blocks {
    lists: UnsafeCell<Lists>,
    place: Place,
}

struct Lists {
    free: [*mut u8; 64],
    chunk: *mut u8,
    left: usize,
}

const CHUNK: usize = 1 << 20;

// SAFETY: only the running thread of the program calls the shim.
unsafe impl Sync for Blocks {}

impl Blocks {
    pub const fn new(place: Place) -> Self {
        let free = [std::ptr::null_mut(); 64];
        let lists = UnsafeCell::new(Lists { free, chunk: std::ptr::null_mut(), left: 0 });
        Self { lists, place }
    }
}

fn class(layout: Layout) -> usize {
    layout.size().max(layout.align()).max(16).next_power_of_two().trailing_zeros() as usize
}

// SAFETY: a block has the size of its class, is aligned to it up to a page, and is in one place at a time: with its
// owner or on a list.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let lists = unsafe { &mut *self.lists.get() };
        let class = class(layout);
        let size = 1usize << class;
        let first = lists.free[class];
        if !first.is_null() {
            lists.free[class] = unsafe { *first.cast::<*mut u8>() };
            return first;
        }
        if size >= CHUNK / 4 {
            return pages(self.place, size);
        }
        let skip = lists.chunk.align_offset(size.min(4096));
        if lists.chunk.is_null() || lists.left < size + skip {
            lists.chunk = pages(self.place, CHUNK);
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
        let lists = unsafe { &mut *self.lists.get() };
        let class = class(layout);
        unsafe { *block.cast::<*mut u8>() = lists.free[class] };
        lists.free[class] = block;
    }
}

/// The shim's blocks. What its line to the host needs, another in each transport, moves no other.
pub struct Memory {
    own: Blocks,
    of_line: Blocks,
}

static IS_FOR_LINE: AtomicBool = AtomicBool::new(false);

impl Memory {
    pub const fn new() -> Self {
        Self { own: Blocks::new(Place::Blocks), of_line: Blocks::new(Place::BlocksOfLine) }
    }
}

/// What is allocated meanwhile is for the line to the host.
pub fn for_line<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_FOR_LINE.swap(true, Ordering::Relaxed);
    let done = work();
    IS_FOR_LINE.store(before, Ordering::Relaxed);
    done
}

// SAFETY: a block goes back to where it is from.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let blocks = if IS_FOR_LINE.load(Ordering::Relaxed) { &self.of_line } else { &self.own };
        unsafe { blocks.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let is_of_line = is_in(Place::BlocksOfLine, block as usize);
        let blocks = if is_of_line { &self.of_line } else { &self.own };
        unsafe { blocks.dealloc(block, layout) }
    }
}
