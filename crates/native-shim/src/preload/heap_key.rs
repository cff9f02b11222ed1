//! The random number with which glibc marks free blocks.
//!
//! Since glibc 2.34 `malloc` draws it at its start, by a system call inside of libc. A block that a thread leaves behind in
//! its cache when it ends keeps the mark (malloc/malloc.c, `tcache_key`), and who gets that block next finds it there.

use libc::c_void;

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

/// The smallest block: behind the link to the next free one it has a word, where the mark is.
const SMALLEST: usize = 24;
const MARK_AT: usize = 8;

/// Replaces the number by another. Other C libraries have none, and are left alone.
pub fn replace(by: u64) {
    // SAFETY: libc's variables are written by nobody else, as the program has one thread; what is read of a block that is
    // free lies in the heap.
    unsafe {
        let block = __libc_malloc(SMALLEST);
        if block.is_null() {
            return;
        }
        block.byte_add(MARK_AT).cast::<u64>().write_volatile(0);
        __libc_free(block);
        let mark = block.byte_add(MARK_AT).cast::<u64>().read_volatile();
        if mark != 0
            && let [place] = words_of_libc(mark)[..]
        {
            place.write_volatile(by);
        }
    }
}

/// Where a number stands in libc's variables.
unsafe fn words_of_libc(number: u64) -> Vec<*mut u64> {
    let mut found = Vec::new();
    let mut library: libc::Dl_info = std::mem::zeroed();
    if libc::dladdr(__libc_malloc as *const c_void, &mut library) == 0 {
        return found;
    }
    let base = library.dli_fbase as u64;
    let header = &*(base as *const libc::Elf64_Ehdr);
    let headers = (base + header.e_phoff) as *const libc::Elf64_Phdr;
    for place in 0..usize::from(header.e_phnum) {
        let segment = &*headers.add(place);
        if segment.p_type == libc::PT_LOAD && segment.p_flags & libc::PF_W != 0 {
            let begin = (base + segment.p_vaddr).next_multiple_of(8);
            let words = (begin..base + segment.p_vaddr + segment.p_memsz - 7).step_by(8);
            found.extend(
                words.map(|word| word as *mut u64).filter(|word| word.read_volatile() == number),
            );
        }
    }
    found
}
