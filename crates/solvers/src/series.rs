//! Truncated Taylor series in time.
//!
//! A [`Series`] holds c_k = (1/k!) d^k f/dt^k. Sums are term by term; the rest are the classical
//! recurrences (Griewank and Walther, *Evaluating Derivatives*, table 13.1 and 13.2):
//!
//! ```text
//! w = u v      w_k = sum_{i=0..k} u_i v_{k-i}
//! w = u / v    w_k = (u_k - sum_{i=1..k} v_i w_{k-i}) / v_0
//! w = sqrt u   w_k = (u_k - sum_{i=1..k-1} w_i w_{k-i}) / (2 w_0)
//! w = exp u    k w_k = sum_{i=1..k} i u_i w_{k-i}
//! w = ln u     w_k = (u_k - (1/k) sum_{i=1..k-1} i w_i u_{k-i}) / u_0
//! w = u^r      k u_0 w_k = sum_{i=1..k} (i r - (k-i)) u_i w_{k-i}
//! w = g(u)     k w_k = sum_{i=1..k} i u_i (g'(u))_{k-i}
//! ```
#![allow(clippy::needless_range_loop, reason = "the loops mirror the indices of the recurrences")]

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::{Flow, Number};

/// A number and its first `TERMS - 1` derivatives in time, as Taylor coefficients.
///
/// ```
/// use ironbird_solvers::{Number, Series};
///
/// let t = Series::<3>::new([2.0, 1.0, 0.0]); // time itself, at t = 2
/// assert_eq!((t * t).coefficients(), [4.0, 4.0, 1.0]); // (2 + s)^2
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<const TERMS: usize>([f64; TERMS]);

impl<const TERMS: usize> Series<TERMS> {
    /// The series c_0 + c_1 s + c_2 s^2 + ...
    #[inline]
    pub const fn new(coefficients: [f64; TERMS]) -> Self {
        Series(coefficients)
    }

    /// The terms, lowest power first.
    #[inline]
    pub const fn coefficients(self) -> [f64; TERMS] {
        self.0
    }

    /// w(0) = `value` and w' = `slope` u', with `slope` already a series.
    fn integrate(value: f64, slope: Self, u: Self) -> Self {
        let mut w = [0.0; TERMS];
        w[0] = value;
        for k in 1..TERMS {
            let mut sum = 0.0;
            for i in 1..=k {
                sum += i as f64 * u.0[i] * slope.0[k - i];
            }
            w[k] = sum / k as f64;
        }
        Series(w)
    }
}

impl<const TERMS: usize> Neg for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Series(self.0.map(|c| -c))
    }
}

impl<const TERMS: usize> Add for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn add(self, v: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] + v.0[k]))
    }
}

impl<const TERMS: usize> Sub for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn sub(self, v: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] - v.0[k]))
    }
}

impl<const TERMS: usize> Mul for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn mul(self, v: Self) -> Self {
        let mut w = [0.0; TERMS];
        for k in 0..TERMS {
            let mut sum = self.0[0] * v.0[k];
            for i in 1..=k {
                sum += self.0[i] * v.0[k - i];
            }
            w[k] = sum;
        }
        Series(w)
    }
}

impl<const TERMS: usize> Div for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn div(self, v: Self) -> Self {
        let mut w = [0.0; TERMS];
        for k in 0..TERMS {
            let mut rest = self.0[k];
            for i in 1..=k {
                rest -= v.0[i] * w[k - i];
            }
            w[k] = rest / v.0[0];
        }
        Series(w)
    }
}

impl<const TERMS: usize> Add<f64> for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn add(mut self, v: f64) -> Self {
        self.0[0] += v;
        self
    }
}

impl<const TERMS: usize> Sub<f64> for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn sub(mut self, v: f64) -> Self {
        self.0[0] -= v;
        self
    }
}

impl<const TERMS: usize> Mul<f64> for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn mul(self, v: f64) -> Self {
        Series(self.0.map(|c| c * v))
    }
}

impl<const TERMS: usize> Div<f64> for Series<TERMS> {
    type Output = Self;
    #[inline]
    fn div(self, v: f64) -> Self {
        Series(self.0.map(|c| c / v))
    }
}

impl<const TERMS: usize> Number for Series<TERMS> {
    #[inline]
    fn constant(value: f64) -> Self {
        let mut w = [0.0; TERMS];
        w[0] = value;
        Series(w)
    }

    #[inline]
    fn value(self) -> f64 {
        self.0[0]
    }

    fn sqrt(self) -> Self {
        let mut w = [0.0; TERMS];
        w[0] = f64::sqrt(self.0[0]);
        for k in 1..TERMS {
            let mut rest = self.0[k];
            for i in 1..k {
                rest -= w[i] * w[k - i];
            }
            // A constant zero stays a constant zero instead of becoming 0/0.
            w[k] = if rest == 0.0 { 0.0 } else { rest / (2.0 * w[0]) };
        }
        Series(w)
    }

    fn exp(self) -> Self {
        let mut w = [0.0; TERMS];
        w[0] = libm::exp(self.0[0]);
        for k in 1..TERMS {
            let mut sum = 0.0;
            for i in 1..=k {
                sum += i as f64 * self.0[i] * w[k - i];
            }
            w[k] = sum / k as f64;
        }
        Series(w)
    }

    fn ln(self) -> Self {
        let mut w = [0.0; TERMS];
        w[0] = libm::log(self.0[0]);
        for k in 1..TERMS {
            let mut sum = 0.0;
            for i in 1..k {
                sum += i as f64 * w[i] * self.0[k - i];
            }
            w[k] = (self.0[k] - sum / k as f64) / self.0[0];
        }
        Series(w)
    }

    fn sin_cos(self) -> (Self, Self) {
        let (mut s, mut c) = ([0.0; TERMS], [0.0; TERMS]);
        (s[0], c[0]) = libm::sincos(self.0[0]);
        for k in 1..TERMS {
            let (mut sine, mut cosine) = (0.0, 0.0);
            for i in 1..=k {
                let slope = i as f64 * self.0[i];
                sine += slope * c[k - i];
                cosine -= slope * s[k - i];
            }
            s[k] = sine / k as f64;
            c[k] = cosine / k as f64;
        }
        (Series(s), Series(c))
    }

    fn asin(self) -> Self {
        let slope = (-(self * self) + 1.0).sqrt().recip();
        Self::integrate(libm::asin(self.0[0]), slope, self)
    }

    fn atan(self) -> Self {
        Self::integrate(libm::atan(self.0[0]), (self * self + 1.0).recip(), self)
    }

    fn tanh(self) -> Self {
        // w' = (1 - w^2) u': term k of the slope needs the terms of w below k only.
        let mut w = Self::constant(libm::tanh(self.0[0]));
        for k in 1..TERMS {
            let next = Self::integrate(w.0[0], -(w * w) + 1.0, self);
            w.0[k] = next.0[k];
        }
        w
    }

    fn atan2(self, x: Self) -> Self {
        // w' = (x y' - y x') / (x^2 + y^2)
        let y = self;
        let square = x * x + y * y;
        let (dy, dx) = (y / square, x / square);
        let along_y = Self::integrate(libm::atan2(y.0[0], x.0[0]), dx, y);
        let along_x = Self::integrate(0.0, dy, x);
        along_y - along_x
    }

    fn powf(self, exponent: f64) -> Self {
        let mut w = [0.0; TERMS];
        w[0] = libm::pow(self.0[0], exponent);
        for k in 1..TERMS {
            let mut sum = 0.0;
            for i in 1..=k {
                sum += (i as f64 * exponent - (k - i) as f64) * self.0[i] * w[k - i];
            }
            w[k] = sum / (k as f64 * self.0[0]);
        }
        Series(w)
    }
}

impl<const TERMS: usize> Flow for Series<TERMS> {
    #[inline]
    fn along(polynomial: [f64; 4]) -> Self {
        Series(std::array::from_fn(|k| if k < 4 { polynomial[k] } else { 0.0 }))
    }

    #[inline]
    fn polynomial(self) -> [f64; 4] {
        std::array::from_fn(|k| if k < TERMS { self.0[k] } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the Taylor terms that differences of the plain function give.
    fn agrees(f: impl Fn(Series<4>) -> Series<4>, plain: impl Fn(f64) -> f64, at: f64) {
        // u(s) = at + 0.7 s - 0.3 s^2 + 0.2 s^3
        let u = Series::new([at, 0.7, -0.3, 0.2]);
        let along = |s: f64| plain(at + s * (0.7 + s * (-0.3 + s * 0.2)));
        let w = f(u).coefficients();
        for s in [-0.01, 0.004, 0.02] {
            let series = w[0] + s * (w[1] + s * (w[2] + s * w[3]));
            assert!((series - along(s)).abs() < 3e-6, "{series} is not {} at {s}", along(s));
        }
    }

    #[test]
    fn every_function_has_the_taylor_terms_of_the_plain_one() {
        agrees(|u| u.sqrt(), libm::sqrt, 1.3);
        agrees(|u| u.exp(), libm::exp, 0.4);
        agrees(|u| u.ln(), libm::log, 1.7);
        agrees(|u| u.sin(), libm::sin, 0.9);
        agrees(|u| u.cos(), libm::cos, 0.9);
        agrees(|u| u.tan(), libm::tan, 0.5);
        agrees(|u| u.asin(), libm::asin, 0.3);
        agrees(|u| u.acos(), libm::acos, 0.3);
        agrees(|u| u.atan(), libm::atan, -0.8);
        agrees(|u| u.tanh(), libm::tanh, 0.6);
        agrees(|u| u.sinh(), libm::sinh, 0.6);
        agrees(|u| u.cosh(), libm::cosh, 0.6);
        agrees(|u| u.powf(1.7), |x| libm::pow(x, 1.7), 1.2);
        agrees(|u| u.powi(-3), |x| 1.0 / (x * x * x), 1.2);
        agrees(|u| u.abs(), libm::fabs, -1.2);
        agrees(|u| u.atan2(u * u - 2.0), |x| libm::atan2(x, x * x - 2.0), 0.9);
        agrees(|u| u.hypot(u + 1.0), |x| libm::hypot(x, x + 1.0), 0.9);
    }
}
