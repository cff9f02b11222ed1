//! What goes over SPI and I2C: whole transfers, not bits.
//!
//! A controller sends a [`BusRequest`] when a transfer begins. Every chip on the bus sees it; the one that is meant
//! answers at once with a [`BusReply`] of the state that it has then. The controller shows the answer when the last
//! bit would have been there. A request that nobody has answered by then was not acknowledged: I2C sees a NACK, SPI
//! reads ones.

use ironbird_kernel::{Payload, Value};

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
