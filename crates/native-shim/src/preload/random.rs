//! Random bytes that depend on the seed only.

use super::{engine, ready, state};
use libc::{c_int, c_uint, c_void};

/// Fills memory of the program.
pub unsafe fn fill(buffer: *mut c_void, length: usize) {
    state().random.fill(std::slice::from_raw_parts_mut(buffer.cast(), length));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut c_void, length: usize, _: c_uint) -> isize {
    ready();
    engine::call();
    fill(buffer, length);
    length as isize
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getentropy(buffer: *mut c_void, length: usize) -> c_int {
    if length > 256 {
        return super::sys::fail(libc::EIO) as c_int;
    }
    getrandom(buffer, length, 0);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn arc4random_buf(buffer: *mut c_void, length: usize) {
    getrandom(buffer, length, 0);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn arc4random() -> u32 {
    ready();
    engine::call();
    state().random.next() as u32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn arc4random_uniform(bound: u32) -> u32 {
    ready();
    engine::call();
    ((u128::from(state().random.next()) * u128::from(bound)) >> 64) as u32
}
