//! Which registers ArduCopter 4.7.0 touches, in the order in which it touches each for the first time, as traced on a bus.

use std::fmt;

/// A read, or a write with its first value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read(u8),
    Write(u8, u8),
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Access::Read(register) => write!(f, "R {register:02x}"),
            Access::Write(register, value) => write!(f, "W {register:02x}={value:02x}"),
        }
    }
}

use Access::{Read as R, Write as W};

/// The MPU-9250, and through it the AK8963.
pub const INERTIAL_UNIT: [Access; 58] = [
    // Identity, reset, clock.
    R(0x75),
    R(0x6A),
    W(0x6B, 0x80),
    W(0x6A, 0x10),
    W(0x6B, 0x03),
    R(0x6B),
    // The auxiliary bus.
    W(0x6A, 0x30),
    W(0x24, 0x1D),
    W(0x34, 0x09),
    W(0x67, 0x0F),
    // AK8963: identity, fuse ROM, adjustment, 100 Hz with 16 bits, then seven bytes for ever.
    W(0x27, 0x00),
    W(0x25, 0x8C),
    W(0x26, 0x00),
    W(0x27, 0x81),
    R(0x49),
    W(0x63, 0x1F),
    W(0x25, 0x0C),
    W(0x26, 0x0A),
    W(0x26, 0x10),
    W(0x27, 0x83),
    W(0x63, 0x16),
    W(0x26, 0x03),
    W(0x27, 0x87),
    // All axes on, the FIFO.
    W(0x6C, 0x00),
    W(0x23, 0x00),
    W(0x6A, 0x34),
    W(0x6A, 0x70),
    W(0x23, 0xF8),
    // Filters and ranges.
    W(0x34, 0x1F),
    W(0x1A, 0x40),
    W(0x1D, 0x08),
    W(0x19, 0x00),
    W(0x1B, 0x18),
    R(0x0C),
    W(0x1C, 0x18),
    W(0x38, 0x01),
    R(0x37),
    W(0x37, 0x00),
    // The factory's offsets, written back as they are: of -3176, 1850 and 5624.
    R(0x77),
    W(0x77, 0xF3),
    R(0x78),
    W(0x78, 0x98),
    R(0x7A),
    W(0x7A, 0x07),
    R(0x7B),
    W(0x7B, 0x3A),
    R(0x7D),
    W(0x7D, 0x15),
    R(0x7E),
    W(0x7E, 0xF8),
    // From now on: the FIFO, and one of the checked registers at each twentieth time.
    R(0x72),
    R(0x74),
    R(0x23),
    R(0x1A),
    R(0x1D),
    R(0x19),
    R(0x1B),
    R(0x1C),
];

/// The commands of the MS5611: reset, calibration, temperature, reading, pressure.
pub const BAROMETER: [u8; 12] =
    [0x1E, 0xA0, 0xA2, 0xA4, 0xA6, 0xA8, 0xAA, 0xAC, 0xAE, 0x54, 0x00, 0x44];

/// The PCA9685: all off, each of 13 channels, stop, sleep, 50 Hz, the outer clock, on; then 400 Hz and 461 Hz.
pub const PULSES: [Access; 21] = [
    W(0xFA, 0x00),
    W(0x12, 0x00),
    W(0x16, 0x00),
    W(0x1A, 0x00),
    W(0x1E, 0x00),
    W(0x22, 0x00),
    W(0x26, 0x00),
    W(0x2A, 0x00),
    W(0x2E, 0x00),
    W(0x32, 0x00),
    W(0x36, 0x00),
    W(0x3A, 0x00),
    W(0x3E, 0x00),
    W(0x42, 0x00),
    W(0xFD, 0x10),
    W(0x00, 0x10),
    W(0xFE, 0x77),
    W(0x00, 0x50),
    W(0x00, 0xA0),
    W(0xFE, 0x0E),
    W(0xFE, 0x0C),
];

/// Lights that are looked for and are not there, each asked eleven times.
pub const LIGHTS: [u8; 5] = [0x55, 0x38, 0x39, 0x30, 0x54];

/// The first time of each.
pub fn first_of_each<T: PartialEq + Copy>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}
