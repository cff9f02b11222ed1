//! A program before it is started: whether it can be run in virtual time at all.
//!
//! The preload library is loaded by the dynamic linker. What has none, or does without it, would run in the time of
//! the machine, silently; so it is refused here.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use elf::ElfBytes;
use elf::abi;
use elf::endian::AnyEndian;
use xxhash_rust::xxh3::xxh3_128;

use super::instructions::{TwoByte, two_byte_instructions};

/// Why a program cannot be run: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {help}")]
pub struct BadProgram {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

fn bad(what: impl Into<String>, help: impl Into<String>) -> BadProgram {
    BadProgram { what: what.into(), help: help.into() }
}

/// What a program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// A hash of the whole file (XXH3, 128 bits).
    pub hash: u128,
    /// Instructions in it that the preload library cannot answer.
    pub direct: Vec<Direct>,
}

/// An instruction by which a program could get around the preload library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direct {
    /// What it is called.
    pub name: &'static str,
    /// How often it is there.
    pub count: usize,
    /// Whether the leak net notices it.
    pub is_caught: bool,
}

/// Instructions that are looked for (Intel 64 manual, volume 2): their names, and whether the leak net notices them.
const DIRECT: [(&str, bool); 6] = [
    ("syscall", true),
    ("rdtsc", true),
    ("rdtscp", true),
    ("cpuid", false),
    ("rdrand", false),
    ("rdseed", false),
];

/// Which of [`DIRECT`] an instruction is.
fn name(TwoByte { opcode, next, repeated }: TwoByte) -> Option<&'static str> {
    Some(match (opcode, next) {
        (0x05, _) => "syscall",
        (0x31, _) => "rdtsc",
        (0x01, 0xF9) => "rdtscp",
        (0xA2, _) => "cpuid",
        (0xC7, 0xF0..=0xF7) => "rdrand",
        // With the prefix it is RDPID.
        (0xC7, 0xF8..=0xFF) if !repeated => "rdseed",
        _ => return None,
    })
}

const SETUID_OR_SETGID: u32 = 0o6000;
const MAY_BE_EXECUTED: u32 = 0o111;

impl Executable {
    /// Looks at a file.
    ///
    /// # Errors
    /// If it cannot be run in virtual time.
    pub fn inspect(file: &Path) -> Result<Self, BadProgram> {
        let about = fs::metadata(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => bad("there is no such file", "name the program by its path"),
            _ => bad(format!("it cannot be looked at ({error})"), "see who may read it"),
        })?;
        if !about.is_file() {
            return Err(bad("it is no file", "name the program itself"));
        }
        let mode = about.permissions().mode();
        if mode & MAY_BE_EXECUTED == 0 {
            return Err(bad("it may not be executed", "set its permission with chmod +x"));
        }
        if mode & SETUID_OR_SETGID != 0 {
            return Err(bad(
                "it takes the rights of its owner (setuid), and the dynamic linker preloads nothing then",
                "run a copy without that: cp, then chmod u-s,g-s",
            ));
        }
        let bytes = ironbird_files::read(file, ironbird_files::LARGEST_DATA)
            .map_err(|error| bad(format!("it cannot be read ({error})"), "see who may read it"))?;
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, BadProgram> {
        if bytes.starts_with(b"#!") {
            let help = "name the program that it starts in the end, with its arguments";
            return Err(bad("it is a script", help));
        }
        if !bytes.starts_with(b"\x7fELF") {
            return Err(bad("it is not an ELF file", "give a program for Linux on x86-64"));
        }
        let damaged = |error| bad(format!("it is damaged ({error})"), "link it again");
        let elf = ElfBytes::<AnyEndian>::minimal_parse(bytes).map_err(damaged)?;
        if elf.ehdr.e_machine != abi::EM_X86_64 || elf.ehdr.class != elf::file::Class::ELF64 {
            let help = "compile it for x86-64, with pointers of 64 bits";
            return Err(bad(format!("it is for {}", machine(elf.ehdr.e_machine)), help));
        }
        if !matches!(elf.ehdr.e_type, abi::ET_EXEC | abi::ET_DYN) {
            return Err(bad("it is an object file or a core dump", "link it to a program"));
        }
        let is_go = elf.section_header_by_name(".go.buildinfo").is_ok_and(|found| found.is_some());
        if is_go {
            return Err(bad(
                "it is a Go program, which calls the kernel itself and not the C library",
                "it cannot be run in virtual time; run it as a [program] of its own, in the time of the machine",
            ));
        }
        let headers = || elf.segments().into_iter().flatten();
        if !headers().any(|header| header.p_type == abi::PT_INTERP) {
            let help = match is_of_rust(bytes) {
                true => {
                    "build it for x86_64-unknown-linux-gnu with RUSTFLAGS=\"-C target-feature=-crt-static\""
                }
                false => "link it without -static and -static-pie",
            };
            return Err(bad("it is linked statically, so nothing can be preloaded", help));
        }
        let code = code_of(&elf).map_err(damaged)?;
        Ok(Executable { hash: xxh3_128(bytes), direct: direct(&code) })
    }

    /// What a user should know before it runs, one line each: instructions that nothing would notice. With the leak net,
    /// system calls and the time stamp counter end the run where they are used, so that they are there is no news.
    pub fn notes(&self, leak_net: bool) -> Vec<String> {
        let is_noticed = |found: &&Direct| leak_net && found.is_caught;
        let unnoticed = self.direct.iter().filter(|found| !is_noticed(found));
        let note = |Direct { name, count, .. }: &Direct| {
            format!(
                "its code has the instruction `{name}` {count} times: where that is executed, its result is that of this \
                 machine and may differ from run to run"
            )
        };
        unnoticed.map(note).collect()
    }
}

/// The code of a program, by sections, of which each begins with an instruction; by segments where it has no sections.
fn code_of<'data>(elf: &ElfBytes<'data, AnyEndian>) -> Result<Vec<&'data [u8]>, elf::ParseError> {
    let is_code = |flags: u64| flags & u64::from(abi::SHF_EXECINSTR) != 0;
    let sections = elf.section_headers().into_iter().flatten();
    let sections = sections.filter(|it| is_code(it.sh_flags) && it.sh_type == abi::SHT_PROGBITS);
    let code = sections.map(|section| elf.section_data(&section).map(|(bytes, _)| bytes));
    let code = code.collect::<Result<Vec<_>, _>>()?;
    if !code.is_empty() {
        return Ok(code);
    }
    let segments = elf.segments().into_iter().flatten();
    let executed = segments.filter(|it| it.p_type == abi::PT_LOAD && it.p_flags & abi::PF_X != 0);
    executed.map(|segment| elf.segment_data(&segment)).collect()
}

/// Whether a program has code of Rust's standard library: its messages name its sources.
fn is_of_rust(bytes: &[u8]) -> bool {
    const SOURCES: &[u8] = b"/rustc/";
    bytes.windows(SOURCES.len()).any(|at| at == SOURCES)
}

fn direct(code: &[&[u8]]) -> Vec<Direct> {
    let found = code.iter().flat_map(|part| two_byte_instructions(part)).filter_map(name);
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    let count = |name: &str| found.iter().filter(|it| **it == name).count();
    let all = DIRECT.iter().map(|(name, is_caught)| Direct {
        name,
        count: count(name),
        is_caught: *is_caught,
    });
    all.filter(|found| found.count > 0).collect()
}

/// A machine in words.
fn machine(number: u16) -> String {
    let name = match number {
        abi::EM_386 => "x86 with 32 bits",
        abi::EM_X86_64 => "x86-64 with pointers of 32 bits (x32)",
        abi::EM_AARCH64 => "ARM with 64 bits",
        abi::EM_ARM => "ARM with 32 bits",
        abi::EM_RISCV => "RISC-V",
        abi::EM_PPC64 => "PowerPC with 64 bits",
        _ => return format!("another processor (machine {number})"),
    };
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_inside_other_instructions_are_no_instructions() {
        // mov eax, 0xa20f00; jz +0xa20f; mov rax, [rip + 0xa20f00]
        let code: &[u8] = &[
            0xB8, 0x00, 0x0F, 0xA2, 0x00, 0x0F, 0x84, 0x0F, 0xA2, 0x00, 0x00, 0x48, 0x8B, 0x05,
            0x00, 0x0F, 0xA2, 0x00,
        ];
        assert_eq!(direct(&[code]), []);
        assert_eq!(direct(&[&[0x31, 0xC0, 0x0F, 0xA2]]).len(), 1);
        // rdpid rax
        assert_eq!(direct(&[&[0xF3, 0x0F, 0xC7, 0xF8]]), []);
    }

    #[test]
    fn instructions_are_found() {
        let code: &[u8] = &[0x90, 0x0F, 0x05, 0x0F, 0x31, 0x0F, 0xC7, 0xF3, 0x0F, 0xC7, 0x08, 0x0F];
        let found = direct(&[code, &[0x0F, 0x05]]);
        let names: Vec<_> = found.iter().map(|found| (found.name, found.count)).collect();
        assert_eq!(names, [("syscall", 2), ("rdtsc", 1), ("rdrand", 1)]);
        let executable = Executable { hash: 0, direct: found };
        assert_eq!(executable.notes(false).len(), 3);
        let unnoticed = executable.notes(true);
        assert!(unnoticed.len() == 1 && unnoticed[0].contains("`rdrand` 1 times"), "{unnoticed:?}");
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let refused = |bytes: &[u8]| Executable::parse(bytes).unwrap_err().to_string();
        assert!(refused(b"#!/bin/sh\n").starts_with("it is a script; name the program"));
        assert!(refused(b"MZ").starts_with("it is not an ELF file"));
        assert!(refused(b"\x7fELF\x02\x01").starts_with("it is damaged"));
    }

    #[test]
    fn a_program_of_this_machine_fits() {
        let own = std::env::current_exe().expect("this test has a file");
        let found = Executable::inspect(&own).expect("it is linked dynamically");
        assert_ne!(found.hash, 0);
    }

    #[test]
    fn a_program_of_another_machine_is_named() {
        let own = std::env::current_exe().expect("this test has a file");
        let mut bytes = fs::read(own).expect("it can be read");
        bytes[18..20].copy_from_slice(&abi::EM_AARCH64.to_le_bytes());
        let refused = Executable::parse(&bytes).unwrap_err().to_string();
        assert!(
            refused.starts_with("it is for ARM with 64 bits; compile it for x86-64"),
            "{refused}"
        );
    }
}
