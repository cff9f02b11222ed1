//! SPI: frames of bytes both ways, moved from and to memory.

use ironbird_devices::{BusReply, BusRequest, bit_time};
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use super::transfer::{Transfers, Wish};
use crate::clock::Clock;
use crate::memory::Memory;

const CLOCK: u32 = 0x00;
const CHIP: u32 = 0x04;
const WRITE_ADDRESS: u32 = 0x08;
const READ_ADDRESS: u32 = 0x0C;
const LENGTH: u32 = 0x10;
const START: u32 = 0x14;
const STATUS: u32 = 0x18;
const INTERRUPT: u32 = 0x1C;

/// The longest frame.
const LONGEST: u32 = 4096;
/// Selecting the chip and letting it go.
const SELECTING: Duration = Duration::from_us(1);

/// One controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spi {
    clock: u32,
    chip: u32,
    write_address: u32,
    read_address: u32,
    length: u32,
    pub transfers: Transfers,
}

impl Default for Spi {
    fn default() -> Self {
        Spi {
            clock: 1_000_000,
            chip: 0,
            write_address: 0,
            read_address: 0,
            length: 0,
            transfers: Transfers::default(),
        }
    }
}

impl Spi {
    /// Begins the transfer that is wanted.
    pub fn begin(&mut self, now: Time, clock: &Clock, memory: &Memory) -> Option<BusRequest> {
        let takes = clock.stretch(bit_time(8 * u64::from(self.length), self.clock) + SELECTING);
        let wish = Wish {
            chip: self.chip as u8,
            clock: clock.real_rate(self.clock),
            from: (self.write_address, self.length),
            into: (self.read_address, self.length),
            asks: 0,
            longest: LONGEST,
            acknowledged_by: None,
            ends: now + takes,
        };
        self.transfers.begin(&wish, memory)
    }

    /// A chip has answered.
    pub fn answer(&mut self, reply: &BusReply) {
        self.transfers.answer(reply);
    }

    pub fn load(&self, offset: u32) -> u32 {
        match offset {
            CLOCK => self.clock,
            CHIP => self.chip,
            WRITE_ADDRESS => self.write_address,
            READ_ADDRESS => self.read_address,
            LENGTH => self.length,
            STATUS => self.transfers.status,
            INTERRUPT => u32::from(self.transfers.interrupt),
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        match offset {
            CLOCK => self.clock = value.max(1),
            CHIP => self.chip = value & 0xF,
            WRITE_ADDRESS => self.write_address = value,
            READ_ADDRESS => self.read_address = value,
            LENGTH => self.length = value,
            START if value & 1 != 0 => self.transfers.want(),
            STATUS => self.transfers.clear(value),
            INTERRUPT => self.transfers.interrupt = value & 1 != 0,
            _ => {}
        }
    }
}
