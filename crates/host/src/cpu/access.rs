//! Loads, stores and atomic operations, wherever they go.

use super::instruction::{Instruction, Op};
use super::rare::{Ended, Exception, Left, cause};
use super::{After, Devices, Processor, Stopped, Width};
use crate::memory::Memory;

impl Processor {
    /// Loads from anywhere; narrow values are not extended.
    pub(super) fn load<D: Devices>(
        &mut self,
        memory: &mut Memory,
        devices: &mut D,
        instruction: Instruction,
        width: Width,
    ) -> Result<u32, Exception> {
        let address = self.x[usize::from(instruction.first)].wrapping_add(instruction.immediate);
        let bytes = width.bytes();
        let mut value = [0; 4];
        if memory.read(address, &mut value[..bytes as usize]).is_ok() {
            if let Some(more) = memory.wait_for_flash(address, self.cycle) {
                self.cycle = self.cycle.wrapping_add(more);
            }
            return Ok(u32::from_le_bytes(value));
        }
        if memory.contains(address) {
            return Err(Exception(cause::LOAD_FAULT, memory.outside(address, bytes)));
        }
        if address & (bytes - 1) != 0 {
            return Err(Exception(cause::LOAD_MISALIGNED, address));
        }
        let loaded = devices.load(memory, address, width, self.cycle);
        let value = loaded.map_err(|_| Exception(cause::LOAD_FAULT, address))?;
        self.cycle = self.cycle.wrapping_add(memory.wait_for_device());
        Ok(value)
    }

    /// Stores to anywhere.
    pub(super) fn store<D: Devices>(
        &mut self,
        memory: &mut Memory,
        devices: &mut D,
        instruction: Instruction,
        width: Width,
        value: u32,
    ) -> Result<Ended, Exception> {
        let address = self.x[usize::from(instruction.first)].wrapping_add(instruction.immediate);
        let bytes = width.bytes();
        if memory.store(address, &value.to_le_bytes()[..bytes as usize]) {
            return Ok(Ended::Plainly);
        }
        if memory.contains(address) {
            return Err(Exception(cause::STORE_FAULT, memory.outside(address, bytes)));
        }
        if address & (bytes - 1) != 0 {
            return Err(Exception(cause::STORE_MISALIGNED, address));
        }
        let value = value & u32::MAX >> (32 - 8 * bytes);
        let stored = devices.store(memory, address, width, value, self.cycle);
        let after = stored.map_err(|_| Exception(cause::STORE_FAULT, address))?;
        self.cycle = self.cycle.wrapping_add(memory.wait_for_device());
        Ok(match after {
            After::GoOn => Ended::Plainly,
            After::Stop => Ended::ToLeave(Left::For(Stopped::Device)),
        })
    }

    /// An instruction of the "A" extension, on a word of memory; what it gives.
    pub(super) fn access_atomically(
        &mut self,
        memory: &mut Memory,
        instruction: Instruction,
    ) -> Result<u32, Exception> {
        let address = self.x[usize::from(instruction.first)];
        let operand = self.x[usize::from(instruction.second)];
        let is_load = instruction.base == Op::LoadReserved;
        if address & 3 != 0 {
            let number = if is_load { cause::LOAD_MISALIGNED } else { cause::STORE_MISALIGNED };
            return Err(Exception(number, address));
        }
        let fault =
            Exception(if is_load { cause::LOAD_FAULT } else { cause::STORE_FAULT }, address);
        let mut bytes = [0; 4];
        memory.read(address, &mut bytes).map_err(|_| fault)?;
        let old = u32::from_le_bytes(bytes);
        if is_load {
            memory.reservation = Some(address);
            return Ok(old);
        }
        let (new, result) = match instruction.base {
            Op::StoreConditional => (operand, 0),
            _ => (combined(instruction.mode, old, operand), old),
        };
        if instruction.base == Op::StoreConditional
            && memory.reservation.take() != Some(address)
            && memory.is_ram(address)
        {
            return Ok(1);
        }
        match memory.store(address, &new.to_le_bytes()) {
            true => Ok(result),
            false => Err(Exception(cause::STORE_FAULT, address)),
        }
    }
}

/// What an atomic operation of a funct5 writes.
fn combined(funct5: u8, old: u32, operand: u32) -> u32 {
    match funct5 {
        0b00000 => old.wrapping_add(operand),
        0b00001 => operand,
        0b00100 => old ^ operand,
        0b01000 => old | operand,
        0b01100 => old & operand,
        0b10000 => (old as i32).min(operand as i32) as u32,
        0b10100 => (old as i32).max(operand as i32) as u32,
        0b11000 => old.min(operand),
        _ => old.max(operand),
    }
}
