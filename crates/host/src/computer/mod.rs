//! A whole computer: processor, memory and peripherals on one clock.
//!
//! ```text
//!             run until the next event            act at an exact instant
//!  Processor ───────────────────────────► Peripherals ──────────────► what leaves it
//!      ▲  memory, registers                   ▲
//!      └── interrupts ────────────────────────┴── what comes from outside
//! ```
//!
//! [`Computer::advance`] executes exactly the instructions that start before an instant. Whatever a peripheral does it
//! does after the instructions that start before its instant, and before all others; so nothing depends on how the
//! time was cut into pieces.

mod computer_type;
mod model;
mod parameters;
mod ports;
mod report;

pub use computer_type::ComputerType;

use std::net::SocketAddr;

use ironbird_kernel::{Advance, Duration, RandomStream, Time};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::cpu::{Interrupt, Processor, Stopped};
use crate::gdb::{Debugger, Pace};
use crate::memory::Memory;
use crate::peripherals::{Due, Outgoing, Peripherals, ResetCause};

/// How long a reset takes.
const RESET: Duration = Duration::from_ms(1);

/// What a computer says of itself now and then.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Share of the cycles since the last one in which instructions were executed.
    pub busy: f64,
    /// Instructions since the start.
    pub instructions: u64,
    /// Cycles since the start.
    pub cycles: u64,
    /// A number made of all registers of the processor.
    pub registers: u64,
    /// How often it began anew.
    pub resets: u32,
}

/// A computer.
pub struct Computer {
    /// Its processor.
    pub processor: Processor,
    /// Its memory.
    pub memory: Memory,
    /// Its peripherals.
    pub peripherals: Peripherals,
    /// Where software begins.
    entry: u32,
    /// What goes out next, and when.
    outbox: Vec<Outgoing>,
    debugger: Option<Debugger>,
    pace: Pace,
    state: State,
}

/// What is to be saved beside processor, memory and peripherals.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    /// When what is in the outbox goes out.
    out_at: Time,
    /// When the instruction is over by which software has touched a peripheral; until then nothing is executed.
    look_at: Time,
    /// Until when it is held in reset.
    reset_until: Option<Time>,
    pins: u32,
    /// Cycles in which it waited.
    idle: u64,
    resets: u32,
    status_every: Duration,
    status_next: Time,
    status_is_due: bool,
    status_idle: u64,
    status_cycles: u64,
    /// How many bits of RAM are flipped per second, and when the next one is.
    upsets: f64,
    upset_next: Option<Time>,
}

impl Computer {
    /// A computer that was just switched on.
    pub fn new(
        memory: Memory,
        peripherals: Peripherals,
        entry: u32,
        status_every: Duration,
    ) -> Self {
        Computer {
            processor: Processor::new(entry),
            memory,
            peripherals,
            entry,
            outbox: Vec::new(),
            debugger: None,
            pace: Pace::Free,
            state: State {
                out_at: Time::NEVER,
                look_at: Time::NEVER,
                reset_until: None,
                pins: 0,
                idle: 0,
                resets: 0,
                status_every,
                status_next: Time::ZERO + status_every,
                status_is_due: false,
                status_idle: 0,
                status_cycles: 0,
                upsets: 0.0,
                upset_next: None,
            },
        }
    }

    /// Bits of RAM that are flipped per second, on average.
    pub fn set_upsets(&mut self, per_second: f64) {
        self.state.upsets = per_second;
        self.state.upset_next = None;
    }

    /// Lets a debugger connect at an address, and waits for it where `waits`.
    pub fn debug(&mut self, address: SocketAddr, waits: bool) -> std::io::Result<()> {
        let mut debugger = Debugger::listen(address, self.peripherals.clock.nominal())?;
        if waits {
            self.pace = debugger.wait(&mut self.processor, &mut self.memory);
        }
        self.debugger = Some(debugger);
        Ok(())
    }

    fn time(&self) -> Time {
        self.peripherals.clock.time_of(self.processor.cycle())
    }

    /// When something happens that is no instruction.
    fn next_event(&self) -> Time {
        let state = &self.state;
        let own = state.status_next.min(state.upset_next.unwrap_or(Time::NEVER));
        if let Some(until) = state.reset_until {
            return own.min(until);
        }
        // A timer that is pending already is no event any more.
        let timer = match self.peripherals.timer() {
            cycle if cycle > self.processor.cycle() && cycle != u64::MAX => {
                self.peripherals.clock.time_of(cycle)
            }
            _ => Time::NEVER,
        };
        own.min(timer).min(self.peripherals.next())
    }

    /// Before this instant nothing leaves it, unless something comes from outside.
    pub fn next_output(&self) -> Time {
        if !self.state.out_at.is_never() {
            return self.state.out_at;
        }
        let event = self.next_event().min(self.state.look_at);
        if self.is_still() { event } else { event.min(self.time()) }
    }

    /// Whether it executes nothing before the next event.
    fn is_still(&self) -> bool {
        let is_held = self.state.reset_until.is_some() || !self.state.look_at.is_never();
        is_held || self.processor.is_waiting()
    }

    /// Executes what starts before `until`, and stops at the first thing that leaves it.
    pub fn advance(&mut self, until: Time, random: &mut RandomStream) -> Advance {
        loop {
            if !self.state.out_at.is_never() {
                let at = self.state.out_at;
                return if at < until { Advance::Output(at) } else { Advance::Reached };
            }
            if self.state.upsets > 0.0 && self.state.upset_next.is_none() {
                self.state.upset_next = self.draw_upset(random);
            }
            let (event, look) = (self.next_event(), self.state.look_at);
            let next = event.min(look);
            let target = next.min(until);
            if target.is_never() && self.is_still() {
                return Advance::Idle;
            }
            if !self.execute(target) {
                continue;
            }
            if next >= until {
                return Advance::Reached;
            }
            if look <= event {
                self.look(look);
            } else {
                self.act(event, random);
            }
        }
    }

    /// Executes what starts before `target`; false if software has done something that must be looked at first.
    fn execute(&mut self, target: Time) -> bool {
        let until = self.peripherals.clock.cycle_from(target);
        if self.state.reset_until.is_some() {
            self.skip_to(until);
            return true;
        }
        let limit = match self.pace {
            Pace::Free => until,
            Pace::Step => until.min(self.processor.cycle() + 1),
        };
        let stopped = self.processor.run(&mut self.memory, &mut self.peripherals, limit);
        if let Some(debugger) = &mut self.debugger {
            self.pace = debugger.attend(&mut self.processor, &mut self.memory, stopped);
        }
        match stopped {
            Stopped::Waiting => self.skip_to(until),
            Stopped::Device => self.state.look_at = self.time(),
            Stopped::Reached | Stopped::Looping | Stopped::Breakpoint => {}
        }
        self.set_interrupts();
        self.processor.cycle() >= until && stopped != Stopped::Device
    }

    fn skip_to(&mut self, cycle: u64) {
        let from = self.processor.cycle();
        if cycle > from {
            self.state.idle += cycle - from;
            self.processor.skip_to(cycle);
        }
    }

    /// The instruction that touched a peripheral is over.
    fn look(&mut self, now: Time) {
        self.state.look_at = Time::NEVER;
        let due = self.peripherals.begin(now, &self.memory, &mut self.outbox);
        self.settle(now, due);
    }

    /// Does what is due at `now`.
    fn act(&mut self, now: Time, random: &mut RandomStream) {
        let state = &mut self.state;
        if state.status_next <= now {
            state.status_is_due = true;
            state.status_next = now + state.status_every;
            state.out_at = now;
        }
        if state.upset_next.is_some_and(|at| at <= now) {
            self.upset(random);
        }
        if let Some(until) = self.state.reset_until {
            if until <= now {
                self.state.reset_until = None;
            }
            return;
        }
        let due = self.peripherals.event(now, &mut self.memory, &mut self.outbox);
        self.settle(now, due);
    }

    /// After peripherals have acted: what leaves the computer leaves it now.
    fn settle(&mut self, now: Time, due: Due) {
        if let Due::Reset(cause) = due {
            self.reset(now, cause);
        }
        let pins = self.peripherals.pins();
        if pins != self.state.pins {
            self.state.pins = pins;
            self.outbox.push(Outgoing::Pins(pins));
        }
        if !self.outbox.is_empty() {
            self.state.out_at = now;
        }
        self.set_interrupts();
    }

    fn set_interrupts(&mut self) {
        let timer = self.peripherals.timer() <= self.processor.cycle();
        self.processor.set_pending(Interrupt::Timer, timer);
        self.processor.set_pending(Interrupt::Software, self.peripherals.software_interrupts());
        self.processor.set_pending(Interrupt::External, self.peripherals.external_interrupts());
    }

    /// It begins anew; RAM stays as it is.
    fn reset(&mut self, now: Time, cause: ResetCause) {
        let until = now + RESET;
        let cycle = self.peripherals.clock.cycle_from(until);
        self.processor.reset(self.entry, self.processor.cycle());
        self.peripherals.reset(cycle, cause);
        self.state.reset_until = Some(until);
        self.state.resets += 1;
    }

    fn draw_upset(&self, random: &mut RandomStream) -> Option<Time> {
        let wait = Duration::from_secs_f64_ceil(random.exponential() / self.state.upsets)?;
        Some(self.time() + wait)
    }

    /// A bit of RAM flips.
    fn upset(&mut self, random: &mut RandomStream) {
        let size = self.memory.ram_bytes();
        let address = Memory::RAM + random.below(u64::from(size)) as u32;
        let bit = random.below(8) as u8;
        // The address is one of RAM.
        let _ = self.memory.flip_bit(address, bit);
        self.state.upset_next = None;
    }

    /// Something comes from outside at `now`: everything before has been executed.
    pub fn receive(&mut self, give: impl FnOnce(&mut Peripherals)) {
        give(&mut self.peripherals);
        self.set_interrupts();
    }

    /// From `now` on its clock is `parts` times as fast as it says.
    pub fn set_clock_speed(&mut self, now: Time, parts: f64) {
        self.peripherals.clock.set_speed(now, parts);
    }

    /// Takes what goes out now.
    pub fn take_output(&mut self) -> (std::vec::Drain<'_, Outgoing>, Option<Status>) {
        self.state.out_at = Time::NEVER;
        let status = std::mem::take(&mut self.state.status_is_due).then(|| self.status());
        (self.outbox.drain(..), status)
    }

    /// A number made of the registers of the processor.
    fn hash(&self) -> u64 {
        let registers = self.processor.registers();
        let words = registers.x.iter().chain(&registers.f).chain([&registers.pc]);
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        xxh3_64(&bytes)
    }

    fn status(&mut self) -> Status {
        let (cycles, registers) = (self.processor.cycle(), self.hash());
        let state = &mut self.state;
        let (idle, all) = (state.idle - state.status_idle, cycles - state.status_cycles);
        (state.status_idle, state.status_cycles) = (state.idle, cycles);
        Status {
            busy: if all == 0 { 0.0 } else { 1.0 - idle.min(all) as f64 / all as f64 },
            instructions: self.processor.retired(),
            cycles,
            registers,
            resets: state.resets,
        }
    }
}
