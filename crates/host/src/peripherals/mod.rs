//! The peripherals: everything that the processor reaches and that is neither flash nor RAM.
//!
//! | file | holds |
//! |---|---|
//! | `map.rs` | where each of them is |
//! | `clint.rs`, `plic.rs` | timer, software and external interrupts |
//! | `uart.rs`, `spi.rs`, `i2c.rs`, `transfer.rs` | lines to chips |
//! | `gpio.rs`, `pwm.rs` | pins and pulses |
//! | `nic.rs` | Ethernet |
//! | `watchdog.rs`, `system.rs` | the computer itself |
//!
//! Their registers are those of the book's page "The simulated computer". A peripheral acts at exact instants
//! ([`Peripherals::next`]); in between only software changes it.

mod clint;
mod gpio;
mod i2c;
mod map;
mod nic;
mod plic;
mod pwm;
mod spi;
mod system;
mod transfer;
mod uart;
mod watchdog;

use ironbird_devices::{BusReply, BusRequest, Pulse, SerialByte};
use ironbird_kernel::Time;
use ironbird_network::EthernetFrame;
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::cpu::{AccessFault, After, Devices, Trap, Width};
use crate::memory::Memory;

pub use gpio::LINES;
pub use pwm::CHANNELS;
pub use system::ResetCause;

use clint::Clint;
use gpio::Gpio;
use i2c::I2c;
use map::{Block, block};
use nic::Nic;
use plic::Plic;
use pwm::Pwm;
use spi::Spi;
use system::System;
use uart::Uart;
use watchdog::{Bite, Watchdog};

/// Serial lines.
pub const UARTS: usize = 4;
/// Buses of each kind.
pub const BUSES: usize = 2;

/// What leaves the computer.
#[derive(Clone, Debug, PartialEq)]
pub enum Outgoing {
    /// A byte on a serial line.
    Serial(usize, SerialByte),
    /// A transfer on SPI.
    Spi(usize, BusRequest),
    /// A transfer on I2C.
    I2c(usize, BusRequest),
    /// The end of a pulse.
    Pulse(usize, Pulse),
    /// A frame.
    Frame(EthernetFrame),
    /// The levels of all output pins, by bit.
    Pins(u32),
}

/// What is given once.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Sizes of the memories in bytes.
    pub flash_size: u32,
    /// Of RAM.
    pub ram_size: u32,
    /// The number that no other computer has.
    pub unique: u32,
    /// The address of its network card.
    pub nic_address: [u8; 6],
    /// Where random numbers for software begin.
    pub entropy: u64,
}

/// All of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Peripherals {
    /// The clock of the processor, from which all others are made.
    pub clock: Clock,
    clint: Clint,
    plic: Plic,
    uarts: [Uart; UARTS],
    spis: [Spi; BUSES],
    i2cs: [I2c; BUSES],
    gpio: Gpio,
    pwm: Pwm,
    nic: Nic,
    watchdog: Watchdog,
    system: System,
    /// An access has changed what interrupts or what is due.
    attention: bool,
    /// Exceptions that the processor took, oldest first.
    #[serde(skip)]
    traps: Vec<Trap>,
}

/// What became due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing more.
    Done,
    /// The computer is to begin anew.
    Reset(ResetCause),
}

impl Peripherals {
    /// As after power-on.
    pub fn new(clock: Clock, fixed: Fixed) -> Self {
        let hertz = clock.nominal();
        Peripherals {
            clock,
            clint: Clint::new(hertz, 0),
            plic: Plic::default(),
            uarts: Default::default(),
            spis: Default::default(),
            i2cs: Default::default(),
            gpio: Gpio::default(),
            pwm: Pwm::default(),
            nic: Nic::new(fixed.nic_address),
            watchdog: Watchdog::default(),
            system: System {
                clock: u32::try_from(hertz).unwrap_or(u32::MAX),
                flash_size: fixed.flash_size,
                ram_size: fixed.ram_size,
                unique: fixed.unique,
                entropy: fixed.entropy,
                ..System::default()
            },
            attention: false,
            traps: Vec::new(),
        }
    }

    /// All is as after power-on, but the reason, what others drive, and random numbers.
    pub fn reset(&mut self, cycle: u64, cause: ResetCause) {
        self.clint = Clint::new(self.clock.nominal(), cycle);
        self.plic = Plic::default();
        self.uarts = Default::default();
        self.spis = Default::default();
        self.i2cs = Default::default();
        self.gpio.reset();
        self.pwm = Pwm::default();
        self.nic.reset();
        self.watchdog = Watchdog::default();
        self.system.reset_wanted = false;
        self.system.reset_cause = cause;
    }

    /// Where the random numbers of software begin.
    pub fn set_entropy(&mut self, entropy: u64) {
        self.system.entropy = entropy;
    }

    /// When the next of them acts; of the timer [`Peripherals::timer`] tells.
    pub fn next(&self) -> Time {
        let uarts = self.uarts.iter().map(Uart::next);
        let spis = self.spis.iter().map(|spi| spi.transfers.next());
        let i2cs = self.i2cs.iter().map(|i2c| i2c.transfers.next());
        let others = [self.pwm.next(), self.watchdog.next(&self.clock)];
        uarts.chain(spis).chain(i2cs).chain(others).fold(Time::NEVER, Time::min)
    }

    /// Does what is due now.
    pub fn event(&mut self, now: Time, memory: &mut Memory, out: &mut Vec<Outgoing>) -> Due {
        for (number, uart) in self.uarts.iter_mut().enumerate() {
            if uart.next() <= now {
                out.extend(uart.event(now, &self.clock).map(|byte| Outgoing::Serial(number, byte)));
            }
        }
        let spis = self.spis.iter_mut().map(|spi| &mut spi.transfers);
        let buses = spis.chain(self.i2cs.iter_mut().map(|i2c| &mut i2c.transfers));
        buses.filter(|bus| bus.next() <= now).for_each(|bus| bus.event(memory));
        if self.pwm.next() <= now {
            let show = |channel, pulse| out.push(Outgoing::Pulse(channel, pulse));
            self.pwm.event(now, &self.clock, show);
        }
        if self.watchdog.next(&self.clock) <= now && self.watchdog.event() == Bite::Resets {
            return Due::Reset(ResetCause::Watchdog);
        }
        Due::Done
    }

    /// The first cycle at which the timer interrupt is pending.
    pub fn timer(&self) -> u64 {
        self.clint.due()
    }

    /// Whether the software interrupt is pending.
    pub fn software_interrupts(&self) -> bool {
        self.clint.software
    }

    /// Whether an external interrupt is pending.
    pub fn external_interrupts(&mut self) -> bool {
        let mut lines = 0;
        let uarts = self.uarts.iter().map(Uart::line);
        let spis = self.spis.iter().map(|spi| spi.transfers.line());
        let i2cs = self.i2cs.iter().map(|i2c| i2c.transfers.line());
        let others = [self.gpio.line(), self.pwm.line(), self.nic.line(), self.watchdog.line()];
        for (number, line) in uarts.chain(spis).chain(i2cs).chain(others).enumerate() {
            lines |= u32::from(line) << (number + 1);
        }
        self.plic.set_lines(lines);
        self.plic.interrupts()
    }

    /// Software has done something that others see: what leaves the computer now, at the end of its instruction.
    pub fn begin(&mut self, now: Time, memory: &Memory, out: &mut Vec<Outgoing>) -> Due {
        self.attention = false;
        for (number, spi) in self.spis.iter_mut().enumerate() {
            if spi.transfers.wanted {
                let request = spi.begin(now, &self.clock, memory);
                out.extend(request.map(|request| Outgoing::Spi(number, request)));
            }
        }
        for (number, i2c) in self.i2cs.iter_mut().enumerate() {
            if i2c.transfers.wanted {
                let request = i2c.begin(now, &self.clock, memory);
                out.extend(request.map(|request| Outgoing::I2c(number, request)));
            }
        }
        if self.nic.wanted {
            out.extend(self.nic.begin(memory).map(Outgoing::Frame));
        }
        if self.system.reset_wanted {
            return Due::Reset(ResetCause::Software);
        }
        Due::Done
    }

    /// The levels of the output pins, by bit.
    pub fn pins(&self) -> u32 {
        self.gpio.outputs
    }

    /// A byte has come on a serial line.
    pub fn receive_byte(&mut self, line: usize, byte: SerialByte) {
        self.uarts[line].receive(byte, &self.clock);
    }

    /// A chip on SPI has answered.
    pub fn answer_spi(&mut self, bus: usize, reply: &BusReply) {
        self.spis[bus].answer(reply);
    }

    /// A chip on I2C has answered.
    pub fn answer_i2c(&mut self, bus: usize, reply: &BusReply) {
        self.i2cs[bus].answer(reply);
    }

    /// An input pin has this level.
    pub fn set_pin(&mut self, line: usize, level: bool) {
        self.gpio.set_input(line, level);
    }

    /// A frame has come.
    pub fn receive_frame(&mut self, frame: &EthernetFrame) {
        self.nic.receive(frame);
    }

    /// Takes what traps there were.
    pub fn take_traps(&mut self) -> Vec<Trap> {
        std::mem::take(&mut self.traps)
    }
}

/// Whether the processor is to stop after an access: what interrupts, or what is due, has changed.
fn after(has_changed: bool) -> After {
    if has_changed { After::Stop } else { After::GoOn }
}

impl Devices for Peripherals {
    fn load(
        &mut self,
        _: &mut Memory,
        address: u32,
        width: Width,
        cycle: u64,
    ) -> Result<u32, AccessFault> {
        Ok(match block(address, width)? {
            Block::Clint(offset) => self.clint.load(offset, cycle),
            Block::Plic(offset) => {
                self.external_interrupts();
                self.attention = true;
                self.plic.load(offset)
            }
            Block::Uart(number, offset) => {
                let line = self.uarts[number].line();
                let value = self.uarts[number].load(offset);
                self.attention |= line != self.uarts[number].line();
                value
            }
            Block::Spi(number, offset) => self.spis[number].load(offset),
            Block::I2c(number, offset) => self.i2cs[number].load(offset),
            Block::Gpio(offset) => self.gpio.load(offset),
            Block::Pwm(offset) => self.pwm.load(offset),
            Block::Nic(offset) => self.nic.load(offset),
            Block::Watchdog(offset) => self.watchdog.load(offset),
            Block::System(offset) => self.system.load(offset),
        })
    }

    fn store(
        &mut self,
        memory: &mut Memory,
        address: u32,
        width: Width,
        value: u32,
        cycle: u64,
    ) -> Result<After, AccessFault> {
        let clock = self.clock;
        let now = || clock.time_of(cycle);
        match block(address, width)? {
            Block::Clint(offset) => self.clint.store(offset, value),
            Block::Plic(offset) => self.plic.store(offset, value),
            Block::Uart(number, offset) => {
                let uart = &mut self.uarts[number];
                let before = (uart.next(), uart.line());
                uart.store(offset, value, now(), &clock);
                return Ok(after(before != (uart.next(), uart.line())));
            }
            Block::Spi(number, offset) => {
                let before = self.spis[number].transfers.line();
                self.spis[number].store(offset, value);
                let transfers = &self.spis[number].transfers;
                return Ok(after(transfers.wanted || before != transfers.line()));
            }
            Block::I2c(number, offset) => {
                let before = self.i2cs[number].transfers.line();
                self.i2cs[number].store(offset, value);
                let transfers = &self.i2cs[number].transfers;
                return Ok(after(transfers.wanted || before != transfers.line()));
            }
            Block::Gpio(offset) => self.gpio.store(offset, value),
            Block::Pwm(offset) => {
                let before = (self.pwm.next(), self.pwm.line());
                self.pwm.store(offset, value, now(), &clock);
                return Ok(after(before != (self.pwm.next(), self.pwm.line())));
            }
            Block::Nic(offset) => {
                let before = self.nic.line();
                self.nic.store(offset, value, memory);
                return Ok(after(self.nic.wanted || before != self.nic.line()));
            }
            Block::Watchdog(offset) => self.watchdog.store(offset, value, now()),
            Block::System(offset) => self.system.store(offset, value),
        }
        Ok(After::Stop)
    }

    fn wants_attention(&self) -> bool {
        self.attention
    }

    fn time(&self, cycle: u64) -> u64 {
        self.clint.time(cycle)
    }

    fn trapped(&mut self, trap: &Trap) {
        self.traps.push(*trap);
    }
}
