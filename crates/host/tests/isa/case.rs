//! Directed cases, written from the specification; results of float instructions were computed with exact rationals
//! and rounded. One file for each instruction, one line for each case:
//!
//!     instruction | what is special before | what has changed after
//!
//! Numbers are hexadecimal. Before and after are registers (`x3=…`, `f3=…`), CSRs, words of memory (`[80010000]=…`),
//! `frm=` and `flags=` (parts of `fcsr`). Before may also say `pc=`, where the instruction lies; `reserved=`, a
//! word that `lr.w` has just read; `pending=`, interrupts that devices raise. After may say `trap=` (the cause, decimal) and
//! `tval=`; a trap for an illegal instruction has its bits in `mtval`. What is not mentioned does not
//! change; `pc` goes to the next instruction. After `#` is a remark: `!qemu: why` says that QEMU need not agree,
//! `!qemu mtval: why` that it need not agree about that CSR.

use crate::assembler::{Code, assemble, rounding_mode};
use crate::state::{State, WINDOW};

/// How far another implementation should agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// In everything.
    Full,
    /// In everything but a CSR.
    But(String),
    /// It does something else that is allowed, or something wrong.
    None,
}

impl Agreement {
    fn read(remark: &str) -> Agreement {
        match remark.trim().strip_prefix("!qemu").and_then(|rest| rest.split_once(':')) {
            None => Agreement::Full,
            Some(("", _)) => Agreement::None,
            Some((csr, _)) => Agreement::But(csr.trim().to_owned()),
        }
    }
}

/// One line of a file.
pub struct Case {
    /// File and line, for reports.
    pub place: String,
    /// The line.
    pub text: String,
    /// The instruction.
    pub code: Code,
    /// The state before.
    pub before: State,
    /// The state that the specification wants after.
    pub after: State,
    /// Whether it ends in the trap handler.
    pub traps: bool,
    /// A word that was reserved before.
    pub reserved: Option<u32>,
    /// Interrupts that are pending, as bits of `mip`.
    pub pending: u32,
    /// What QEMU should agree about.
    pub qemu: Agreement,
}

impl Case {
    /// Reads one line.
    pub fn read(place: String, line: &str) -> Result<Case, String> {
        let (text, remark) = line.split_once(" #").unwrap_or((line, ""));
        let mut parts = text.split('|').map(str::trim);
        let (Some(instruction), Some(before), Some(after), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(format!("{place}: not `instruction | before | after`"));
        };
        let code = assemble(instruction).map_err(|what| format!("{place}: {what}"))?;
        let mut case = Case {
            place,
            text: text.trim().to_owned(),
            code,
            before: State::start(),
            after: State::start(),
            traps: false,
            reserved: None,
            pending: 0,
            qemu: Agreement::read(remark),
        };
        case.read_before(before)?;
        case.read_after(after)?;
        Ok(case)
    }

    /// What a processor has made of it is not as it should be.
    pub fn differences(&self, is: &State, should: &State) -> Option<String> {
        let differences = is.differences(should);
        (!differences.is_empty())
            .then(|| format!("{}: {}: {}", self.place, self.text, differences.join("; ")))
    }

    fn read_before(&mut self, text: &str) -> Result<(), String> {
        for (key, value) in self.pairs(text)? {
            match key {
                "pc" => self.before.pc = hexadecimal(value)?,
                "reserved" => self.reserved = Some(hexadecimal(value)?),
                "pending" => self.pending = hexadecimal(value)?,
                _ => set(&mut self.before, key, value)
                    .map_err(|what| format!("{}: {what}", self.place))?,
            }
        }
        Ok(())
    }

    fn read_after(&mut self, text: &str) -> Result<(), String> {
        self.after = self.before.clone();
        self.after.pc = self.before.pc + self.code.size;
        let mut trap = None;
        let mut value_of_trap = None;
        for (key, value) in self.pairs(text)? {
            match key {
                "pc" => self.after.pc = hexadecimal(value)?,
                "trap" => {
                    trap = Some(
                        value
                            .parse::<u32>()
                            .map_err(|_| format!("{}: trap={value}", self.place))?,
                    )
                }
                "tval" => value_of_trap = Some(hexadecimal(value)?),
                _ => set(&mut self.after, key, value)
                    .map_err(|what| format!("{}: {what}", self.place))?,
            }
        }
        if let Some(cause) = trap {
            self.traps = true;
            let value = value_of_trap.or((cause == 2).then_some(self.code.bits));
            enter_trap(
                &mut self.after,
                self.before.pc,
                cause,
                value.ok_or(format!("{}: tval= is missing", self.place))?,
            );
        }
        Ok(())
    }

    fn pairs<'t>(&self, text: &'t str) -> Result<Vec<(&'t str, &'t str)>, String> {
        text.split_whitespace()
            .map(|pair| pair.split_once('=').ok_or(format!("{}: `{pair}`", self.place)))
            .collect()
    }
}

/// What an exception does (privileged, 3.1.6.1 and 3.1.7): it goes to the base of `mtvec`; MIE goes to MPIE and is cleared.
pub fn enter_trap(state: &mut State, pc: u32, cause: u32, value: u32) {
    *state.csr("mcause") = cause;
    *state.csr("mepc") = pc;
    *state.csr("mtval") = value;
    let status = state.csr("mstatus");
    *status = *status & !0x1888 | 0x1800 | (*status & 8) << 4;
    state.pc = *state.csr("mtvec") & !3;
}

fn hexadecimal(text: &str) -> Result<u32, String> {
    u32::from_str_radix(text, 16).map_err(|_| format!("`{text}` is no hexadecimal number"))
}

fn set(state: &mut State, key: &str, value: &str) -> Result<(), String> {
    if let Some(register) = key.strip_prefix('x').and_then(|n| n.parse::<usize>().ok()) {
        state.x[register] = hexadecimal(value)?;
    } else if let Some(register) = key.strip_prefix('f').and_then(|n| n.parse::<usize>().ok()) {
        state.f[register] = hexadecimal(value)?;
    } else if let Some(address) = key.strip_prefix('[').and_then(|key| key.strip_suffix(']')) {
        let at = (hexadecimal(address)?.wrapping_sub(WINDOW) / 4) as usize;
        *state.memory.get_mut(at).ok_or_else(|| format!("`{key}` is not in the window"))? =
            hexadecimal(value)?;
    } else if key == "frm" {
        let mode = rounding_mode(value)
            .or_else(|| value.parse().ok())
            .ok_or_else(|| format!("frm={value}"))?;
        *state.csr("fcsr") = *state.csr("fcsr") & 0x1f | mode << 5;
    } else if key == "flags" {
        *state.csr("fcsr") = *state.csr("fcsr") & 0xe0 | flags(value)?;
    } else {
        *state.csr(key) = hexadecimal(value)?;
    }
    Ok(())
}

/// Accrued exceptions by name (F, 11.2), `0` for none.
fn flags(text: &str) -> Result<u32, String> {
    if text == "0" {
        return Ok(0);
    }
    text.split('+').try_fold(0, |flags, name| {
        let at = ["NX", "UF", "OF", "DZ", "NV"].iter().position(|known| *known == name);
        Ok(flags | 1 << at.ok_or_else(|| format!("`{name}` is no flag"))?)
    })
}
