//! Random bytes that depend on the seed only.

use super::{engine, ready, state};
use libc::{c_int, c_uint, c_void};

/// SplitMix64 (Steele, Lea, Flood 2014): a counter through a mixing function.
pub struct Stream {
    counter: u64,
}

impl Stream {
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.counter;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn fill(&mut self, buffer: &mut [u8]) {
        for part in buffer.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes()[..part.len()]);
        }
    }
}

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
