//! What a right-hand side is written over: plain numbers, or numbers that carry derivatives.
//!
//! A block states its equations once, generic over [`Number`]. The solvers then evaluate them with
//! `f64` (Runge-Kutta, QSS1), with Taylor series in time ([`Series`](crate::Series), QSS2, QSS3 and
//! zero crossings) or with numbers that also carry the derivative with respect to one state
//! ([`Dual`](crate::Dual), LIQSS). Every function goes through `libm`, so that the bits are the
//! same on every machine.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, possibly with derivatives attached.
///
/// The operators take another number or an `f64` on the right: `x * y`, `x * 2.0`, `-x + 1.0`.
/// (Rust has no way to promise `1.0 - x` in generic code: write `-x + 1.0`, or
/// `N::constant(1.0) - x`.)
pub trait Number:
    Copy
    + Debug
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// A number that does not change.
    fn constant(value: f64) -> Self;

    /// The number itself, without its derivatives; what a branch compares.
    fn value(self) -> f64;

    /// Square root.
    fn sqrt(self) -> Self;
    /// e to this power.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);
    /// Inverse sine, in radians.
    fn asin(self) -> Self;
    /// Inverse tangent, in radians.
    fn atan(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The angle of the point (`x`, `self`), in radians.
    fn atan2(self, x: Self) -> Self;
    /// This number to a constant power; the base must be positive.
    fn powf(self, exponent: f64) -> Self;

    /// Sine of an angle in radians.
    fn sin(self) -> Self {
        self.sin_cos().0
    }

    /// Cosine of an angle in radians.
    fn cos(self) -> Self {
        self.sin_cos().1
    }

    /// Tangent of an angle in radians.
    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }

    /// Inverse cosine, in radians.
    fn acos(self) -> Self {
        -self.asin() + std::f64::consts::FRAC_PI_2
    }

    /// Hyperbolic sine.
    fn sinh(self) -> Self {
        (self.exp() - (-self).exp()) * 0.5
    }

    /// Hyperbolic cosine.
    fn cosh(self) -> Self {
        (self.exp() + (-self).exp()) * 0.5
    }

    /// Distance of the point (`self`, `other`) from the origin.
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }

    /// One over this number.
    fn recip(self) -> Self {
        Self::constant(1.0) / self
    }

    /// This number to a whole power, by repeated multiplication.
    fn powi(self, exponent: i32) -> Self {
        let (mut base, mut left) = (self, exponent.unsigned_abs());
        let mut power = Self::constant(1.0);
        while left > 0 {
            if left & 1 == 1 {
                power = power * base;
            }
            left >>= 1;
            if left > 0 {
                base = base * base;
            }
        }
        if exponent < 0 { power.recip() } else { power }
    }

    /// Magnitude. At zero the derivatives are those of the positive branch.
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }

    /// The smaller of two; `self` if they are equal.
    fn min(self, other: Self) -> Self {
        if other.value() < self.value() { other } else { self }
    }

    /// The larger of two; `self` if they are equal.
    fn max(self, other: Self) -> Self {
        if other.value() > self.value() { other } else { self }
    }

    /// This number, held between two constants.
    fn clamp(self, low: f64, high: f64) -> Self {
        self.max(Self::constant(low)).min(Self::constant(high))
    }
}

impl Number for f64 {
    #[inline]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn exp(self) -> Self {
        libm::exp(self)
    }
    fn ln(self) -> Self {
        libm::log(self)
    }
    fn sin_cos(self) -> (Self, Self) {
        libm::sincos(self)
    }
    fn asin(self) -> Self {
        libm::asin(self)
    }
    fn atan(self) -> Self {
        libm::atan(self)
    }
    fn tanh(self) -> Self {
        libm::tanh(self)
    }
    fn atan2(self, x: Self) -> Self {
        libm::atan2(self, x)
    }
    fn powf(self, exponent: f64) -> Self {
        libm::pow(self, exponent)
    }
}

/// What the solvers need beyond [`Number`]: build a number that follows a polynomial in time, and
/// take its derivatives out again.
pub(crate) trait Flow: Number {
    /// The number c0 + c1 s + c2 s^2 + c3 s^3 at s = 0, with as many terms as this type holds.
    fn along(polynomial: [f64; 4]) -> Self;

    /// The same number, as the variable that derivatives are taken with respect to.
    fn as_variable(self) -> Self {
        self
    }

    /// The terms of this number as a polynomial in time; zero where this type holds none.
    fn polynomial(self) -> [f64; 4];

    /// The derivative with respect to the variable; zero where this type holds none.
    fn sensitivity(self) -> f64 {
        0.0
    }
}

impl Flow for f64 {
    #[inline]
    fn along(polynomial: [f64; 4]) -> Self {
        polynomial[0]
    }
    #[inline]
    fn polynomial(self) -> [f64; 4] {
        [self, 0.0, 0.0, 0.0]
    }
}
