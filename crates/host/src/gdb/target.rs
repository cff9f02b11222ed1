//! What a debugger may do to a halted computer.

use std::collections::BTreeSet;

use gdbstub::common::Signal;
use gdbstub::outputln;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadResume, SingleThreadResumeOps, SingleThreadSingleStep,
    SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::{Target, TargetError, TargetResult};

use super::Pace;
use super::architecture::{AllRegisters, Rv32f};
use crate::cpu::Processor;
use crate::memory::Memory;

/// Numbers of `fflags`, `frm` and `fcsr`.
const FLOAT_STATE: [u16; 3] = [1, 2, 3];

/// A computer in the hands of a debugger.
pub(super) struct Computer {
    pub processor: Processor,
    pub memory: Memory,
    pub clock_hz: u64,
    /// How it shall go on.
    pub pace: Pace,
    breakpoints: BTreeSet<u32>,
    watched: BTreeSet<(u32, u32)>,
}

impl Computer {
    pub(super) fn new(processor: Processor, memory: Memory, clock_hz: u64) -> Computer {
        let (breakpoints, watched) = (BTreeSet::new(), BTreeSet::new());
        Computer { processor, memory, clock_hz, pace: Pace::Free, breakpoints, watched }
    }

    /// Leaves nothing of a debugger that has gone.
    pub(super) fn release(&mut self) {
        for address in std::mem::take(&mut self.breakpoints) {
            self.memory.set_breakpoint(address, false);
        }
        for (address, bytes) in std::mem::take(&mut self.watched) {
            self.memory.set_watched(address, bytes, false);
        }
        self.pace = Pace::Free;
    }
}

impl Target for Computer {
    type Arch = Rv32f;
    type Error = &'static str;

    fn base_ops(&mut self) -> BaseOps<'_, Rv32f, &'static str> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadBase for Computer {
    fn read_registers(&mut self, registers: &mut AllRegisters) -> TargetResult<(), Self> {
        let processor = &self.processor;
        *registers = AllRegisters {
            x: std::array::from_fn(|n| processor.x(n)),
            pc: processor.pc(),
            f: std::array::from_fn(|n| processor.f(n)),
            float_state: FLOAT_STATE.map(|number| processor.csr(number, 0)),
        };
        Ok(())
    }

    fn write_registers(&mut self, registers: &AllRegisters) -> TargetResult<(), Self> {
        let processor = &mut self.processor;
        for n in 0..32 {
            processor.set_x(n, registers.x[n]);
            processor.set_f(n, registers.f[n]);
        }
        if processor.pc() != registers.pc {
            processor.set_pc(registers.pc);
        }
        // `fcsr` holds the other two: whichever was changed counts.
        for (number, new) in FLOAT_STATE.into_iter().zip(registers.float_state) {
            if let (Some(old), Some(new)) = (processor.csr(number, 0), new)
                && old != new
            {
                processor.set_csr(number, new);
                break;
            }
        }
        Ok(())
    }

    fn read_addrs(&mut self, start: u32, data: &mut [u8]) -> TargetResult<usize, Self> {
        // Peripherals are not read: that could change them.
        let readable = (0..=data.len()).rev().find(|&bytes| {
            let (part, _) = data.split_at_mut(bytes);
            self.memory.read(start, part).is_ok()
        });
        match readable {
            None | Some(0) => Err(TargetError::NonFatal),
            Some(bytes) => Ok(bytes),
        }
    }

    fn write_addrs(&mut self, start: u32, data: &[u8]) -> TargetResult<(), Self> {
        let written =
            self.memory.write(start, data).or_else(|_| self.memory.load_flash(start, data));
        written.map_err(|_| TargetError::NonFatal)
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadResume for Computer {
    fn resume(&mut self, _: Option<Signal>) -> Result<(), &'static str> {
        self.pace = Pace::Free;
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Computer {
    fn step(&mut self, _: Option<Signal>) -> Result<(), &'static str> {
        self.pace = Pace::Step;
        Ok(())
    }
}

impl Breakpoints for Computer {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Computer {
    fn add_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        let is_set = self.memory.set_breakpoint(address, true);
        if is_set {
            self.breakpoints.insert(address);
        }
        Ok(is_set)
    }

    fn remove_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        self.breakpoints.remove(&address);
        Ok(self.memory.set_breakpoint(address, false))
    }
}

impl HwWatchpoint for Computer {
    /// Only stores to RAM can be watched.
    fn add_hw_watchpoint(
        &mut self,
        address: u32,
        bytes: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let is_set = kind == WatchKind::Write && self.memory.set_watched(address, bytes, true);
        if is_set {
            self.watched.insert((address, bytes));
        }
        Ok(is_set)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        bytes: u32,
        _: WatchKind,
    ) -> TargetResult<bool, Self> {
        self.watched.remove(&(address, bytes));
        Ok(self.memory.set_watched(address, bytes, false))
    }
}

impl MonitorCmd for Computer {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), &'static str> {
        match command {
            b"time" => {
                let cycle = self.processor.cycle();
                // Nanoseconds, rounded down.
                let time = u128::from(cycle) * 1_000_000_000 / u128::from(self.clock_hz);
                let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000);
                let retired = self.processor.retired();
                outputln!(out, "cycle {cycle}, {retired} instructions, {seconds}.{rest:09} s");
            }
            _ => {
                outputln!(out, "monitor time: the cycle, instructions executed, and simulated time")
            }
        }
        Ok(())
    }
}
