//! Numbers that are computed from signals, in SI base units.

use crate::ast::{Arithmetic, Comparison, Function};

/// One number: a tree over the leaves of the signals that a formula reads.
#[derive(Clone, Debug)]
pub(crate) enum Scalar {
    Constant(f64),
    /// Place in [`crate::Values`].
    Leaf(usize),
    /// Seconds of simulated time.
    Time,
    Negate(Box<Scalar>),
    Binary(Arithmetic, Box<Scalar>, Box<Scalar>),
    Power(Box<Scalar>, i8),
    Call(Function, Vec<Scalar>),
}

impl Scalar {
    /// Whether it depends on simulated time.
    pub(crate) fn reads_time(&self) -> bool {
        match self {
            Scalar::Constant(_) | Scalar::Leaf(_) => false,
            Scalar::Time => true,
            Scalar::Negate(a) | Scalar::Power(a, _) => a.reads_time(),
            Scalar::Binary(_, a, b) => a.reads_time() || b.reads_time(),
            Scalar::Call(_, arguments) => arguments.iter().any(Scalar::reads_time),
        }
    }

    /// The same number, computed now if nothing in it varies. The operands must be folded already.
    pub(crate) fn folded(self) -> Self {
        let constant = |s: &Scalar| matches!(s, Scalar::Constant(_));
        let all_constant = match &self {
            Scalar::Constant(_) | Scalar::Leaf(_) | Scalar::Time => false,
            Scalar::Negate(a) | Scalar::Power(a, _) => constant(a),
            Scalar::Binary(_, a, b) => constant(a) && constant(b),
            Scalar::Call(_, arguments) => arguments.iter().all(constant),
        };
        if all_constant { Scalar::Constant(self.value(&[], 0.0)) } else { self }
    }

    /// The number that it is whatever the signals are, if they are finite: a product with 0, for one. What is computed
    /// from such numbers alone is one, too.
    pub(crate) fn settled(&self) -> Option<f64> {
        let settled = |scalar: Option<f64>| scalar.map(Scalar::Constant).map(Box::new);
        let whole = match self {
            Scalar::Constant(value) => return Some(*value),
            Scalar::Leaf(_) | Scalar::Time => return None,
            Scalar::Negate(a) => Scalar::Negate(settled(a.settled())?),
            Scalar::Power(a, exponent) => Scalar::Power(settled(a.settled())?, *exponent),
            Scalar::Binary(operator, a, b) => match (operator, a.settled(), b.settled()) {
                (Arithmetic::Multiply, Some(0.0), _) | (Arithmetic::Multiply, _, Some(0.0)) => {
                    return Some(0.0);
                }
                (Arithmetic::Divide | Arithmetic::Modulo, Some(0.0), None) => return Some(0.0),
                (_, a, b) => Scalar::Binary(*operator, settled(a)?, settled(b)?),
            },
            Scalar::Call(function, arguments) => {
                let arguments = arguments.iter().map(|a| a.settled().map(Scalar::Constant));
                Scalar::Call(*function, arguments.collect::<Option<_>>()?)
            }
        };
        Some(whole.value(&[], 0.0))
    }

    /// The number for these leaves at this time in seconds.
    pub(crate) fn value(&self, leaves: &[f64], time: f64) -> f64 {
        let of = |s: &Scalar| s.value(leaves, time);
        match self {
            Scalar::Constant(value) => *value,
            Scalar::Leaf(place) => leaves[*place],
            Scalar::Time => time,
            Scalar::Negate(a) => -of(a),
            Scalar::Binary(operator, a, b) => arithmetic(*operator, of(a), of(b)),
            Scalar::Power(a, exponent) => power(of(a), *exponent),
            Scalar::Call(function, arguments) => call(*function, arguments.iter().map(of)),
        }
    }
}

fn arithmetic(operator: Arithmetic, a: f64, b: f64) -> f64 {
    match operator {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Modulo => {
            let remainder = a % b;
            if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) {
                remainder + b
            } else {
                remainder
            }
        }
    }
}

/// By multiplication, so that the number of roundings is the same everywhere.
fn power(base: f64, exponent: i8) -> f64 {
    let product = (0..exponent.unsigned_abs()).fold(1.0, |product, _| product * base);
    if exponent < 0 { 1.0 / product } else { product }
}

fn call(function: Function, mut arguments: impl Iterator<Item = f64>) -> f64 {
    // The checker has counted the arguments.
    let mut next = || arguments.next().unwrap_or(f64::NAN);
    match function {
        Function::Norm => arguments.map(|x| x * x).sum::<f64>().sqrt(),
        Function::Min => extreme(arguments, |a, b| a < b),
        Function::Max => extreme(arguments, |a, b| a > b),
        Function::Abs => next().abs(),
        Function::Sqrt => next().sqrt(),
        Function::Sin => libm::sin(next()),
        Function::Cos => libm::cos(next()),
        Function::Tan => libm::tan(next()),
        Function::Asin => libm::asin(next()),
        Function::Acos => libm::acos(next()),
        Function::Atan2 => {
            let y = next();
            libm::atan2(y, next())
        }
        Function::Floor => next().floor(),
        Function::Ceil => next().ceil(),
        Function::Exp => libm::exp(next()),
        Function::Ln => libm::log(next()),
        Function::Sign => {
            let x = next();
            if x == 0.0 || x.is_nan() { x } else { x.signum() }
        }
    }
}

/// The argument that is `better` than all others; NaN if one is, which `f64::min` would hide.
fn extreme(arguments: impl Iterator<Item = f64>, better: fn(f64, f64) -> bool) -> f64 {
    arguments
        .reduce(|best, x| if best.is_nan() || (!x.is_nan() && !better(x, best)) { best } else { x })
        .unwrap_or(f64::NAN)
}

impl Comparison {
    /// The same comparison with its sides exchanged.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            same => same,
        }
    }

    /// How far the comparison is from changing its truth. The sign bit is the truth: clear where it
    /// holds, so `+0.0` is a non-strict comparison of equals and `-0.0` a strict one. A comparison
    /// with NaN does not hold by any margin.
    pub(crate) fn margin(self, left: f64, right: f64) -> f64 {
        if left.is_nan() || right.is_nan() {
            return f64::NEG_INFINITY;
        }
        if left == right {
            return match self {
                Comparison::Less | Comparison::Greater | Comparison::NotEqual => -0.0,
                _ => 0.0,
            };
        }
        match self {
            Comparison::Less | Comparison::LessOrEqual => right - left,
            Comparison::Greater | Comparison::GreaterOrEqual => left - right,
            Comparison::Equal => -(left - right).abs(),
            Comparison::NotEqual => (left - right).abs(),
        }
    }
}

/// Whether a margin says that something holds.
pub(crate) fn holds(margin: f64) -> bool {
    margin.is_sign_positive()
}

/// The lesser of two margins; of two zeros, the one that does not hold.
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if b.total_cmp(&a).is_lt() { b } else { a }
}

/// The greater of two margins; of two zeros, the one that holds.
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if b.total_cmp(&a).is_gt() { b } else { a }
}

/// The margin of something that is merely true or false.
pub(crate) fn certain(truth: bool) -> f64 {
    if truth { f64::INFINITY } else { f64::NEG_INFINITY }
}
