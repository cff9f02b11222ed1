//! Where memory lies that is not the program's: in a part of the address space where neither the kernel nor libc puts
//! anything by itself. So the program's memory lies where it would without the shim, whatever the host and the threads are.

use super::sys;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What memory is for; each kind has its own place.
#[derive(Clone, Copy)]
pub enum Place {
    /// The shim's blocks.
    Blocks,
    /// Those of the shim's line to its host.
    BlocksOfLine,
    /// Stacks for faults.
    FaultStacks,
    /// The stack of the talk with the host.
    OtherStack,
    /// What the host shares.
    Shared,
    /// Arguments and environment: the lists, and the texts.
    Lists,
    Texts,
    /// What the loader notes of libraries and threads.
    Loader,
    /// All of a host inside the process. The last: there is no end to it.
    Host,
}

/// Far from programs (0x5555... and 0x400000), libraries and stacks (0x7fff...).
const BEGIN: usize = 0x1000_0000_0000;
const OF_EACH: usize = 0x100_0000_0000;
const PAGE: usize = 4096;

/// An address of a place where nothing is yet, with a page below that nobody uses either.
pub fn next(place: Place, length: usize) -> usize {
    static USED: [AtomicUsize; 9] = [const { AtomicUsize::new(0) }; 9];
    let length = length.next_multiple_of(PAGE);
    let used = USED[place as usize].fetch_add(length + PAGE, Ordering::Relaxed);
    BEGIN + place as usize * OF_EACH + used
}

/// Whether an address is one of a place.
pub fn is_in(place: Place, address: usize) -> bool {
    address.wrapping_sub(BEGIN + place as usize * OF_EACH) < OF_EACH
}

/// New pages; a negative number if there are none.
pub fn map(place: Place, length: usize, flags: libc::c_int, file: libc::c_int) -> i64 {
    // A wish: where something is already, the kernel finds another place.
    let wish = next(place, length) as u64;
    let length = length.next_multiple_of(PAGE) as u64;
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let arguments = [wish, length, protection, flags as u64, file as u64, 0];
    // SAFETY: new pages, nobody else's.
    unsafe { sys::raw(libc::SYS_mmap, arguments) }
}

/// New pages of zeros; null if there are none.
pub fn pages(place: Place, length: usize) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let found = map(place, length, flags, -1);
    if found < 0 { std::ptr::null_mut() } else { found as *mut u8 }
}
