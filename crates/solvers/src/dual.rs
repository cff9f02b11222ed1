//! Numbers that carry their derivative with respect to one variable.
//!
//! LIQSS needs a = df_i/dx_i, the diagonal of the Jacobian. Evaluating the right-hand side over
//! [`Dual`] yields it together with the value (and, over a series, with the derivatives in time):
//!
//! ```text
//! d(u + v) = du + dv    d(u v) = v du + u dv    d(u / v) = (du - (u/v) dv) / v    d g(u) = g'(u) du
//! ```

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::number::{Flow, Number};

/// A number `N` and its derivative with respect to one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<N> {
    /// The number.
    pub number: N,
    /// Its derivative with respect to the variable.
    pub derivative: f64,
}

impl<N: Number> Dual<N> {
    #[inline]
    fn of(number: N, derivative: f64) -> Self {
        Dual { number, derivative }
    }
}

impl<N: Number> Neg for Dual<N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Dual::of(-self.number, -self.derivative)
    }
}

impl<N: Number> Add for Dual<N> {
    type Output = Self;
    #[inline]
    fn add(self, v: Self) -> Self {
        Dual::of(self.number + v.number, self.derivative + v.derivative)
    }
}

impl<N: Number> Sub for Dual<N> {
    type Output = Self;
    #[inline]
    fn sub(self, v: Self) -> Self {
        Dual::of(self.number - v.number, self.derivative - v.derivative)
    }
}

impl<N: Number> Mul for Dual<N> {
    type Output = Self;
    #[inline]
    fn mul(self, v: Self) -> Self {
        let slope = v.value() * self.derivative + self.value() * v.derivative;
        Dual::of(self.number * v.number, slope)
    }
}

impl<N: Number> Div for Dual<N> {
    type Output = Self;
    #[inline]
    fn div(self, v: Self) -> Self {
        let number = self.number / v.number;
        Dual::of(number, (self.derivative - number.value() * v.derivative) / v.value())
    }
}

impl<N: Number> Add<f64> for Dual<N> {
    type Output = Self;
    #[inline]
    fn add(self, v: f64) -> Self {
        Dual::of(self.number + v, self.derivative)
    }
}

impl<N: Number> Sub<f64> for Dual<N> {
    type Output = Self;
    #[inline]
    fn sub(self, v: f64) -> Self {
        Dual::of(self.number - v, self.derivative)
    }
}

impl<N: Number> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline]
    fn mul(self, v: f64) -> Self {
        Dual::of(self.number * v, self.derivative * v)
    }
}

impl<N: Number> Div<f64> for Dual<N> {
    type Output = Self;
    #[inline]
    fn div(self, v: f64) -> Self {
        Dual::of(self.number / v, self.derivative / v)
    }
}

impl<N: Number> Number for Dual<N> {
    #[inline]
    fn constant(value: f64) -> Self {
        Dual::of(N::constant(value), 0.0)
    }

    #[inline]
    fn value(self) -> f64 {
        self.number.value()
    }

    fn sqrt(self) -> Self {
        let root = self.number.sqrt();
        // A constant zero stays a constant zero instead of becoming 0/0.
        let slope =
            if self.derivative == 0.0 { 0.0 } else { self.derivative / (2.0 * root.value()) };
        Dual::of(root, slope)
    }

    fn exp(self) -> Self {
        let power = self.number.exp();
        Dual::of(power, power.value() * self.derivative)
    }

    fn ln(self) -> Self {
        Dual::of(self.number.ln(), self.derivative / self.value())
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.number.sin_cos();
        let (s, c) = (sin.value(), cos.value());
        (Dual::of(sin, c * self.derivative), Dual::of(cos, -s * self.derivative))
    }

    fn asin(self) -> Self {
        let x = self.value();
        Dual::of(self.number.asin(), self.derivative / f64::sqrt(1.0 - x * x))
    }

    fn atan(self) -> Self {
        let x = self.value();
        Dual::of(self.number.atan(), self.derivative / (1.0 + x * x))
    }

    fn tanh(self) -> Self {
        let number = self.number.tanh();
        let w = number.value();
        Dual::of(number, (1.0 - w * w) * self.derivative)
    }

    fn atan2(self, x: Self) -> Self {
        let (a, b) = (self.value(), x.value());
        let slope = (b * self.derivative - a * x.derivative) / (a * a + b * b);
        Dual::of(self.number.atan2(x.number), slope)
    }

    fn powf(self, exponent: f64) -> Self {
        let slope = exponent * libm::pow(self.value(), exponent - 1.0) * self.derivative;
        Dual::of(self.number.powf(exponent), slope)
    }
}

impl<N: Flow> Flow for Dual<N> {
    #[inline]
    fn along(polynomial: [f64; 4]) -> Self {
        Dual::of(N::along(polynomial), 0.0)
    }

    #[inline]
    fn as_variable(self) -> Self {
        Dual::of(self.number, 1.0)
    }

    #[inline]
    fn polynomial(self) -> [f64; 4] {
        self.number.polynomial()
    }

    #[inline]
    fn sensitivity(self) -> f64 {
        self.derivative
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(f: impl Fn(Dual<f64>) -> Dual<f64>, plain: impl Fn(f64) -> f64, at: f64) {
        let w = f(Dual::of(at, 1.0));
        let difference = (plain(at + 1e-6) - plain(at - 1e-6)) / 2e-6;
        assert!((w.number - plain(at)).abs() < 1e-12);
        assert!((w.derivative - difference).abs() < 1e-7, "{} vs {difference}", w.derivative);
    }

    #[test]
    fn every_function_has_the_derivative_of_the_plain_one() {
        agrees(|u| u.sqrt(), libm::sqrt, 1.3);
        agrees(|u| u.exp(), libm::exp, 0.4);
        agrees(|u| u.ln(), libm::log, 1.7);
        agrees(|u| u.sin(), libm::sin, 0.9);
        agrees(|u| u.tan(), libm::tan, 0.5);
        agrees(|u| u.acos(), libm::acos, 0.3);
        agrees(|u| u.atan(), libm::atan, -0.8);
        agrees(|u| u.tanh(), libm::tanh, 0.6);
        agrees(|u| u.powf(1.7), |x| libm::pow(x, 1.7), 1.2);
        agrees(|u| u.powi(5), |x| x * x * x * x * x, 1.2);
        agrees(|u| u.atan2(u * u - 2.0), |x| libm::atan2(x, x * x - 2.0), 0.9);
        agrees(|u| u / (u + 1.0), |x| x / (x + 1.0), 0.9);
    }
}
