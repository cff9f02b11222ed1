//! Instructions that need more than the loop in [`execute`](super::execute): traps, control registers,
//! atomic operations, devices, other roundings than to the nearest.

use super::csr::Now;
use super::instruction::{Instruction, NOWHERE, Op};
use super::{Devices, Processor, Stopped, Trap, Width};
use crate::memory::Memory;

/// Numbers of exceptions in `mcause`.
pub(super) mod cause {
    pub const FETCH_FAULT: u32 = 1;
    pub const ILLEGAL: u32 = 2;
    pub const BREAKPOINT: u32 = 3;
    pub const LOAD_MISALIGNED: u32 = 4;
    pub const LOAD_FAULT: u32 = 5;
    pub const STORE_MISALIGNED: u32 = 6;
    pub const STORE_FAULT: u32 = 7;
    pub const CALL: u32 = 11;
    pub const INTERRUPT: u32 = 1 << 31;
}

/// Why the loop over instructions is left.
pub(super) enum Left {
    /// To see whether an interrupt is due, or time is up.
    ToLook,
    For(Stopped),
}

/// An exception: its number and what goes to `mtval`.
pub(super) struct Exception(pub u32, pub u32);

/// How an instruction ended that raised no exception.
pub(super) enum Ended {
    /// The next one follows.
    Plainly,
    /// The next one is at this address.
    ByJump(u32),
    /// As [`Ended::Plainly`], and the loop is left.
    ToLeave(Left),
    /// It did not happen: there is something to do first, or all is done already.
    Without(Option<Left>),
}

impl Processor {
    /// Takes an exception of the instruction at `pc`. If its handler begins there and nothing changes, it will
    /// be taken for ever: all that come before `until` are taken at once, and told once.
    pub(super) fn raise<D: Devices>(
        &mut self,
        memory: &Memory,
        devices: &mut D,
        Exception(number, value): Exception,
        until: u64,
    ) -> Left {
        let before = self.control.clone();
        let pc = self.pc;
        self.pc = self.control.enter(number, pc, value);
        // Whether others are raised again may depend on devices.
        let is_pure =
            matches!(number, cause::FETCH_FAULT | cause::ILLEGAL | cause::BREAKPOINT | cause::CALL);
        if is_pure && self.pc == pc && self.control == before {
            self.cycle += rounds(self.cycle, until, memory.timing.trap);
            return Left::For(Stopped::Looping);
        }
        devices.trapped(&Trap { cause: number, pc, value, cycle: self.cycle, sp: self.x[2] });
        self.cycle += u64::from(memory.timing.trap);
        Left::ToLook
    }

    /// Executes the instruction at `pc`; says why if the loop has to be left.
    #[inline(never)]
    pub(super) fn execute_rare<D: Devices>(
        &mut self,
        memory: &mut Memory,
        devices: &mut D,
        until: u64,
    ) -> Option<Left> {
        let Some(index) = memory.code.index(self.pc) else {
            // The end of a memory.
            let exception = Exception(cause::FETCH_FAULT, self.pc);
            return Some(self.raise(memory, devices, exception, until));
        };
        let instruction = memory.code.instructions[index];
        if let Some((address, bytes)) = self.stored(instruction)
            && memory.is_hit(address, bytes)
        {
            (self.is_fetched, self.passes) = (true, Some(self.pc));
            return Some(Left::For(Stopped::Breakpoint));
        }
        let next = self.pc.wrapping_add(2 * u32::from(instruction.length));
        let (pc, left) = match self.do_one(memory, devices, index, instruction, until) {
            Ok(Ended::Without(left)) => return left,
            Ok(Ended::Plainly) => (next, None),
            Ok(Ended::ByJump(target)) => (target, None),
            Ok(Ended::ToLeave(left)) => (next, Some(left)),
            Err(exception) => return Some(self.raise(memory, devices, exception, until)),
        };
        self.pc = pc;
        self.cycle += u64::from(instruction.cycles);
        self.retired += 1;
        left
    }

    /// Where an instruction stores, and how many bytes.
    fn stored(&self, instruction: Instruction) -> Option<(u32, u32)> {
        let base = self.x[usize::from(instruction.first)];
        let address = base.wrapping_add(instruction.immediate);
        Some(match instruction.base {
            Op::Sb => (address, 1),
            Op::Sh => (address, 2),
            Op::Sw | Op::Fsw => (address, 4),
            Op::StoreConditional | Op::Atomic => (base, 4),
            _ => return None,
        })
    }

    fn do_one<D: Devices>(
        &mut self,
        memory: &mut Memory,
        devices: &mut D,
        index: usize,
        instruction: Instruction,
        until: u64,
    ) -> Result<Ended, Exception> {
        let Instruction { immediate, to, first, second, .. } = instruction;
        let (to, first, second) = (usize::from(to), usize::from(first), usize::from(second));
        let next = self.pc.wrapping_add(2 * u32::from(instruction.length));
        match instruction.base {
            Op::Undecoded => {
                let halves = memory.halves(index);
                memory.code.fill(index, halves, &memory.timing);
                return Ok(Ended::Without(None));
            }
            // Its second half would be behind the end.
            Op::Outside => return Err(Exception(cause::FETCH_FAULT, self.pc.wrapping_add(2))),
            Op::Breakpoint => {
                self.passes = Some(self.pc);
                return Ok(Ended::Without(Some(Left::For(Stopped::Breakpoint))));
            }
            Op::Illegal => return Err(Exception(cause::ILLEGAL, immediate)),
            Op::Ecall => return Err(Exception(cause::CALL, 0)),
            Op::Ebreak => return Err(Exception(cause::BREAKPOINT, self.pc)),
            Op::Jal if immediate as usize == index && instruction.to == NOWHERE => {
                return Ok(Ended::Without(Some(self.spin(instruction.cycles, until))));
            }
            Op::Jal => {
                self.x[to] = next;
                return Ok(Ended::ByJump(memory.code.address(immediate as usize)));
            }
            Op::JalFar => {
                self.x[to] = next;
                return Ok(Ended::ByJump(immediate));
            }
            Op::Jalr => {
                let target = self.x[first].wrapping_add(immediate) & !1;
                self.x[to] = next;
                return Ok(Ended::ByJump(target));
            }
            Op::BranchFar if is_taken(instruction.mode, self.x[first], self.x[second]) => {
                self.cycle += u64::from(memory.timing.branch_taken);
                return Ok(Ended::ByJump(immediate));
            }
            Op::BranchFar => {}
            Op::Mret => {
                let target = self.control.leave();
                self.pc = target;
                self.cycle += u64::from(instruction.cycles);
                self.retired += 1;
                return Ok(Ended::Without(Some(Left::ToLook)));
            }
            Op::Wfi => {
                self.is_waiting = !self.control.is_awaited();
                let waits = Left::For(Stopped::Waiting);
                return Ok(Ended::ToLeave(if self.is_waiting { waits } else { Left::ToLook }));
            }
            Op::Csr => {
                if !self.access_register(instruction, devices.time(self.cycle)) {
                    return Err(illegal(memory, index));
                }
                return Ok(Ended::ToLeave(Left::ToLook));
            }
            Op::LoadReserved | Op::StoreConditional | Op::Atomic => {
                let value = self.access_atomically(memory, instruction)?;
                self.x[to] = value;
            }
            Op::Lb => {
                self.x[to] = self.load(memory, devices, instruction, Width::Byte)? as i8 as u32
            }
            Op::Lh => {
                self.x[to] = self.load(memory, devices, instruction, Width::Half)? as i16 as u32
            }
            Op::Lbu => self.x[to] = self.load(memory, devices, instruction, Width::Byte)?,
            Op::Lhu => self.x[to] = self.load(memory, devices, instruction, Width::Half)?,
            Op::Lw => self.x[to] = self.load(memory, devices, instruction, Width::Word)?,
            Op::Sb | Op::Sh | Op::Sw => {
                let width = match instruction.base {
                    Op::Sb => Width::Byte,
                    Op::Sh => Width::Half,
                    _ => Width::Word,
                };
                return self.store(memory, devices, instruction, width, self.x[second]);
            }
            _ if !self.control.has_float() => return Err(illegal(memory, index)),
            Op::Flw => {
                self.f[to] = self.load(memory, devices, instruction, Width::Word)?;
                self.control.touch_float();
            }
            Op::Fsw => {
                return self.store(memory, devices, instruction, Width::Word, self.f[second]);
            }
            _ => self.compute_float(instruction).ok_or_else(|| illegal(memory, index))?,
        }
        Ok(Ended::Plainly)
    }

    /// A jump to itself: all of its rounds at once.
    fn spin(&mut self, cycles: u8, until: u64) -> Left {
        let spent = rounds(self.cycle, until, cycles);
        self.cycle += spent;
        self.retired += spent / u64::from(cycles);
        if self.control.is_interruptible() { Left::ToLook } else { Left::For(Stopped::Looping) }
    }

    /// An instruction of Zicsr; says whether it was legal.
    fn access_register(&mut self, instruction: Instruction, time: u64) -> bool {
        let number = instruction.immediate;
        let operand = match instruction.mode & 4 {
            0 => self.x[usize::from(instruction.first)],
            _ => u32::from(instruction.first),
        };
        let Some(old) = self.control.read(number, self.now(time)) else { return false };
        // A counter that is written has that value for the next instruction.
        let after = Now {
            cycle: self.cycle + u64::from(instruction.cycles),
            retired: self.retired + 1,
            time,
        };
        let new = match instruction.mode & 3 {
            1 => Some(operand),
            // With x0, or 0, nothing is written: read-only registers can be read so.
            2 => (instruction.first != 0).then_some(old | operand),
            _ => (instruction.first != 0).then_some(old & !operand),
        };
        if let Some(new) = new
            && !self.control.write(number, new, after)
        {
            return false;
        }
        self.x[usize::from(instruction.to)] = old;
        true
    }
}

/// Cycles of as many rounds as begin before `until`.
fn rounds(cycle: u64, until: u64, cycles: u8) -> u64 {
    until.saturating_sub(cycle).next_multiple_of(u64::from(cycles))
}

/// Whether a branch of a funct3 is taken.
fn is_taken(funct3: u8, a: u32, b: u32) -> bool {
    match funct3 {
        0 => a == b,
        1 => a != b,
        4 => (a as i32) < b as i32,
        5 => a as i32 >= b as i32,
        6 => a < b,
        _ => a >= b,
    }
}

/// The exception of an instruction that is illegal now, whatever it is at other times.
fn illegal(memory: &Memory, index: usize) -> Exception {
    let (low, high) = memory.halves(index);
    let high = if low & 3 == 3 { high.unwrap_or(0) } else { 0 };
    Exception(cause::ILLEGAL, u32::from(low) | u32::from(high) << 16)
}
