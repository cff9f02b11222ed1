//! The crate `rvsim`, a simulator of user level with Berkeley SoftFloat, as a reference.

use std::mem::size_of;

use rvsim::{CpuError, CpuState, Interp, MemoryAccess, SimpleClock};

use crate::elf::BASE;
use crate::qemu::FINISHER;

/// RAM at [`BASE`], and a note that the end was reached.
struct Ram {
    bytes: Vec<u8>,
    is_finished: bool,
}

impl rvsim::Memory for Ram {
    fn access<T: Copy>(&mut self, address: u32, access: MemoryAccess<T>) -> bool {
        if address == FINISHER {
            self.is_finished = true;
            return false;
        }
        let start = address.wrapping_sub(BASE) as usize;
        let Some(bytes) = self.bytes.get_mut(start..start + size_of::<T>()) else {
            return false;
        };
        // `rvsim` takes a pointer to the bytes for one to a value, so they must be aligned.
        let mut room = [0; 16];
        let at = room.as_ptr().align_offset(8);
        let aligned = &mut room[at..at + bytes.len()];
        aligned.copy_from_slice(bytes);
        let is_done = rvsim::Memory::access(aligned, 0, access);
        bytes.copy_from_slice(aligned);
        is_done
    }
}

/// Runs an image from `entry` until it stores to [`FINISHER`]; gives RAM.
pub fn run(image: &[u8], ram_bytes: u32, entry: u32) -> Result<Vec<u8>, String> {
    let mut ram = Ram { bytes: image.to_vec(), is_finished: false };
    ram.bytes.resize(ram_bytes as usize, 0);
    let (mut state, mut clock) = (CpuState::new(entry), SimpleClock::new());
    let (error, instruction) = Interp::new(&mut state, &mut ram, &mut clock).run();
    match (error, ram.is_finished) {
        (CpuError::IllegalAccess, true) => Ok(ram.bytes),
        _ => Err(format!("rvsim stopped at {:08x}: {error:?} {instruction:?}", state.pc)),
    }
}
