//! I2C: bytes written, then bytes read, moved from and to memory.

use ironbird_devices::{BusReply, BusRequest, I2C_ADDRESSING, bit_time, i2c_bits};
use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use super::transfer::{Transfers, Wish};
use crate::clock::Clock;
use crate::memory::Memory;

const CLOCK: u32 = 0x00;
const CHIP: u32 = 0x04;
const WRITE_ADDRESS: u32 = 0x08;
const WRITE_LENGTH: u32 = 0x0C;
const READ_ADDRESS: u32 = 0x10;
const READ_LENGTH: u32 = 0x14;
const START: u32 = 0x18;
const STATUS: u32 = 0x1C;
const INTERRUPT: u32 = 0x20;

/// The longest part of a transfer.
const LONGEST: u32 = 256;

/// One controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct I2c {
    clock: u32,
    chip: u32,
    write_address: u32,
    write_length: u32,
    read_address: u32,
    read_length: u32,
    pub transfers: Transfers,
}

impl Default for I2c {
    fn default() -> Self {
        I2c {
            clock: 400_000,
            chip: 0,
            write_address: 0,
            write_length: 0,
            read_address: 0,
            read_length: 0,
            transfers: Transfers::default(),
        }
    }
}

impl I2c {
    /// Begins the transfer that is wanted.
    pub fn begin(&mut self, now: Time, clock: &Clock, memory: &Memory) -> Option<BusRequest> {
        let all = i2c_bits(self.write_length, self.read_length);
        let after = |count| now + clock.stretch(bit_time(count, self.clock));
        let wish = Wish {
            chip: self.chip as u8,
            clock: clock.real_rate(self.clock),
            from: (self.write_address, self.write_length),
            into: (self.read_address, self.read_length),
            asks: self.read_length,
            longest: LONGEST,
            acknowledged_by: Some(after(I2C_ADDRESSING)),
            ends: after(all),
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
            WRITE_LENGTH => self.write_length,
            READ_ADDRESS => self.read_address,
            READ_LENGTH => self.read_length,
            STATUS => self.transfers.status,
            INTERRUPT => u32::from(self.transfers.interrupt),
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        match offset {
            CLOCK => self.clock = value.max(1),
            CHIP => self.chip = value & 0x7F,
            WRITE_ADDRESS => self.write_address = value,
            WRITE_LENGTH => self.write_length = value,
            READ_ADDRESS => self.read_address = value,
            READ_LENGTH => self.read_length = value,
            START if value & 1 != 0 => self.transfers.want(),
            STATUS => self.transfers.clear(value),
            INTERRUPT => self.transfers.interrupt = value & 1 != 0,
            _ => {}
        }
    }
}
