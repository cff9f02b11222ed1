//! The loader's own blocks, apart from the program's heap.
//!
//! A host inside the process is loaded by the program's loader, which describes it in memory of `malloc`; with each thread
//! that is made it lists the thread-local storage of all libraries, those of the host among them. So that the program's
//! blocks lie where they lie without such a host, calls that come from the loader have a heap of their own, in every
//! transport.

use super::allocator::Blocks;
use super::places::{self, Place};
use libc::c_void;
use std::alloc::{GlobalAlloc, Layout};
use std::arch::naked_asm;
use std::sync::atomic::{AtomicBool, Ordering};

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

/// Where the code of the loader begins, and how long it is: nobody's before [`begin`].
static mut CODE: [u64; 2] = [0, 0];

static HEAP: Blocks = Blocks::new(Place::Loader);
/// Threads of a host inside the process may need the loader while the program runs.
static BUSY: AtomicBool = AtomicBool::new(false);

/// Before each block: how long it is.
const HEADER: usize = 16;

/// From now on the loader has its own heap.
pub fn begin() {
    // SAFETY: the loader begins with its ELF header, where the kernel says. Nobody else runs.
    unsafe {
        let base = libc::getauxval(libc::AT_BASE);
        if base == 0 {
            return;
        }
        let header = &*(base as *const libc::Elf64_Ehdr);
        let headers = (base + header.e_phoff) as *const libc::Elf64_Phdr;
        for place in 0..usize::from(header.e_phnum) {
            let segment = &*headers.add(place);
            if segment.p_type == libc::PT_LOAD && segment.p_flags & libc::PF_X != 0 {
                CODE = [base + segment.p_vaddr, segment.p_memsz];
            }
        }
    }
}

/// The real function, or ours if the loader calls.
macro_rules! unless_the_loader_calls {
    ($name:ident, $real:ident, $ours:ident) => {
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            naked_asm!(
                "mov rax, [rsp]",
                "sub rax, [rip + {code}]",
                "cmp rax, [rip + {code} + 8]",
                "jb {ours}",
                "jmp [rip + {real}@GOTPCREL]",
                code = sym CODE,
                ours = sym $ours,
                real = sym $real,
            )
        }
    };
}

unless_the_loader_calls!(malloc, __libc_malloc, allocate);
unless_the_loader_calls!(calloc, __libc_calloc, allocate_zeros);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    if !is_loaders(block) {
        return __libc_realloc(block, size);
    }
    let new = allocate(size);
    if !new.is_null() {
        let old = *block.byte_sub(HEADER).cast::<usize>();
        new.cast::<u8>().copy_from_nonoverlapping(block.cast(), old.min(size));
        release(block);
    }
    new
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(block: *mut c_void) {
    if is_loaders(block) {
        return release(block);
    }
    __libc_free(block)
}

fn is_loaders(block: *mut c_void) -> bool {
    places::is_in(Place::Loader, block as usize)
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

fn alone<T>(work: impl FnOnce() -> T) -> T {
    while BUSY.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    let done = work();
    BUSY.store(false, Ordering::Release);
    done
}

unsafe extern "C" fn allocate(size: usize) -> *mut c_void {
    let Some(layout) = layout(size) else { return std::ptr::null_mut() };
    let block = alone(|| HEAP.alloc(layout));
    if block.is_null() {
        return block.cast();
    }
    *block.cast::<usize>() = size;
    block.add(HEADER).cast()
}

unsafe extern "C" fn allocate_zeros(count: usize, size: usize) -> *mut c_void {
    let Some(size) = count.checked_mul(size) else { return std::ptr::null_mut() };
    let block = allocate(size);
    if !block.is_null() {
        block.cast::<u8>().write_bytes(0, size);
    }
    block
}

unsafe fn release(block: *mut c_void) {
    let begin = block.byte_sub(HEADER).cast::<u8>();
    if let Some(layout) = layout(*begin.cast::<usize>()) {
        alone(|| HEAP.dealloc(begin, layout));
    }
}
