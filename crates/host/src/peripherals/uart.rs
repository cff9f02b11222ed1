//! UART: bytes in and out, each through a FIFO.

use std::collections::VecDeque;

use ironbird_devices::SerialByte;
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;

/// Bytes that find room, each way.
const ROOM: usize = 256;

const DATA: u32 = 0x00;
const STATUS: u32 = 0x04;
const ERRORS: u32 = 0x08;
const BAUD: u32 = 0x0C;
const INTERRUPT: u32 = 0x10;

const NOTHING: u32 = 1 << 31;
const OVERRUN: u32 = 1;
const FRAMING: u32 = 2;

/// One serial line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uart {
    received: VecDeque<u8>,
    to_send: VecDeque<u8>,
    /// The byte on the line, and when its stop bit is over.
    sending: Option<(u8, Time)>,
    errors: u32,
    baud: u32,
    interrupt: u32,
}

impl Default for Uart {
    fn default() -> Self {
        Uart {
            received: VecDeque::new(),
            to_send: VecDeque::new(),
            sending: None,
            errors: 0,
            baud: 115_200,
            interrupt: 0,
        }
    }
}

impl Uart {
    /// Whether it interrupts.
    pub fn line(&self) -> bool {
        let threshold = (self.interrupt & 0xFFFF) as usize;
        let wants_more = self.interrupt & 1 << 16 != 0 && self.to_send.is_empty();
        threshold != 0 && self.received.len() >= threshold || wants_more
    }

    /// When the byte on the line is over.
    pub fn next(&self) -> Time {
        self.sending.map_or(Time::NEVER, |(_, over)| over)
    }

    /// The byte on the line is over: it is sent, and the next one begins.
    pub fn event(&mut self, now: Time, clock: &Clock) -> Option<SerialByte> {
        let (byte, _) = self.sending.take()?;
        self.begin(now, clock);
        Some(SerialByte { byte, baud: clock.real_rate(self.baud) })
    }

    fn begin(&mut self, now: Time, clock: &Clock) {
        let Some(byte) = self.to_send.pop_front() else { return };
        let bits = SerialByte::BITS * 1_000_000_000_000;
        let nominally = Duration::from_ps(bits.div_ceil(u64::from(self.baud)));
        self.sending = Some((byte, now + clock.stretch(nominally)));
    }

    /// A byte has come.
    pub fn receive(&mut self, byte: SerialByte, clock: &Clock) {
        if !byte.is_readable_at(clock.real_rate(self.baud)) {
            self.errors |= FRAMING;
        } else if self.received.len() < ROOM {
            self.received.push_back(byte.byte);
        } else {
            self.errors |= OVERRUN;
        }
    }

    pub fn load(&mut self, offset: u32) -> u32 {
        match offset {
            DATA => self.received.pop_front().map_or(NOTHING, u32::from),
            STATUS => self.received.len() as u32 | ((ROOM - self.to_send.len()) as u32) << 16,
            ERRORS => self.errors,
            BAUD => self.baud,
            INTERRUPT => self.interrupt,
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32, now: Time, clock: &Clock) {
        match offset {
            DATA if self.to_send.len() < ROOM => {
                self.to_send.push_back(value as u8);
                if self.sending.is_none() {
                    self.begin(now, clock);
                }
            }
            ERRORS => self.errors &= !value,
            BAUD => self.baud = value.max(1),
            INTERRUPT => self.interrupt = value & 0x1_FFFF,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Clock {
        Clock::new(Time::ZERO, 168_000_000).expect("a rate")
    }

    #[test]
    fn bytes_leave_one_after_the_other_at_the_rate_of_the_line() {
        let (mut uart, clock) = (Uart::default(), clock());
        uart.store(BAUD, 10_000, Time::ZERO, &clock);
        uart.store(DATA, 0x41, Time::ZERO, &clock);
        uart.store(DATA, 0x42, Time::ZERO, &clock);
        assert_eq!(uart.load(STATUS) >> 16, 255, "the first is on the line");
        let millisecond = Time::ZERO + Duration::from_ms(1);
        assert_eq!(uart.next(), millisecond);
        assert_eq!(uart.event(millisecond, &clock), Some(SerialByte { byte: 0x41, baud: 10_000 }));
        assert_eq!(uart.next(), Time::ZERO + Duration::from_ms(2));
        uart.event(uart.next(), &clock);
        assert_eq!(uart.next(), Time::NEVER);
    }

    #[test]
    fn what_finds_no_room_is_lost_and_noted() {
        let (mut uart, clock) = (Uart::default(), clock());
        for byte in 0..=u8::MAX {
            uart.receive(SerialByte { byte, baud: 115_200 }, &clock);
        }
        assert_eq!(uart.load(ERRORS), 0);
        uart.receive(SerialByte { byte: 7, baud: 115_200 }, &clock);
        uart.receive(SerialByte { byte: 7, baud: 9_600 }, &clock);
        assert_eq!(uart.load(ERRORS), OVERRUN | FRAMING);
        assert_eq!((uart.load(DATA), uart.load(DATA)), (0, 1));
        uart.store(ERRORS, 3, Time::ZERO, &clock);
        assert_eq!(uart.load(ERRORS), 0);
    }

    #[test]
    fn it_interrupts_from_the_threshold_on_and_while_it_has_nothing_to_send() {
        let (mut uart, clock) = (Uart::default(), clock());
        uart.store(INTERRUPT, 2, Time::ZERO, &clock);
        uart.receive(SerialByte { byte: 1, baud: 115_200 }, &clock);
        assert!(!uart.line());
        uart.receive(SerialByte { byte: 2, baud: 115_200 }, &clock);
        assert!(uart.line());
        uart.load(DATA);
        assert!(!uart.line());
        assert_eq!(uart.load(DATA), 2);
        assert_eq!(uart.load(DATA), NOTHING);
        uart.store(INTERRUPT, 1 << 16, Time::ZERO, &clock);
        assert!(uart.line());
    }
}
