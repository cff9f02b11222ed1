//! Where a host inside the process has its memory: far from the program's, whose blocks, stacks and libraries lie where they lie
//! without such a host.

use super::places::{self, Place};
use super::{processes, sys};
use libc::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Holes between the program's libraries, and what is below them: while they are filled, whoever asks for memory gets it
/// farther below, and later the program gets that of these places which it would get without a host.
pub struct Filled(Vec<(u64, u64)>);

impl Filled {
    /// As much as a program may take before it comes down to its host.
    const BELOW: u64 = 1 << 40;
    /// Libraries are above this.
    const LIBRARIES: u64 = 0x7000_0000_0000;

    pub fn all_above() -> Self {
        let maps = processes::read_text("/proc/self/maps").unwrap_or_default();
        let ranges = maps.lines().filter(|line| !line.ends_with("[stack]")).filter_map(|line| {
            let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
            let at = |text| u64::from_str_radix(text, 16).ok();
            Some((at(begin)?, at(end)?)).filter(|(begin, _)| *begin > Self::LIBRARIES)
        });
        let ranges: Vec<_> = ranges.collect();
        let mut holes: Vec<_> = ranges.windows(2).map(|pair| (pair[0].1, pair[1].0)).collect();
        holes.extend(ranges.first().map(|(begin, _)| (begin - Self::BELOW, *begin)));
        holes.retain(|(begin, end)| begin < end);
        let flags = libc::MAP_PRIVATE
            | libc::MAP_ANONYMOUS
            | libc::MAP_NORESERVE
            | libc::MAP_FIXED_NOREPLACE;
        let none = libc::PROT_NONE as u64;
        for (begin, end) in &holes {
            let arguments = [*begin, end - begin, none, flags as u64, u64::MAX, 0];
            // SAFETY: only where nothing is.
            unsafe { sys::raw(libc::SYS_mmap, arguments) };
        }
        Self(holes)
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        for (begin, end) in &self.0 {
            // SAFETY: nobody has had them meanwhile.
            unsafe { sys::raw(libc::SYS_munmap, [*begin, end - begin, 0, 0, 0, 0]) };
        }
    }
}

/// The host's libc asks the kernel for memory in one function, for its blocks and the stacks of its threads, too. Here it
/// is led to a place far from the program's: else what the host takes at its time would move what the program gets.
pub unsafe fn stay_in_own_place(library: *mut c_void) {
    for (name, own) in
        [(c"mmap64", map_for_host as *const c_void), (c"mremap", remap_for_host as *const c_void)]
    {
        let found = libc::dlsym(library, name.as_ptr());
        // That of the program is left alone, if the host should have none of its own.
        if !found.is_null() && found != libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) {
            replace(found.cast(), own as u64);
        }
    }
    let errno = libc::dlsym(library, c"__errno_location".as_ptr());
    ERRNO_OF_HOST.store(errno, Ordering::Relaxed);
}

/// A function begins with a jump to another.
unsafe fn replace(function: *mut u8, by: u64) {
    const PAGE: u64 = 4096;
    // movabs rax, by; jmp rax
    let mut code = [0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0];
    code[2..10].copy_from_slice(&by.to_le_bytes());
    let page = function as u64 & !(PAGE - 1);
    let (read, write, execute) = (libc::PROT_READ, libc::PROT_WRITE, libc::PROT_EXEC);
    let protect = |protection: c_int| {
        sys::raw(libc::SYS_mprotect, [page, 2 * PAGE, protection as u64, 0, 0, 0])
    };
    // A system that forbids it is left as it is.
    if protect(read | write | execute) == 0 {
        function.copy_from_nonoverlapping(code.as_ptr(), code.len());
        protect(read | execute);
    }
}

static ERRNO_OF_HOST: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

unsafe fn answer_host(result: i64) -> *mut c_void {
    if result >= 0 {
        return result as *mut c_void;
    }
    let errno = ERRNO_OF_HOST.load(Ordering::Relaxed);
    if !errno.is_null() {
        let errno: unsafe extern "C" fn() -> *mut c_int = std::mem::transmute(errno);
        *errno() = -result as c_int;
    }
    libc::MAP_FAILED
}

unsafe extern "C" fn map_for_host(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    let wish = if address.is_null() { places::next(Place::Host, length) } else { address as usize };
    let (protection, flags) = (protection as u64, flags as u64);
    let arguments = [wish as u64, length as u64, protection, flags, file as u64, offset as u64];
    answer_host(sys::raw(libc::SYS_mmap, arguments))
}

unsafe extern "C" fn remap_for_host(
    old: *mut c_void,
    old_length: usize,
    length: usize,
    flags: c_int,
    wish: *mut c_void,
) -> *mut c_void {
    let (old, from) = (old as u64, old_length as u64);
    let free = libc::MREMAP_MAYMOVE;
    if flags & libc::MREMAP_FIXED != 0 || flags & free == 0 {
        let arguments = [old, from, length as u64, flags as u64, wish as u64, 0];
        return answer_host(sys::raw(libc::SYS_mremap, arguments));
    }
    let flags = (flags & !free) as u64;
    let stayed = sys::raw(libc::SYS_mremap, [old, from, length as u64, flags, 0, 0]);
    if stayed >= 0 {
        return answer_host(stayed);
    }
    let moves = flags | (free | libc::MREMAP_FIXED) as u64;
    let wish = places::next(Place::Host, length) as u64;
    answer_host(sys::raw(libc::SYS_mremap, [old, from, length as u64, moves, wish, 0]))
}
