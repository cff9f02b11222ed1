//! Our side of the suite `host`: the processor alone, with its timing model on.

use ironbird_host::cpu::{AccessFault, Devices, Processor, Trap, Width};
use ironbird_host::memory::Memory;
use ironbird_host::profile::Profile;

use crate::measure::by_thread_cpu_time;
use crate::row::Side;

/// An attitude filter with a mixer and a check sequence, compiled from `workload.c` beside it.
pub const WORKLOAD: &str = include_str!("../../crates/host/examples/mips/workload.txt");

/// Cycles that the processor runs.
const CYCLES: u64 = 200_000_000;

/// The workload as it is in flash.
pub fn workload() -> Vec<u8> {
    let words = WORKLOAD.split_whitespace();
    let words = words.map(|word| u32::from_str_radix(word, 16).expect("words of the workload"));
    words.flat_map(u32::to_le_bytes).collect()
}

/// A peripheral that reads as 0: the workload then polls nothing.
struct Quiet;

impl Devices for Quiet {
    fn load(&mut self, _: &mut Memory, _: u32, _: Width, _: u64) -> Result<u32, AccessFault> {
        Ok(0)
    }

    fn trapped(&mut self, trap: &Trap) {
        panic!("the workload trapped: {trap:x?}");
    }
}

/// Instructions of the workload, in pieces of so many cycles.
pub fn instructions(quantum: u64) -> Side {
    Box::new(move || {
        let profile = Profile::built_in("cortex-m4f-168mhz").expect("it is built in");
        let mut memory = Memory::new(profile.flash_bytes, profile.ram_bytes, &profile);
        memory.load_flash(Memory::FLASH, &workload()).expect("it fits");
        let mut processor = Processor::new(Memory::FLASH);
        by_thread_cpu_time(|| {
            while processor.cycle() < CYCLES {
                let until = processor.cycle().saturating_add(quantum).min(CYCLES);
                processor.run(&mut memory, &mut Quiet, until);
            }
            processor.retired()
        })
    })
}
