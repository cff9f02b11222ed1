//! Numbers as they lie in the messages of binary logs, all little-endian.

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    /// Half precision of IEEE 754.
    F16,
    F32,
    F64,
    /// Letters, of which there are as many as the field has elements.
    Text,
}

impl Stored {
    pub(crate) const fn size(self) -> usize {
        match self {
            Stored::I8 | Stored::U8 | Stored::Text => 1,
            Stored::I16 | Stored::U16 | Stored::F16 => 2,
            Stored::I32 | Stored::U32 | Stored::F32 => 4,
            Stored::I64 | Stored::U64 | Stored::F64 => 8,
        }
    }

    /// The number at the beginning of these bytes; nothing if they are too few or letters.
    pub(crate) fn number(self, bytes: &[u8]) -> Option<f64> {
        let bytes = bytes.get(..self.size())?;
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        Some(match self {
            Stored::I8 => f64::from(bits as i8),
            Stored::U8 | Stored::U16 | Stored::U32 | Stored::U64 => bits as f64,
            Stored::I16 => f64::from(bits as i16),
            Stored::I32 => f64::from(bits as i32),
            Stored::I64 => bits as i64 as f64,
            Stored::F16 => half(bits as u16),
            Stored::F32 => f64::from(f32::from_bits(bits as u32)),
            Stored::F64 => f64::from_bits(bits),
            Stored::Text => return None,
        })
    }
}

/// Half precision: one bit of sign, five of exponent (bias 15), ten of fraction.
fn half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let power = |n: i32| f64::from_bits(((1023 + n) as u64) << 52);
    sign * match exponent {
        0 => fraction * power(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * power(exponent - 25),
    }
}

/// One field of a message, or one element of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub name: String,
    pub offset: usize,
    pub stored: Stored,
    /// What the stored number is multiplied with.
    pub scale: Scale,
    /// As the file names it; empty where it does not.
    pub unit: String,
}

/// What a stored number is multiplied with. A division by a power of ten is exact where a product with
/// its inverse is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    Times(f64),
    Over(f64),
}

impl Scale {
    pub(crate) fn of(factor: f64) -> Self {
        let inverse = 1.0 / factor;
        let is_whole = (inverse - inverse.round()).abs() < 1e-6 * inverse.abs();
        match factor.abs() < 1.0 && inverse.is_finite() && is_whole {
            true => Scale::Over(inverse.round()),
            false => Scale::Times(factor),
        }
    }

    pub(crate) fn apply(self, number: f64) -> f64 {
        match self {
            Scale::Times(factor) => number * factor,
            Scale::Over(divisor) => number / divisor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_has_all_its_kinds_of_numbers() {
        assert_eq!(half(0x3c00), 1.0);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(0x7bff), 65504.0);
        assert_eq!(half(0x0001), 5.960464477539063e-8);
        assert_eq!(half(0x3555), 0.333251953125);
        assert_eq!(half(0xfc00), f64::NEG_INFINITY);
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn numbers_are_little_endian_and_have_their_sign() {
        assert_eq!(Stored::I16.number(&[0xfe, 0xff]), Some(-2.0));
        assert_eq!(Stored::U16.number(&[0xfe, 0xff]), Some(65534.0));
        assert_eq!(Stored::F32.number(&1.5f32.to_le_bytes()), Some(1.5));
        assert_eq!(Stored::F32.number(&[0, 0, 0]), None);
        assert_eq!(Stored::Text.number(b"a"), None);
    }

    #[test]
    fn hundredths_are_exact() {
        assert_eq!(Scale::of(0.01).apply(1234.0), 12.34);
        assert_eq!(Scale::of(3.6).apply(2.0), 7.2);
    }
}
