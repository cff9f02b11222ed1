//! What goes over a serial line (UART): 8 data bits, no parity, one stop bit.

use ironbird_kernel::Value;

/// A byte, sent when its stop bit is over.
///
/// A receiver that listens at another rate sees noise: [`SerialByte::is_readable_at`] says whether it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct SerialByte {
    /// The byte.
    pub byte: u8,
    /// Bits per second at which it was sent.
    pub baud: u32,
}

impl SerialByte {
    /// Bits on the line per byte: start, eight data bits, stop.
    pub const BITS: u64 = 10;

    /// Whether a receiver that listens at `baud` reads the byte: the last bit is sampled in its middle, so the rates
    /// may differ by half a bit in nine and a half.
    pub fn is_readable_at(&self, baud: u32) -> bool {
        let (sent, heard) = (u64::from(self.baud), u64::from(baud));
        sent.abs_diff(heard) * 19 < sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_read_at_its_own_rate_and_five_percent_around_it() {
        let byte = SerialByte { byte: b'$', baud: 9600 };
        assert!(byte.is_readable_at(9600));
        assert!(byte.is_readable_at(10_000));
        assert!(!byte.is_readable_at(10_200));
        assert!(!byte.is_readable_at(4800));
        assert!(!byte.is_readable_at(0));
    }
}
