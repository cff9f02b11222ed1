//! What goes over SPI and I2C: whole transfers, not bits.
//!
//! A controller sends a [`BusRequest`] when a transfer begins. Every chip on the bus sees it; the one that is meant
//! answers at once with a [`BusReply`] of the state that it has then. The controller shows the answer when the last
//! bit would have been there. A request that nobody has answered by then was not acknowledged: I2C sees a NACK, SPI
//! reads ones.

use ironbird_kernel::{Duration, Payload, Value};

/// A transfer begins.
///
/// On SPI the chip is selected from the first byte to the last, and as many bytes come back as are written. On I2C
/// the bytes are written first; then, if anything is to be read, follows a repeated start and that many bytes.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct BusRequest {
    /// Which transfer of the controller this is; the reply repeats it.
    pub transfer: u32,
    /// The chip that is meant: the number of its select line (SPI), or its address of 7 bits (I2C).
    pub chip: u8,
    /// Clock of the bus in Hz.
    pub clock: u32,
    /// What is written to the chip.
    pub written: Payload,
    /// How many bytes are to be read after that (I2C).
    pub read: u32,
}

/// What a chip answers.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct BusReply {
    /// Which transfer it answers.
    pub transfer: u32,
    /// Whether the chip acknowledged its address and every byte (I2C); true on SPI.
    pub acknowledged: bool,
    /// What is read: as many bytes as were written (SPI), or as were asked for (I2C).
    pub read: Payload,
}

impl BusReply {
    /// Another chip answers the same transfer: the bits are wired together, and a 0 wins.
    pub fn join(&mut self, other: &BusReply) {
        self.acknowledged |= other.acknowledged;
        let mut bytes = self.read.to_vec();
        bytes.iter_mut().zip(other.read.iter()).for_each(|(all, one)| *all &= one);
        self.read = Payload::new(bytes);
    }
}

/// Bits of time at the clock of a bus, rounded up.
pub fn bit_time(count: u64, clock: u32) -> Duration {
    Duration::from_ps((count * 1_000_000_000_000).div_ceil(u64::from(clock.max(1))))
}

/// Bits of a transfer on I2C: for what is written and for what is read a start, the address and the bytes, each with
/// its acknowledgement; and a stop.
pub fn i2c_bits(written: u32, read: u32) -> u64 {
    let part = |length: u32| if length == 0 { 0 } else { 1 + 9 * (1 + u64::from(length)) };
    part(written) + part(read) + 1
}

/// Bits on I2C until a chip must have acknowledged: the start and the address.
pub const I2C_ADDRESSING: u64 = 1 + 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_of_two_bytes_takes_48_bits_on_i2c() {
        // start, address, register; start, address, two bytes; stop.
        assert_eq!(i2c_bits(1, 2), (1 + 9 + 9) + (1 + 9 + 18) + 1);
        assert_eq!(bit_time(i2c_bits(1, 2), 400_000), Duration::from_us(120));
    }

    #[test]
    fn of_two_answers_the_zeros_are_read() {
        let reply = |acknowledged, byte| {
            let read = Payload::new([byte, 0xFF]);
            BusReply { transfer: 1, acknowledged, read }
        };
        let mut all = reply(false, 0b1010);
        all.join(&reply(true, 0b0110));
        assert_eq!(all, reply(true, 0b0010));
    }
}
