//! Where peripherals are.

use super::{BUSES, UARTS};
use crate::cpu::{AccessFault, Width};

const CLINT: u32 = 0x0200_0000;
const CLINT_END: u32 = 0x0201_0000;
const PLIC: u32 = 0x0C00_0000;
const PLIC_END: u32 = 0x0C40_0000;
/// Bytes that each of the others has.
const BLOCK: u32 = 0x1000;

/// Which peripheral an address is in, and how far.
pub enum Block {
    Clint(u32),
    Plic(u32),
    Uart(usize, u32),
    Spi(usize, u32),
    I2c(usize, u32),
    Gpio(u32),
    Pwm(u32),
    Nic(u32),
    Watchdog(u32),
    System(u32),
}

/// Where a word is. Peripherals know aligned words only.
pub fn block(address: u32, width: Width) -> Result<Block, AccessFault> {
    if width != Width::Word || !address.is_multiple_of(4) {
        return Err(AccessFault);
    }
    let offset = address % BLOCK;
    match address {
        CLINT..CLINT_END => return Ok(Block::Clint(address - CLINT)),
        PLIC..PLIC_END => return Ok(Block::Plic(address - PLIC)),
        _ => {}
    }
    let number = ((address >> 12) & 0xF) as usize;
    match address >> 16 {
        0x1000 if number < UARTS => Ok(Block::Uart(number, offset)),
        0x1001 if number < BUSES => Ok(Block::Spi(number, offset)),
        0x1002 if number < BUSES => Ok(Block::I2c(number, offset)),
        0x1003 if number == 0 => Ok(Block::Gpio(offset)),
        0x1004 if number == 0 => Ok(Block::Pwm(offset)),
        0x1005 if number == 0 => Ok(Block::Nic(offset)),
        0x1006 if number == 0 => Ok(Block::Watchdog(offset)),
        0x1007 if number == 0 => Ok(Block::System(offset)),
        _ => Err(AccessFault),
    }
}
