//! The processor as a debugger knows it: registers and their names.

use std::fmt::Write;
use std::sync::LazyLock;

use gdbstub::arch::{Arch, Registers};

/// RV32 with single precision.
#[derive(Debug)]
pub(super) enum Rv32f {}

impl Arch for Rv32f {
    type Usize = u32;
    type Registers = AllRegisters;
    type BreakpointKind = usize;
    type RegId = ();

    fn target_description_xml() -> Option<&'static str> {
        Some(&DESCRIPTION)
    }
}

/// All registers, in the order of the description.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AllRegisters {
    pub x: [u32; 32],
    pub pc: u32,
    pub f: [u32; 32],
    /// `fflags`, `frm`, `fcsr`; not there while the floating-point unit is off.
    pub float_state: [Option<u32>; 3],
}

impl Registers for AllRegisters {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.pc
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        let numbers =
            self.x.into_iter().chain([self.pc]).chain(self.f).map(Some).chain(self.float_state);
        for number in numbers {
            match number {
                Some(number) => {
                    number.to_le_bytes().into_iter().for_each(|byte| write_byte(Some(byte)))
                }
                None => (0..4).for_each(|_| write_byte(None)),
            }
        }
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let (words, rest) = bytes.as_chunks::<4>();
        if words.len() != 68 || !rest.is_empty() {
            return Err(());
        }
        let word = |at: usize| u32::from_le_bytes(words[at]);
        self.x = std::array::from_fn(word);
        self.pc = word(32);
        self.f = std::array::from_fn(|n| word(33 + n));
        self.float_state = std::array::from_fn(|n| Some(word(65 + n)));
        Ok(())
    }
}

/// Names of registers in the calling convention, which gdb wants to see.
const X: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];
const F: [&str; 32] = [
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2",
    "fa3", "fa4", "fa5", "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9",
    "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
];

/// GDB's manual, "Target Descriptions" and "RISC-V Features".
static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from(
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">\
         <architecture>riscv:rv32</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">",
    );
    let mut register = |name: &str, kind: &str| {
        // Writing to a text cannot fail.
        let _ = write!(text, "<reg name=\"{name}\" bitsize=\"32\" type=\"{kind}\"/>");
    };
    for name in X {
        register(name, if name == "sp" { "data_ptr" } else { "int" });
    }
    register("pc", "code_ptr");
    text.push_str("</feature><feature name=\"org.gnu.gdb.riscv.fpu\">");
    let mut register = |name: &str, kind: &str| {
        let _ = write!(text, "<reg name=\"{name}\" bitsize=\"32\" type=\"{kind}\"/>");
    };
    F.into_iter().for_each(|name| register(name, "ieee_single"));
    ["fflags", "frm", "fcsr"].into_iter().for_each(|name| register(name, "int"));
    text.push_str("</feature></target>");
    text
});
