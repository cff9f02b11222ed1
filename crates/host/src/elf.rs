//! Firmware: what an ELF file for this computer holds.

use ::elf::ElfBytes;
use ::elf::abi;
use ::elf::endian::LittleEndian;
use ::elf::file::Class;
use ::elf::segment::ProgramHeader;

use crate::memory::Memory;
use crate::symbols::Symbols;

/// A program for the simulated computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firmware {
    /// The address of the first instruction.
    pub entry: u32,
    /// Names of functions.
    pub symbols: Symbols,
    segments: Vec<Segment>,
}

/// Bytes that are in memory when the computer is turned on, and where they are used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Segment {
    physical: u32,
    bytes: Vec<u8>,
    /// Where it is when it is used: of data that start-up code copies, not where it is loaded.
    used_at: u32,
    used_bytes: u32,
}

/// Why a file cannot be run: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {help}")]
pub struct BadFirmware {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

fn bad(what: impl Into<String>, help: impl Into<String>) -> BadFirmware {
    BadFirmware { what: what.into(), help: help.into() }
}

const COMPILE: &str = "compile it with -march=rv32imafc_zicsr_zifencei -mabi=ilp32f";

impl Firmware {
    /// Reads an ELF file.
    pub fn parse(file: &[u8]) -> Result<Firmware, BadFirmware> {
        if !file.starts_with(b"\x7fELF") {
            let help = "give the file that the linker wrote, not a .bin or .hex made from it";
            return Err(bad("it is not an ELF file", help));
        }
        let damaged = |error| bad(format!("it is damaged ({error})"), "link it again");
        let elf = ElfBytes::<LittleEndian>::minimal_parse(file).map_err(|error| match error {
            ::elf::ParseError::UnsupportedElfEndianness(_) => bad("it is big-endian", COMPILE),
            error => damaged(error),
        })?;
        check_header(&elf)?;
        let headers = || elf.segments().into_iter().flatten();
        if headers().any(|header| matches!(header.p_type, abi::PT_INTERP | abi::PT_DYNAMIC)) {
            return Err(bad("it needs a dynamic loader", "link it with -static and without -pie"));
        }
        let mut segments = Vec::new();
        for header in headers().filter(|header| header.p_type == abi::PT_LOAD && header.p_memsz > 0)
        {
            let bytes = elf.segment_data(&header).map_err(damaged)?;
            segments.push(segment(&header, bytes)?);
        }
        if segments.iter().all(|segment| segment.bytes.is_empty()) {
            let help = "link it with a linker script that puts .text into flash, and keep the entry point from \
                        being collected as garbage";
            return Err(bad("there is nothing in it to load", help));
        }
        let entry = elf.ehdr.e_entry as u32;
        let symbols = Symbols::of(&elf).map_err(damaged)?;
        Ok(Firmware { entry, symbols, segments })
    }

    /// Puts it into memory.
    pub fn load(&self, memory: &mut Memory) -> Result<(), BadFirmware> {
        self.check_room(memory)?;
        self.check_overlap()?;
        for Segment { physical, bytes, .. } in
            self.segments.iter().filter(|one| !one.bytes.is_empty())
        {
            let loaded = if is_in_flash(memory, *physical) {
                memory.load_flash(*physical, bytes)
            } else {
                memory.write(*physical, bytes)
            };
            loaded.map_err(|outside| bad(outside.to_string(), linker_script(memory)))?;
        }
        Ok(())
    }

    /// Everything is in flash or in RAM, when loaded as well as when used, and so is the entry point.
    fn check_room(&self, memory: &Memory) -> Result<(), BadFirmware> {
        let check = |address: u32, bytes: usize, what: &str| {
            if is_inside(memory, address, bytes) {
                return Ok(());
            }
            let what = format!("{bytes} bytes at {address:#010x}, {what}, are not in memory");
            Err(bad(what, linker_script(memory)))
        };
        for segment in &self.segments {
            check(segment.used_at, segment.used_bytes as usize, "where a segment of it is used")?;
            if !segment.bytes.is_empty() {
                check(segment.physical, segment.bytes.len(), "where a segment of it is loaded")?;
            }
        }
        let holds_entry = |segment: &Segment| {
            self.entry.wrapping_sub(segment.used_at) < segment.bytes.len() as u32
                && segment.used_at == segment.physical
        };
        if self.entry & 1 != 0 || !self.segments.iter().any(holds_entry) {
            let what = format!("its entry point {:#010x} is not in what is loaded", self.entry);
            return Err(bad(what, "name the first function in the linker script: ENTRY(_start)"));
        }
        Ok(())
    }

    fn check_overlap(&self) -> Result<(), BadFirmware> {
        let mut loaded: Vec<&Segment> =
            self.segments.iter().filter(|one| !one.bytes.is_empty()).collect();
        loaded.sort_by_key(|segment| segment.physical);
        for pair in loaded.windows(2) {
            let end = u64::from(pair[0].physical) + pair[0].bytes.len() as u64;
            if end > u64::from(pair[1].physical) {
                let what = format!(
                    "two segments are loaded over each other, at {:#010x} and {:#010x}",
                    pair[0].physical, pair[1].physical
                );
                return Err(bad(what, "look at the load addresses (AT) of the linker script"));
            }
        }
        Ok(())
    }
}

fn check_header(elf: &ElfBytes<LittleEndian>) -> Result<(), BadFirmware> {
    let header = &elf.ehdr;
    if header.e_machine != abi::EM_RISCV {
        let what = match header.e_machine {
            abi::EM_ARM => "it is for ARM, the processor is a RISC-V one".to_owned(),
            abi::EM_X86_64 => "it is for x86-64, the processor is a RISC-V one".to_owned(),
            other => format!("it is for another processor (machine {other}), not for RISC-V"),
        };
        return Err(bad(what, COMPILE));
    }
    if header.class != Class::ELF32 {
        return Err(bad("it is for a processor of 64 bits, this one has 32", COMPILE));
    }
    if header.e_type != abi::ET_EXEC {
        let what = match header.e_type {
            abi::ET_REL => "it is an object file, not linked yet",
            _ => "it is not an executable at fixed addresses",
        };
        return Err(bad(what, "link it with -static and without -pie"));
    }
    let abi = header.e_flags & abi::EF_RISCV_FLOAT_ABI_MASK;
    if abi == abi::EF_RISCV_FLOAT_ABI_DOUBLE || abi == abi::EF_RISCV_FLOAT_ABI_QUAD {
        return Err(bad(
            "it passes floats of more than 32 bits in registers that are not there",
            COMPILE,
        ));
    }
    if header.e_flags & abi::EF_RISCV_RVE != 0 {
        return Err(bad("it is for a processor with 16 registers", COMPILE));
    }
    Ok(())
}

fn segment(header: &ProgramHeader, bytes: &[u8]) -> Result<Segment, BadFirmware> {
    if header.p_filesz > header.p_memsz {
        return Err(bad("a segment has more bytes in the file than in memory", "link it again"));
    }
    // A file of 32 bits has no larger numbers.
    let (physical, used_at) = (header.p_paddr as u32, header.p_vaddr as u32);
    Ok(Segment { physical, bytes: bytes.to_vec(), used_at, used_bytes: header.p_memsz as u32 })
}

fn is_in_flash(memory: &Memory, address: u32) -> bool {
    address.wrapping_sub(Memory::FLASH) < memory.flash_bytes()
}

fn is_inside(memory: &Memory, address: u32, bytes: usize) -> bool {
    let fits = |base: u32, size: u32| {
        let offset = address.wrapping_sub(base);
        offset < size && bytes <= (size - offset) as usize
    };
    fits(Memory::FLASH, memory.flash_bytes()) || fits(Memory::RAM, memory.ram_bytes())
}

fn linker_script(memory: &Memory) -> String {
    format!(
        "the linker script has to use flash of {} bytes at {:#010x} and RAM of {} bytes at {:#010x}, or another \
         profile is needed",
        memory.flash_bytes(),
        Memory::FLASH,
        memory.ram_bytes(),
        Memory::RAM
    )
}

#[cfg(test)]
mod tests;
