//! Numbers as whole ones: a value x travels as the nearest whole number to x times a factor, in 32 bits with sign.

/// A value on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnWire {
    /// The whole number.
    pub number: i32,
    /// Whether the value was beyond what fits, or no number, so that the nearest (or zero) stands for it.
    pub is_cut: bool,
}

/// The whole number of a value: to the nearest, halves to the even one.
pub fn to_wire(value: f64, factor: u32) -> OnWire {
    let scaled = (value * f64::from(factor)).round_ties_even();
    // `as` brings what is too large to the nearest end, and what is no number to zero.
    let number = scaled as i32;
    OnWire { number, is_cut: f64::from(number) != scaled }
}

/// The value of a whole number.
pub fn from_wire(number: i32, factor: u32) -> f64 {
    f64::from(number) / f64::from(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_to_the_nearest() {
        for (value, number) in
            [(0.0, 0), (1.2344, 1234), (-1.2346, -1235), (0.0005, 0), (0.0015, 2)]
        {
            assert_eq!(to_wire(value, 1000), OnWire { number, is_cut: false }, "{value}");
        }
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        // The thesis' factor of 10^6 ends altitudes at 2147 m.
        assert!(!to_wire(2147.0, 1_000_000).is_cut);
        assert_eq!(to_wire(2148.0, 1_000_000), OnWire { number: i32::MAX, is_cut: true });
        assert_eq!(to_wire(-1e300, 1), OnWire { number: i32::MIN, is_cut: true });
        assert_eq!(to_wire(f64::NAN, 1), OnWire { number: 0, is_cut: true });
    }

    #[test]
    fn a_value_comes_back_within_half_a_step() {
        for number in [i32::MIN, -1, 0, 1, 123_456_789, i32::MAX] {
            let value = from_wire(number, 1_000_000);
            assert_eq!(to_wire(value, 1_000_000), OnWire { number, is_cut: false });
        }
    }
}
