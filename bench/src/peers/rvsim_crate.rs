//! The crate rvsim: an interpreter of RV32GC without interrupts, devices or timing.

use rvsim::{CpuState, Interp, MemoryAccess, SimpleClock};

use crate::measure::by_thread_cpu_time;
use crate::ours_host::workload;
use crate::row::Side;

const INSTRUCTIONS: u64 = 30_000_000;
const FLASH: u32 = 0x2000_0000;
const RAM: u32 = 0x8000_0000;
const RAM_BYTES: usize = 192 << 10;

/// Flash and RAM as our processor has them; all else reads as 0.
struct Memory {
    flash: Vec<u8>,
    ram: Vec<u8>,
}

impl rvsim::Memory for Memory {
    fn access<T: Copy>(&mut self, address: u32, access: MemoryAccess<T>) -> bool {
        if let Some(offset) = address.checked_sub(RAM).filter(|at| (*at as usize) < RAM_BYTES) {
            return rvsim::Memory::access(&mut self.ram[..], offset, access);
        }
        if let Some(offset) = address.checked_sub(FLASH) {
            return rvsim::Memory::access(&mut self.flash[..], offset, access);
        }
        match access {
            MemoryAccess::Load(_) | MemoryAccess::Exec(_) => {
                rvsim::Memory::access(&mut [0u8; 4][..], address & 3, access)
            }
            MemoryAccess::Store(_) => false,
        }
    }
}

/// Instructions of the workload.
pub fn instructions() -> Side {
    Box::new(|| {
        let mut memory = Memory { flash: workload(), ram: vec![0; RAM_BYTES] };
        memory.flash.resize(1 << 20, 0);
        let mut clock = SimpleClock::new();
        // It has no `mstatus`: the first two instructions, which switch its floats on, are left out.
        let mut state = CpuState::new(FLASH + 6);
        by_thread_cpu_time(|| {
            let mut interpreter = Interp::new(&mut state, &mut memory, &mut clock);
            for _ in 0..INSTRUCTIONS {
                interpreter.step().expect("the workload runs");
            }
            INSTRUCTIONS
        })
    })
}
