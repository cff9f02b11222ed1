//! Decoded instructions of all memory, one place for each halfword, decoded when first executed.
//!
//! Flash comes first, RAM behind it; each ends with a place where a fetch fails. So running on to the next
//! instruction is adding to an index, and the target of a branch is an index that decoding finds.

use std::collections::BTreeSet;

use super::compressed::expand;
use super::decode::{decode, illegal};
use super::instruction::{Instruction, Op};
use crate::memory::Memory;
use crate::profile::Timing;

/// RAM is marked in pieces of this many bytes (as a power of two) where something is decoded or watched.
const PIECE: u32 = 6;

/// Decoded instructions, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    /// Pieces of RAM whose stores need care: something was decoded from there, or is watched.
    marked: Vec<bool>,
    /// Where RAM begins in `instructions`.
    pub ram_start: usize,
    ram_end: usize,
    breakpoints: BTreeSet<u32>,
}

impl Code {
    pub(crate) fn new(flash_bytes: u32, ram_bytes: u32) -> Code {
        let ram_start = flash_bytes as usize / 2 + 1;
        let ram_end = ram_start + ram_bytes as usize / 2;
        let mut instructions = vec![Instruction::UNDECODED; ram_end + 1];
        instructions[ram_start - 1] = Instruction::OUTSIDE;
        instructions[ram_end] = Instruction::OUTSIDE;
        let marked = vec![false; (ram_bytes as usize).div_ceil(1 << PIECE) + 1];
        Code { instructions, marked, ram_start, ram_end, breakpoints: BTreeSet::new() }
    }

    /// Where the instruction at an address is; none outside memory.
    #[inline(always)]
    pub(crate) fn index(&self, address: u32) -> Option<usize> {
        let in_ram = (address.wrapping_sub(Memory::RAM) >> 1) as usize;
        if in_ram < self.ram_end - self.ram_start {
            return Some(self.ram_start + in_ram);
        }
        let in_flash = (address.wrapping_sub(Memory::FLASH) >> 1) as usize;
        (in_flash < self.ram_start - 1).then_some(in_flash)
    }

    /// The address of an index, also of the ends.
    #[inline(always)]
    pub(crate) fn address(&self, index: usize) -> u32 {
        let (base, from) =
            if index < self.ram_start { (Memory::FLASH, 0) } else { (Memory::RAM, self.ram_start) };
        base.wrapping_add(2 * (index - from) as u32)
    }

    /// Decodes the instruction at an index. `halves` are its halfword and the next one, if that is in
    /// the same memory.
    #[cold]
    pub(crate) fn fill(&mut self, index: usize, halves: (u16, Option<u16>), timing: &Timing) {
        let address = self.address(index);
        if index >= self.ram_start {
            self.mark((index - self.ram_start) * 2, 4);
        }
        self.instructions[index] = if self.breakpoints.contains(&address) {
            Instruction::plain(Op::Breakpoint)
        } else {
            self.decoded(index, halves, timing)
        };
    }

    /// The instruction at an index, whether or not somebody wants to stop there.
    pub(crate) fn decoded(
        &self,
        index: usize,
        halves: (u16, Option<u16>),
        timing: &Timing,
    ) -> Instruction {
        let address = self.address(index);
        let (low, high) = (u32::from(halves.0), halves.1.map(u32::from));
        let mut instruction = match (low & 3 == 3, high) {
            (false, _) => {
                let full = expand(halves.0).map_or(illegal(low), |word| decode(word, address));
                Instruction { length: 1, ..full }
            }
            (true, Some(high)) => decode(low | high << 16, address),
            (true, None) => return Instruction::OUTSIDE,
        };
        if instruction.op == Op::Illegal && low & 3 != 3 {
            instruction.immediate = low;
        }
        let is_flash = index < self.ram_start;
        self.aim(&mut instruction, is_flash);
        instruction.cycles = timing.cycles(&instruction, is_flash);
        instruction.base = instruction.op;
        if let (1, Some(short)) = (instruction.length, instruction.op.short()) {
            instruction.op = short;
        } else if instruction.length == 1 || !instruction.op.is_rounded_often(instruction.mode) {
            instruction.op = Op::Rare;
        }
        let last = (index + usize::from(instruction.length) - 1) * 2;
        // The last halfword is the first of its line, or follows one that is.
        let reach = (usize::from(instruction.length) - 1) * 2;
        let line = timing.fetch.filter(|_| is_flash).map(|shape| shape.line as usize);
        instruction.enters_line = line.is_some_and(|line| last % line <= reach);
        instruction
    }

    /// Turns the target of a jump or branch into an index, where that is in the same memory.
    fn aim(&self, instruction: &mut Instruction, is_flash: bool) {
        let (far, is_aimed) = match instruction.op {
            Op::Jal => (Op::JalFar, true),
            Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu => (Op::BranchFar, true),
            _ => (Op::Illegal, false),
        };
        if is_aimed {
            let near =
                self.index(instruction.immediate).filter(|&at| (at < self.ram_start) == is_flash);
            match near {
                Some(index) => instruction.immediate = index as u32,
                None => instruction.op = far,
            }
        }
    }

    /// Marks bytes of RAM.
    pub(crate) fn mark(&mut self, offset: usize, bytes: usize) {
        // The place behind the last piece is for stores that would reach out of RAM.
        let last = ((offset + bytes.max(1) - 1) >> PIECE).min(self.marked.len() - 1);
        self.marked[offset >> PIECE..=last].fill(true);
    }

    /// Forgets what was decoded from the pieces that bytes of RAM are in, and takes their marks away; says
    /// whether there was any mark.
    pub(crate) fn unmark(&mut self, offset: usize, bytes: usize) -> bool {
        let pieces = offset >> PIECE..(offset + bytes).div_ceil(1 << PIECE);
        let is_marked = self.marked[pieces.clone()].contains(&true);
        if is_marked {
            self.forget_ram(pieces.start << PIECE, pieces.len() << PIECE);
            self.marked[pieces].fill(false);
        }
        is_marked
    }

    /// Whether a store of up to four bytes at an offset of RAM may change decoded instructions or is
    /// watched; also behind the end of RAM.
    #[inline(always)]
    pub(crate) fn is_marked(&self, offset: usize) -> bool {
        // A store that reaches into the next piece: that one may be marked alone.
        match (self.marked.get(offset >> PIECE), self.marked.get((offset + 3) >> PIECE)) {
            (Some(first), Some(last)) => *first | *last,
            _ => true,
        }
    }

    /// Forgets what was decoded from bytes of RAM, counted from its start.
    pub(crate) fn forget_ram(&mut self, offset: usize, bytes: usize) {
        self.forget(self.ram_start, offset, bytes, self.ram_end);
    }

    /// Forgets what was decoded from bytes of flash, counted from its start.
    pub(crate) fn forget_flash(&mut self, offset: usize, bytes: usize) {
        self.forget(0, offset, bytes, self.ram_start - 1);
    }

    fn forget(&mut self, start: usize, offset: usize, bytes: usize, end: usize) {
        // An instruction that begins in the halfword before has its second half here.
        let first = start + (offset / 2).saturating_sub(1);
        let last = (start + (offset + bytes).div_ceil(2)).min(end);
        self.instructions[first..last].fill(Instruction::UNDECODED);
    }

    /// Sets or removes a breakpoint; says whether the address is in memory.
    pub(crate) fn set_breakpoint(&mut self, address: u32, is_set: bool) -> bool {
        let Some(index) = self.index(address) else { return false };
        if is_set {
            self.breakpoints.insert(address & !1);
        } else {
            self.breakpoints.remove(&(address & !1));
        }
        self.instructions[index] = Instruction::UNDECODED;
        true
    }
}
