//! Many random programs in one image: the same ELF file for our processor, for QEMU and for `rvsim`.

use crate::assembler::{assemble_program, load_immediate};
use crate::elf::BASE;
use crate::program::{self, DATA_BYTES, Dialect, RESULTS};
use crate::qemu::{FINISHED, FINISHER};

/// RAM that is compared.
pub const RAM_BYTES: u32 = 0x0020_0000;
const HANDLER: u32 = BASE + 0x100;
const DATA: u32 = BASE + 0x4000;
/// What the trap handler writes down, 32 bytes for each trap.
const LOG: u32 = BASE + 0x0018_0000;

/// An image with programs one after the other.
pub struct Batch {
    /// What lies at the beginning of RAM.
    pub image: Vec<u8>,
    /// Where the first program begins, for those who know no machine mode.
    pub first: u32,
    /// Lines of each program.
    pub listings: Vec<Vec<String>>,
}

impl Batch {
    /// Programs that follow from a seed.
    pub fn new(seed: u64, programs: u32, dialect: Dialect) -> Result<Batch, String> {
        let first = DATA + DATA_BYTES * programs;
        let mut image = vec![0; (DATA - BASE) as usize];
        let seed_of = |n: u32| seed << 32 | u64::from(n);
        image.extend((0..programs).flat_map(|n| program::data(seed_of(n))));
        let mut listings = Vec::new();
        for n in 0..programs {
            // How long a program is does not depend on where the next one lies.
            let write = |next| program::write(seed_of(n), dialect, DATA + DATA_BYTES * n, next);
            let here = BASE + image.len() as u32;
            let length = assemble_program(here, &write(0))?.bytes.len().next_multiple_of(4) as u32;
            let lines = write(here + length);
            image.extend(assemble_program(here, &lines)?.bytes);
            image.resize((here - BASE + length) as usize, 0);
            listings.push(lines);
        }
        let end = BASE + image.len() as u32;
        image.extend(assemble_program(end, &finish())?.bytes);
        if image.len() as u32 > LOG - BASE {
            return Err("the programs reach into the log of traps: take fewer".to_owned());
        }
        for (address, lines) in [(BASE, start(first)), (HANDLER, handler())] {
            let bytes = assemble_program(address, &lines)?.bytes;
            let at = (address - BASE) as usize;
            image[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(Batch { image, first, listings })
    }

    /// Where two memories differ first, in words of the programs. Programs do not touch each other's data, so the first
    /// difference is where it went wrong.
    pub fn difference(&self, is: &[u8], should: &[u8]) -> Option<String> {
        let at = is.iter().zip(should).position(|(is, should)| is != should)? & !3;
        let word = |memory: &[u8]| {
            let bytes: [u8; 4] = memory[at..at + 4].try_into().expect("a word has 4 bytes");
            format!("{:08x}", u32::from_le_bytes(bytes))
        };
        let address = BASE + at as u32;
        let in_data = address.checked_sub(DATA).filter(|_| address < self.first);
        let place = match in_data {
            None => format!("{address:08x}"),
            Some(offset) => {
                let name = match (offset % DATA_BYTES).checked_sub(RESULTS).map(|offset| offset / 4)
                {
                    None => format!("the window at {:#x}", offset % DATA_BYTES),
                    Some(n @ 0..30) => format!("x{}", n + 1),
                    Some(n @ 30..62) => format!("f{}", n - 30),
                    Some(_) => "fcsr".to_owned(),
                };
                format!("program {}, {name}", offset / DATA_BYTES)
            }
        };
        let listing =
            in_data.map(|offset| self.listings[(offset / DATA_BYTES) as usize].join("\n"));
        Some(format!(
            "{place} is {}, should be {}\n{}",
            word(is),
            word(should),
            listing.unwrap_or_default()
        ))
    }
}

/// Turns floats on, sets the handler, goes to the first program.
fn start(first: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for (csr, value) in [("mstatus", 0x6000), ("mtvec", HANDLER), ("mscratch", LOG)] {
        lines.extend(load_immediate(5, value));
        lines.push(format!("csrrw x0, {csr}, x5"));
    }
    lines.extend(load_immediate(5, first));
    lines.push("jalr x0, 0(x5)".to_owned());
    lines
}

/// Writes down cause, value and address of a trap, and skips the instruction. `mscratch` points to the log.
fn handler() -> Vec<String> {
    [
        "csrrw x31, mscratch, x31",
        "sw x30, 0(x31)",
        "sw x29, 4(x31)",
        "csrrs x30, mcause, x0",
        "sw x30, 8(x31)",
        "csrrs x30, mtval, x0",
        "sw x30, 12(x31)",
        "csrrs x29, mepc, x0",
        "sw x29, 16(x31)",
        "lhu x30, 0(x29)",
        "andi x30, x30, 3",
        "addi x30, x30, -3",
        "addi x29, x29, 2",
        "bne x30, x0, @set",
        "addi x29, x29, 2",
        "set:",
        "csrrw x0, mepc, x29",
        "lw x30, 0(x31)",
        "lw x29, 4(x31)",
        "addi x31, x31, 32",
        "csrrw x31, mscratch, x31",
        "mret",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Ends the run.
pub fn finish() -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(load_immediate(5, FINISHER));
    lines.extend(load_immediate(6, FINISHED));
    lines.push("sw x6, 0(x5)".to_owned());
    lines
}
