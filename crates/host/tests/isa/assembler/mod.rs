//! A small assembler of our own, written from the tables of the specification (unprivileged, chapters 16 and 24), so that
//! what decodes an instruction under test and what encodes it have nothing in common.

mod base;
mod compressed;
mod operand;

use std::collections::BTreeMap;

/// An instruction as it lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its bits; the upper half is 0 if it has 16 bits.
    pub bits: u32,
    /// Its size in bytes, 2 or 4.
    pub size: u32,
}

impl Code {
    /// The bytes in memory.
    pub fn bytes(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.size as usize].to_vec()
    }
}

/// Encodes one line, as `add x3, x1, x2`, `lw x3, -4(x1)`, `fadd.s f3, f1, f2, rne`, `c.j 16` or `.word 0x0000007f`.
/// Distances of jumps and branches are in bytes from the instruction.
pub fn assemble(text: &str) -> Result<Code, String> {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands = operand::read(name, rest).map_err(|what| format!("{text}: {what}"))?;
    let code = match name {
        ".word" => operands.first().map(|&bits| Code { bits: bits as u32, size: 4 }),
        ".half" => operands.first().map(|&bits| Code { bits: bits as u32, size: 2 }),
        _ => match name.strip_prefix("c.") {
            Some(name) => compressed::encode(name, &operands).map(|bits| Code { bits, size: 2 }),
            None => base::encode(name, &operands).map(|bits| Code { bits, size: 4 }),
        },
    };
    code.ok_or_else(|| format!("{text}: no such instruction, or operands that it cannot hold"))
}

/// How many bytes a line takes.
fn size(line: &str) -> u32 {
    if line.starts_with("c.") || line.starts_with(".half") { 2 } else { 4 }
}

/// A program, and where its labels are.
pub struct Program {
    /// What lies in memory.
    pub bytes: Vec<u8>,
    /// Addresses by name.
    pub labels: BTreeMap<String, u32>,
}

/// Encodes a program that lies at `base`. A line `name:` is a label, `@name` the distance to it.
pub fn assemble_program(base: u32, lines: &[String]) -> Result<Program, String> {
    let mut labels = BTreeMap::new();
    let mut at = base;
    for line in lines {
        match line.strip_suffix(':') {
            Some(label) => {
                labels.insert(label.to_owned(), at);
            }
            None => at += size(line),
        }
    }
    let mut bytes = Vec::new();
    for line in lines.iter().filter(|line| !line.ends_with(':')) {
        let here = base + bytes.len() as u32;
        let code = match line.split_once('@') {
            Some((before, rest)) => {
                let (label, after) = rest.split_at(rest.find('(').unwrap_or(rest.len()));
                let target = labels.get(label).ok_or_else(|| format!("{line}: no such label"))?;
                assemble(&format!("{before}{}{after}", target.wrapping_sub(here) as i32))?
            }
            None => assemble(line)?,
        };
        bytes.extend(code.bytes());
    }
    Ok(Program { bytes, labels })
}

/// Two instructions that load any number into a register.
pub fn load_immediate(register: u32, value: u32) -> [String; 2] {
    let upper = value.wrapping_add(0x800) >> 12;
    let lower = (value << 20) as i32 >> 20;
    [format!("lui x{register}, {upper:#x}"), format!("addi x{register}, x{register}, {lower}")]
}

/// The number of a CSR that has a name.
pub fn csr_number(name: &str) -> Option<u32> {
    operand::csr(name)
}

/// The number of a rounding mode (F, 11.2).
pub fn rounding_mode(name: &str) -> Option<u32> {
    operand::rounding(name)
}
