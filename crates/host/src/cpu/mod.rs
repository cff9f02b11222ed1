//! The processor: RV32IMAFC with Zicsr and Zifencei, machine mode only, one hart.
//!
//! An instruction is decoded once and kept (`code.rs`); [`Processor::run`] goes from one decoded instruction
//! to the next and counts cycles as the [profile](crate::profile::Profile) of the memory says.

mod access;
pub(crate) mod code;
mod compressed;
mod csr;
mod decode;
mod execute;
mod float;
pub(crate) mod instruction;
mod rare;
mod rounded;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::memory::Memory;
use csr::{ControlRegisters, Now};

/// How much is loaded or stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
}

impl Width {
    /// How many bytes these are.
    pub fn bytes(self) -> u32 {
        match self {
            Width::Byte => 1,
            Width::Half => 2,
            Width::Word => 4,
        }
    }
}

/// There is nothing at that address, or nothing that can be accessed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessFault;

/// What to do after a store to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Go on.
    GoOn,
    /// Return from [`Processor::run`] when the instruction is over.
    Stop,
}

/// An exception that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// `mcause`.
    pub cause: u32,
    /// `mepc`: the instruction.
    pub pc: u32,
    /// `mtval`: the address or the instruction that was not good.
    pub value: u32,
    /// When the instruction started.
    pub cycle: u64,
    /// The stack pointer.
    pub sp: u32,
}

/// Everything that is neither flash nor RAM: nothing at all, unless it says otherwise.
pub trait Devices {
    /// Loads from an address that is aligned to the width; narrow values in the lowest bits.
    fn load(
        &mut self,
        _memory: &mut Memory,
        _address: u32,
        _width: Width,
        _cycle: u64,
    ) -> Result<u32, AccessFault> {
        Err(AccessFault)
    }

    /// Stores to an address that is aligned to the width.
    fn store(
        &mut self,
        _memory: &mut Memory,
        _address: u32,
        _width: Width,
        _value: u32,
        _cycle: u64,
    ) -> Result<After, AccessFault> {
        Err(AccessFault)
    }

    /// Whether a load has changed something that must be looked at: [`Processor::run`] returns after the instruction.
    fn wants_attention(&self) -> bool {
        false
    }

    /// `mtime`, for the register `time`.
    fn time(&self, _cycle: u64) -> u64 {
        0
    }

    /// An exception, not an interrupt, was taken. Firmware handles it as on silicon; this is for reports.
    /// One that its own handler raises for ever is told no more when nothing changes by it.
    fn trapped(&mut self, trap: &Trap);
}

/// Why [`Processor::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The cycle that was asked for is reached or passed.
    Reached,
    /// In `wfi`, with no interrupt pending that is enabled.
    Waiting,
    /// A device asked for it.
    Device,
    /// Before an instruction that has a breakpoint, or stores where a debugger watches. The next run goes over it.
    Breakpoint,
    /// The cycle is reached, in a jump to itself that no interrupt can leave, or in an exception whose handler
    /// raises it again.
    Looping,
}

/// An interrupt, by its number in `mip`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// From `msip`.
    Software = 3,
    /// From `mtimecmp`.
    Timer = 7,
    /// From the interrupt controller.
    External = 11,
}

/// General registers as programs see them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Registers {
    /// The program counter.
    pub pc: u32,
    /// x0 … x31.
    pub x: [u32; 32],
    /// f0 … f31, bits of floats.
    pub f: [u32; 32],
}

/// A processor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct Processor {
    /// x0 … x31, and one that takes what is written to x0. The rest is never used: a byte as an index needs no check.
    x: [u32; 256],
    f: [u32; 256],
    pc: u32,
    cycle: u64,
    retired: u64,
    control: ControlRegisters,
    is_waiting: bool,
    /// Both lines of flash with the instruction at `pc`, which is in two, have come, so they are not read again. A run was
    /// cut between that and the instruction.
    is_fetched: bool,
    /// A breakpoint that stopped the last run.
    passes: Option<u32>,
}

/// A processor in a checkpoint.
#[derive(Serialize, Deserialize)]
struct Saved {
    registers: Registers,
    cycle: u64,
    retired: u64,
    control: ControlRegisters,
    is_waiting: bool,
    is_fetched: bool,
}

impl From<Processor> for Saved {
    fn from(processor: Processor) -> Saved {
        Saved {
            registers: processor.registers(),
            cycle: processor.cycle,
            retired: processor.retired,
            control: processor.control,
            is_waiting: processor.is_waiting,
            is_fetched: processor.is_fetched,
        }
    }
}

impl From<Saved> for Processor {
    fn from(saved: Saved) -> Processor {
        let (mut x, mut f) = ([0; 256], [0; 256]);
        x[1..32].copy_from_slice(&saved.registers.x[1..]);
        f[..32].copy_from_slice(&saved.registers.f);
        Processor {
            x,
            f,
            pc: saved.registers.pc,
            cycle: saved.cycle,
            retired: saved.retired,
            control: saved.control,
            is_waiting: saved.is_waiting,
            is_fetched: saved.is_fetched,
            passes: None,
        }
    }
}

impl Processor {
    /// A processor after power-on.
    pub fn new(entry: u32) -> Processor {
        Processor {
            x: [0; 256],
            f: [0; 256],
            pc: entry & !1,
            cycle: 0,
            retired: 0,
            control: ControlRegisters::new(0, 0),
            is_waiting: false,
            is_fetched: false,
            passes: None,
        }
    }

    /// Starts anew at a cycle. Cycles and retired instructions go on counting, `mcycle` and `minstret` begin at 0.
    pub fn reset(&mut self, entry: u32, cycle: u64) {
        let (cycle, retired) = (self.cycle.max(cycle), self.retired);
        let control = ControlRegisters::new(cycle, retired);
        *self = Processor { cycle, retired, control, ..Processor::new(entry) };
    }

    /// Cycles of the clock since power-on.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Instructions that were executed since power-on.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Lets time go by without executing anything. It does not go back.
    pub fn skip_to(&mut self, cycle: u64) {
        self.cycle = self.cycle.max(cycle);
    }

    /// Raises or lowers an interrupt line.
    pub fn set_pending(&mut self, interrupt: Interrupt, is_pending: bool) {
        self.control.set_pending(interrupt, is_pending);
    }

    /// Whether it is in `wfi` and nothing has ended that yet.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting && !self.control.is_awaited()
    }

    /// The program counter.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Lets it go on at another address.
    pub fn set_pc(&mut self, pc: u32) {
        self.pc = pc & !1;
        (self.is_fetched, self.passes) = (false, None);
        self.is_waiting = false;
    }

    /// A general register, 0 … 31.
    pub fn x(&self, number: usize) -> u32 {
        self.x[number & 31]
    }

    /// Sets a general register; x0 stays 0.
    pub fn set_x(&mut self, number: usize, value: u32) {
        if number & 31 != 0 {
            self.x[number & 31] = value;
        }
    }

    /// The bits of a floating-point register, 0 … 31.
    pub fn f(&self, number: usize) -> u32 {
        self.f[number & 31]
    }

    /// Sets a floating-point register.
    pub fn set_f(&mut self, number: usize, value: u32) {
        self.f[number & 31] = value;
    }

    /// A control and status register; none if there is none. `time` is mtime.
    pub fn csr(&self, number: u16, time: u64) -> Option<u32> {
        self.control.read(u32::from(number), self.now(time))
    }

    /// Sets a control and status register; says whether it can be written.
    pub fn set_csr(&mut self, number: u16, value: u32) -> bool {
        let now = self.now(0);
        let number = u32::from(number);
        self.control.read(number, now).is_some() && self.control.write(number, value, now)
    }

    fn now(&self, time: u64) -> Now {
        Now { cycle: self.cycle, retired: self.retired, time }
    }

    /// All general registers.
    pub fn registers(&self) -> Registers {
        Registers {
            pc: self.pc,
            x: std::array::from_fn(|n| self.x(n)),
            f: std::array::from_fn(|n| self.f(n)),
        }
    }
}
