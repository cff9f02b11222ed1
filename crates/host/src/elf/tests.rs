//! Files made by hand, good and bad.

use super::*;
use crate::profile::Profile;

/// One program header: type, physical and virtual address, bytes in the file, bytes in memory.
struct Part {
    kind: u32,
    physical: u32,
    used_at: u32,
    bytes: Vec<u8>,
    used_bytes: u32,
}

fn part(physical: u32, used_at: u32, bytes: &[u8]) -> Part {
    let used_bytes = bytes.len() as u32;
    Part { kind: abi::PT_LOAD, physical, used_at, bytes: bytes.to_vec(), used_bytes }
}

/// An ELF file of 32 bits without sections.
fn file(entry: u32, parts: &[Part]) -> Vec<u8> {
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    half(&mut file, abi::ET_EXEC);
    half(&mut file, abi::EM_RISCV);
    for value in [1, entry, 52, 0, abi::EF_RISCV_RVC | abi::EF_RISCV_FLOAT_ABI_SINGLE] {
        word(&mut file, value);
    }
    for value in [52, 32, parts.len() as u16, 40, 0, 0] {
        half(&mut file, value);
    }
    let mut at = 52 + 32 * parts.len() as u32;
    for Part { kind, physical, used_at, bytes, used_bytes } in parts {
        for value in [*kind, at, *used_at, *physical, bytes.len() as u32, *used_bytes, 7, 4] {
            word(&mut file, value);
        }
        at += bytes.len() as u32;
    }
    parts.iter().for_each(|part| file.extend(&part.bytes));
    file
}

fn memory() -> Memory {
    Memory::new(4096, 4096, &Profile::built_in("one-cycle").expect("it is built in"))
}

fn error_of(file: &[u8]) -> String {
    let loaded = Firmware::parse(file).and_then(|firmware| firmware.load(&mut memory()));
    loaded.expect_err("it is bad").to_string()
}

#[test]
fn code_and_data_are_loaded_at_their_physical_addresses() {
    let parts = [
        part(Memory::FLASH, Memory::FLASH, &[1, 2, 3, 4]),
        part(Memory::FLASH + 4, Memory::RAM, &[5, 6]),
        Part { used_bytes: 100, ..part(Memory::RAM + 8, Memory::RAM + 8, &[]) },
    ];
    let firmware = Firmware::parse(&file(Memory::FLASH, &parts)).expect("it is good");
    let mut memory = memory();
    firmware.load(&mut memory).expect("there is room");
    let mut bytes = [0; 8];
    memory.read(Memory::FLASH, &mut bytes).expect("flash");
    assert_eq!((firmware.entry, bytes), (Memory::FLASH, [1, 2, 3, 4, 5, 6, 0xff, 0xff]));
    assert!(memory.ram().iter().all(|&byte| byte == 0), "start-up code copies data");
}

#[test]
fn files_for_something_else_are_refused_with_the_reason() {
    let good = file(Memory::FLASH, &[part(Memory::FLASH, Memory::FLASH, &[0; 4])]);
    let changed = |at: usize, value: u8| {
        let mut file = good.clone();
        file[at] = value;
        error_of(&file)
    };
    assert!(
        error_of(b":10000000").starts_with("it is not an ELF file; give the file that the linker")
    );
    assert!(changed(5, 2).starts_with("it is big-endian; compile it with"));
    assert!(changed(18, abi::EM_ARM as u8).starts_with("it is for ARM"));
    assert!(changed(16, abi::ET_DYN as u8).contains("link it with -static"));
    assert!(changed(36, abi::EF_RISCV_FLOAT_ABI_DOUBLE as u8).contains("-mabi=ilp32f"));
    assert!(changed(24 + 3, 0x30).contains("entry point 0x30000000 is not in what is loaded"));
    assert!(error_of(&good[..good.len() - 2]).starts_with("it is damaged"));
}

#[test]
fn segments_that_do_not_fit_are_refused_with_their_place() {
    let whole = |parts: &[Part]| error_of(&file(Memory::FLASH, parts));
    assert!(whole(&[]).starts_with("there is nothing in it to load"));
    let outside = whole(&[part(0x0800_0000, 0x0800_0000, &[0; 4])]);
    assert!(
        outside.contains("4 bytes at 0x08000000")
            && outside.contains("RAM of 4096 bytes at 0x80000000")
    );
    let long = Part { used_bytes: 5000, ..part(Memory::RAM, Memory::RAM, &[]) };
    let good = || part(Memory::FLASH, Memory::FLASH, &[0; 4]);
    assert!(
        whole(&[good(), long]).contains("5000 bytes at 0x80000000, where a segment of it is used")
    );
    assert!(
        whole(&[good(), part(Memory::FLASH + 2, Memory::RAM, &[0; 4])]).contains("over each other")
    );
    let dynamic = Part { kind: abi::PT_DYNAMIC, ..good() };
    assert!(whole(&[good(), dynamic]).contains("needs a dynamic loader"));
}

/// The file with a table of symbols: name, address, bytes, type, and whether it is in code.
fn with_symbols(mut file: Vec<u8>, symbols: &[(&str, u32, u32, u8, bool)]) -> Vec<u8> {
    let (mut names, mut table) = (vec![0_u8], vec![0_u8; 16]);
    for (name, address, bytes, kind, is_code) in symbols {
        table.extend((names.len() as u32).to_le_bytes());
        table.extend(address.to_le_bytes());
        table.extend(bytes.to_le_bytes());
        table.extend([*kind, 0]);
        // Section 1 is code, section 3 is not.
        table.extend(if *is_code { 1_u16 } else { 3 }.to_le_bytes());
        names.extend(name.bytes().chain([0]));
    }
    let (table_at, names_at) = (file.len() as u32, (file.len() + table.len()) as u32);
    let (table_bytes, names_bytes) = (table.len() as u32, names.len() as u32);
    file.extend(table);
    file.extend(names);
    let sections_at = file.len() as u32;
    // Name, type, flags, address, offset, size, link, info, alignment, size of an entry.
    let sections: [[u32; 10]; 4] = [
        [0; 10],
        [0, abi::SHT_PROGBITS, abi::SHF_EXECINSTR, Memory::FLASH, 0, 0, 0, 0, 0, 0],
        [0, abi::SHT_SYMTAB, 0, 0, table_at, table_bytes, 3, 0, 0, 16],
        [0, abi::SHT_STRTAB, 0, 0, names_at, names_bytes, 0, 0, 0, 0],
    ];
    sections.iter().flatten().for_each(|word| file.extend(word.to_le_bytes()));
    file[32..36].copy_from_slice(&sections_at.to_le_bytes());
    file[48..50].copy_from_slice(&4_u16.to_le_bytes());
    file
}

#[test]
fn addresses_are_named_by_the_functions_they_are_in() {
    let plain = file(Memory::FLASH, &[part(Memory::FLASH, Memory::FLASH, &[0; 4])]);
    let file = with_symbols(
        plain,
        &[
            ("_start", 0x2000_0000, 0, abi::STT_NOTYPE, true),
            ("$xrv32i2p0", 0x2000_0008, 0, abi::STT_NOTYPE, true),
            ("control_step", 0x2000_0010, 0x20, abi::STT_FUNC, true),
            (".L7", 0x2000_0018, 0, abi::STT_NOTYPE, true),
            ("gains", 0x2000_0040, 4, abi::STT_NOTYPE, false),
        ],
    );
    let symbols = Firmware::parse(&file).expect("it is good").symbols;
    assert_eq!(symbols.describe(0x2000_0000), "_start");
    assert_eq!(symbols.describe(0x2000_000c), "_start+0xc");
    assert_eq!(symbols.at(0x2000_001c), Some(("control_step", 12)));
    assert_eq!(symbols.describe(0x2000_0044), "0x20000044", "behind the last function");
    assert_eq!(symbols.at(0x1fff_ffff), None);
    assert_eq!(symbols.address("control_step"), Some(0x2000_0010));
}

#[test]
fn damage_anywhere_in_a_file_is_no_reason_to_panic() {
    let good = with_symbols(
        file(Memory::FLASH, &[part(Memory::FLASH, Memory::FLASH, &[0; 4])]),
        &[("work", 0x2000_0000, 4, abi::STT_FUNC, true)],
    );
    let mut refused = 0;
    for at in 0..good.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = good.clone();
            damaged[at] = value;
            let loaded =
                Firmware::parse(&damaged).and_then(|firmware| firmware.load(&mut memory()));
            refused += usize::from(loaded.is_err());
        }
        assert!(Firmware::parse(&good[..at]).is_err(), "the first {at} bytes are not all");
    }
    assert!(refused > 100, "only {refused} were refused");
}
