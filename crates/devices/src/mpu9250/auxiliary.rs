//! The auxiliary I2C bus, of which the chip is the master: it reads other chips into its own registers.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use super::register_map::*;
use crate::ak8963::{Magnetometer, Quality};

/// The address of the magnetometer in the same package.
pub const MAGNETOMETER: u8 = 0x0C;

/// Bits of a slave's control register: bytes are swapped; no register is written; which bytes are a pair.
const SWAPPED: u8 = 0x40;
const NO_REGISTER: u8 = 0x20;
const ODD_PAIRS: u8 = 0x10;

/// Bits of I2C_MST_STATUS: the single transfer is done; slave 4 did not acknowledge. Bits 0 to 3 are those of the others.
const SINGLE_DONE: u8 = 0x40;
const SINGLE_REFUSED: u8 = 0x10;

/// The master of the bus.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Auxiliary {
    /// Its turns so far.
    turns: u64,
    /// Where the magnetometer's next reading begins.
    register: u8,
    /// How many bytes of EXT_SENS_DATA belong to each slave, and where they begin.
    places: [(u8, u8); 4],
}

/// A slave's registers.
struct Slave {
    address: u8,
    register: u8,
    control: u8,
    data: u8,
}

impl Auxiliary {
    /// Its place is lost.
    pub fn reset(&mut self) {
        *self = Auxiliary { register: self.register, ..Auxiliary::default() };
    }

    /// Where the magnetometer's next reading begins, for a host that reaches it directly.
    pub fn register(&mut self) -> &mut u8 {
        &mut self.register
    }

    /// The bytes of a slave in EXT_SENS_DATA.
    pub fn bytes_of<'a>(&self, slave: usize, registers: &'a [u8]) -> &'a [u8] {
        let (start, length) = self.places[slave];
        let start = usize::from(EXT_SENS_DATA_00) + usize::from(start);
        &registers[start..start + usize::from(length)]
    }

    /// It is the bus's turn: every slave that is enabled and due is read or written.
    pub fn turn(
        &mut self,
        now: Time,
        registers: &mut [u8],
        magnetometer: &mut Magnetometer,
        quality: &Quality,
    ) {
        let at = |registers: &[u8], register: u8| registers[usize::from(register)];
        let every = 1 + u64::from(at(registers, I2C_SLV4_CTRL) & 0x1F);
        let (is_late, delayed) =
            (!self.turns.is_multiple_of(every), at(registers, I2C_MST_DELAY_CTRL));
        self.turns += 1;
        let mut next = 0u8;
        for number in 0..4u8 {
            let base = I2C_SLV0_ADDR + 3 * number;
            let slave = Slave {
                address: at(registers, base),
                register: at(registers, base + 1),
                control: at(registers, base + 2),
                data: at(registers, I2C_SLV0_DO + number),
            };
            let is_read = slave.address & ENABLED != 0;
            let is_enabled = slave.control & ENABLED != 0;
            let room = EXT_SENS_DATA_23 - EXT_SENS_DATA_00 + 1 - next;
            let length = if is_enabled && is_read { (slave.control & 0x0F).min(room) } else { 0 };
            let start = next;
            self.places[usize::from(number)] = (start, length);
            next += length;
            if !is_enabled || (is_late && delayed >> number & 1 != 0) {
                continue;
            }
            let place = usize::from(EXT_SENS_DATA_00 + start);
            let into = &mut registers[place..place + usize::from(length)];
            if !self.transfer(now, &slave, into, magnetometer, quality) {
                registers[usize::from(I2C_MST_STATUS)] |= 1 << number;
            }
        }
        self.single(now, registers, magnetometer, quality);
    }

    /// Slave 4: one byte, once.
    fn single(
        &mut self,
        now: Time,
        registers: &mut [u8],
        magnetometer: &mut Magnetometer,
        quality: &Quality,
    ) {
        let at = |register: u8| registers[usize::from(register)];
        let control = at(I2C_SLV4_CTRL);
        if control & ENABLED == 0 {
            return;
        }
        let slave = Slave {
            address: at(I2C_SLV4_ADDR),
            register: at(I2C_SLV4_REG),
            control: control & NO_REGISTER,
            data: at(I2C_SLV4_DO),
        };
        let mut byte = [at(I2C_SLV4_DI)];
        let length = usize::from(slave.address & ENABLED != 0);
        let taken = self.transfer(now, &slave, &mut byte[..length], magnetometer, quality);
        registers[usize::from(I2C_SLV4_DI)] = byte[0];
        registers[usize::from(I2C_SLV4_CTRL)] &= !ENABLED;
        let refused = if taken { 0 } else { SINGLE_REFUSED };
        registers[usize::from(I2C_MST_STATUS)] |= SINGLE_DONE | refused;
    }

    /// Reads into `into`, or writes the slave's byte; returns whether anybody acknowledged.
    fn transfer(
        &mut self,
        now: Time,
        slave: &Slave,
        into: &mut [u8],
        magnetometer: &mut Magnetometer,
        quality: &Quality,
    ) -> bool {
        if slave.address & 0x7F != MAGNETOMETER || magnetometer.is_cut_off() {
            return false;
        }
        if slave.control & NO_REGISTER == 0 {
            self.register = slave.register;
        }
        if slave.address & ENABLED == 0 {
            magnetometer.write(now, self.register, slave.data);
            self.register = Magnetometer::after(self.register);
            return true;
        }
        for byte in into.iter_mut() {
            *byte = magnetometer.read(self.register, quality);
            self.register = Magnetometer::after(self.register);
        }
        if slave.control & SWAPPED != 0 {
            let first = usize::from(slave.control & ODD_PAIRS != 0 && !into.is_empty());
            into[first..].chunks_exact_mut(2).for_each(<[u8]>::reverse);
        }
        true
    }
}
