//! Waits for a disk, which a virtual computer has not: what was written is there. The real disk would take real time, for
//! files of which nothing must survive the machine.

use super::{engine, objects, ready, sys};
use libc::{c_int, c_uint};

/// The answer to a wait for what was written to a file.
fn settled(fd: c_int) -> c_int {
    ready();
    engine::call();
    match objects::of(fd) {
        // fsync(2): what is no file has nothing to be written out.
        Some(_) => sys::fail(libc::EINVAL) as c_int,
        None if objects::is_open(fd) => 0,
        None => sys::fail(libc::EBADF) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fsync(fd: c_int) -> c_int {
    settled(fd)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fdatasync(fd: c_int) -> c_int {
    settled(fd)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn syncfs(fd: c_int) -> c_int {
    settled(fd)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sync_file_range(fd: c_int, _: i64, _: i64, _: c_uint) -> c_int {
    settled(fd)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sync() {
    ready();
    engine::call();
}
