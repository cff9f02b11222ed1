//! Control and status registers of a machine-mode processor (RISC-V privileged specification, chapter
//! "Machine-Level ISA"), and traps.

use serde::{Deserialize, Serialize};

use super::Interrupt;

/// RV32 with A, C, F, I and M.
const MISA: u32 = 1 << 30 | 1 | 1 << 2 | 1 << 5 | 1 << 8 | 1 << 12;
const MIE: u32 = 1 << 3;
const MPIE: u32 = 1 << 7;
/// The mode before a trap: machine mode, there is no other.
const MPP: u32 = 3 << 11;
/// State of the floating-point unit: off, initial, clean, dirty.
const FS: u32 = 3 << 13;
/// Some state is dirty.
const SD: u32 = 1 << 31;
const INTERRUPTS: u32 = 1 << 3 | 1 << 7 | 1 << 11;
const CYCLE: u32 = 1;
const INSTRET: u32 = 4;

/// A counter that can be written and halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Counter {
    /// It is so far behind the count it follows.
    Behind(u64),
    /// It does not count.
    Halted(u64),
}

impl Counter {
    fn value(self, now: u64) -> u64 {
        match self {
            Counter::Behind(offset) => now.wrapping_sub(offset),
            Counter::Halted(value) => value,
        }
    }

    fn set(&mut self, value: u64, now: u64) {
        *self = match self {
            Counter::Behind(_) => Counter::Behind(now.wrapping_sub(value)),
            Counter::Halted(_) => Counter::Halted(value),
        };
    }

    fn halt(&mut self, is_halted: bool, now: u64) {
        let value = self.value(now);
        *self = if is_halted {
            Counter::Halted(value)
        } else {
            Counter::Behind(now.wrapping_sub(value))
        };
    }
}

/// Counts that registers follow.
#[derive(Clone, Copy)]
pub(crate) struct Now {
    pub cycle: u64,
    pub retired: u64,
    pub time: u64,
}

/// Registers that are not general ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ControlRegisters {
    mstatus: u32,
    mie: u32,
    mip: u32,
    mtvec: u32,
    mscratch: u32,
    mepc: u32,
    mcause: u32,
    mtval: u32,
    mcountinhibit: u32,
    mcycle: Counter,
    minstret: Counter,
    pub fflags: u32,
    pub frm: u32,
}

impl ControlRegisters {
    /// As they are after a reset at a cycle.
    pub(crate) fn new(cycle: u64, retired: u64) -> ControlRegisters {
        ControlRegisters {
            mstatus: MPP,
            mie: 0,
            mip: 0,
            mtvec: 0,
            mscratch: 0,
            mepc: 0,
            mcause: 0,
            mtval: 0,
            mcountinhibit: 0,
            mcycle: Counter::Behind(cycle),
            minstret: Counter::Behind(retired),
            fflags: 0,
            frm: 0,
        }
    }

    /// Whether floating-point instructions are legal.
    #[inline(always)]
    pub(crate) fn has_float(&self) -> bool {
        self.mstatus & FS != 0
    }

    /// Whether floating-point instructions are legal, and `frm` says to the nearest.
    #[inline(always)]
    pub(crate) fn is_float_plain(&self) -> bool {
        self.mstatus & FS != 0 && self.frm == 0
    }

    /// Adds to the flags of floating point.
    pub(crate) fn raise_flags(&mut self, flags: u32) {
        self.fflags |= flags;
        self.touch_float();
    }

    /// Notes that the floating-point unit's state has changed.
    #[inline(always)]
    pub(crate) fn touch_float(&mut self) {
        self.mstatus |= FS;
    }

    pub(crate) fn set_pending(&mut self, interrupt: Interrupt, is_pending: bool) {
        let bit = 1 << interrupt as u32;
        self.mip = if is_pending { self.mip | bit } else { self.mip & !bit };
    }

    /// Whether an interrupt is pending that is enabled by itself: what ends `wfi`.
    pub(crate) fn is_awaited(&self) -> bool {
        self.mip & self.mie != 0
    }

    /// Whether any interrupt could be taken if it became pending.
    pub(crate) fn is_interruptible(&self) -> bool {
        self.mstatus & MIE != 0 && self.mie != 0
    }

    /// The interrupt to be taken now: external before software before timer.
    pub(crate) fn due(&self) -> Option<Interrupt> {
        let due = self.mip & self.mie;
        if self.mstatus & MIE == 0 || due == 0 {
            return None;
        }
        let order = [Interrupt::External, Interrupt::Software, Interrupt::Timer];
        order.into_iter().find(|&interrupt| due & 1 << interrupt as u32 != 0)
    }

    /// Enters a trap; the address of its handler.
    pub(crate) fn enter(&mut self, cause: u32, pc: u32, value: u32) -> u32 {
        self.mepc = pc;
        self.mcause = cause;
        self.mtval = value;
        let was_enabled = self.mstatus & MIE != 0;
        self.mstatus &= !(MIE | MPIE);
        self.mstatus |= if was_enabled { MPIE } else { 0 };
        let base = self.mtvec & !3;
        let is_vectored = self.mtvec & 1 == 1 && cause >> 31 == 1;
        if is_vectored { base.wrapping_add(4 * (cause & 0x7fff_ffff)) } else { base }
    }

    /// `mret`; the address to go back to.
    pub(crate) fn leave(&mut self) -> u32 {
        let was_enabled = self.mstatus & MPIE != 0;
        self.mstatus = self.mstatus & !MIE | MPIE | if was_enabled { MIE } else { 0 };
        self.mepc
    }

    /// Reads a register; none if there is none, or the floating-point unit is off that it belongs to.
    pub(crate) fn read(&self, number: u32, now: Now) -> Option<u32> {
        let low = |value: u64| value as u32;
        let high = |value: u64| (value >> 32) as u32;
        let (cycle, instret) = (self.mcycle.value(now.cycle), self.minstret.value(now.retired));
        Some(match number {
            0x001 if self.has_float() => self.fflags,
            0x002 if self.has_float() => self.frm,
            0x003 if self.has_float() => self.frm << 5 | self.fflags,
            0x300 => self.status(),
            0x301 => MISA,
            0x304 => self.mie,
            0x305 => self.mtvec,
            // mstatush: little-endian.
            0x310 => 0,
            0x320 => self.mcountinhibit,
            // mhpmevent3 to 31 and mhpmcounter3 to 31 with their upper halves: no such counters.
            0x323..=0x33f | 0xb03..=0xb1f | 0xb83..=0xb9f => 0,
            0x340 => self.mscratch,
            0x341 => self.mepc,
            0x342 => self.mcause,
            0x343 => self.mtval,
            0x344 => self.mip,
            0xb00 | 0xc00 => low(cycle),
            0xb80 | 0xc80 => high(cycle),
            0xb02 | 0xc02 => low(instret),
            0xb82 | 0xc82 => high(instret),
            0xc01 => low(now.time),
            0xc81 => high(now.time),
            // mvendorid, marchid, mimpid, mhartid, mconfigptr
            0xf11..=0xf15 => 0,
            _ => return None,
        })
    }

    fn status(&self) -> u32 {
        self.mstatus | if self.mstatus & FS == FS { SD } else { 0 }
    }

    /// Writes a register that can be read; `now` is when the instruction is over. Bits that are fixed stay.
    /// Says whether it can be written.
    pub(crate) fn write(&mut self, number: u32, value: u32, now: Now) -> bool {
        // The upper two bits of the number say that it is read-only.
        if number >> 10 == 3 {
            return false;
        }
        let wide = u64::from(value);
        let with_low = |old: u64| old & !0xffff_ffff | wide;
        let with_high = |old: u64| old & 0xffff_ffff | wide << 32;
        match number {
            0x001..=0x003 => self.write_float(number, value),
            0x300 => self.mstatus = value & (MIE | MPIE | FS) | MPP,
            0x304 => self.mie = value & INTERRUPTS,
            0x305 => self.mtvec = value & !2,
            0x320 => {
                self.mcountinhibit = value & (CYCLE | INSTRET);
                self.mcycle.halt(value & CYCLE != 0, now.cycle);
                self.minstret.halt(value & INSTRET != 0, now.retired);
            }
            0x340 => self.mscratch = value,
            0x341 => self.mepc = value & !1,
            0x342 => self.mcause = value,
            0x343 => self.mtval = value,
            0xb00 => self.mcycle.set(with_low(self.mcycle.value(now.cycle)), now.cycle),
            0xb80 => self.mcycle.set(with_high(self.mcycle.value(now.cycle)), now.cycle),
            0xb02 => self.minstret.set(with_low(self.minstret.value(now.retired)), now.retired),
            0xb82 => self.minstret.set(with_high(self.minstret.value(now.retired)), now.retired),
            // misa, mip and counters that are not there keep their values.
            _ => {}
        }
        true
    }

    fn write_float(&mut self, number: u32, value: u32) {
        match number {
            1 => self.fflags = value & 31,
            2 => self.frm = value & 7,
            _ => (self.fflags, self.frm) = (value & 31, value >> 5 & 7),
        }
        self.touch_float();
    }
}
