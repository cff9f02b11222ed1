//! Numbers, alone or side by side.
//!
//! A step of one vehicle waits for itself: each stage needs the one before. Four vehicles side by side, one in each
//! lane of a wide register, take little longer than one. Every operation here gives each lane the bits that it would
//! have alone; none mixes lanes.

use nalgebra::{ClosedAddAssign, ClosedMulAssign, ClosedSubAssign, Scalar};
use std::ops::{Div, Neg};
use wide::f64x4;

/// Vehicles that are computed side by side.
pub const LANES: usize = 4;

/// A number of each of them.
pub type Lanes = f64x4;

/// One number, or one in each lane.
pub trait Number:
    Scalar
    + Copy
    + From<f64>
    + ClosedAddAssign
    + ClosedSubAssign
    + ClosedMulAssign
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The square root.
    fn root(self) -> Self;
    /// `self` where it is larger than `bound`, else (as for what is no number) `bound`.
    fn at_least(self, bound: Self) -> Self;
    /// `self` where it is smaller than `bound`, else `bound`.
    fn at_most(self, bound: Self) -> Self;
    /// `positive` where this is above zero, else `other`.
    fn choose(self, positive: Self, other: Self) -> Self;
    /// What `function` makes of each, for values below `far`; one for others.
    fn one_beyond(self, far: f64, function: impl Fn(f64) -> f64) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        if self > bound { self } else { bound }
    }
    #[inline(always)]
    fn at_most(self, bound: Self) -> Self {
        if bound > self { self } else { bound }
    }
    #[inline(always)]
    fn choose(self, positive: Self, other: Self) -> Self {
        if self > 0.0 { positive } else { other }
    }
    #[inline(always)]
    fn one_beyond(self, far: f64, function: impl Fn(f64) -> f64) -> Self {
        if self >= far { 1.0 } else { function(self) }
    }
}

impl Number for Lanes {
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        self.simd_gt(bound).bitselect(self, bound)
    }
    #[inline(always)]
    fn at_most(self, bound: Self) -> Self {
        bound.simd_gt(self).bitselect(self, bound)
    }
    #[inline(always)]
    fn choose(self, positive: Self, other: Self) -> Self {
        self.simd_gt(Self::from(0.0)).bitselect(positive, other)
    }
    #[inline(always)]
    fn one_beyond(self, far: f64, function: impl Fn(f64) -> f64) -> Self {
        if self.simd_ge(Self::from(far)).all() {
            return Self::from(1.0);
        }
        Self::from(self.to_array().map(|value| value.one_beyond(far, &function)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_have_the_bits_of_single_numbers() {
        let odd = [0.0, -0.0, 1.5, -2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310];
        let bits = |number: f64| if number.is_nan() { u64::MAX } else { number.to_bits() };
        for a in odd {
            for b in odd {
                let lanes = Lanes::from([a, 7.0, b, -3.0]);
                let other = Lanes::from([b, -1.0, a, 2.0]);
                let found = [
                    lanes.root(),
                    lanes.at_least(other),
                    lanes.at_most(other),
                    lanes.choose(other, lanes),
                    lanes.one_beyond(1.0, |value| value * 0.5),
                ];
                for (lane, (x, y)) in
                    [(a, b), (7.0, -1.0), (b, a), (-3.0, 2.0)].into_iter().enumerate()
                {
                    let alone = [
                        x.root(),
                        x.at_least(y),
                        x.at_most(y),
                        x.choose(y, x),
                        x.one_beyond(1.0, |value| value * 0.5),
                    ];
                    let found = found.map(|lanes| bits(lanes.to_array()[lane]));
                    assert_eq!(found, alone.map(bits), "{x} {y}");
                }
            }
        }
    }
}
