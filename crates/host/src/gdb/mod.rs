//! A debugger at the simulated computer: GDB's remote serial protocol over TCP.
//!
//! Between runs of the processor [`Debugger::attend`] looks whether a debugger wants something. While the
//! computer is halted it does not return, so simulated time stands still.
//!
//! ```no_run
//! # use ironbird_host::{cpu::{Devices, Processor, Stopped}, gdb::{Debugger, Pace}, memory::Memory};
//! # fn run(processor: &mut Processor, memory: &mut Memory, devices: &mut impl Devices, until: u64) -> std::io::Result<()> {
//! let mut debugger = Debugger::listen(([127, 0, 0, 1], 3333).into(), 168_000_000)?;
//! let mut pace = debugger.wait(processor, memory);
//! while processor.cycle() < until {
//!     let limit = if pace == Pace::Step { processor.cycle() + 1 } else { until };
//!     let stopped = processor.run(memory, devices, limit);
//!     pace = debugger.attend(processor, memory, stopped);
//! }
//! # Ok(())
//! # }
//! ```

mod architecture;
mod listener;
mod target;

use std::net::{Shutdown, SocketAddr, TcpStream};

use gdbstub::common::Signal;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{GdbStub, SingleThreadStopReason};
use gdbstub::target::ext::breakpoints::WatchKind;

use crate::cpu::{Processor, Stopped};
use crate::memory::Memory;
use listener::{Event, Listener};
use target::Computer;

/// How the processor shall go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As if there were no debugger.
    Free,
    /// One instruction: run until the cycle after the present one, and attend again.
    Step,
}

type Machine = GdbStubStateMachine<'static, Computer, TcpStream>;

/// A place where a debugger can connect.
pub struct Debugger {
    listener: Listener,
    /// Holds the computer only while the debugger is at it.
    computer: Computer,
    machine: Option<Machine>,
    stream: Option<TcpStream>,
    /// Instructions executed and the program counter when a step began.
    step_began: (u64, u32),
}

impl Debugger {
    /// Listens at an address for a debugger of a computer with that clock. Who can connect can read and
    /// change everything in the computer: let it be a loopback address.
    pub fn listen(address: SocketAddr, clock_hz: u64) -> std::io::Result<Debugger> {
        let listener = Listener::new(address)?;
        let computer = Computer::new(Processor::new(0), Memory::none(), clock_hz);
        Ok(Debugger { listener, computer, machine: None, stream: None, step_began: (0, 0) })
    }

    /// Where it listens: with port 0 the system has chosen one.
    pub fn address(&self) -> SocketAddr {
        self.listener.address
    }

    /// Waits until a debugger has connected and lets the computer run.
    pub fn wait(&mut self, processor: &mut Processor, memory: &mut Memory) -> Pace {
        self.with_computer(processor, memory, |debugger| {
            while debugger.machine.is_none() && debugger.hear_next() {}
            debugger.hear_while_halted();
        })
    }

    /// Lets a debugger do what it wants after a run of the processor that ended so. Returns when the
    /// computer may run, at once if nobody has halted it.
    pub fn attend(
        &mut self,
        processor: &mut Processor,
        memory: &mut Memory,
        stopped: Stopped,
    ) -> Pace {
        let pace = self.computer.pace;
        let event = self.listener.events.try_recv().ok();
        if event.is_none() && pace == Pace::Free && stopped != Stopped::Breakpoint {
            return Pace::Free;
        }
        self.with_computer(processor, memory, |debugger| {
            debugger.tell_stop(stopped);
            if let Some(event) = event {
                debugger.hear(event);
            }
            debugger.hear_while_halted();
        })
    }

    /// Takes the computer, does something with it, and gives it back.
    fn with_computer(
        &mut self,
        processor: &mut Processor,
        memory: &mut Memory,
        act: impl FnOnce(&mut Debugger),
    ) -> Pace {
        std::mem::swap(&mut self.computer.processor, processor);
        std::mem::swap(&mut self.computer.memory, memory);
        act(self);
        std::mem::swap(&mut self.computer.processor, processor);
        std::mem::swap(&mut self.computer.memory, memory);
        self.computer.pace
    }

    /// Tells the debugger, if the computer runs for it, that a step is done or a breakpoint reached.
    fn tell_stop(&mut self, stopped: Stopped) {
        let Computer { processor, memory, pace, .. } = &mut self.computer;
        let is_stepped =
            *pace == Pace::Step && self.step_began != (processor.retired(), processor.pc());
        let reason = match memory.take_watch_hit() {
            Some(addr) => SingleThreadStopReason::Watch { tid: (), kind: WatchKind::Write, addr },
            None if stopped == Stopped::Breakpoint => SingleThreadStopReason::SwBreak(()),
            None if is_stepped => SingleThreadStopReason::DoneStep,
            None => return,
        };
        self.machine = match self.machine.take() {
            Some(GdbStubStateMachine::Running(running)) => {
                running.report_stop(&mut self.computer, reason).ok()
            }
            other => other,
        };
    }

    /// Does what the debugger says until it lets the computer run.
    fn hear_while_halted(&mut self) {
        while matches!(self.machine, Some(GdbStubStateMachine::Idle(_))) && self.hear_next() {}
        if self.machine.is_none() {
            self.computer.release();
            self.hang_up();
        }
        self.step_began = (self.computer.processor.retired(), self.computer.processor.pc());
    }

    /// Waits for an event; says whether there can be more.
    fn hear_next(&mut self) -> bool {
        let event = self.listener.events.recv();
        let is_heard = event.is_ok();
        event.into_iter().for_each(|event| self.hear(event));
        is_heard
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Connected(stream) => {
                self.stream = stream.try_clone().ok();
                let stub = GdbStub::builder(stream).build();
                self.machine =
                    stub.ok().and_then(|stub| stub.run_state_machine(&mut self.computer).ok());
            }
            Event::Said(bytes) => bytes.into_iter().for_each(|byte| self.hear_byte(byte)),
            Event::Gone => self.machine = None,
        }
    }

    /// A debugger that breaks the protocol is let go.
    fn hear_byte(&mut self, byte: u8) {
        let computer = &mut self.computer;
        let machine = match self.machine.take() {
            Some(GdbStubStateMachine::Idle(idle)) => idle.incoming_data(computer, byte).ok(),
            Some(GdbStubStateMachine::Running(running)) => {
                running.incoming_data(computer, byte).ok()
            }
            other => other,
        };
        self.machine = match machine {
            Some(GdbStubStateMachine::CtrlCInterrupt(interrupt)) => {
                let reason = SingleThreadStopReason::Signal(Signal::SIGINT);
                interrupt.interrupt_handled(computer, Some(reason)).ok()
            }
            Some(GdbStubStateMachine::Disconnected(_)) => None,
            machine => machine,
        };
    }

    /// Ends the connection, so that another one can be made.
    fn hang_up(&mut self) {
        if let Some(stream) = self.stream.take() {
            // It may have ended already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Debugger {
    fn drop(&mut self) {
        self.hang_up();
    }
}

#[cfg(test)]
mod tests;
