//! Bits of a packet (CTF 1.8.3, section 4.1.5): with little-endian order the first bit of a field is the
//! lowest of its byte, with big-endian order the highest.

use super::field::ByteOrder;

/// The packet ends before the field does, or the field is nonsense.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// There are no more bits.
    End,
    /// The contents contradict the metadata.
    Nonsense(String),
}

/// Reads a packet from its start. Alignment counts from there.
#[derive(Clone)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bit.
    pub at: u64,
    /// Behind the last bit.
    pub end: u64,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Bits { bytes, at: 0, end: 8 * bytes.len() as u64 }
    }

    pub(super) fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    pub(super) fn align(&mut self, to: u64) -> Result<(), Stop> {
        let at = self.at.checked_next_multiple_of(to).ok_or(Stop::End)?;
        if at > self.end {
            return Err(Stop::End);
        }
        self.at = at;
        Ok(())
    }

    /// An unsigned number of 1 to 64 bits.
    pub(super) fn unsigned(&mut self, size: u32, order: ByteOrder) -> Result<u64, Stop> {
        if self.left() < u64::from(size) {
            return Err(Stop::End);
        }
        let skipped = (self.at % 8) as u32;
        let first = (self.at / 8) as usize;
        let count = (skipped + size).div_ceil(8) as usize;
        let bytes = self.bytes.get(first..first + count).ok_or(Stop::End)?;
        let wide = match order {
            ByteOrder::Little => {
                bytes.iter().rev().fold(0_u128, |sum, byte| sum << 8 | u128::from(*byte)) >> skipped
            }
            ByteOrder::Big => {
                bytes.iter().fold(0_u128, |sum, byte| sum << 8 | u128::from(*byte))
                    >> (8 * count as u32 - skipped - size)
            }
        };
        self.at += u64::from(size);
        Ok((wide & (u128::MAX >> (128 - size))) as u64)
    }

    /// Bytes up to a zero, which is passed. Aligned to a byte.
    pub(super) fn until_zero(&mut self) -> Result<&'a [u8], Stop> {
        let (first, end) = ((self.at / 8) as usize, (self.end / 8) as usize);
        let rest = self.bytes.get(first..end).ok_or(Stop::End)?;
        let length = rest.iter().position(|byte| *byte == 0).ok_or(Stop::End)?;
        self.at += 8 * (length as u64 + 1);
        Ok(&rest[..length])
    }

    /// So many bytes. Aligned to a byte.
    pub(super) fn bytes(&mut self, count: u64) -> Result<&'a [u8], Stop> {
        if self.left() / 8 < count {
            return Err(Stop::End);
        }
        let first = (self.at / 8) as usize;
        let found = self.bytes.get(first..first + count as usize).ok_or(Stop::End)?;
        self.at += 8 * count;
        Ok(found)
    }
}

/// The number that the lowest `size` bits are in two's complement.
pub(super) fn signed(bits: u64, size: u32) -> i64 {
    let unused = 64 - size;
    (bits << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_lowest_first_in_little_endian_and_highest_first_in_big_endian() {
        let bytes = [0b1010_0101, 0b0000_1111, 0xff];
        let mut little = Bits::new(&bytes);
        assert_eq!(little.unsigned(5, ByteOrder::Little), Ok(0b00101));
        assert_eq!(little.unsigned(7, ByteOrder::Little), Ok(0b111_1101));
        let mut big = Bits::new(&bytes);
        assert_eq!(big.unsigned(5, ByteOrder::Big), Ok(0b10100));
        assert_eq!(big.unsigned(7, ByteOrder::Big), Ok(0b101_0000));
    }

    #[test]
    fn a_field_of_64_bits_may_start_inside_a_byte() {
        let bytes = [0xff; 9];
        let mut bits = Bits::new(&bytes);
        bits.unsigned(3, ByteOrder::Little).unwrap();
        assert_eq!(bits.unsigned(64, ByteOrder::Little), Ok(u64::MAX));
        assert_eq!(bits.unsigned(6, ByteOrder::Little), Err(Stop::End));
    }

    #[test]
    fn numbers_are_signed_in_their_own_width() {
        assert_eq!((signed(0x1f, 5), signed(0x0f, 5), signed(u64::MAX, 64)), (-1, 15, -1));
    }
}
