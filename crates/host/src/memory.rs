//! Flash and RAM of the simulated computer, and what was decoded from them.

use serde::{Deserialize, Serialize};

use crate::cpu::code::Code;
use crate::line_cache::{LineCache, LineCacheState};
use crate::profile::{Profile, Timing};

/// Flash and RAM, with the timing of the processor that uses them.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) flash: Vec<u8>,
    pub(crate) ram: Vec<u8>,
    pub(crate) code: Code,
    pub(crate) timing: Timing,
    /// Lines of flash that instructions are fetched from; none where flash needs no waiting.
    pub(crate) fetches: Option<LineCache>,
    /// Lines of flash that data is read from.
    pub(crate) reads: Option<LineCache>,
    /// The word that `lr.w` reserved.
    pub(crate) reservation: Option<u32>,
    /// Bytes of RAM, as offset and length, whose stores a debugger wants to see.
    watched: Vec<(usize, usize)>,
    /// The address of watched bytes that are about to be stored to.
    watch_hit: Option<u32>,
    pub(crate) is_watching: bool,
}

/// Bytes that are not, or not all, where they would have to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes at {address:#010x} are not all in {what}")]
pub struct OutsideMemory {
    /// Where they begin.
    pub address: u32,
    /// How many they are.
    pub bytes: usize,
    /// Where they should have been: "flash", "RAM", or "flash or RAM".
    pub what: &'static str,
}

/// What changes in a memory while it runs; flash stays as it was loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryState {
    ram: Vec<u8>,
    reservation: Option<u32>,
    fetches: Option<LineCacheState>,
    reads: Option<LineCacheState>,
}

/// A saved state that is of another memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the saved memory is of another computer: restore it with the profile it was saved with")]
pub struct OtherMemory;

impl Memory {
    /// Where flash begins.
    pub const FLASH: u32 = 0x2000_0000;
    /// Where RAM begins.
    pub const RAM: u32 = 0x8000_0000;

    /// Memory of these sizes, rounded up to words: erased flash, RAM of zeros.
    pub fn new(flash_bytes: u32, ram_bytes: u32, profile: &Profile) -> Memory {
        Memory::with_timing(
            flash_bytes.next_multiple_of(4),
            ram_bytes.next_multiple_of(4),
            profile.timing,
        )
    }

    /// No memory at all.
    pub(crate) fn none() -> Memory {
        Memory::with_timing(0, 0, Timing::default())
    }

    fn with_timing(flash_bytes: u32, ram_bytes: u32, timing: Timing) -> Memory {
        Memory {
            flash: vec![0xff; flash_bytes as usize],
            ram: vec![0; ram_bytes as usize],
            code: Code::new(flash_bytes, ram_bytes),
            timing,
            fetches: timing.fetch.map(|shape| LineCache::new(shape, flash_bytes)),
            reads: timing.read.map(|shape| LineCache::new(shape, flash_bytes)),
            reservation: None,
            watched: Vec::new(),
            watch_hit: None,
            is_watching: true,
        }
    }

    /// Reads bytes, all in flash or all in RAM.
    pub fn read(&self, address: u32, into: &mut [u8]) -> Result<(), OutsideMemory> {
        let ram = range(address, Memory::RAM, into.len(), &self.ram).map(|at| &self.ram[at]);
        let flash =
            || range(address, Memory::FLASH, into.len(), &self.flash).map(|at| &self.flash[at]);
        let what = "flash or RAM";
        let from = ram.or_else(flash).ok_or(OutsideMemory { address, bytes: into.len(), what })?;
        into.copy_from_slice(from);
        Ok(())
    }

    /// Writes bytes to RAM.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutsideMemory> {
        let outside = OutsideMemory { address, bytes: bytes.len(), what: "RAM" };
        let at = range(address, Memory::RAM, bytes.len(), &self.ram).ok_or(outside)?;
        self.forget(at.start, at.len());
        let is_hit = |word: &u32| *word < address + bytes.len() as u32 && address < *word + 4;
        self.reservation = self.reservation.filter(|word| !is_hit(word));
        self.ram[at].copy_from_slice(bytes);
        Ok(())
    }

    /// Writes bytes to flash, which the processor cannot.
    pub fn load_flash(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutsideMemory> {
        let outside = OutsideMemory { address, bytes: bytes.len(), what: "flash" };
        let at = range(address, Memory::FLASH, bytes.len(), &self.flash).ok_or(outside)?;
        self.code.forget_flash(at.start, at.len());
        self.flash[at].copy_from_slice(bytes);
        Ok(())
    }

    /// Turns one bit of RAM over, as radiation does. Bits count from 0 to 7; only the last three bits of `bit` matter.
    pub fn flip_bit(&mut self, address: u32, bit: u8) -> Result<(), OutsideMemory> {
        let mut byte = [0];
        let outside = OutsideMemory { address, bytes: 1, what: "RAM" };
        let at = range(address, Memory::RAM, 1, &self.ram).ok_or(outside)?;
        byte[0] = self.ram[at.start] ^ 1 << (bit & 7);
        self.write(address, &byte)
    }

    /// Whether that many bytes from an address on are in RAM.
    pub fn holds_ram(&self, address: u32, bytes: u32) -> bool {
        range(address, Memory::RAM, bytes as usize, &self.ram).is_some()
    }

    /// Bytes of flash.
    pub fn flash_bytes(&self) -> u32 {
        self.flash.len() as u32
    }

    /// Bytes of RAM.
    pub fn ram_bytes(&self) -> u32 {
        self.ram.len() as u32
    }

    /// All of RAM.
    pub fn ram(&self) -> &[u8] {
        &self.ram
    }

    /// Sets or removes a place where [`Processor::run`](crate::cpu::Processor::run) stops before the
    /// instruction; says whether it is in memory.
    pub fn set_breakpoint(&mut self, address: u32, is_set: bool) -> bool {
        self.code.set_breakpoint(address, is_set)
    }

    /// Watches bytes of RAM, or ends that: [`Processor::run`](crate::cpu::Processor::run) stops before
    /// an instruction that stores there. Says whether they are in RAM.
    pub fn set_watched(&mut self, address: u32, bytes: u32, is_watched: bool) -> bool {
        let Some(at) = range(address, Memory::RAM, bytes as usize, &self.ram) else { return false };
        self.watched.retain(|&known| known != (at.start, at.len()));
        if is_watched {
            self.code.mark(at.start, at.len());
            self.watched.push((at.start, at.len()));
        }
        true
    }

    /// The address of watched bytes that stopped a run, since this was asked last.
    pub fn take_watch_hit(&mut self) -> Option<u32> {
        self.watch_hit.take()
    }

    /// What a checkpoint has to hold.
    pub fn save(&self) -> MemoryState {
        MemoryState {
            ram: self.ram.clone(),
            reservation: self.reservation,
            fetches: self.fetches.as_ref().map(|cache| cache.state().clone()),
            reads: self.reads.as_ref().map(|cache| cache.state().clone()),
        }
    }

    /// Goes back to what was saved, of a memory with the same sizes and profile.
    pub fn restore(&mut self, state: MemoryState) -> Result<(), OtherMemory> {
        let cache = |cache: &mut Option<LineCache>, state| match (cache, state) {
            (Some(cache), Some(state)) => cache.restore(state),
            (None, None) => true,
            _ => false,
        };
        let is_same = state.ram.len() == self.ram.len()
            && cache(&mut self.fetches, state.fetches)
            && cache(&mut self.reads, state.reads);
        if !is_same {
            return Err(OtherMemory);
        }
        self.code.forget_ram(0, self.ram.len());
        self.ram = state.ram;
        self.reservation = state.reservation;
        Ok(())
    }

    /// Whether an address is in flash or RAM.
    pub(crate) fn contains(&self, address: u32) -> bool {
        self.is_ram(address) || address.wrapping_sub(Memory::FLASH) < self.flash_bytes()
    }

    /// The part of an access that is not in memory: its first byte that is not (privileged specification, 3.1.16). An
    /// access that is refused as a whole, such as a store to flash, is so from its beginning.
    pub(crate) fn outside(&self, address: u32, bytes: u32) -> u32 {
        let behind = (1..bytes).map(|offset| address.wrapping_add(offset));
        behind.into_iter().find(|&byte| !self.contains(byte)).unwrap_or(address)
    }

    pub(crate) fn is_ram(&self, address: u32) -> bool {
        address.wrapping_sub(Memory::RAM) < self.ram_bytes()
    }

    /// A store of the processor to RAM; says whether it is there.
    pub(crate) fn store(&mut self, address: u32, bytes: &[u8]) -> bool {
        let Some(at) = range(address, Memory::RAM, bytes.len(), &self.ram) else { return false };
        self.forget(at.start, at.len());
        self.ram[at].copy_from_slice(bytes);
        true
    }

    /// Forgets what was decoded from bytes of RAM that change; what is watched stays marked.
    fn forget(&mut self, offset: usize, bytes: usize) {
        if self.code.unmark(offset, bytes) {
            self.watched.iter().for_each(|&(start, bytes)| self.code.mark(start, bytes));
        }
    }

    /// Whether a store is to be seen by a debugger first.
    pub(crate) fn is_hit(&mut self, address: u32, bytes: u32) -> bool {
        let offset = address.wrapping_sub(Memory::RAM) as usize;
        let overlaps = |(start, length)| start < offset + bytes as usize && offset < start + length;
        let hit =
            self.watched.iter().copied().find(|&watched| self.is_watching && overlaps(watched));
        if let Some((start, _)) = hit {
            self.watch_hit = Some(Memory::RAM + start as u32);
        }
        hit.is_some()
    }

    /// Bytes of flash, and how many cycles more they take than from RAM (perhaps fewer: wrap).
    #[inline(never)]
    pub(crate) fn load_from_flash<const BYTES: usize>(
        &mut self,
        address: u32,
        cycle: u64,
    ) -> Option<([u8; BYTES], u64)> {
        let offset = address.wrapping_sub(Memory::FLASH) as usize;
        let bytes = *self.flash.get(offset..offset + BYTES)?.first_chunk()?;
        Some((bytes, self.wait_for_flash(address, cycle)?))
    }

    /// Cycles that reading from flash takes more than from RAM; none if the address is elsewhere.
    pub(crate) fn wait_for_flash(&mut self, address: u32, cycle: u64) -> Option<u64> {
        let offset = address.wrapping_sub(Memory::FLASH);
        if offset >= self.flash_bytes() {
            return None;
        }
        let wait = self.reads.as_mut().map_or(0, |reads| reads.enter(offset as usize, cycle));
        Some(u64::from(wait).wrapping_sub(u64::from(self.timing.ram_wait_states)))
    }

    /// Cycles that a peripheral takes more than RAM (perhaps fewer: wrap).
    pub(crate) fn wait_for_device(&self) -> u64 {
        u64::from(self.timing.device_wait_states)
            .wrapping_sub(u64::from(self.timing.ram_wait_states))
    }

    /// The halfword of an instruction, and the one behind it if that is in the same memory.
    pub(crate) fn halves(&self, index: usize) -> (u16, Option<u16>) {
        let (memory, at) = match index.checked_sub(self.code.ram_start) {
            Some(in_ram) => (&self.ram, in_ram * 2),
            None => (&self.flash, index * 2),
        };
        let half =
            |at: usize| memory.get(at..at + 2).map(|half| u16::from_le_bytes([half[0], half[1]]));
        (half(at).unwrap_or(0), half(at + 2))
    }
}

/// Where bytes at an address are in a memory that begins at `base`.
fn range(address: u32, base: u32, bytes: usize, memory: &[u8]) -> Option<std::ops::Range<usize>> {
    let start = address.checked_sub(base)? as usize;
    let end = start.checked_add(bytes)?;
    (end <= memory.len()).then_some(start..end)
}
