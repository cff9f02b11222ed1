//! What software did wrong, in words: which exception, where, and what that means.

use crate::cpu::Trap;
use crate::memory::Memory;
use crate::symbols::Symbols;

/// Causes of exceptions (`mcause`).
const FETCH_FAULT: u32 = 1;
const ILLEGAL: u32 = 2;
const LOAD_MISALIGNED: u32 = 4;
const LOAD_FAULT: u32 = 5;
const STORE_MISALIGNED: u32 = 6;
const STORE_FAULT: u32 = 7;

/// How far below RAM an address is still one of a stack that has run out.
const BELOW: u32 = 0x1_0000;
/// So many faults of one computer are told.
const TOLD: u32 = 5;

/// The faults of one computer so far.
#[derive(Debug, Default)]
pub struct Faults {
    count: u32,
}

impl Faults {
    /// How many.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// As a checkpoint says.
    pub fn set_count(&mut self, count: u32) {
        self.count = count;
    }

    /// An exception was taken: what it means, if it is a fault.
    pub fn note(&mut self, trap: &Trap, memory: &Memory, symbols: &Symbols) -> Option<String> {
        let what = meaning(trap, memory)?;
        self.count += 1;
        let function = symbols.describe(trap.pc);
        Some(format!("{what}, at 0x{:08x} in {function}, cycle {}", trap.pc, trap.cycle))
    }

    /// Whether the last one is to be told, and whether it is the last that is.
    pub fn is_told(&self) -> (bool, bool) {
        (self.count <= TOLD, self.count == TOLD)
    }
}

/// What an exception means; `None` where software asked for it (`ecall`, `ebreak`).
fn meaning(trap: &Trap, memory: &Memory) -> Option<String> {
    let address = trap.value;
    Some(match trap.cause {
        FETCH_FAULT => format!("it jumped to 0x{address:08x}, {}", place(address, memory)),
        ILLEGAL => format!("the instruction 0x{address:08x} is illegal"),
        LOAD_MISALIGNED => format!("a read of 0x{address:08x} is not aligned"),
        STORE_MISALIGNED => format!("a write to 0x{address:08x} is not aligned"),
        LOAD_FAULT | STORE_FAULT if has_run_out(trap) => format!(
            "the stack has run out: sp is 0x{:08x}, and RAM begins at 0x{:08x}",
            trap.sp,
            Memory::RAM
        ),
        LOAD_FAULT => format!("a read of 0x{address:08x}, {}", place(address, memory)),
        STORE_FAULT => format!("a write to 0x{address:08x}, {}", place(address, memory)),
        _ => return None,
    })
}

/// Whether a stack at the lowest addresses of RAM has run out.
fn has_run_out(trap: &Trap) -> bool {
    let below = Memory::RAM - BELOW..Memory::RAM;
    below.contains(&trap.value) && trap.sp < Memory::RAM + BELOW
}

/// Where an address is.
fn place(address: u32, memory: &Memory) -> String {
    let (ram_end, flash_end) =
        (Memory::RAM + memory.ram_bytes(), Memory::FLASH + memory.flash_bytes());
    let kib = |bytes: u32| f64::from(bytes) / 1024.0;
    match address {
        0..0x1000 => "where a null pointer leads to".into(),
        _ if (Memory::FLASH..flash_end).contains(&address) => {
            "which is in flash and cannot be written".into()
        }
        _ if address >= ram_end && address - ram_end < 1 << 24 => {
            let size = kib(memory.ram_bytes());
            let beyond = address - ram_end;
            format!(
                "{beyond} bytes beyond the end of the RAM of {size} KiB: heap or data has run out"
            )
        }
        _ if (Memory::RAM..ram_end).contains(&address) => "which is in RAM".into(),
        _ => "where there is neither memory nor a peripheral that takes it".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    fn fault(cause: u32, value: u32, sp: u32) -> Option<String> {
        let memory =
            Memory::new(1 << 20, 192 << 10, &Profile::built_in("one-cycle").expect("a profile"));
        meaning(&Trap { cause, pc: 0x2000_0000, value, cycle: 7, sp }, &memory)
    }

    #[test]
    fn a_stack_a_heap_and_a_null_pointer_are_called_by_their_names() {
        let stack = fault(STORE_FAULT, 0x7FFF_FFF0, 0x7FFF_FFE0).expect("a fault");
        assert!(stack.contains("the stack has run out"), "{stack}");
        let heap = fault(STORE_FAULT, 0x8003_0010, 0x8000_1000).expect("a fault");
        assert!(heap.contains("16 bytes beyond the end of the RAM of 192 KiB"), "{heap}");
        let null = fault(LOAD_FAULT, 8, 0x8000_1000).expect("a fault");
        assert!(null.contains("null pointer"), "{null}");
        let flash = fault(STORE_FAULT, 0x2000_0100, 0x8000_1000).expect("a fault");
        assert!(flash.contains("in flash"), "{flash}");
        assert_eq!(fault(11, 0, 0), None, "software asked for an environment call");
    }
}
